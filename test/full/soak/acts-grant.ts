// Acts of people about access: they grant it, ask for it, approve it; and about their accounts.
import type { SeenMessage } from '../../../playground/slack/person/seen.ts'
import { tags } from './ledger.ts'
import { type Act, connectAccount, type Stage } from './stage.ts'
import { containerId, type Soaker } from './world.ts'

const mayGrant = ({ kind }: Soaker) => kind !== 'reader'
const mayOnlyAsk = ({ kind }: Soaker) => kind === 'reader'
const moves = ({ kind }: Soaker) => kind === 'mover'

function newEmail({ world, number }: Stage): string {
  const email = tags.email(number())
  world.service.addUser({ email })
  return email
}

async function grant(stage: Stage): Promise<void> {
  const email = newEmail(stage)
  await stage.types(`/grant ${containerId} ${email} viewer`, email)
}

/** The same line twice at the same moment, as with an impatient thumb. */
async function grantTwice(stage: Stage): Promise<void> {
  const email = newEmail(stage)
  const channel = stage.channel()
  const line = `/grant ${containerId} ${email} viewer`
  await Promise.all([stage.types(line, email, channel), stage.types(line, email, channel)])
}

async function grantSensitive(stage: Stage): Promise<void> {
  const { soaker, seen } = stage
  const email = newEmail(stage)
  const channel = stage.channel()
  await stage.types(`/grant ${containerId} ${email} WEBHOOKS`, email, channel)
  const confirmation = await seen(channel, email, 'Sensitive')
  await Promise.all([
    soaker.person.presses('Grant access', confirmation),
    soaker.person.presses('Grant access', confirmation),
  ])
}

async function grantSeveral(stage: Stage): Promise<void> {
  const emails = Array.from({ length: Math.floor(stage.random.between(2, 6)) }, () => newEmail(stage))
  await stage.types(`/grant ${containerId} ${emails.join(' ')} viewer`, emails[0] ?? '')
}

/** Asked for by somebody who may not; two colleagues press *Approve* at the same moment. */
async function askApproval(stage: Stage): Promise<void> {
  const { world, soaker, seen, until, random } = stage
  const email = newEmail(stage)
  const channel = stage.channel()
  await stage.types(`/grant ${containerId} ${email} viewer`, email, channel)
  await soaker.person.presses('Ask for approval', await seen(channel, email, 'Ask for approval'))
  await until(() => (soaker.person.modal?.title === 'Ask for approval' ? true : undefined))
  await soaker.person.submits({ fields: { Reason: 'On call this week' } })
  const card = await seen(channel, email, 'Approve')
  if (card === undefined) return
  const leads = world.soakers.filter(({ kind }) => kind === 'lead')
  const approvers = [random.pick(leads), random.pick(leads)]
  await Promise.all(approvers.map(({ person }) => pressQuietly(person, world.seenBy(person, card.message))))
}

async function pressQuietly(person: Soaker['person'], card: SeenMessage): Promise<void> {
  await person.presses('Approve', card).catch(() => undefined)
}

/** Who is told to be disconnected is; who asked and did not hear may be either. */
async function move(stage: Stage): Promise<void> {
  const { ledger, soaker, world } = stage
  const { person } = soaker
  ledger.accounts.set(person.id, 'unknown')
  if (stage.random.chance(0.5)) {
    const from = world.slack.workspace.messages.length
    await stage.types('/alert disconnect', 'disconnect')
    const isTold = world.slack.workspace.messages
      .slice(from)
      .some(
        ({ ephemeralFor, text }) =>
          ephemeralFor === person.id && /^Disconnected|You weren’t connected/.test(text),
      )
    if (isTold) ledger.accounts.set(person.id, 'gone')
    return
  }
  if (await connectAccount(stage)) ledger.accounts.set(person.id, 'there')
}

export const grantActs: readonly Act[] = [
  { name: 'grant', weight: 3, may: mayGrant, act: grant },
  { name: 'grant, typed twice', weight: 1, may: mayGrant, act: grantTwice },
  { name: 'grant, confirmed twice', weight: 1, may: mayGrant, act: grantSensitive },
  { name: 'grant to several', weight: 1, may: mayGrant, act: grantSeveral },
  { name: 'approval', weight: 12, may: mayOnlyAsk, act: askApproval },
]

export const accountActs: readonly Act[] = [
  { name: 'connect or disconnect', weight: 4, may: moves, act: move },
]

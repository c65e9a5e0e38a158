// People who go about their work, and alerts that live on meanwhile: each does one thing after the other, chosen by chance.
// Nothing they meet stops them; whether it was right is for the books.
import { setTimeout as wait } from 'node:timers/promises'
import type { Channel } from '../../playground/slack/model/model.ts'
import { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { Random } from './random.ts'
import { containerId, type Soaker, type SoakWorld, tags } from './world.ts'

/** How long somebody waits for an answer before they do something else. */
const patienceMs = 8_000

interface Stage {
  readonly world: SoakWorld
  readonly random: Random
  readonly soaker: Soaker
}

/** The newest message that this person sees, anywhere or in a channel, and that says all of it; waited for, for a while. */
async function seen(
  { world, soaker }: Stage,
  words: readonly string[],
  where?: Channel,
): Promise<SeenMessage> {
  const { workspace } = world.slack
  const found = () =>
    workspace.messages
      .slice(-300)
      .findLast(
        ({ channelId, isDeleted, byBot, text, blocks, ephemeralFor = soaker.person.id }) =>
          byBot &&
          !isDeleted &&
          (where === undefined || channelId === where.id) &&
          ephemeralFor === soaker.person.id &&
          words.every((word) => text.includes(word) || JSON.stringify(blocks).includes(word)),
      )
  const message = await workspace.changes.until(found, patienceMs, () => `nobody says ${words}`)
  return new SeenMessage(message, soaker.person.member, workspace)
}

/** Types a command about a new alert, known by its key everywhere, and waits for its card. */
const looksUp = (how: string) => async (stage: Stage) => {
  const { world, soaker } = stage
  const ks = tags.alert(world.number())
  const actions = [{ kind: 'Comment', data: { userId: 7, message: `${ks}/0` } }]
  const handle = world.service.addAlert({ ks, message: `Disk of ${ks} is filling up`, actions })
  world.alerts.set(ks, { handle, actions: 1, isClosed: false })
  await world.types(soaker.person, `/alert ${ks}${how}`, ks)
  await seen(stage, [ks])
}

/** On a card of the last few minutes. */
const presses = (label: string) => async (stage: Stage) => {
  const { world, soaker } = stage
  world.aim()
  await soaker.person.presses(
    label,
    await seen(stage, [label, stage.random.pick([...world.alerts.keys()])]),
  )
}

function newEmail({ world }: Stage): string {
  const email = tags.email(world.number())
  world.service.addUser({ email })
  return email
}

/**
 * A line that is typed so often at the same moment, as with an impatient thumb.
 * @param how - Behind the flags: for how long.
 */
const grants =
  (people: number, times: number, how = '') =>
  async (stage: Stage) => {
    const { world, soaker } = stage
    const emails = Array.from({ length: people }, () => newEmail(stage))
    const channel = stage.random.pick(world.channels)
    const line = `/grant ${containerId} ${emails.join(' ')} viewer${how}`
    const typed = () => world.types(soaker.person, line, emails[0] ?? '', channel)
    await Promise.all(Array.from({ length: times }, typed))
    await seen(stage, emails)
  }

async function grantsSensitive(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const [email, channel] = [newEmail(stage), random.pick(world.channels)]
  await world.types(soaker.person, `/grant ${containerId} ${email} WEBHOOKS`, email, channel)
  const confirmation = await seen(stage, [email, 'Sensitive'], channel)
  const confirms = () => soaker.person.presses('Grant access', confirmation)
  await Promise.all([confirms(), confirms()])
}

/** Asked for by somebody who may not; two colleagues press *Approve* at the same moment. */
async function asksApproval(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const [email, channel] = [newEmail(stage), random.pick(world.channels)]
  await world.types(soaker.person, `/grant ${containerId} ${email} viewer`, email, channel)
  const refused = await seen(stage, [email, 'Ask for approval'], channel)
  world.aim()
  await soaker.person.presses('Ask for approval', refused)
  await soaker.person.seesModal('Ask for approval')
  world.aim()
  await soaker.person.submits({ fields: { Reason: 'On call this week' } })
  const leads = world.soakers.filter(({ mayGrant }) => mayGrant)
  await Promise.all(
    [random.pick(leads), random.pick(leads)].map(async (lead) => {
      const card = await seen({ ...stage, soaker: lead }, [email, 'Approve'], channel)
      await lead.person.presses('Approve', card).catch(() => undefined)
    }),
  )
}

type Act = readonly [name: string, act: (stage: Stage) => Promise<unknown>]

const ofEverybody: readonly (readonly [number, Act])[] = [
  [5, ['alert', looksUp('')]],
  [1, ['alert, private', looksUp(' private')]],
  [4, ['alert, watch', looksUp(' watch')]],
  [2, ['Refresh', presses('Refresh')]],
  [1, ['Watch', presses('Watch')]],
]
const ofLeads: readonly (readonly [number, Act])[] = [
  [3, ['grant', grants(1, 1)]],
  [1, ['grant, typed twice', grants(1, 2)]],
  [1, ['grant to several', grants(4, 1)]],
  [2, ['grant for a minute', grants(2, 1, ' for 1m')]],
  [1, ['grant, confirmed twice', grantsSensitive]],
]
const ofReaders: readonly (readonly [number, Act])[] = [[12, ['approval', asksApproval]]]

/** @returns How often each was done. Resolves once everybody has finished what they had begun. */
export async function letPeopleWork(
  world: SoakWorld,
  random: Random,
  untilMs: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()

  async function work(soaker: Soaker, own: Random): Promise<void> {
    const possible = [...ofEverybody, ...(soaker.mayGrant ? ofLeads : ofReaders)]
    while (Date.now() < untilMs) {
      await wait(own.between(500, 3_500))
      const [name, act] = own.weighed(possible)
      // A button that is gone, a form that did not open: people shrug, and go on.
      const went = await act({ world, random: own, soaker }).then(
        () => name,
        () => `${name}, in vain`,
      )
      counts.set(went, (counts.get(went) ?? 0) + 1)
      for (let left = 3; left > 0 && soaker.person.modal !== undefined; left -= 1)
        await soaker.person.closes()
    }
  }

  await Promise.all(world.soakers.map((soaker) => work(soaker, random.fork())))
  return counts
}

/** Something happens to one of the alerts, every moment. @returns How many actions happened. */
export async function letAlertsLive(
  { alerts }: SoakWorld,
  random: Random,
  untilMs: number,
): Promise<number> {
  let happened = 0
  while (Date.now() < untilMs) {
    await wait(random.between(250, 750))
    const open = [...alerts.values()].filter(({ isClosed }) => !isClosed)
    if (open.length === 0) continue
    const one = random.pick(open)
    const data = { userId: 7, message: `${one.handle.ks}/${one.actions}` }
    const what = random.weighed([
      [5, 'comment'] as const,
      [2, 'hit'] as const,
      [2, 'close'] as const,
    ])
    if (what === 'hit') {
      one.handle.hit({ severity: Math.floor(random.between(1, 5)) })
      continue
    }
    one.actions += 1
    happened += 1
    one.isClosed = what === 'close'
    if (one.isClosed) one.handle.close('Close', data)
    else one.handle.act({ kind: 'Comment', data })
  }
  return happened
}

// The stories in which the bot is ended at each step, and how their books are read afterwards.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../../playground/slack/person/seen.ts'
import { flags } from '../../../src/grant/roles.ts'
import { trailOf } from '../../audit/read.ts'
import { aliceToken } from '../../playground-world.ts'
import type { Story } from './each-step.ts'
import type { MortalWorld } from './mortal.ts'

const patient = { limitMs: 60_000 }
const carolToken = 'carol-token-81be20'
const ks = '5HkX'
const outcome =
  /✅ (?:Granted|Changed|Removed|Invited)|Not (?:granted|changed|removed|invited)|[Nn]ot sent|Not certain|❓ Approved|Closed:|^✅ Disk full|Nothing was sent|meanwhile/

export interface WriteBooks {
  /** Requests to the service that change something. */
  readonly writes: number
  /** Whether the service has done it. */
  readonly isDone: boolean
  /** Each message that says what became of it, oldest first. */
  readonly told: readonly string[]
  /** What the audit trail says of it, oldest first. */
  readonly recorded: readonly string[]
}

/** Everything that somebody was told anywhere, that reads like this. */
function toldTo(person: Person, pattern: RegExp, { general }: MortalWorld): string[] {
  return [...person.messages(general), ...person.messages(person.dm)]
    .filter(({ plain }) => pattern.test(plain))
    .map(({ plain }) => plain)
}

/** Writes that were sent with somebody's token. */
function writesOf({ service }: MortalWorld, name: string): number {
  return service.requests.filter(({ method, token }) => method !== 'GET' && token === name).length
}

/** What the trail says of it. Bob's own attempt, which nobody approved, is left out. */
async function recordsOf(
  world: MortalWorld,
  kind: 'grant' | 'close' | AccessChange,
): Promise<readonly string[]> {
  const lines = (await trailOf(world)).filter(({ act }) => act === kind)
  return lines.flatMap(({ outcome }) => (outcome === 'not-done:forbidden' ? [] : [outcome]))
}

const isMember = ({ service }: MortalWorld) =>
  service.membersOf(12).some(({ email }) => email === 'dave@example.com')

/** A good look-up; whoever is not connected is asked to connect. */
async function looksUp(
  person: Person,
  { general, service, slack }: MortalWorld,
): Promise<'shown' | 'asked to connect'> {
  service.addAlert({ ks: 'good', message: 'All is well again' })
  const before = new Set(person.messages(general).map(({ ts }) => ts))
  await person.types('/alert good', general)
  const answer = await slack.workspace.changes.until(
    () => person.messages(general).find(({ ts }) => !before.has(ts)),
    patient.limitMs,
    () => `${person.name} got no answer:\n${person.screen(general)}`,
  )
  if (answer.plain.includes('I need your monitoring account')) return 'asked to connect'
  if (!answer.plain.includes('All is well again')) throw new Error(`an odd answer: ${answer.plain}`)
  await person.sees('No actions', answer, patient)
  return 'shown'
}

/** What Alice asked for herself. */
async function aliceBooks(
  world: MortalWorld,
  isKept: boolean,
  kind: 'grant' | 'close' | AccessChange,
  isDone: () => boolean,
): Promise<WriteBooks> {
  const { alice, slack } = world
  await looksUp(alice, world)
  const told = () => toldTo(alice, outcome, world)
  if (isKept && told().length === 0) await alice.sees(outcome, alice.dm, patient)
  // The job that tells late has had more rounds.
  await slack.idle(1_000)
  const recorded = await recordsOf(world, kind)
  return { writes: writesOf(world, 'alice'), isDone: isDone(), told: told(), recorded }
}

/** Alice grants from the line. */
export const grant: Story<void, WriteBooks> = {
  prepare: (world) => world.connect(),
  act: ({ alice, general }) => alice.types('/grant 12 dave@example.com viewer', general),
  end: ({ alice, general }) => alice.sees('Granted', general, patient),
  books: (world, _scene, isKept) => aliceBooks(world, isKept, 'grant', () => isMember(world)),
}

type AccessChange = 'change' | 'remove' | 'invite'

const changes = {
  change: {
    line: '/grant change 12 dave@example.com responder',
    label: 'Change access',
    isDone: ({ service }: MortalWorld) =>
      service.membersOf(12)[0]?.permissions.includes('ALERT_ASSIGN'),
  },
  remove: {
    line: '/grant remove 12 dave@example.com',
    label: 'Remove access',
    isDone: ({ service }: MortalWorld) => service.membersOf(12).length === 0,
  },
  invite: {
    line: '/grant 12 new@example.com viewer',
    label: 'Invite by email',
    isDone: ({ service }: MortalWorld) => service.invitationsOf(12).length === 1,
  },
} as const

/** Alice confirms a change, a removal or an invitation. The grant before an invitation was refused. */
export function accessChange(kind: AccessChange): Story<void, WriteBooks> {
  const { line, label, isDone } = changes[kind]
  return {
    async prepare(world) {
      const { alice, general, service, slack } = world
      service.addMember(12, {
        email: 'dave@example.com',
        permissions: ['READ', 'API'],
        member: true,
      })
      await world.connect()
      await alice.types(line, general)
      if (kind === 'invite') await alice.presses(label, await alice.sees('Not granted', general))
      await alice.sees(/^(?:Change|Remove|Invite) .*\?/, general, patient)
      await slack.idle()
    },
    act: ({ alice }) => alice.presses(label),
    end: ({ alice, general }) => alice.sees(/✅ (?:Changed|Removed|Invited)/, general, patient),
    async books(world, _scene, isKept) {
      const { alice, general } = world
      const read = async () => {
        const books = await aliceBooks(world, isKept, kind, () => isDone(world) ?? false)
        const told = books.told.filter((plain) => !plain.startsWith('⛔ Not granted'))
        return { ...books, told, writes: books.writes - (kind === 'invite' ? 1 : 0) }
      }
      const books = await read()
      if (books.told.length > 0) return books
      // A press that was lost: the question is still there.
      await alice.presses(label)
      await alice.sees(/✅ (?:Changed|Removed|Invited)/, general, patient)
      return read()
    },
  }
}

/** Alice closes an alert in the form. An assignment and a comment are sent like this. */
export const close: Story<void, WriteBooks> = {
  async prepare(world) {
    const { alice, general, service, slack } = world
    service.revoke(aliceToken)
    service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags: [...flags] })
    service.addMember(12, { email: 'alice@example.com', id: 7, member: true })
    service.addAlert({ ks, message: 'Disk full', containerId: 12 })
    await world.connect()
    await alice.types(`/alert ${ks}`, general)
    const card = await alice.sees('Disk full', general)
    await slack.idle()
    await alice.presses('Close alert', card)
    await alice.seesModal('Close alert')
  },
  act: ({ alice }) => alice.submits({ fields: { 'What fixed it?': 'Rotated the logs.' } }),
  end: ({ alice, general }) => alice.sees(/^✅ Disk full|Closed:/, general, patient),
  async books(world, _scene, isKept) {
    const books = await aliceBooks(
      world,
      isKept,
      'close',
      () => world.service.alert(ks)?.actions.length === 1,
    )
    // The card that it was done on says so as well, and then nothing else need.
    const words = books.told.filter((plain) => !plain.startsWith('✅ Disk full'))
    return { ...books, told: words.length > 0 ? words : books.told }
  },
}

export interface ConnectBooks {
  /** What the modal says at last, or Slack about it; empty when it is closed. */
  readonly modal: string
  /** How often the look-up that waited was shown. */
  readonly cards: number
  readonly next: 'shown' | 'asked to connect'
  /** Whether the token stands anywhere in the database as it is. */
  readonly isBare: boolean
}

function databaseHolds(world: MortalWorld, text: string): boolean {
  const path = String(world.env.DATABASE_URL).replace('file:', '')
  const files = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
  return files.some((name) => readFileSync(join(dirname(path), name)).includes(text))
}

/** Alice, who has no account, has looked something up and connects. */
export const connect: Story<void, ConnectBooks> = {
  async prepare({ alice, general, service }) {
    service.addAlert({ ks, message: 'Disk full' })
    await alice.types(`/alert ${ks}`, general)
    await alice.presses(
      'Connect account',
      await alice.sees('I need your monitoring account', general),
    )
    await alice.seesModal('Connect account')
  },
  act: ({ alice }) => alice.submits({ fields: { 'API token': aliceToken } }),
  async end({ alice, general }) {
    await alice.sees('No actions', await alice.sees('Disk full', general, patient), patient)
  },
  async books(world) {
    const { alice, general, slack } = world
    const modal = alice.modal?.plain ?? ''
    const next = await looksUp(alice, world)
    await slack.idle(200)
    const cards = alice.messages(general).filter(({ plain }) => plain.includes('Disk full')).length
    return { modal, cards, next, isBare: databaseHolds(world, aliceToken) }
  },
}

export interface ApprovalBooks extends WriteBooks {
  /** What the request's card says in the end. */
  readonly card: string
  /** What the approver was told about it, alone. */
  readonly approverTold: readonly string[]
  /** Whether the request was still open, and was approved once more. */
  readonly isPressedAgain: boolean
}

interface Requested {
  readonly bob: Person
  readonly carol: Person
  readonly card: SeenMessage
}

async function addColleague({ slack, general, service }: MortalWorld, name: string, token: string) {
  const person = slack.addPerson({ name, email: `${name}@example.com` })
  general.members.add(person.id)
  const flags =
    name === 'bob' ? (['API', 'READ'] as const) : (['API', 'READ', 'CONTAINER_ACCESS'] as const)
  service.addToken({ token, name, flags: [...flags] })
  return person
}

/** Carol approves what Bob has asked for. */
export const approval: Story<Requested, ApprovalBooks> = {
  async prepare(world) {
    const { general } = world
    const bob = await addColleague(world, 'bob', 'bob-token-77d20e')
    const carol = await addColleague(world, 'carol', carolToken)
    await world.connect(bob, 'bob-token-77d20e')
    await world.connect(carol, carolToken)
    await bob.types('/grant 12 dave@example.com viewer', general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await bob.seesModal('Ask for approval')
    await bob.submits({ fields: { Reason: 'On call' } })
    await bob.sees('Asked for approval in', general)
    return { bob, carol, card: await carol.sees('🔑', general) }
  },
  act: (_world, { carol, card }) => carol.presses('Approve', card),
  end: (_world, { bob }) => bob.sees('Granted by', bob.dm, patient),
  async books(world, { bob, carol, card }) {
    await looksUp(carol, world)
    // What was begun is judged by the bot itself; what was not can be approved still.
    await world.slack.idle(300)
    const isPressedAgain = bob.messages(bob.dm).length === 0 && card.buttons.includes('Approve')
    if (isPressedAgain) await carol.presses('Approve', card)
    await bob.sees(outcome, bob.dm, patient)
    await world.slack.idle(500)
    return {
      writes: writesOf(world, 'carol'),
      isDone: isMember(world),
      told: bob.messages(bob.dm).map(({ plain }) => plain),
      recorded: await recordsOf(world, 'grant'),
      card: card.plain,
      approverTold: toldTo(carol, /Nothing was changed|by you/, world),
      isPressedAgain,
    }
  },
}

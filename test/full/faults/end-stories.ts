// Stories of access for four hours, in which the bot is ended at each step: it is given, and it ends.
import type { Person } from '../../../playground/slack/person/person.ts'
import { parseKept } from '../../../src/config/config.ts'
import { openStorage } from '../../../src/storage/storage.ts'
import { trailOf } from '../../audit/read.ts'
import type { Story } from './each-step.ts'
import type { MortalWorld } from './mortal.ts'

const hourMs = 3_600_000
const patient = { limitMs: 60_000 }
const ended = /^✅ Ended: |^Your .* on .* has ended[.,]/
/** No list shows him: nothing was given, or nobody can tell. */
const unsure = /^⚠️ Monitoring doesn’t show/

export interface EndBooks {
  /** Methods of the requests to the service that change something, in order. */
  readonly writes: readonly string[]
  /** Whether he is on the container still. */
  readonly isThere: boolean
  /** Messages that say what became of the grant, and that it has ended: to whoever gave it, and to whoever had it. */
  readonly granted: readonly string[]
  readonly ended: readonly string[]
  readonly theirs: readonly string[]
  /** Messages to whoever gave it that nobody can tell whether he has it. */
  readonly unsure: readonly string[]
  /** What was said of the end, and was not so at that moment. */
  readonly untrue: readonly string[]
  /** Act and outcome of each line of the trail. */
  readonly recorded: readonly string[]
}

interface Given {
  readonly dave: Person
  readonly untrue: readonly string[]
}

const isThere = ({ service }: MortalWorld) => service.membersOf(12).length > 0

const textsTo = (person: Person, pattern: RegExp, { general }: MortalWorld) =>
  [...person.messages(general), ...person.messages(person.dm)]
    .map(({ plain }) => plain)
    .filter((plain) => pattern.test(plain))

async function prepare(world: MortalWorld): Promise<Given> {
  const { slack } = world
  const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })
  await world.connect()
  const untrue: string[] = []
  slack.onChange((change) => {
    if (change.kind !== 'message') return
    const { text } = change.message
    const isUntrue = text.includes('still has')
      ? !isThere(world)
      : ended.test(text) && isThere(world)
    if (isUntrue) untrue.push(text)
  })
  return { dave, untrue }
}

const grants = ({ alice, general }: MortalWorld) =>
  alice.types('/grant 12 dave@example.com viewer for 4h', general)

/** What the database keeps that somebody has to look after, in words. */
async function leftIn({ env, clock }: MortalWorld): Promise<readonly string[]> {
  const storage = await openStorage({ url: parseKept(env).databaseUrl, now: clock.now })
  try {
    // Of what no list shows, people are told until one has looked.
    const all = (await storage.ends.firstDue(1_000)).filter(({ why }) => why !== 'not-listed')
    const ends = all.map(({ id }) => `the end ${id}`)
    const requests = (await storage.requests.firstDue(1_000))
      .filter(({ state, isToTell }) => state === 'sending' || isToTell)
      .map(({ id }) => `the request ${id}`)
    return [...ends, ...requests]
  } finally {
    await storage.close()
  }
}

async function readBooks(world: MortalWorld, { dave, untrue }: Given): Promise<EndBooks> {
  const { alice, service, slack } = world
  let left = await leftIn(world)
  for (let rounds = 0; left.length > 0 && rounds < 30; rounds += 1) {
    await slack.idle(1_000)
    // What was tried without proof is tried again after a minute.
    if (rounds % 2 === 1) world.clock.move(61_000)
    left = await leftIn(world)
  }
  if (left.length > 0) throw new Error(`nobody looks after ${left.join(', ')}`)
  await slack.idle(1_000)
  return {
    writes: service.requests.flatMap(({ method }) => (method === 'GET' ? [] : [method])),
    isThere: isThere(world),
    granted: textsTo(alice, /Granted|Not granted|[Nn]ot sent|Not certain/, world),
    ended: textsTo(alice, ended, world),
    theirs: textsTo(dave, ended, world),
    unsure: textsTo(alice, unsure, world),
    untrue,
    recorded: (await trailOf(world)).flatMap(({ act, outcome }) =>
      act === 'grant' || act === 'take-back' ? [`${act} ${outcome}`] : [],
    ),
  }
}

/** Alice gives him access for four hours. The next bot comes once they have passed. */
export const timedGrant: Story<Given, EndBooks> = {
  laterMs: 5 * hourMs,
  prepare,
  act: grants,
  end: ({ alice, general }) => alice.sees('Granted', general, patient),
  books: readBooks,
}

/** The four hours are over. */
export const endOfAccess: Story<Given, EndBooks> = {
  async prepare(world) {
    const given = await prepare(world)
    await grants(world)
    await world.alice.sees('Granted', world.general, patient)
    return given
  },
  async act(world) {
    world.clock.move(4 * hourMs)
    return { outcome: 'acked' }
  },
  async end({ alice }, { dave }) {
    await alice.sees('✅ Ended', alice.dm, patient)
    await dave.sees('has ended', dave.dm, patient)
  },
  books: readBooks,
}

// A story of maintenance, in which the bot is ended at each step of its beginning.
import { parseKept } from '../../../src/config/config.ts'
import { openStorage } from '../../../src/storage/storage.ts'
import { trailOf } from '../../audit/read.ts'
import { aliceToken } from '../../playground-world.ts'
import type { Story } from './each-step.ts'
import type { MortalWorld } from './mortal.ts'

const patient = { limitMs: 60_000 }
const verdict = /in maintenance until .*\.$|Not certain|[Nn]ot sent|Not done|Sent, not visible/m
const heard = /^🔧 .* put db-03 in maintenance until/

/** What was sent, whether it is on, what whoever set it and the channel read of it, and the trail says. */
export type ModeBooks = Awaited<ReturnType<typeof readBooks>>

const textsIn = ({ alice, general }: MortalWorld, pattern: RegExp) =>
  [general, alice.dm]
    .flatMap((place) => alice.messages(place))
    .flatMap(({ plain }) => (pattern.test(plain) ? [plain] : []))

async function isLookedAfter({ env, clock }: MortalWorld): Promise<boolean> {
  const storage = await openStorage({ url: parseKept(env).databaseUrl, now: clock.now })
  const due = await storage.maintenances.firstDue(2)
  await storage.close()
  return due.length === 1
}

async function readBooks(world: MortalWorld, isKept: boolean) {
  const { alice, general, service, slack } = world
  if (isKept && textsIn(world, verdict).length === 0) await alice.sees(verdict, alice.dm, patient)
  // A press that was lost: the question is still there.
  if (textsIn(world, verdict).length === 0) {
    await alice.presses('Start maintenance')
    await alice.sees(verdict, general, patient)
  }
  const isOn = service.modeOf('asset/34').mode === 'maintenance'
  if (isOn) await alice.sees(heard, general, patient)
  // Whoever tells late has had more rounds.
  await slack.idle(1_000)
  const trail = await trailOf(world)
  return {
    writes: service.requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [body])),
    isOn,
    isKept: await isLookedAfter(world),
    told: textsIn(world, verdict),
    heard: textsIn(world, heard),
    recorded: trail.flatMap(({ act, outcome }) => (act === 'set-mode' ? [outcome] : [])),
  }
}

/** Alice starts maintenance of a machine in a container that the channel follows. */
export const maintenance: Story<void, ModeBooks> = {
  async prepare(world) {
    const { alice, general, service, slack } = world
    service.addAsset(34, { containerId: 12, name: 'db-03' })
    service.addToken({
      token: aliceToken,
      name: 'alice',
      flags: ['API', 'READ', 'ASSET_MANAGEMENT'],
    })
    await world.connect()
    await alice.types('/alert follow 12', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees('is open in', general, patient)
    await alice.types('/alert maintenance 12/34 for 2h', general)
    await alice.sees('Put db-03', general, patient)
    await slack.idle(200)
  },
  act: ({ alice }) => alice.presses('Start maintenance'),
  async end({ alice, general }) {
    await alice.sees(verdict, general, patient)
    await alice.sees(heard, general, patient)
  },
  books: (world, _, isKept) => readBooks(world, isKept),
}

const over = /^✅ db-03 is monitored again/

/** The two hours are over. */
export const itsEnd: Story<void, { readonly over: readonly string[]; readonly isKept: boolean }> = {
  async prepare(world) {
    await maintenance.prepare(world)
    await maintenance.act(world, undefined)
    await maintenance.end(world, undefined)
    await world.slack.idle(200)
  },
  async act({ clock }) {
    clock.move(2 * 3_600_000 + 61_000)
    return { outcome: 'acked' }
  },
  end: ({ alice, general }) => alice.sees(over, general, patient),
  async books(world) {
    await world.alice.sees(over, world.general, patient)
    await world.slack.idle(1_000)
    return { over: textsIn(world, over), isKept: await isLookedAfter(world) }
  },
}

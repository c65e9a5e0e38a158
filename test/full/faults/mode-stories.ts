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

export interface ModeBooks {
  /** Bodies of the requests that change something. */
  readonly writes: readonly unknown[]
  readonly isOn: boolean
  /** Whether its end is looked after. */
  readonly isKept: boolean
  /** Each message to whoever set it that says what became of it. */
  readonly told: readonly string[]
  /** Each message of the channel that follows its container. */
  readonly heard: readonly string[]
  readonly recorded: readonly string[]
}

const textsIn = ({ alice, general }: MortalWorld, pattern: RegExp) =>
  [...alice.messages(general), ...alice.messages(alice.dm)]
    .map(({ plain }) => plain)
    .filter((plain) => pattern.test(plain))

async function countKept({ env, clock }: MortalWorld): Promise<number> {
  const storage = await openStorage({ url: parseKept(env).databaseUrl, now: clock.now })
  try {
    const all = await storage.maintenances.firstDue(10)
    return all.length
  } finally {
    await storage.close()
  }
}

/** Alice starts maintenance of a machine in a container that the channel follows. */
export const maintenance: Story<void, ModeBooks> = {
  async prepare(world) {
    const { alice, general, service, slack } = world
    service.addContainer(12, { name: 'Customer 1' })
    service.addAsset(34, { containerId: 12, name: 'db-03' })
    const flags = ['API', 'READ', 'ASSET_MANAGEMENT'] as const
    service.addToken({ token: aliceToken, name: 'alice', flags: [...flags] })
    await world.connect()
    await alice.types('/alert follow 12', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees(/is open in/, general, patient)
    await alice.types('/alert maintenance 12/34 for 2h', general)
    await alice.sees('Put db-03', general, patient)
    await slack.idle(200)
  },
  act: ({ alice }) => alice.presses('Start maintenance'),
  async end({ alice, general }) {
    await alice.sees(verdict, general, patient)
    await alice.sees(heard, general, patient)
  },
  async books(world, _scene, isKept) {
    const { alice, general, service, slack } = world
    if (isKept && textsIn(world, verdict).length === 0) await alice.sees(verdict, alice.dm, patient)
    // A press that was lost: the question is still there.
    if (textsIn(world, verdict).length === 0) {
      await alice.presses('Start maintenance')
      await alice.sees(verdict, general, patient)
    }
    const isOn = service.modeOf('asset/34').mode === 'maintenance'
    if (isOn && textsIn(world, heard).length === 0) await alice.sees(heard, general, patient)
    // Whoever tells late has had more rounds.
    await slack.idle(1_000)
    return {
      writes: service.requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [body])),
      isOn,
      isKept: (await countKept(world)) === 1,
      told: textsIn(world, verdict),
      heard: textsIn(world, heard),
      recorded: (await trailOf(world)).flatMap(({ act, outcome }) =>
        act === 'set-mode' ? [outcome] : [],
      ),
    }
  },
}

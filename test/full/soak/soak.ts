// The soak: people at work, alerts that live on, and things that go wrong, for so many real minutes, against three bots
// on one PostgreSQL. Then everything is left to come to rest, and the books are checked.
import { setTimeout as wait } from 'node:timers/promises'
import { connectEverybody, letPeopleWork } from './actors.ts'
import { letAlertsLive } from './alerts-live.ts'
import { checkBooks } from './books.ts'
import { findUnfinished } from './books-stored.ts'
import { checkWatches } from './books-watches.ts'
import { type Fault, type FaultPlan, letThingsGoWrong } from './faults.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { createRandom } from './random.ts'
import { openSoakWorld, type SoakWorld } from './world.ts'

export const botCount = 3

export interface Soaked {
  readonly seed: number
  readonly minutes: number
  readonly counted: Readonly<Record<string, number>>
  /** What does not add up, a sentence each. */
  readonly wrong: readonly string[]
}

/** How long what a killed bot has left behind may take to be put right; an outcome untold waits for 5 minutes. */
const restMs = 330_000

export async function soak(options: {
  readonly minutes: number
  readonly seed: number
  readonly say?: (words: string) => void
}): Promise<Soaked> {
  const { minutes, seed, say = () => undefined } = options
  const random = createRandom(seed)
  const world = await openSoakWorld(random.fork(), botCount)
  try {
    const ledger = openLedger(world)
    await connectEverybody(world, ledger, random.fork())
    const from = Date.now()
    const untilMs = from + minutes * 60_000
    say('everybody is connected')
    const [done, happened, faults] = await Promise.all([
      letPeopleWork(world, ledger, random.fork(), untilMs),
      letAlertsLive(world, ledger, random.fork(), untilMs),
      letThingsGoWrong(world, random.fork(), planFor(minutes, from, untilMs)),
    ])
    say('waiting for rest')
    const restedMs = await comeToRest(world, ledger)
    await Promise.all(world.bots.places().map((life) => life && world.bots.end(life.place, 'stopped')))
    ledger.close()
    const books = await checkBooks({ world, ledger })
    return {
      ...{ seed, minutes },
      counted: {
        ...Object.fromEntries([...done].toSorted().map(([name, count]) => [`did: ${name}`, count])),
        ...countFaults(faults),
        'actions that happened to alerts': happened,
        ...books.counted,
        'seconds until all was at rest': Math.round(restedMs / 1000),
      },
      wrong: books.wrong,
    }
  } finally {
    await world.stop()
  }
}

function planFor(minutes: number, from: number, untilMs: number): FaultPlan {
  const wholeMs = minutes * 60_000
  return {
    smallMs: 1_500,
    largeMs: Math.min(20_000, wholeMs / 6),
    untilMs,
    largeUntilMs: from + Math.max(wholeMs * 0.6, wholeMs - 40_000),
  }
}

function countFaults(faults: readonly Fault[]): Readonly<Record<string, number>> {
  const kinds = Map.groupBy(faults, ({ what, how }) => `fault: ${what}, ${how}`)
  return Object.fromEntries([...kinds].toSorted().map(([name, all]) => [name, all.length]))
}

/** Resolves to how long it took, when nothing is half done any more, or time is up: then the books will say what. */
async function comeToRest(world: SoakWorld, ledger: Ledger): Promise<number> {
  const from = Date.now()
  let quiet = 0
  while (Date.now() - from < restMs && quiet < 2) {
    await wait(1_500)
    const { wrong } = await checkWatches({ world, ledger })
    const isDone = (await findUnfinished(world)).length === 0 && wrong.length === 0
    quiet = isDone ? quiet + 1 : 0
  }
  return Date.now() - from
}

// The soak: people at work, alerts that live on, and things that go wrong, for so many real minutes, against three bots
// on one PostgreSQL. Then everything is left to come to rest, and the books are checked.
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Book,
  checkBooks,
  checkWatches,
  findUnfinished,
  heldUntil,
  unfinished,
} from './books.ts'
import { letThingsGoWrong } from './faults.ts'
import { letAlertsLive, letPeopleWork } from './people.ts'
import { createRandom } from './random.ts'
import { openSoakWorld, type SoakWorld } from './world.ts'

export const botCount = 3

/** How long what a killed bot has left behind may take to be put right; an outcome untold waits for 5 minutes. */
const restMs = 330_000

export async function soak(options: {
  readonly minutes: number
  readonly seed: number
  readonly say?: (words: string) => void
}): Promise<Book> {
  const { minutes, seed, say = () => undefined } = options
  const random = createRandom(seed)
  const world = await openSoakWorld(random.fork(), botCount)
  try {
    const wholeMs = minutes * 60_000
    const [from, untilMs] = [Date.now(), Date.now() + wholeMs]
    say('everybody is connected')
    const [did, happened, faults] = await Promise.all([
      letPeopleWork(world, random.fork(), untilMs),
      letAlertsLive(world, random.fork(), untilMs),
      letThingsGoWrong(world, random.fork(), {
        smallMs: 1_500,
        largeMs: Math.min(20_000, wholeMs / 6),
        untilMs,
        largeUntilMs: from + Math.max(wholeMs * 0.6, wholeMs - 40_000),
      }),
    ])
    say('waiting for rest')
    const seconds = await comeToRest(world)
    await Promise.all(world.bots.running().map((life) => world.bots.end(life, 'stopped')))
    const { counted, wrong } = await checkBooks(world)
    const named = (what: string, counts: ReadonlyMap<string, number>) =>
      Object.fromEntries([...counts].toSorted().map(([name, count]) => [`${what}: ${name}`, count]))
    return {
      counted: {
        ...{
          ...named('did', did),
          ...named('fault', faults),
          'actions that happened': happened,
          ...counted,
        },
        'seconds until all was at rest': seconds,
      },
      wrong,
    }
  } finally {
    await world.stop()
  }
}

/** Of a live card, at this interval between looks. */
const leaseMs = 10_000

/** Resolves when nothing is half done any more, or time is up: then the books will say what. */
async function comeToRest(world: SoakWorld): Promise<number> {
  const from = Date.now()
  const half = { ...unfinished, ...heldUntil(from + leaseMs) }
  let quiet = 0
  while (Date.now() - from < restMs && quiet < 2) {
    await wait(1_500)
    const isDone =
      (await findUnfinished(world, half)).length === 0 && checkWatches(world).wrong.length === 0
    quiet = isDone ? quiet + 1 : 0
  }
  return Math.round((Date.now() - from) / 1000)
}

// The soak: people at work, alerts that live on, and things that go wrong, for so many real minutes, against three bots
// on one PostgreSQL. Then everything is left to come to rest, and the books are checked.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import {
  type Book,
  checkBooks,
  checkCommands,
  checkWatches,
  findUnfinished,
  heldUntil,
  unfinished,
} from './books.ts'
import { checkEnds, findUntrue, lastDeadline } from './ends-book.ts'
import { letThingsGoWrong } from './faults.ts'
import { letAlertsLive, letPeopleWork } from './people.ts'
import { createRandom } from './random.ts'
import { takenBy } from './taken.ts'
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
    const watch = watchFor(from, say)
    const [did, happened, faults] = await Promise.all([
      letPeopleWork(world, random.fork(), untilMs),
      letAlertsLive(world, random.fork(), untilMs),
      letThingsGoWrong(world, random.fork(), {
        smallMs: 1_500,
        largeMs: Math.min(20_000, wholeMs / 6),
        untilMs,
        largeUntilMs: from + Math.max(wholeMs * 0.6, wholeMs - 40_000),
      }),
      everyMoment(untilMs, () => watch.note(findUntrue(world, takenBy(world)))),
    ])
    say('waiting for rest')
    const seconds = await comeToRest(world, wholeMs, watch)
    await Promise.all(world.bots.running().map((life) => world.bots.end(life, 'stopped')))
    const { counted, wrong } = await checkBooks(world)
    watch.note(wrong)
    const named = (what: string, counts: ReadonlyMap<string, number>) =>
      Object.fromEntries([...counts].toSorted().map(([name, count]) => [`${what}: ${name}`, count]))
    return {
      counted: {
        ...named('did', did),
        ...named('fault', faults),
        'actions that happened': happened,
        ...counted,
        'seconds until all was at rest': seconds,
      },
      wrong: watch.noted(),
    }
  } finally {
    await world.stop()
  }
}

/** Says each fault as soon as it is found. */
function watchFor(from: number, say: (words: string) => void) {
  const found = new Set<string>()
  return {
    note(wrong: readonly string[]): void {
      for (const one of wrong) {
        if (!found.has(one)) say(`after ${secondsSince(from)} s: ${one}`)
        found.add(one)
      }
    },
    /** Whatever was wrong at any moment, in the order it was found. */
    noted: (): readonly string[] => [...found],
  }
}

const secondsSince = (from: number) => Math.round((Date.now() - from) / 1000)

async function everyMoment(untilMs: number, look: () => void): Promise<void> {
  while (Date.now() < untilMs) {
    await wait(1_000)
    look()
  }
}

/** Of a live card, at this interval between looks. */
const leaseMs = 10_000

/** An end that nobody can make is tried so long before nobody waits for it here any more. */
const triesMs = 2 * 3_600_000

/** Slack may ask a bot to wait for a minute, three times. */
const slackWaitsMs = 200_000

/**
 * Resolves when nothing is half done any more and, with the clock moved on, whatever was given for a time is over; or when
 * time is up: then the books will say what is not.
 */
async function comeToRest(
  world: SoakWorld,
  wholeMs: number,
  watch: ReturnType<typeof watchFor>,
): Promise<number> {
  const { clock } = world
  const from = Date.now()
  const latest = lastDeadline(world) + triesMs
  const areAnswered = () => checkCommands(world).wrong.length === 0
  let [movedAt, quiet] = [from, 0]
  // All that was given in so many minutes ends in a moment, and Slack takes fifty edits a minute.
  while (Date.now() - movedAt < restMs + wholeMs) {
    await wait(1_000)
    quiet = (await isAtRest(world, from + leaseMs)) ? quiet + 1 : 0
    watch.note(findUntrue(world, takenBy(world)))
    // Once the clock has moved, Slack takes no answers any more at the addresses that came with commands.
    const isPatient = Date.now() - from < slackWaitsMs
    if (quiet < 2 || (isPatient && !areAnswered())) continue
    watch.note((await checkEnds(world, takenBy(world))).wrong)
    const next = await nextEnd(world)
    if (clock.now() > latest) break
    // Those that were given at about the same time end together, as there are many.
    clock.move(Math.max(0, Math.min(next, latest) - clock.now()) + wholeMs)
    ;[movedAt, quiet] = [Date.now(), 0]
  }
  return secondsSince(from)
}

/** @param leasesMs - Dead bots’ leases are over by then. */
async function isAtRest(world: SoakWorld, leasesMs: number): Promise<boolean> {
  const now = world.clock.now()
  const half = {
    ...unfinished,
    ...heldUntil(leasesMs),
    'ends that are due': `kind = 'end' and due_at <= ${now}`,
  }
  return (await findUnfinished(world, half)).length === 0 && checkWatches(world).wrong.length === 0
}

/** When the next end falls due; never where there is none. */
async function nextEnd(world: SoakWorld): Promise<number> {
  const rows = await world.query(`select min(due_at)::float as at from docs where kind = 'end'`)
  const [{ at } = { at: null }] = z.array(z.object({ at: z.number().nullable() })).parse(rows)
  return at ?? Number.POSITIVE_INFINITY
}

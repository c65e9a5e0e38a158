// The books at the end of a soak: what was asked, what was told, and what the database and the service say, held against
// each other. Everything that does not add up is one sentence.

import { checkCommands } from './books-commands.ts'
import { checkGrants } from './books-grants.ts'
import { checkLog } from './books-log.ts'
import { checkStored } from './books-stored.ts'
import { checkWatches } from './books-watches.ts'
import type { Life } from './bots.ts'
import type { Fault } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { SoakWorld } from './world.ts'

/** One side of the books. */
export interface Book {
  /** Counts, by what was counted. */
  readonly counted: Readonly<Record<string, number>>
  /** What does not add up, a sentence each. */
  readonly wrong: readonly string[]
}

export interface Open {
  readonly world: SoakWorld
  readonly ledger: Ledger
  readonly faults: readonly Fault[]
}

/** Checked when all bots have been stopped. */
export async function checkBooks(open: Open): Promise<Book> {
  const books = [
    checkCommands(open),
    await checkGrants(open),
    await checkWatches(open),
    await checkStored(open),
    checkLog(open),
  ]
  return {
    counted: Object.assign({}, ...books.map(({ counted }) => counted)),
    wrong: books.flatMap(({ wrong }) => wrong),
  }
}

/** True when a fault of this kind went on then, or so long before it. */
export function wasWrong(
  faults: readonly Fault[],
  what: Fault['what'],
  at: number,
  afterMs: number,
): boolean {
  return faults.some((one) => one.what === what && at >= one.from - 1_000 && at <= one.to + afterMs)
}

/** True when a bot was killed within this time after it. */
export function wasKilledAfter(lives: readonly Life[], at: number, withinMs: number): boolean {
  return lives.some(
    ({ wanted, endedAt }) =>
      wanted === 'killed' && endedAt !== undefined && endedAt >= at - 500 && endedAt <= at + withinMs,
  )
}

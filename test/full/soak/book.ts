// One side of the books of a soak, what it is checked against, and which faults excuse what does not add up.
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

// One side of the books of a soak, what it is checked against, and what excuses what does not add up.
import type { Life } from './bots.ts'
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
}

/** True when a bot was killed within this time after it. */
export function wasKilledAfter(lives: readonly Life[], at: number, withinMs: number): boolean {
  return lives.some(
    ({ wanted, endedAt }) =>
      wanted === 'killed' && endedAt !== undefined && endedAt >= at - 500 && endedAt <= at + withinMs,
  )
}

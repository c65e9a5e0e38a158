// Finds the happening that a request belongs to, by what was mentioned before.
import type { Clues } from './happening-clues.ts'
import type { Ongoing } from './happening-ongoing.ts'

/** What comes later than this after all else of a happening has no part in it, unless it says so. */
const LATE_MS = 60_000

export class Owners {
  readonly #now: () => number
  /** By clue: what mentioned it last. */
  readonly #mentions = new Map<string, Ongoing>()

  constructor(now: () => number) {
    this.#now = now
  }

  mention(ongoing: Ongoing, clues: readonly string[]): void {
    for (const clue of clues) this.#mentions.set(clue, ongoing)
  }

  /** What mentioned the first of these that anything did. */
  named(clues: readonly string[]): Ongoing | undefined {
    return clues.map((clue) => this.#mentions.get(clue)).find((ongoing) => ongoing !== undefined)
  }

  /** @param newest - Of all happenings. @returns Undefined when nothing speaks for any. */
  find({ exact, vague }: Clues, newest: Ongoing | undefined): Ongoing | undefined {
    const likely = [...vague.map((clue) => this.#mentions.get(clue)), newest]
    return this.named(exact) ?? likely.find((ongoing) => ongoing && !this.#isLate(ongoing))
  }

  forget(ongoing: Ongoing): void {
    for (const [clue, owner] of this.#mentions) if (owner === ongoing) this.#mentions.delete(clue)
  }

  #isLate({ isOver, lastAt }: Ongoing): boolean {
    return isOver && this.#now() - lastAt > LATE_MS
  }
}

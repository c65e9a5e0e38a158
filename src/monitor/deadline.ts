// Time that one call to the service may take, with everything it tries.

/** The time is used up. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/** The time that one call may take, with everything it tries. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal
  /** Milliseconds, never negative. */
  leftMs(): number
  /**
   * Waits for work, but no longer than the deadline.
   * The signal alone is not enough: undici does not look at it while it connects.
   * @throws TimeUp
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Stops the clock. */
  clear(): void
}

export function startDeadline(budgetMs: number): Deadline {
  const endsAt = performance.now() + budgetMs
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {}) // nobody may be waiting
  const timer = setTimeout(() => {
    const timeUp = new TimeUp('The time is used up.')
    ended.reject(timeUp)
    controller.abort(timeUp)
  }, budgetMs)
  return {
    signal: controller.signal,
    leftMs: () => Math.max(0, endsAt - performance.now()),
    race: (work) => Promise.race([work, ended.promise]),
    clear: () => clearTimeout(timer),
  }
}

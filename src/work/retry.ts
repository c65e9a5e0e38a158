// Retries: work that failed in a way that may pass is done again, with pauses. The caller says how long to wait, and which
// failure is the last.

export interface Retrying {
  /**
   * How long to wait before the next try, in milliseconds; undefined when there is none: then the error is thrown. An
   * error that this throws goes out in its place.
   * @param tries - So many have failed, one after the other.
   */
  readonly pauseAfter: (error: unknown, tries: number) => number | undefined
  readonly wait: (ms: number) => Promise<void>
  /** Told of each try but the first. */
  readonly onRetry?: (() => void) | undefined
  /** From when it aborts there is no further try; the error of the last one is thrown. `wait` is not cut short. */
  readonly stopping?: AbortSignal
}

/** Does the work until it succeeds, or has failed for good. */
export async function retry<T>(work: () => T | Promise<T>, retrying: Retrying): Promise<T> {
  const { pauseAfter, wait, onRetry, stopping } = retrying
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const pauseMs = pauseAfter(error, tries)
      if (pauseMs === undefined || stopping?.aborted) throw error
      await wait(pauseMs)
      if (stopping?.aborted) throw error
      onRetry?.()
    }
  }
}

/**
 * Waits, but no longer than until `stopping` aborts. It leaves nothing there once it is over: a signal that lives as long
 * as the bot would gather whatever has ever waited.
 */
export async function unlessStopped(waiting: Promise<void>, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  stopping.addEventListener('abort', stop)
  await Promise.race([waiting, promise]).finally(() => stopping.removeEventListener('abort', stop))
}

/** Pauses that double: the first, in milliseconds, after one failure, and never a longer one than the longest. */
export function doubling(firstMs: number, longestMs: number): (failures: number) => number {
  return (failures) => Math.min(firstMs * 2 ** (failures - 1), longestMs)
}

/**
 * Does the work again as long as its failure may pass, for so long from now on. Pauses grow from `firstMs` to
 * `longestMs`, with jitter, so that two who collided do not collide again at the same moment.
 */
export function retryFor<T>(
  forMs: number,
  work: () => T | Promise<T>,
  how: {
    readonly mayPass: (error: unknown) => boolean
    readonly firstMs: number
    readonly longestMs: number
  },
): Promise<T> {
  const endsAt = performance.now() + forMs
  const pauses = doubling(how.firstMs, how.longestMs)
  return retry(work, {
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    pauseAfter: (error, tries) =>
      how.mayPass(error) && performance.now() < endsAt ? pauses(tries) * (0.5 + Math.random()) : undefined,
  })
}

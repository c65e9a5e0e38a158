// Does work again, with pauses: after a failure that may pass (`retry`), or at intervals until it is stopped (`every`).

interface Retrying {
  /**
   * Milliseconds to wait before the next try; undefined for no other try: the error is thrown then.
   * @param tries - How many tries have failed so far.
   */
  readonly pauseAfter: (error: unknown, tries: number) => number | undefined
  readonly wait: (ms: number) => Promise<void>
  /** Once it aborts, there is no further try, and a pause ends: the error of the last try is thrown. */
  readonly stopping?: AbortSignal
}

export async function retry<T>(work: () => T | Promise<T>, retrying: Retrying): Promise<T> {
  const { pauseAfter, wait, stopping } = retrying
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const pauseMs = pauseAfter(error, tries)
      if (pauseMs === undefined || stopping?.aborted) throw error
      await (stopping === undefined ? wait(pauseMs) : unlessStopped(wait(pauseMs), stopping))
      if (stopping?.aborted) throw error
    }
  }
}

/**
 * Waits, but no longer than until `stopping` aborts. Leaves no listener behind: a signal that lives as long as the bot
 * would gather a listener for each wait.
 */
export async function unlessStopped(waiting: Promise<void>, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  stopping.addEventListener('abort', stop)
  await Promise.race([waiting, promise]).finally(() => stopping.removeEventListener('abort', stop))
}

/** Pauses, in milliseconds, that double with each failure: from `firstMs` after one to `longestMs` at most. */
export function doubling(firstMs: number, longestMs: number): (failures: number) => number {
  return (failures) => Math.min(firstMs * 2 ** (failures - 1), longestMs)
}

/**
 * Does the work, and again as long as its failure may pass, for `forMs` from now on. Pauses have jitter, so that two
 * callers who collided do not collide again.
 */
export function retryFor<T>(
  forMs: number,
  work: () => T | Promise<T>,
  mayPass: (error: unknown) => boolean,
): Promise<T> {
  const endsAt = performance.now() + forMs
  const pauses = doubling(2, 100)
  return retry(work, {
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    pauseAfter: (error, tries) =>
      mayPass(error) && performance.now() < endsAt
        ? pauses(tries) * (0.5 + Math.random())
        : undefined,
  })
}

export type Repeated = ReturnType<typeof every>

/**
 * Repeats work every so many milliseconds, never two at once.
 * @param work - Must never reject: nobody would hear of it.
 */
export function every(ms: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  const now = () =>
    (underWay ??= work().finally(() => {
      underWay = undefined
    }))
  return {
    /** Does the work now, unless it is under way. Resolves when it is done. */
    now,
    /** Does the work now and from time to time. Does not keep the process alive. */
    start() {
      // Ends the timer of an earlier start: `stop` would only end the latest.
      clearInterval(timer)
      void now()
      timer = setInterval(() => void now(), ms).unref()
    },
    /** Stops repeating; resolves when work under way is done. */
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}

// Does the same now and from time to time, one at a time, until it is stopped.

export interface Repeated {
  /** Now, unless it is under way. Resolves when it is done. */
  now(): Promise<void>
  /** Now and from time to time. Does not keep the process alive. */
  start(): void
  /** No more; resolves when what is under way is done. */
  stop(): Promise<void>
}

/** @param work - Never rejects: nobody is there to hear of it. */
export function every(ms: number, work: () => Promise<void>): Repeated {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined

  function now(): Promise<void> {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    now,
    start() {
      void now()
      timer = setInterval(() => void now(), ms)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}

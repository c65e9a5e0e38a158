// Repeats work from time to time, until it is stopped.
import { singleFlight } from './turns.ts'

export interface Repeated {
  /** Now, unless it is under way. Resolves when it is done. */
  now(): Promise<void>
  /** Now and from time to time. Does not keep the process alive. */
  start(): void
  /** No more; resolves when what is under way is done. */
  stop(): Promise<void>
}

/**
 * Does the same now and from time to time, one at a time.
 * @param work - Never rejects: nobody is there to hear of it.
 */
export function every(ms: number, work: () => Promise<void>): Repeated {
  let timer: NodeJS.Timeout | undefined
  const { run: now, underWay } = singleFlight(work)
  return {
    now,
    start() {
      // The timer of an earlier start would go on for good, as `stop` knows only the last.
      clearInterval(timer)
      void now()
      timer = setInterval(() => void now(), ms).unref()
    },
    async stop() {
      clearInterval(timer)
      await underWay()
    },
  }
}

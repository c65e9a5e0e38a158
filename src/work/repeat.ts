// Repeats work until it is stopped: from time to time, or again and again with pauses.
import { doubling } from './retry.ts'
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
      timer = setInterval(() => void now(), ms)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await underWay()
    },
  }
}

export interface Loop {
  start(): void
  /** Ends the pause; during a step, the pause after it. */
  wake(): void
  /** Resolves when the step under way is done. */
  stop(): Promise<void>
}

const longestPauseMs = 5_000

/**
 * Does the same again and again, with pauses.
 * @param step - Resolves to how long to pause, in milliseconds.
 * @param room.onFailure - Told of the first of several failures in a row; steps go on after growing pauses.
 */
export function createLoop(
  step: () => Promise<number>,
  room: {
    readonly pauseMs: number
    readonly sleep: (ms: number) => Promise<void>
    readonly onFailure: (error: unknown) => void
  },
): Loop {
  const { sleep, onFailure } = room
  const pauseAfter = doubling(2 * room.pauseMs, longestPauseMs)
  let isStopped = false
  let woken = Promise.withResolvers<void>()
  let running: Promise<void> = Promise.resolve()
  let failures = 0

  async function once(): Promise<number> {
    try {
      const pauseMs = await step()
      failures = 0
      return pauseMs
    } catch (error) {
      failures += 1
      if (failures === 1) onFailure(error)
      return pauseAfter(failures)
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const pauseMs = await once()
      await Promise.race([sleep(pauseMs), woken.promise])
      woken = Promise.withResolvers()
    }
  }

  return {
    start() {
      running = run()
    },
    wake: () => woken.resolve(),
    async stop() {
      isStopped = true
      woken.resolve()
      await running
    },
  }
}

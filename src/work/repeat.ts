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
      timer = setInterval(() => void now(), ms).unref()
    },
    async stop() {
      clearInterval(timer)
      await underWay()
    },
  }
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
) {
  const { sleep, onFailure } = room
  const pauseAfter = doubling(2 * room.pauseMs, longestPauseMs)
  let isStopped = false
  let woken = Promise.withResolvers<void>()
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let failures = 0
    while (!isStopped) {
      const pauseMs = await step().catch((error: unknown) => {
        failures += 1
        if (failures === 1) onFailure(error)
      })
      if (pauseMs !== undefined) failures = 0
      await Promise.race([sleep(pauseMs ?? pauseAfter(failures)), woken.promise])
      woken = Promise.withResolvers()
    }
  }

  return {
    start(): void {
      running = run()
    },
    /** Ends the pause; during a step, the pause after it. */
    wake: () => woken.resolve(),
    /** Resolves when the step under way is done. */
    async stop(): Promise<void> {
      isStopped = true
      woken.resolve()
      await running
    },
  }
}

// Repeats work until it is stopped: from time to time, again and again with pauses, or, to renew a lease, for as long as
// other work goes on.
import { withId } from '../log/request.ts'
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

/**
 * Somebody who is silent for longer than this is taken for dead. A little longer than the one request of a grant can
 * take: 8 s in all, from connecting to its answer (`budgetMs` in monitor/client.ts, kept by `writeOnce`), and 4 s to
 * commit what became of it. A living sender that needs longer, because the database was locked or away, may be judged
 * by others meanwhile; `settle` then puts what it knows in place of their doubt.
 */
export const leaseMs = 12_000
/** Two renewals may fail before a lease runs out. */
export const renewMs = 4_000

/** Renews a lease while `work` goes on. A renewal that fails is not the work's trouble: the next one is in time. */
export async function renewing<T>(renew: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Tells claimed outcomes one after the other, and keeps hold of those whose turn has not come: Slack may let each
 * wait for minutes.
 */
export async function tellEach<One>(
  claimed: readonly One[],
  tell: (one: One) => Promise<void>,
  renew: (one: One) => Promise<void>,
): Promise<void> {
  const left = new Set(claimed)
  const renewAll = async () => void (await Promise.all(Array.from(left, renew)))
  await renewing(renewAll, async () => {
    for (const one of claimed) {
      await withId(() => tell(one))
      left.delete(one)
    }
  })
}

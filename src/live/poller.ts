// When live cards are looked at: what is due is taken again and again, by each process.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log/log.ts'
import { createLoop } from '../work/repeat.ts'

/** Longer than a look takes, so that a lease need not be renewed. One that waits longer for Slack gives up. */
const leaseIntervals = 3
const shortestLeaseMs = 10_000

export interface PollerOptions {
  readonly intervalMs: number
  /** How often the database is asked for what is due. Default: a sixtieth of the interval, at most half a second. */
  readonly tickMs?: number | undefined
  /** Default: the real thing. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
  /** Milliseconds that never jump, for what is paced. Default: `performance.now`. */
  readonly monotonic?: (() => number) | undefined
}

export interface Poller {
  /** Names this process to the others. */
  readonly owner: string
  /** A process that has had a card for longer is taken for dead. */
  readonly leaseMs: number
  /** @param take - Takes what is due, and begins with it. */
  start(take: () => Promise<void>): void
  /** Something is due now. */
  wake(): void
  /** Takes no more. */
  stop(): Promise<void>
}

export function createPoller(log: Log, options: PollerOptions): Poller {
  const { intervalMs, tickMs = Math.min(500, intervalMs / 60) } = options
  const { sleep = (ms: number) => delay(ms, undefined, { ref: false }) } = options
  let take = async () => {}
  const loop = createLoop(
    async () => {
      await take()
      return tickMs * (0.75 + Math.random() / 2)
    },
    {
      pauseMs: tickMs,
      sleep,
      onFailure: (error) =>
        log.failedJob('warn', { err: error }, 'due live cards cannot be taken; trying again'),
    },
  )
  return {
    owner: randomUUID(),
    leaseMs: Math.max(shortestLeaseMs, leaseIntervals * intervalMs),
    start(how) {
      take = how
      loop.start()
    },
    wake: loop.wake,
    stop: loop.stop,
  }
}

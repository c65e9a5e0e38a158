// Looks at what falls due: live cards, and followed containers. Each process takes what is due again and again; nobody asks
// for it.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { House } from '../house.ts'
import type { Log } from '../log/log.ts'
import { outsideRequest, withId } from '../log/request.ts'
import { createLoop } from '../work/repeat.ts'
import { createWork } from '../work/under-way.ts'

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

export type Poller = ReturnType<typeof createPoller>

export function createPoller(log: Log, options: PollerOptions) {
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
    /** Names this process to the others. */
    owner: randomUUID(),
    /** A process that has had a card for longer is taken for dead. */
    leaseMs: Math.max(shortestLeaseMs, leaseIntervals * intervalMs),
    /** @param how - Takes what is due, and begins with it. */
    start(how: () => Promise<void>): void {
      take = how
      loop.start()
    },
    /** Something is due now. */
    wake: loop.wake,
    /** Takes no more. */
    stop: loop.stop,
  }
}

/** Takes what is due of one kind; each is a look, which never rejects. */
export type TakeDue = (house: House) => Promise<readonly (() => Promise<void>)[]>

/** Background job: takes what is due again and again, and looks at it. */
export function keepUp(house: House, takes: readonly TakeDue[]): { start(): void; stop(): Promise<void> } {
  const { poller } = house
  const work = createWork()
  async function take(): Promise<void> {
    for (const takeOfKind of takes) {
      const looks = await takeOfKind(house)
      // Whoever wakes the poller does not lend it their id.
      for (const look of looks) void work.track(outsideRequest(() => withId(look)))
    }
  }
  return {
    start: () => poller.start(take),
    async stop() {
      await poller.stop()
      await work.done()
    },
  }
}

// Takes live cards that are due, as many as can be looked at, and keeps them until they are done. Every process has a
// poller; the store sees to it that a card is in the hands of one of them at a time.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log/log.ts'
import { outsideRequest, withId } from '../log/request.ts'
import { createLoop } from '../work/repeat.ts'
import { createWork } from '../work/under-way.ts'
import type { LiveCard, Watches } from './watches.ts'

/** Looks at once: a service that does not answer is not asked by more. */
const mostLooks = 200
/** Longer than a look takes, so that a lease need not be renewed. One that waits longer for Slack gives up. */
const leaseIntervals = 3
const shortestLeaseMs = 10_000
/** The latest that a card can rightly be due: this, or two intervals if that is longer. */
const farthestMs = 15 * 60_000

export interface PollerOptions {
  readonly intervalMs: number
  /** How often the store is asked for what is due. Default: a sixtieth of the interval, at most half a second. */
  readonly tickMs?: number | undefined
  /** Default: the real thing. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
  /** Milliseconds that never jump: a lease must not seem longer than it is. Default: `performance.now`. */
  readonly monotonic?: (() => number) | undefined
}

/** A live card in the hands of this process. */
export interface Held {
  readonly live: LiveCard
  /** Names the holder to the store. */
  readonly owner: string
  /** False once the lease may have run out: somebody else may look at the card now. */
  isHeld(): boolean
}

export interface Poller {
  /**
   * From now on, each card that is due is looked at.
   * @param look - Rejects for what the store does alone: then the lease runs out, and the card is looked at again.
   */
  start(look: (held: Held) => Promise<void>): void
  /** Something is due now. */
  wake(): void
  /** Takes no more; resolves when what is in hand is done, and the rest is given back. */
  stop(): Promise<void>
}

export function createPoller(
  { watches, log }: { readonly watches: Pick<Watches, 'lease' | 'release'>; readonly log: Log },
  options: PollerOptions,
): Poller {
  const { intervalMs, tickMs = Math.min(500, intervalMs / 60), monotonic = () => performance.now() } = options
  const { sleep = (ms: number) => delay(ms, undefined, { ref: false }) } = options
  const leaseMs = Math.max(shortestLeaseMs, leaseIntervals * intervalMs)
  const owner = randomUUID()
  const work = createWork()
  let looking = 0
  let isStopped = false
  let look: (held: Held) => Promise<void> = async () => undefined

  async function lookAt(live: LiveCard, until: number): Promise<void> {
    looking += 1
    try {
      await look({ live, owner, isHeld: () => !isStopped && monotonic() < until })
    } catch (error) {
      log.failedJob('error', { err: error, card: live.cardId }, 'a live card could not be checked')
    } finally {
      looking -= 1
    }
  }

  const loop = createLoop(
    async () => {
      const until = monotonic() + leaseMs
      const most = mostLooks - looking
      const due =
        most > 0
          ? await watches.lease({ owner, leaseMs, most, farthestMs: Math.max(farthestMs, 2 * intervalMs) })
          : []
      // Whoever wakes the poller does not lend it their id.
      for (const live of due) void work.track(outsideRequest(() => withId(() => lookAt(live, until))))
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
    start(how) {
      look = how
      loop.start()
    },
    wake: loop.wake,
    async stop() {
      isStopped = true
      await loop.stop()
      await work.done()
      await watches.release(owner).catch((error: unknown) => {
        log.failedJob('warn', { err: error }, 'live cards could not be given back; their leases run out')
      })
    },
  }
}

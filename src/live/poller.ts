// Looks at what falls due: live cards, and followed containers. Each process takes what is due again and again; nobody asks
// for it. Slack lets some 50 updates a minute into the workspace, people's own among them, so that whoever draws live cards
// leaves room for what people press.
// Source: docs.slack.dev/apis/web-api/rate-limits; chat.update is Tier 3.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { House } from '../house.ts'
import { outsideRequest, withId } from '../log/log.ts'
import { waitSecondsOf } from '../slack/client.ts'
import { doubling } from '../work/retry.ts'
import { createWork } from '../work/under-way.ts'

/** Longer than a look takes, so that a lease need not be renewed. One that waits longer for Slack gives up. */
const leaseIntervals = 3
const shortestLeaseMs = 10_000
/** A database that fails is asked this rarely at last. */
const longestPauseMs = 5_000

export interface PollerOptions {
  readonly intervalMs: number
  /** How often the database is asked for what is due. Default: a sixtieth of the interval, at most half a second. */
  readonly tickMs?: number | undefined
  /** Milliseconds that never jump, for what is paced. Default: `performance.now`. */
  readonly monotonic?: (() => number) | undefined
}

export type Poller = ReturnType<typeof createPoller>

export function createPoller({ intervalMs, tickMs = Math.min(500, intervalMs / 60) }: PollerOptions) {
  const afterFailures = doubling(2 * tickMs, longestPauseMs)
  let woken = Promise.withResolvers<void>()
  return {
    /** Names this process to the others. */
    owner: randomUUID(),
    /** A process that has had a card for longer is taken for dead. */
    leaseMs: Math.max(shortestLeaseMs, leaseIntervals * intervalMs),
    /** Something is due now: ends the pause; during a look for what is due, the pause after it. */
    wake: () => woken.resolve(),
    /** Resolves when it is time to look again. @param failures - So many in a row. */
    async pause(failures: number): Promise<void> {
      const ms = failures > 0 ? afterFailures(failures) : tickMs * (0.75 + Math.random() / 2)
      await Promise.race([delay(ms, undefined, { ref: false }), woken.promise])
      woken = Promise.withResolvers()
    },
  }
}

/** Takes what is due of one kind; each is a look, which never rejects. */
export type TakeDue = (house: House) => Promise<readonly (() => Promise<void>)[]>

/** Background job: takes what is due again and again, and looks at it. */
export function keepUp(house: House, takes: readonly TakeDue[]): { start(): void; stop(): Promise<void> } {
  const { poller, log } = house
  const work = createWork()
  let isStopped = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    for (let failures = 0; !isStopped; await poller.pause(failures)) {
      try {
        // Whoever wakes the poller does not lend it their id.
        for (const take of takes)
          for (const look of await take(house)) void work.track(outsideRequest(() => withId(look)))
        failures = 0
      } catch (error) {
        failures += 1
        if (failures > 1) continue
        log.failedJob('warn', { err: error }, 'what is due to be looked at cannot be taken; trying again')
      }
    }
  }

  return {
    start() {
      running = run()
    },
    async stop() {
      isStopped = true
      poller.wake()
      await running
      await work.done()
    },
  }
}

const minuteMs = 60_000
const mostPerMinute = 40
/** What quiet cards need to stay trusted is 20 updates a minute. */
export const mostLiveCards = 200

export type Updates = ReturnType<typeof createUpdates>

/** @param now - Milliseconds, never jumps. */
export function createUpdates(now: () => number) {
  /** Of the last minute, and those that are under way. */
  let sent: { at: number }[] = []
  let busyUntil = 0
  function sentLately() {
    sent = sent.filter(({ at }) => at > now() - minuteMs)
    return sent
  }
  const room = () => (busyUntil > now() ? 0 : mostPerMinute - sentLately().length)
  let kept = 0
  return {
    /** True where Slack takes one now, and nobody keeps its place. */
    hasRoom: () => room() > kept,
    /** Work that leads to one, whose place is kept meanwhile. */
    async keeping<T>(work: () => Promise<T>): Promise<T> {
      kept += 1
      try {
        return await work()
      } finally {
        kept -= 1
      }
    },
    /** Draws, unless that has to wait. @returns False where it has to. @throws What Slack said otherwise. */
    async run(update: () => Promise<unknown>): Promise<boolean> {
      if (room() <= 0) return false
      // Only once Slack has answered, its minute passes.
      const one = { at: Number.POSITIVE_INFINITY }
      sent.push(one)
      try {
        await update()
        return true
      } catch (error) {
        const waitSeconds = waitSecondsOf(error)
        if (waitSeconds === undefined) throw error
        busyUntil = Math.max(busyUntil, now() + waitSeconds * 1000)
        return false
      } finally {
        one.at = now()
      }
    },
    /** Somebody's own update went out, which waits for nothing. */
    note: () => void sentLately().push({ at: now() }),
  }
}

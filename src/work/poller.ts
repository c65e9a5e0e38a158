// The loop that looks at what falls due: live cards, followed containers, ends of access, maintenance. Each process has one.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { House } from '../house.ts'
import { outsideRequest, withId } from '../log/log.ts'
import { doubling } from './retry.ts'
import { createWork } from './under-way.ts'

/** A lease lasts three intervals, longer than a look, so none is renewed. A look that waits longer for Slack gives up. */
const leaseIntervals = 3
const shortestLeaseMs = 10_000
/** The longest pause between two questions to a database that fails. */
const longestPauseMs = 5_000

interface PollerOptions {
  readonly intervalMs: number
  /** Milliseconds between two questions to the database for what is due. Default: 500, or less for short intervals. */
  readonly tickMs?: number | undefined
}

export type Poller = ReturnType<typeof createPoller>

export function createPoller({
  intervalMs,
  tickMs = Math.min(500, intervalMs / 60),
}: PollerOptions) {
  const afterFailures = doubling(2 * tickMs, longestPauseMs)
  let woken = Promise.withResolvers<void>()
  return {
    /** Names this process in leases, which the other processes read. */
    owner: randomUUID(),
    /** How long a lease lasts: a process that has had one for longer is taken for dead. */
    leaseMs: Math.max(shortestLeaseMs, leaseIntervals * intervalMs),
    /** Says that something is due now: ends the pause or, if the loop doesn’t pause just now, its next pause. */
    wake: () => woken.resolve(),
    /** Resolves when it is time to ask again for what is due. @param failures - How often in a row that has failed. */
    async pause(failures: number) {
      const ms = failures > 0 ? afterFailures(failures) : tickMs * (0.75 + Math.random() / 2)
      await Promise.race([delay(ms, undefined, { ref: false }), woken.promise])
      woken = Promise.withResolvers()
    },
  }
}

/**
 * Takes documents of one kind that are due, the longest due first.
 * @param most - Documents at most; the others stay due, for this process or another.
 * @returns For each document taken, a function that looks after it and never rejects.
 */
export type TakeDue = (house: House, most: number) => Promise<readonly (() => Promise<void>)[]>

/** The most looks of one kind at the same time: a thousand at once would hold up what people type. */
const mostAtOnce = 50

/** Takes what is due of each kind, again and again, and looks after it: fifty of a kind at the same time at most. */
export function keepUp(
  house: House,
  takes: readonly TakeDue[],
): { start(): void; stop(): Promise<void> } {
  const { poller, log } = house
  const work = createWork()
  let isStopped = false
  let running: Promise<void> | undefined

  const kinds = takes.map((take) => ({ take, underWay: 0 }))

  async function takeSome(kind: (typeof kinds)[number]) {
    const room = mostAtOnce - kind.underWay
    if (room <= 0) return
    for (const look of await kind.take(house, room)) {
      kind.underWay += 1
      // Each look has an id of its own, not that of a request that woke the poller.
      const looking = outsideRequest(() => withId(look)).finally(() => {
        kind.underWay -= 1
      })
      void work.track(looking)
    }
  }

  async function run() {
    for (let failures = 0; !isStopped; await poller.pause(failures)) {
      try {
        for (const kind of kinds) await takeSome(kind)
        failures = 0
      } catch (error) {
        failures += 1
        if (failures > 1) continue
        log.failedJob(
          'warn',
          { err: error },
          'what is due to be looked at cannot be taken; trying again',
        )
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

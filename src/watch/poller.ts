// Takes live cards that are due, as many as can be looked at, and keeps them until they are done; then says when each is
// due again. Every process has a poller; the store sees to it that a card is in the hands of one of them at a time.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createTrouble, type Log } from '../log/log.ts'
import { outsideRequest, withId } from '../log/request.ts'
import { NotSent } from '../slack/outbound/pace.ts'
import { createLoop } from '../work/repeat.ts'
import { doubling } from '../work/retry.ts'
import { createWork } from '../work/under-way.ts'
import type { Updates } from './updates.ts'
import type { CardKey, LiveCard, Watches } from './watches.ts'

/** Reads of the service at once. */
const mostReads = 200
/** Cards taken by one statement. */
const batch = 100
/** A process that is gone is noticed after this many intervals, so that its cards are taken over within two. */
const leaseIntervals = 1.5
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
  /** How long ago it was taken, in milliseconds. */
  ageMs(): number
  /** False once the lease may have run out: somebody else may look at the card now. */
  isHeld(): boolean
}

/** The card is in other hands now, or somebody has changed who watches it. */
export class NotHeld extends NotSent {}

/** Not once the card has come into other hands: they tell it. */
export function throwUnlessHeld({ isHeld }: Held): void {
  if (!isHeld()) throw new NotHeld()
}

/**
 * Looks at a card: asks the service. Resolves to what is left to do in Slack, which waits for the channel's turn;
 * undefined when that is nothing. Neither rejects for what the service or Slack do; both do for what the store does.
 */
export type Look = (held: Held) => Promise<(() => Promise<void>) | undefined>

export interface Poller {
  /** From now on, each card that is due is looked at. */
  start(look: Look): void
  /** Something is due now. */
  wake(): void
  /** Takes no more; resolves when what is in hand is done, and the rest is given back. */
  stop(): Promise<void>
}

export function createPoller(
  room: {
    readonly watches: Pick<Watches, 'lease' | 'take' | 'pullIn' | 'renew' | 'release' | 'behind'>
    /** Names cards whose turn to be drawn has come. */
    readonly updates: Pick<Updates, 'next' | 'waiting'>
    readonly log: Log
  },
  options: PollerOptions,
): Poller {
  const { watches, updates, log } = room
  const { intervalMs, tickMs = Math.min(500, intervalMs / 60) } = options
  const { sleep = (ms: number) => delay(ms, undefined, { ref: false }) } = options
  const { monotonic = () => performance.now() } = options
  const leaseMs = Math.round(leaseIntervals * intervalMs)
  const lookForBehind = createLookForBehind(room, monotonic)

  const owner = randomUUID()
  const inHand = new Map<string, Lease>()
  const work = createWork()
  let reading = 0
  let isStopped = false
  let look: Look = async () => undefined

  async function lookAt(live: LiveCard, lease: Lease): Promise<void> {
    const isHeld = () => !isStopped && monotonic() < lease.until
    const held: Held = { live, owner, ageMs: () => monotonic() - lease.takenAt, isHeld }
    reading += 1
    try {
      const deliver = await look(held).finally(() => {
        reading -= 1
      })
      await deliver?.()
    } catch (error) {
      // Nobody prolongs the lease any more: it runs out, and the card is looked at again.
      log.failedJob('error', { err: error, card: live.cardId }, 'a live card could not be checked')
    } finally {
      inHand.delete(keyOf(live))
    }
  }

  function begin(lives: readonly LiveCard[], takenAt: number): void {
    for (const live of lives) {
      // Its lease ran out while it is looked at here: that look goes on, and nothing runs twice.
      if (inHand.has(keyOf(live))) continue
      const lease = { live, takenAt, until: takenAt + leaseMs }
      inHand.set(keyOf(live), lease)
      // Whoever wakes the poller does not lend it their id.
      void work.track(outsideRequest(() => withId(() => lookAt(live, lease))))
    }
  }

  /** One that is looked at already asks for its turn by itself; one in other hands has lost it. */
  async function takeCalled(): Promise<void> {
    const called = updates.next().filter((card) => !inHand.has(keyOf(card)))
    if (called.length === 0) return
    const takenAt = monotonic()
    begin(await watches.take(called, { owner, leaseMs }), takenAt)
  }

  /** True when more may be due. */
  async function takeDue(): Promise<boolean> {
    if (mostReads <= reading) return false
    await takeCalled()
    const most = Math.min(batch, mostReads - reading)
    if (most <= 0) return false
    const takenAt = monotonic()
    const due = await watches.lease({ owner, leaseMs, most })
    begin(due, takenAt)
    return due.length === most
  }

  async function renewAll(): Promise<void> {
    const leases = [...inHand.values()]
    if (leases.length === 0) return
    const renewedAt = monotonic()
    const lives = leases.map(({ live }) => live)
    await watches.renew(owner, lives, leaseMs)
    for (const lease of leases) {
      // One that may have run out before it was renewed is lost.
      if (renewedAt < lease.until) lease.until = renewedAt + leaseMs
    }
  }

  const loops = [
    createLoop(async () => ((await takeDue()) ? 0 : tickMs * (0.75 + Math.random() / 2)), {
      pauseMs: tickMs,
      sleep,
      onFailure: (error) =>
        log.failedJob('warn', { err: error }, 'due live cards cannot be taken; trying again'),
    }),
    createLoop(
      async () => {
        await renewAll()
        return leaseMs / 3
      },
      {
        pauseMs: tickMs,
        sleep,
        onFailure: (error) =>
          log.failedJob('warn', { err: error }, 'leases of live cards cannot be renewed; trying again'),
      },
    ),
    createLoop(
      async () => {
        await lookForBehind()
        return tickMs
      },
      {
        pauseMs: tickMs,
        sleep,
        onFailure: (error) =>
          log.failedJob('warn', { err: error }, 'how far live cards are behind cannot be read; trying again'),
      },
    ),
    // By a clock that was set back, they would all be due much later.
    createLoop(
      async () => {
        await watches.pullIn(Math.max(farthestMs, 2 * intervalMs))
        return intervalMs
      },
      {
        pauseMs: intervalMs,
        sleep,
        onFailure: (error) =>
          log.failedJob('warn', { err: error }, 'live cards cannot be made due; trying again'),
      },
    ),
  ]

  return {
    start(how) {
      look = how
      for (const loop of loops) loop.start()
    },
    wake: () => loops[0]?.wake(),
    async stop() {
      isStopped = true
      await Promise.all(loops.map((loop) => loop.stop()))
      await work.done()
      await watches.release(owner).catch((error: unknown) => {
        log.failedJob('warn', { err: error }, 'live cards could not be given back; their leases run out')
      })
    },
  }
}

interface Lease {
  readonly live: LiveCard
  readonly takenAt: number
  until: number
}

function keyOf({ workspaceId, cardId }: CardKey): string {
  return JSON.stringify([workspaceId, cardId])
}

/** So often it is looked. */
const everyMs = 30_000
/** A card that is late by less is about to be drawn. */
const graceMs = 60_000

/**
 * Says in the log when live cards fall behind, and when they have caught up: one line each. It looks when it is time to,
 * and rejects when the store does.
 * @param monotonic - Milliseconds, never jumps.
 */
function createLookForBehind(
  room: {
    readonly watches: Pick<Watches, 'behind'>
    readonly updates: Pick<Updates, 'waiting'>
    readonly log: Log
  },
  monotonic: () => number,
): () => Promise<void> {
  const { watches, updates, log } = room
  let lookedAt = Number.NEGATIVE_INFINITY
  const trouble = createTrouble({ log, now: monotonic })

  return async () => {
    if (monotonic() - lookedAt < everyMs) return
    lookedAt = monotonic()
    // Once they are behind, all have to catch up.
    const { overdue, oldestMs } = await watches.behind(trouble.since() === undefined ? graceMs : 0)
    const figures = { overdue, oldestLookSeconds: Math.round(oldestMs / 1000), waiting: updates.waiting() }
    if (overdue > 0) {
      trouble.begins(
        figures,
        'live cards fall behind: they were not checked by the time they show; either their alerts cannot be read, or more cards change than Slack lets Bellhop update',
      )
    } else trouble.ends(figures, 'live cards have caught up')
  }
}

/** When a card is looked at again, and when it counts as overdue. Milliseconds everywhere. */
export interface Timing {
  /** After a look that went well. @param tookMs - Since the card was taken. */
  next(live: LiveCard, tookMs: number): number
  /** After a look that failed. */
  afterFailure(live: LiveCard): number
  /** The service has not given the alert for so long that the card must say so. */
  isOverdue(live: LiveCard): boolean
}

/** A service that fails is asked this rarely at last. */
const longestPauseMs = 10 * 60_000
const shortestOverdueMs = 20_000
/** So many intervals without the service's answer make a card overdue. */
const overdueIntervals = 4
/** A part of the interval, to either side: cards that became live together do not stay together. */
const jitter = 0.05

export function createTiming(intervalMs: number, random: () => number): Timing {
  const overdueMs = Math.max(overdueIntervals * intervalMs, shortestOverdueMs)
  const pauses = doubling(2 * intervalMs, Math.max(longestPauseMs, intervalMs))
  const around = (ms: number) => Math.round(ms * (1 - jitter + 2 * jitter * random()))

  return {
    next({ lateMs }, tookMs) {
      const wholeMs = around(intervalMs)
      // From when it was due, so that small delays do not add up; from now on when it was late by much.
      const leftMs = wholeMs - Math.max(0, lateMs) - tookMs
      return Math.round(leftMs >= wholeMs / 2 ? leftMs : wholeMs)
    },
    afterFailure(live) {
      const backoffMs = around(pauses(live.failures + 1))
      const untilOverdueMs = overdueMs - (live.readMsAgo ?? 0)
      // It is looked at once more when it becomes overdue, to be marked.
      const isMarked = live.shown?.isOverdue ?? false
      return Math.round(!isMarked && untilOverdueMs > 0 ? Math.min(backoffMs, untilOverdueMs) : backoffMs)
    },
    isOverdue: ({ readMsAgo }) => readMsAgo !== undefined && readMsAgo >= overdueMs,
  }
}

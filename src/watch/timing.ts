// Times of a live card: when it is looked at again, when it counts as overdue, and how long it can be trusted.
// Milliseconds everywhere.

import { doubling } from '../work/retry.ts'
import { renewalsPerMinute } from './updates.ts'
import type { LiveCard } from './watches.ts'

/** A service that fails is asked this rarely at last. */
const longestPauseMs = 10 * 60_000
const shortestOverdueMs = 20_000
/** So many intervals without the service's answer make a card overdue. */
const overdueIntervals = 4
/** A part of the interval, to either side: cards that became live together do not stay together. */
const jitter = 0.05

export interface Timing {
  /** After a look that went well. @param tookMs - Since the card was taken. */
  next(live: LiveCard, tookMs: number): number
  /** After a look that failed. */
  afterFailure(live: LiveCard): number
  /** The service has not given the alert for so long that the card must say so. */
  isOverdue(live: LiveCard): boolean
}

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
      const untilOverdueMs = overdueMs - (live.trueMsAgo ?? 0)
      // It is looked at once more when it becomes overdue, to be marked.
      const isMarked = live.shown?.isOverdue ?? false
      return Math.round(!isMarked && untilOverdueMs > 0 ? Math.min(backoffMs, untilOverdueMs) : backoffMs)
    },
    isOverdue: ({ trueMsAgo }) => trueMsAgo !== undefined && trueMsAgo >= overdueMs,
  }
}

const minuteMs = 60_000
const shortestMs = 10 * minuteMs
const longestPromiseMs = 60 * minuteMs
/** A fifth of the renewals is left for those that come late. */
const renewalsPlanned = renewalsPerMinute * 0.8
/** So many cards a workspace can keep within an hour. */
export const mostLiveCards = 1_000
/** Besides an interval: for reading, and for a busy moment. */
const spareMs = 30_000

export interface Promised {
  /** From when it is drawn. */
  readonly goodForMs: number
  /** So long before that it may be drawn again: all cards of the workspace may want it at the same moment. */
  readonly leadMs: number
}

/**
 * How long a live card can be trusted: what it says about its next check, and when it is drawn again to keep that.
 * Renewals share 20 updates a minute and workspace. With more cards the next check moves out, to an hour at most;
 * beyond that no further card can become live.
 * @param cards - Live in the workspace.
 * @param intervalMs - Between two reads of an alert.
 */
export function promiseFor(cards: number, intervalMs: number): Promised {
  const allMs = Math.min(longestPromiseMs, Math.max(shortestMs, (cards / renewalsPlanned) * minuteMs))
  // Where alerts are read rarely, no card can be true more often than that.
  const goodForMs = Math.round(Math.max(allMs, 1.25 * intervalMs + 2 * spareMs))
  const leadMs = 1.1 * intervalMs + spareMs + (cards / renewalsPerMinute) * minuteMs
  return { goodForMs, leadMs: Math.round(Math.min(leadMs, Math.max(goodForMs * 0.75, 1.1 * intervalMs))) }
}

const mostKept = 500
const keptMs = 30_000

export interface Promises {
  of(workspaceId: string): Promise<Promised>
}

/** Remembers for a while how many cards there are. */
export function createPromises(
  countLive: (workspaceId: string) => Promise<number>,
  intervalMs: number,
  monotonic: () => number,
): Promises {
  const counts = new Map<string, { readonly count: Promise<number>; readonly at: number }>()
  return {
    async of(workspaceId) {
      let known = counts.get(workspaceId)
      if (known === undefined || monotonic() - known.at >= keptMs) {
        // They are soon counted again.
        if (counts.size >= mostKept) counts.clear()
        known = { count: countLive(workspaceId), at: monotonic() }
        counts.set(workspaceId, known)
        known.count.catch(() => counts.delete(workspaceId))
      }
      return promiseFor(await known.count, intervalMs)
    },
  }
}

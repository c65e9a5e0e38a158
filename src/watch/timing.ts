// When a live card is looked at again, and when it counts as overdue. Milliseconds everywhere.
import type { LiveCard } from './watches.ts'

/** A service that fails is asked this rarely at last. */
const longestMs = 10 * 60_000
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
  const around = (ms: number) => Math.round(ms * (1 - jitter + 2 * jitter * random()))

  return {
    next({ lateMs }, tookMs) {
      const wholeMs = around(intervalMs)
      // From when it was due, so that small delays do not add up; from now on when it was late by much.
      const leftMs = wholeMs - Math.max(0, lateMs) - tookMs
      return Math.round(leftMs >= wholeMs / 2 ? leftMs : wholeMs)
    },
    afterFailure(live) {
      const backoffMs = around(
        Math.min(intervalMs * 2 ** (live.failures + 1), Math.max(longestMs, intervalMs)),
      )
      const untilOverdueMs = overdueMs - (live.trueMsAgo ?? 0)
      // It is looked at once more when it becomes overdue, to be marked.
      const isMarked = live.shown?.isOverdue ?? false
      return Math.round(!isMarked && untilOverdueMs > 0 ? Math.min(backoffMs, untilOverdueMs) : backoffMs)
    },
    isOverdue: ({ trueMsAgo }) => trueMsAgo !== undefined && trueMsAgo >= overdueMs,
  }
}

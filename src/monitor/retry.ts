// Tries again when that may help, with exponential backoff and full jitter, within a deadline.
import { setTimeout as wait } from 'node:timers/promises'
import { MonitorError } from '../errors.ts'

const longestDelayMs = 2_000
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .* GMT$/

/** One try failed in a way that may pass. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain'
  readonly code: 'busy' | 'unreachable'
  /** How long the service asked to be left alone. */
  readonly retryAfterMs: number

  constructor(code: 'busy' | 'unreachable', message: string, retryAfterMs = 0) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

export interface RetryPace {
  readonly deadline: Deadline
  /** Tries in all. */
  readonly most: number
  /** Upper bound of the first wait, in milliseconds; it doubles with each try. */
  readonly delayMs: number
  /** From 0 up to, not including, 1. */
  readonly random: () => number
  readonly onRetry?: () => void
}

/**
 * Runs `once` until it gives an answer or an error that no further try would mend.
 * A wait that does not fit into the time left is not begun.
 *
 * @throws MonitorError `busy` when the service ever answered that it was, else `unreachable`.
 */
export async function withRetries<T>(once: () => Promise<T>, pace: RetryPace): Promise<T> {
  const { deadline, most, delayMs, random } = pace
  let code: 'busy' | 'unreachable' = 'unreachable'
  for (let tries = 1; ; tries += 1) {
    try {
      return await deadline.race(once())
    } catch (error) {
      if (error instanceof TimeUp) throw gaveUp(code, error.message, tries)
      if (!(error instanceof TryAgain)) throw error
      if (error.code === 'busy') code = 'busy'
      const backoffMs = random() * Math.min(longestDelayMs, delayMs * 2 ** (tries - 1))
      const waitMs = Math.max(error.retryAfterMs, backoffMs)
      if (tries === most || waitMs >= deadline.leftMs()) {
        throw gaveUp(code, error.message, tries, error.retryAfterMs)
      }
      await wait(waitMs)
      pace.onRetry?.()
    }
  }
}

function gaveUp(
  code: 'busy' | 'unreachable',
  reason: string,
  tries: number,
  retryAfterMs?: number,
): MonitorError {
  const words = `${reason} Gave up after ${tries} ${tries === 1 ? 'try' : 'tries'}.`
  return new MonitorError(code, words, retryAfterMs)
}

/** @returns Milliseconds; 0 when absent or not understood. Seconds or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | readonly string[] | undefined, now: number): number {
  const value = (typeof header === 'string' ? header : header?.[0])?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  // Date.parse alone would take “-5” for the year 2001.
  const at = httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}

/** The time is used up. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/** The time that one call may take, with everything it tries. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal
  /** Milliseconds, never negative. */
  leftMs(): number
  /**
   * Waits for work, but no longer than the deadline.
   * The signal alone is not enough: undici does not look at it while it connects.
   * @throws TimeUp
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Stops the clock. */
  clear(): void
}

export function startDeadline(budgetMs: number): Deadline {
  const endsAt = performance.now() + budgetMs
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {}) // nobody may be waiting
  const timer = setTimeout(() => {
    const timeUp = new TimeUp('The time is used up.')
    ended.reject(timeUp)
    controller.abort(timeUp)
  }, budgetMs)
  return {
    signal: controller.signal,
    leftMs: () => Math.max(0, endsAt - performance.now()),
    race: (work) => Promise.race([work, ended.promise]),
    clear: () => clearTimeout(timer),
  }
}

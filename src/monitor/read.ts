// One GET on kept connections, asked again while that may help.
import type { Pool } from 'undici'
import { MonitorError } from '../errors.ts'
import { type Answer, exchange, TooLarge } from '../http/exchange.ts'
import { headersFor } from './address.ts'
import { codeOf, isMisuse, isNotHttp, type NetworkFailure, reasonOf, silence } from './network-error.ts'
import { type MonitorObserver, type Operation, timed } from './observer.ts'
import type { Calls } from './outage.ts'
import { parseRetryAfter, startDeadline, TryAgain, withRetries } from './retry.ts'

const worthAnotherTry: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Tries of one read, for somebody who waits for it. */
const mostTries = 4

export interface Reading {
  readonly pool: Pool
  readonly budgetMs: number
  readonly delayMs: number
  /** Largest answer that is read. */
  readonly maxBodyBytes: number
  readonly random: () => number
  readonly observer: MonitorObserver
  readonly outage: Calls
}

/**
 * Sends a GET. Of `read_alert`, an answer with status 200 has a body; of all others the status says it.
 *
 * @param most - Tries in all.
 * @throws MonitorError `refused` unsent for an impossible token; `busy`, `unreachable`, `malformed` (not HTTP, or
 * larger than allowed).
 */
export async function read(
  reading: Reading,
  operation: Operation,
  token: string,
  path: string,
  most = mostTries,
): Promise<Answer> {
  const headers = headersFor(token)
  if (headers === undefined) throw new MonitorError('refused', 'The token cannot be sent in a header.')
  const request = { method: 'GET', path, headers } as const
  const deadline = startDeadline(reading.budgetMs)
  /** What the last try has come to: undefined when it was answered. Until then, the time is up without an answer. */
  let failure: NetworkFailure | undefined = silence('timed-out')

  async function once(): Promise<Answer> {
    const done = timed(reading.observer, operation)
    let status: number | undefined
    try {
      const answer = await exchange(reading.pool, request, {
        mostBytes: reading.maxBodyBytes,
        wantsBody: (status) => operation === 'read_alert' && status === 200,
        signal: deadline.signal,
      })
      status = answer.status
      failure = status < 500 ? undefined : { cause: 'fault', code: String(status) }
      if (status < 500 && status !== 429) return answer
      throw busy(answer)
    } catch (error) {
      if (error instanceof MonitorError || error instanceof TryAgain || isMisuse(error)) throw error
      failure = error instanceof TooLarge ? undefined : silence(reasonOf(error))
      if (error instanceof TooLarge) throw new MonitorError('malformed', error.message)
      if (isNotHttp(error)) throw new MonitorError('malformed', 'The answer is not HTTP.')
      throw new TryAgain('unreachable', `The monitoring service did not answer (${codeOf(error)}).`)
    } finally {
      done(status)
    }
  }

  try {
    const { delayMs, random, observer } = reading
    return await withRetries(once, { deadline, most, delayMs, random, onRetry: observer.triedAgain })
  } finally {
    deadline.clear()
    if (failure === undefined) reading.outage.answered()
    else reading.outage.failed(failure)
  }
}

function busy({ status, headers }: Answer): Error {
  const says = `The monitoring service answered ${status}.`
  if (!worthAnotherTry.has(status)) return new MonitorError('busy', says)
  return new TryAgain('busy', says, parseRetryAfter(headers['retry-after'], Date.now()))
}

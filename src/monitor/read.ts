// One GET on kept connections, asked again while that may help.
import type { Dispatcher, Pool } from 'undici'
import { MonitorError } from '../errors.ts'
import { startDeadline } from './deadline.ts'
import { headersFor } from './headers.ts'
import { codeOf, isMisuse, isNotHttp } from './network-error.ts'
import { type MonitorObserver, type Operation, timed } from './observer.ts'
import { parseRetryAfter, TryAgain, withRetries } from './retry.ts'

const worthAnotherTry: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Tries of one read, for somebody who waits for it. */
const mostTries = 4

export type Response = Dispatcher.ResponseData

export interface Reading {
  readonly pool: Pool
  readonly budgetMs: number
  readonly delayMs: number
  readonly random: () => number
  readonly observer: MonitorObserver
}

/**
 * Sends a GET and hands the answer to `take`, whose failures on the network count as the try's own.
 *
 * @param most - Tries in all.
 * @param take - Must read or drop the body. Not called for answers of a busy service.
 * @throws MonitorError `refused` unsent for an impossible token; `busy`, `unreachable`, `malformed` (not HTTP);
 * and what `take` throws.
 */
export async function read<T>(
  reading: Reading,
  operation: Operation,
  token: string,
  path: string,
  take: (response: Response) => Promise<T>,
  most = mostTries,
): Promise<T> {
  const headers = headersFor(token)
  if (headers === undefined) throw new MonitorError('refused', 'The token cannot be sent in a header.')
  const deadline = startDeadline(reading.budgetMs)

  async function once(): Promise<T> {
    const done = timed(reading.observer, operation)
    let status: number | undefined
    try {
      const response = await reading.pool.request({
        method: 'GET',
        path,
        headers: { ...headers },
        signal: deadline.signal,
      })
      status = response.statusCode
      if (response.statusCode < 500 && response.statusCode !== 429) return await take(response)
      throw busy(response)
    } catch (error) {
      if (error instanceof MonitorError || error instanceof TryAgain || isMisuse(error)) throw error
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
  }
}

function busy(response: Response): Error {
  dropBody(response)
  const says = `The monitoring service answered ${response.statusCode}.`
  if (!worthAnotherTry.has(response.statusCode)) return new MonitorError('busy', says)
  return new TryAgain('busy', says, parseRetryAfter(response.headers['retry-after'], Date.now()))
}

/** Lets go of a body that nobody reads: small ones are read so that the connection can be kept, others cut. */
export function dropBody({ body }: Response): void {
  const lingerMs = 1_000
  // Not awaited: the status has been given already.
  body.dump({ limit: 16_384, signal: AbortSignal.timeout(lingerMs) }).catch(() => {})
}

/** @throws MonitorError `malformed` as soon as more than `maxBytes` have arrived, however they are sent. */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes: Uint8Array = chunk
    size += bytes.byteLength
    // Leaving the loop destroys the body, and with it the connection.
    if (size > maxBytes) throw new MonitorError('malformed', `The answer is larger than ${maxBytes} bytes.`)
    chunks.push(bytes)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

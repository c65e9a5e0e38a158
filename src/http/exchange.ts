// One request and its whole answer.

import type { IncomingMessage } from 'node:http'
import { type Dispatcher, errors } from 'undici'

export interface Answer {
  readonly status: number
  readonly statusText: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Empty where the body was not wanted. */
  readonly text: string
}

interface Limits {
  /** Until the whole answer is there, from when it is asked for. Default: as long as the dispatcher waits. */
  readonly totalMs?: number
  /** Says for which statuses the body is read; for others, the answer is there with its head. Default: for all. */
  readonly wantsBody?: (status: number) => boolean
  readonly signal?: AbortSignal | null
}

/** Whether the answer is larger than the dispatcher takes. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof errors.ResponseExceededMaxSizeError
}

/**
 * Sends it once. Redirects are answers.
 * @throws The signal's reason; undici's own errors, which may hold addresses and raw answers.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  { totalMs, wantsBody, signal }: Limits,
): Promise<Answer> {
  const signals = [signal ?? [], totalMs === undefined ? [] : AbortSignal.timeout(totalMs)].flat()
  const answer = await dispatcher.request({ ...request, signal: AbortSignal.any(signals) })
  const { statusCode: status, statusText, headers, body } = answer
  if (wantsBody?.(status) !== false) return { status, statusText, headers, text: await body.text() }
  // A small one is let pass, so that the connection can be kept.
  body.dump({ limit: 16_384, signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
  return { status, statusText, headers, text: '' }
}

/** A piece costs some 670 bytes of memory besides its own: without this bound, a body sent byte by byte would take a lot. */
const mostPieces = 1_000

/**
 * Undefined as soon as there is more; what is not read then has to be answered with an end of the connection.
 * Rejects when the connection breaks.
 */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > mostBytes) return undefined
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    request.on('data', function take(piece: Buffer) {
      bytes += piece.length
      pieces.push(piece)
      if (bytes <= mostBytes && pieces.length <= mostPieces) return
      request.off('data', take).pause()
      resolve(undefined)
    })
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was cut off'))
    })
  })
}

/** Text from outside as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

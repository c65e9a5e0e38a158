// One request and its whole answer, with a bound.
import type { Dispatcher } from 'undici'

export interface Answer {
  readonly status: number
  readonly statusText: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Empty where the body was not wanted. */
  readonly text: string
}

export interface Limits {
  /** An answer may not be larger. */
  readonly mostBytes: number
  /** Until the whole answer is there, from when it is asked for. Default: as long as the dispatcher waits. */
  readonly totalMs?: number
  /** Says for which statuses the body is read; for others, the answer is there with its head. Default: for all. */
  readonly wantsBody?: (status: number) => boolean
  readonly signal?: AbortSignal | null
}

/** The answer is larger than allowed. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

const decoder = new TextDecoder()

/**
 * Sends it once. Redirects are answers.
 * @throws TooLarge; the signal's reason; undici's own errors, which may hold addresses and raw answers.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  { mostBytes, totalMs, wantsBody, signal }: Limits,
): Promise<Answer> {
  const signals = [signal ?? [], totalMs === undefined ? [] : AbortSignal.timeout(totalMs)].flat()
  const answer = await dispatcher.request({ ...request, signal: AbortSignal.any(signals) })
  const { statusCode: status, statusText, headers, body } = answer
  if (wantsBody?.(status) === false) {
    // A small one is let pass, so that the connection can be kept.
    body.dump({ limit: 16_384, signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
    return { status, statusText, headers, text: '' }
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('undici gives bytes')
    bytes += chunk.length
    if (bytes > mostBytes) throw new TooLarge(`The answer is larger than ${mostBytes} bytes.`)
    chunks.push(chunk)
  }
  return { status, statusText, headers, text: decoder.decode(Buffer.concat(chunks)) }
}

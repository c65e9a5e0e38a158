// One request and its whole answer.
import { type Dispatcher, errors } from 'undici'

export interface Answer {
  readonly status: number
  readonly statusText: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Empty where the body was not wanted. */
  readonly text: string
}

export interface Limits {
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

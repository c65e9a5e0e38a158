// Whether a request really comes from Slack.
// Source: docs.slack.dev/authentication/verifying-requests-from-slack.
import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300

/** `x-slack-request-timestamp` and `x-slack-signature` as they came. */
export interface SignatureHeaders {
  readonly timestamp: unknown
  readonly signature: unknown
}

/**
 * Why a request is not taken for Slack's. `headers`: they are missing or of another form. `clock`: its time is more than
 * five minutes from this machine's. `secret`: its form and time are right, and it was signed with another secret.
 */
export type Unsigned = 'headers' | 'clock' | 'secret'

/**
 * What is wrong with the headers alone; undefined when something that Slack signed can have them, which still has to be
 * checked with its body.
 * @param nowMs - Milliseconds since 1970.
 */
export function headerProblem(
  { timestamp, signature }: SignatureHeaders,
  nowMs: number,
): { readonly reason: Exclude<Unsigned, 'secret'>; readonly apartSeconds?: number } | undefined {
  const hasForm = typeof signature === 'string' && /^v0=[0-9a-f]{64}$/.test(signature)
  if (!hasForm || !isTime(timestamp)) return { reason: 'headers' }
  if (isTimely(timestamp, nowMs)) return undefined
  return { reason: 'clock', apartSeconds: nowMs / 1000 - Number(timestamp) }
}

function isTime(timestamp: unknown): timestamp is string {
  return typeof timestamp === 'string' && /^\d{1,12}$/.test(timestamp)
}

function isTimely(timestamp: unknown, nowMs: number): timestamp is string {
  return isTime(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds
}

/**
 * @param headers - As they came.
 * @param body - The raw body, before anything decoded it.
 * @param nowMs - Milliseconds since 1970.
 */
export function isSignedBySlack(
  secret: string,
  headers: SignatureHeaders,
  body: Buffer,
  nowMs: number,
): boolean {
  const { timestamp, signature } = headers
  if (!isTimely(timestamp, nowMs)) return false
  if (typeof signature !== 'string') return false
  const expected = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`,
  )
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

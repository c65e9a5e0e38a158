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
 * Whether these can be the headers of something that Slack signed: false when they are missing, stale or of another form.
 * What passes still has to be checked with its body.
 * @param nowMs - Milliseconds since 1970.
 */
export function couldBeSigned({ timestamp, signature }: SignatureHeaders, nowMs: number): boolean {
  return isTimely(timestamp, nowMs) && typeof signature === 'string' && /^v0=[0-9a-f]{64}$/.test(signature)
}

function isTimely(timestamp: unknown, nowMs: number): timestamp is string {
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds
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

// Whether a request really comes from Slack.
// Source: docs.slack.dev/authentication/verifying-requests-from-slack.
import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300

/**
 * @param headers - `x-slack-request-timestamp` and `x-slack-signature` as they came.
 * @param body - The raw body, before anything decoded it.
 * @param nowMs - Milliseconds since 1970.
 */
export function isSignedBySlack(
  secret: string,
  headers: { readonly timestamp: unknown; readonly signature: unknown },
  body: Buffer,
  nowMs: number,
): boolean {
  const { timestamp, signature } = headers
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false
  if (typeof signature !== 'string') return false
  const expected = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`,
  )
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

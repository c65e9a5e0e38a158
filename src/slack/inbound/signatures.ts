// Signatures of Slack's requests: checks them, counts those that are refused, and tells the operator what is probably
// wrong.
//
// Anybody can send requests with a wrong one, so they never make the bot unready, and the log stays short whatever comes:
// - While no good request comes in between, it is a warning with the likely reason: at the first one after a start; at
//   the third in a row once Slack's were good, as strangers send one or two.
// - Each warning doubles the pause before the next, from a minute to an hour. After ten good minutes, it is a minute again.
// - What the pause holds back is told when it is over, unless a good request has come by then.
// - One line says when a good request has come after a warning.
// - All else (no signature at all, or Slack's good ones in between) is one line of information an hour, from the third.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createTrouble, type Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'

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
const unsignedReasons = ['headers', 'clock', 'secret'] as const
export type Unsigned = (typeof unsignedReasons)[number]

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
 * Whether a request really comes from Slack.
 * @param headers - As they came.
 * @param body - The raw body, before anything decoded it.
 * @param nowMs - Milliseconds since 1970.
 * Source: docs.slack.dev/authentication/verifying-requests-from-slack.
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

/** Since the start. */
export interface SignatureState {
  readonly refused: Readonly<Record<Unsigned, number>>
}

export interface Signatures {
  accepted(): void
  /** @param apartSeconds - For `clock`: how far this machine's clock is ahead of the sender's; negative when behind. */
  refused(reason: Unsigned, apartSeconds?: number): void
  state(): SignatureState
  /** Those with Slack's headers that were refused since the last good request, or since the start. */
  inARow(): number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Without a refused signature, once a good request has come. */
const goodMs = 10 * minuteMs
/** So many strangers' requests between two of Slack's, or between two lines, are nothing to speak of. */
const fewInARow = 2

/** @param room.after - For tests. */
export function createSignatures(room: {
  readonly log: Log
  readonly now: Clock
  readonly after?: (ms: number, work: () => void) => void
}): Signatures {
  const { log, now, after = (ms, work) => void setTimeout(work, ms).unref() } = room
  const trouble = createTrouble({ log, now })
  const refused = { headers: 0, clock: 0, secret: 0 }
  /** The same, of those with Slack's headers. */
  let lastWrongAt: number | undefined
  let apart = 0
  let isHeldBack = false
  let wasGood = false
  let inARow = 0
  /** Refused since the last line, with Slack's headers. */
  let untold = { clock: 0, secret: 0 }
  let toldAt: number | undefined
  let informedAt: number | undefined
  let uninformed = 0
  let pauseMs = minuteMs
  let warned = 0

  /** A clock that is corrected jumps, forwards or backwards. */
  const isOver = (at: number | undefined, ms: number) => at === undefined || Math.abs(now() - at) >= ms

  function warn(): void {
    const reason = untold.clock > untold.secret ? 'clock' : 'secret'
    const count = untold.clock + untold.secret
    warned += count
    const fields = { refused: count, reason }
    const message = `requests to /slack/events are refused, and none is accepted in between: ${likely(reason, apart)}`
    if (trouble.since() === undefined) trouble.begins(fields, message)
    else log.warn(fields, message)
    untold = { clock: 0, secret: 0 }
    pauseMs = toldAt === undefined ? minuteMs : Math.min(2 * pauseMs, hourMs)
    toldAt = now()
  }

  const isTrouble = () => inARow > (wasGood ? fewInARow : 0)

  /** When the pause is over; where more come after it, the first of them is told instead. */
  function warnLater(): void {
    if (isHeldBack || toldAt === undefined) return
    isHeldBack = true
    after(Math.max(0, toldAt + pauseMs - now()), () => {
      isHeldBack = false
      if (isTrouble() && untold.clock + untold.secret > 0) warn()
    })
  }

  function inform(reason: Unsigned): void {
    uninformed += 1
    if (uninformed <= fewInARow || !isOver(informedAt, hourMs) || !isOver(toldAt, hourMs)) return
    informedAt = now()
    const count = uninformed
    uninformed = 0
    log.info({ refused: count, reason }, reason === 'headers' ? withoutHeaders : besideGoodOnes)
  }

  return {
    accepted() {
      wasGood = true
      inARow = 0
      untold = { clock: 0, secret: 0 }
      trouble.ends({ refused: warned }, "Slack's requests are accepted again")
      warned = 0
    },
    refused(reason, apartSeconds = 0) {
      refused[reason] += 1
      if (reason === 'headers') return inform(reason)
      if (isOver(lastWrongAt, trouble.since() === undefined ? goodMs : hourMs)) toldAt = undefined
      lastWrongAt = now()
      apart = apartSeconds
      inARow += 1
      untold[reason] += 1
      if (!isTrouble()) return inform(reason)
      if (isOver(toldAt, pauseMs)) warn()
      else warnLater()
    },
    state: () => ({ refused: { ...refused } }),
    inARow: () => inARow,
  }
}

function likely(reason: 'clock' | 'secret', apartSeconds: number): string {
  if (reason === 'secret') {
    return 'SLACK_SIGNING_SECRET is probably wrong; copy it again from your app, Basic Information'
  }
  const side = apartSeconds >= 0 ? 'ahead of' : 'behind'
  return `this machine's clock is ${Math.abs(Math.round(apartSeconds))} seconds ${side} Slack's; turn on time synchronisation`
}

const withoutHeaders =
  "requests to /slack/events without Slack's signature are refused: they do not come from Slack, or a proxy in between drops the headers X-Slack-Signature and X-Slack-Request-Timestamp"
const besideGoodOnes =
  "some requests to /slack/events are refused, but Slack's own are accepted: somebody else sends those, with a wrong signature or time"

// Requests that are not taken for Slack's: counted, and told to the operator with what is probably wrong.
import type { IncomingHttpHeaders } from 'node:http'
import { createTrouble, type Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'

const toleranceSeconds = 300

/**
 * Why a request is not taken for Slack's. `headers`: they are missing or of another form. `clock`: its time is more than
 * five minutes from this machine's. `secret`: its form and time are right, and it was signed with another secret.
 */
export type Unsigned = 'headers' | 'clock' | 'secret'

/**
 * What is wrong with the headers alone; undefined when something that Slack signed can have them, which still has to be
 * checked with its body.
 * @param nowMs - Milliseconds since 1970.
 * Source: docs.slack.dev/authentication/verifying-requests-from-slack.
 */
export function headerProblem(
  headers: IncomingHttpHeaders,
  nowMs: number,
): { readonly reason: Exclude<Unsigned, 'secret'>; readonly apartSeconds?: number } | undefined {
  const timestamp = String(headers['x-slack-request-timestamp'])
  const hasForm = /^v0=[0-9a-f]{64}$/.test(String(headers['x-slack-signature']))
  if (!hasForm || !/^\d{1,12}$/.test(timestamp)) return { reason: 'headers' }
  const apartSeconds = nowMs / 1000 - Number(timestamp)
  return Math.abs(apartSeconds) <= toleranceSeconds ? undefined : { reason: 'clock', apartSeconds }
}

export interface Signatures {
  accepted(): void
  /** @param apartSeconds - For `clock`: how far this machine's clock is ahead of the sender's; negative when behind. */
  refused(reason: Unsigned, apartSeconds?: number): void
  /** Since the start. */
  counts(): Readonly<Record<Unsigned, number>>
}

/** Anybody can send one or two between Slack's own. */
const fewInARow = 2

/** Whoever floods the bot has one warning, and another each time that Slack's own request has come in between. */
export function createSignatures(room: { readonly log: Log; readonly now: Clock }): Signatures {
  const trouble = createTrouble(room)
  const counts = { headers: 0, clock: 0, secret: 0 }
  let wasGood = false
  let inARow = 0

  return {
    accepted() {
      trouble.ends({ refused: inARow }, 'Slack’s requests are accepted again')
      wasGood = true
      inARow = 0
    },
    refused(reason, apartSeconds = 0) {
      counts[reason] += 1
      if (reason === 'headers') return
      inARow += 1
      if (inARow > (wasGood ? fewInARow : 0))
        trouble.begins(
          { reason },
          `requests to /slack/events are refused, and none is accepted in between: ${likely(reason, apartSeconds)}`,
        )
    },
    counts: () => ({ ...counts }),
  }
}

function likely(reason: 'clock' | 'secret', apartSeconds: number): string {
  if (reason === 'secret')
    return 'SLACK_SIGNING_SECRET is probably wrong; copy it again from your app, Basic Information'
  const side = apartSeconds >= 0 ? 'ahead of' : 'behind'
  return `this machine’s clock is ${Math.abs(Math.round(apartSeconds))} seconds ${side} Slack’s; turn on time synchronisation`
}

// Requests to the bot as a test forges them: signed like Slack's, or nearly.
import { createHmac } from 'node:crypto'
import type { World } from './world.ts'

export interface Forged {
  readonly body: string
  readonly contentType?: string
  readonly secret?: string
  readonly ageSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
}

export async function send({ slack, clock, url }: World, forged: Forged): Promise<Response> {
  const { body, contentType = 'application/x-www-form-urlencoded', ageSeconds = 0 } = forged
  const timestamp = String(Number(secondsOf({ clock })) - ageSeconds)
  const secret = forged.secret ?? slack.signingSecret
  return fetch(`${url}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      ...signedHeaders(body, secret, timestamp),
      ...forged.headers,
    },
    body,
  })
}

/** The time as Slack signs it, in Unix seconds. */
export const secondsOf = ({ clock }: Pick<World, 'clock'>) => String(Math.floor(clock.now() / 1000))

/** The body of a command of Alice’s that grants. */
export const grantCommand = (
  { alice, general, slack }: World,
  text = '12 dave@example.com viewer',
) =>
  String(
    new URLSearchParams({
      command: '/grant',
      text,
      user_id: alice.id,
      team_id: slack.teamId,
      channel_id: general.id,
      channel_name: 'general',
      trigger_id: '1.2.3',
    }),
  )

/** What Slack signs a body with. @param timestamp - Unix seconds. */
export function signedHeaders(
  body: string | Buffer,
  secret: string,
  timestamp: string,
): Record<string, string> {
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
}

/** An interaction's payload, as Slack posts it. */
export function interaction(payload: object): Forged {
  return { body: `payload=${encodeURIComponent(JSON.stringify(payload))}` }
}

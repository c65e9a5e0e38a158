// The bot token, as Slack's answers tell of it: what it may do, and whether Slack still takes it. A refusal is told in the
// log when it begins and when it ends, and by /readyz.
import type { WebAPICallResult } from '@slack/web-api'
import { createTrouble, type Log } from '../../log/log.ts'
import type { SlackError } from '../client/slack-error.ts'
import type { Clock } from '../ids.ts'

const askedEveryMs = 30_000

/** @param room.ask - Asks `auth.test`, which decides, so that one odd answer is not believed. */
export function followToken(room: {
  readonly ask: () => Promise<unknown>
  readonly log: Log
  readonly now: Clock
}) {
  const { ask, now } = room
  const trouble = createTrouble(room)
  let scopes: ReadonlySet<string> | undefined
  let refusal: string | undefined
  let askedAt = Number.NEGATIVE_INFINITY

  function askAnew(): void {
    askedAt = now()
    ask().catch(() => undefined)
  }

  return {
    /** Slack has done what was asked. */
    taken(method: string, answer: WebAPICallResult): void {
      scopes = scopesIn(answer) ?? scopes
      if (method !== 'auth.test') return
      refusal = undefined
      trouble.ends({}, 'Slack accepts the bot token again')
    },
    /** Slack has refused a call for the token's sake. */
    refused(method: string, { word }: SlackError): void {
      if (method !== 'auth.test' && refusal === undefined) askAnew()
      if (method !== 'auth.test') return
      refusal = word
      trouble.begins(
        { refusal },
        'Slack refuses the bot token: Bellhop can post nothing; copy the token again (SLACK_BOT_TOKEN)',
      )
    },
    /** What Slack said last; undefined where it does not say: a proxy may drop the header. */
    scopes: () => scopes,
    /** Slack's word; undefined while it takes the token. Asked anew where the last answer is older than half a minute. */
    refusal(): string | undefined {
      if (refusal !== undefined && now() - askedAt >= askedEveryMs) askAnew()
      return refusal
    },
  }
}

/** Slack's client keeps the header `x-oauth-scopes` with each answer. */
export function scopesIn({ response_metadata }: WebAPICallResult): ReadonlySet<string> | undefined {
  const scopes = response_metadata?.scopes
  return scopes === undefined ? undefined : new Set(scopes)
}

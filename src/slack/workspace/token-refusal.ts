// Refusals of the bot token while the bot runs: told in the log when that begins and when it ends, and by /readyz.
import { createTrouble, type Log } from '../../log/log.ts'
import { SlackError } from '../client/slack-error.ts'
import type { Clock } from '../ids.ts'

export interface TokenRefusal {
  /** Slack refused a call of this method for the token's sake. `auth.test` decides, so that one odd answer is not believed. */
  suspect(method: string): void
  /** Slack's word; undefined while it takes the token. Slack is asked anew where the last answer is older than half a minute. */
  word(): string | undefined
}

const askedEveryMs = 30_000

/** @param room.ask - Asks `auth.test`. */
export function createTokenRefusal(room: {
  readonly ask: () => Promise<unknown>
  readonly log: Log
  readonly now: Clock
}): TokenRefusal {
  const { ask, now } = room
  const trouble = createTrouble(room)
  let refusal: string | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let isAsking = false

  async function look(): Promise<void> {
    isAsking = true
    askedAt = now()
    try {
      await ask()
      refusal = undefined
      trouble.ends({}, 'Slack accepts the bot token again')
    } catch (error) {
      // Else Slack does not say.
      if (!(error instanceof SlackError && error.isOfToken)) return
      refusal = error.word
      trouble.begins(
        { refusal },
        'Slack refuses the bot token: Bellhop can post nothing; copy the token again (SLACK_BOT_TOKEN)',
      )
    } finally {
      isAsking = false
    }
  }

  return {
    suspect(method) {
      if (method !== 'auth.test' && !isAsking && refusal === undefined) void look()
    },
    word() {
      if (refusal !== undefined && !isAsking && now() - askedAt >= askedEveryMs) void look()
      return refusal
    },
  }
}

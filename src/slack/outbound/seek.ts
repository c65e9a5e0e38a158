// Looks for a reply of the bot's own in a thread, by its mark: Slack did not confirm it, and it may stand there or not.
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Patiently } from '../client/patience.ts'
import { refusalOf, waitAskedFor } from '../client/refusals.ts'
import type { Posted } from './message.ts'

/** `unreadable`: whether it stands there cannot be known. */
export type Sought = 'there' | 'missing' | 'unreadable'

export const markType = 'bellhop_reply'

const markSchema = z.object({
  event_type: z.literal(markType),
  event_payload: z.object({ reply: z.string() }),
})

/** Some apps get no more at a time. Source: docs.slack.dev/reference/methods/conversations.replies. */
const pageSize = 15
/** 300 messages since the reply was tried. */
const mostPages = 20
/** Slack refuses to talk with a clock that is further off, so that its times are about ours. */
const clocksApartMs = 5 * 60_000
/** A longer wait is for another time: meanwhile somebody else would look as well. */
const longestWaitSeconds = 5

// Slack's words where the bot may not read a thread.
const cannotRead = new Set([
  'missing_scope',
  'not_in_channel',
  'channel_not_found',
  'no_permission',
  'method_not_supported_for_channel_type',
])

export function createSeek({
  web,
  patiently,
}: {
  readonly web: () => Promise<WebClient>
  readonly patiently: Patiently
}) {
  /**
   * @param since - When it was first tried, in milliseconds since 1970; without it the whole thread is read.
   * @throws What Slack said, when it did not let it look at all: it can be asked again later.
   */
  return async (
    { channelId, ts, threadTs = ts }: Posted,
    markId: string,
    since?: number,
  ): Promise<Sought> => {
    const oldest = since === undefined ? {} : { oldest: ((since - clocksApartMs) / 1000).toFixed(6) }
    let cursor: string | undefined
    for (let pages = 0; pages < mostPages; pages += 1) {
      const more = cursor === undefined ? {} : { cursor }
      try {
        const { conversations } = await web()
        const page = await patiently(
          () =>
            conversations.replies({
              ...{ channel: channelId, ts: threadTs, include_all_metadata: true, limit: pageSize },
              ...oldest,
              ...more,
            }),
          longestWaitSeconds,
        )
        if ((page.messages ?? []).some(({ metadata }) => isMarked(metadata, markId))) return 'there'
        cursor = page.response_metadata?.next_cursor || undefined
      } catch (error) {
        if (cannotRead.has(refusalOf(error) ?? '')) return 'unreadable'
        // Asked later, it would come no further than to this page again.
        if (cursor !== undefined && waitAskedFor(error) !== undefined) return 'unreadable'
        throw error
      }
      if (cursor === undefined) return 'missing'
    }
    return 'unreadable'
  }
}

function isMarked(metadata: unknown, markId: string): boolean {
  const mark = markSchema.safeParse(metadata)
  return mark.success && mark.data.event_payload.reply === markId
}

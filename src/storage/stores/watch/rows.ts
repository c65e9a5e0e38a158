// Reads watches and live cards back from their rows.
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely'
import { z } from 'zod'
import type { Posted } from '../../../slack/outbound/message.ts'
import type { CardShown, Ended, LiveCard, Watcher } from '../../../watch/watches.ts'
import type { LiveCardsTable, Tables, WatchesTable } from '../../tables.ts'

const endedSchema: z.ZodType<Ended> = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['refused', 'forbidden']) }),
  z.object({ kind: z.literal('disconnected') }),
  z.object({ kind: z.literal('lifetime') }),
  z.object({ kind: z.literal('shared') }),
  z.object({ kind: z.literal('gone') }),
  z.object({ kind: z.literal('stopped'), by: z.string() }),
])

const shownSchema: z.ZodType<CardShown> = z.object({
  alert: z.object({
    ks: z.string(),
    message: z.string(),
    severity: z.number(),
    timestamp: z.number(),
    lastMessage: z.string(),
    lastSeverity: z.number(),
    lastTimestamp: z.number(),
    ownerId: z.number().nullable(),
    closedTimestamp: z.number().nullable(),
    actions: z.array(z.never()),
  }),
  asOf: z.number(),
  nextBy: z.number().optional(),
  isOverdue: z.boolean(),
  look: z.string(),
})

export function shownOf(text: string | null): CardShown | undefined {
  return text === null ? undefined : shownSchema.parse(JSON.parse(text))
}

export function postedOf({
  channel_id: channelId,
  ts,
  thread_ts: threadTs,
}: Pick<LiveCardsTable, 'channel_id' | 'ts' | 'thread_ts'>): Posted {
  return { channelId, ts, threadTs: threadTs ?? undefined }
}

export function watcherOf(row: Selectable<WatchesTable>, now: number): Watcher {
  return {
    userId: row.user_id,
    name: row.user_name,
    until: row.until,
    isOver: row.until <= now,
    ended: row.ended === null ? undefined : endedSchema.parse(JSON.parse(row.ended)),
    toldLevel: row.told_level ?? undefined,
    telling: row.telling_until === null ? undefined : row.telling_until <= now ? 'in-doubt' : 'under-way',
    isThreadOnly: row.is_thread_only === 1,
  }
}

/** Undefined also when it is still to come: the clock has gone back, and nobody knows how long ago it was. */
function msAgo(at: number | null, now: number): number | undefined {
  return at === null || at > now ? undefined : now - at
}

export function liveCardOf(
  row: Selectable<LiveCardsTable> & { readonly now: number },
  more: Pick<LiveCard, 'card' | 'watchers'>,
): LiveCard {
  return {
    workspaceId: row.workspace_id,
    cardId: row.card_id,
    since: row.since,
    posted: postedOf(row),
    ...more,
    shown: shownOf(row.shown),
    seen: row.seen ?? undefined,
    trueMsAgo: msAgo(row.true_at, row.now),
    drawnMsAgo: msAgo(row.drawn_at, row.now),
    lateMs: row.now - row.due_at,
    askInMs: Math.max(0, row.ask_at - row.now),
    failures: row.failures,
    pokes: row.pokes,
  }
}

/** Of a card that Bellhop doesn't keep up to date. */
export function isNotLive({
  not,
  exists,
  selectFrom,
}: ExpressionBuilder<Tables, 'cards'>): ExpressionWrapper<Tables, 'cards', SqlBool> {
  return not(
    exists(
      selectFrom('live_cards')
        .select('card_id')
        .whereRef('live_cards.workspace_id', '=', 'cards.workspace_id')
        .whereRef('live_cards.card_id', '=', 'cards.id'),
    ),
  )
}

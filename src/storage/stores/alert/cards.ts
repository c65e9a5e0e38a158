// Posted cards in the database.
import type { ExpressionBuilder, ExpressionWrapper, Kysely, Selectable, SqlBool } from 'kysely'
import type { Card, Cards } from '../../../alert/cards.ts'
import type { AlertLink } from '../../../alert/link.ts'
import type { Names } from '../../../names/names.ts'
import type { Posted } from '../../../slack/outbound/message.ts'
import { didChange, type Engine } from '../../engine.ts'
import type { CardsTable, LiveCardsTable, Tables } from '../../tables.ts'

type NewRow = Omit<CardsTable, 'kept_at'>

const mostInThread = 10

export function cardsIn(db: Kysely<Tables>, engine: Engine): Cards {
  return {
    async keep(card) {
      await db
        .insertInto('cards')
        .values({ ...rowOf(card), kept_at: engine.now() })
        .execute()
    },

    async find(workspaceId, id) {
      const row = await db
        .selectFrom('cards')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && cardOf(row)
    },

    async inThread(workspaceId, channelId, threadTs) {
      const rows = await db
        .selectFrom('cards')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('posted_channel_id', '=', channelId)
        .where((where) => where.or([where('ts', '=', threadTs), where('thread_ts', '=', threadTs)]))
        .orderBy('kept_at')
        .limit(mostInThread)
        .execute()
      return rows.map(cardOf)
    },

    async replaceTold(workspaceId, id, version, told) {
      return didChange(
        db
          .updateTable('cards')
          .set({ told: JSON.stringify(told), version: version + 1 })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('version', '=', version),
      )
    },

    async keepLanding(workspaceId, id, { isPrivate, layout, posted }) {
      await db
        .updateTable('cards')
        .set({
          form: layout,
          is_private: isPrivate ? 1 : 0,
          posted_channel_id: posted?.channelId ?? null,
          ts: posted?.ts ?? null,
          thread_ts: posted?.threadTs ?? null,
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async noteNames(workspaceId, id, names) {
      await db
        .updateTable('cards')
        .set({ names: JSON.stringify(names) })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async forget(workspaceId, id) {
      await db.deleteFrom('cards').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('cards').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('cards').where('kept_at', '<', before).where(isNotLive).execute()
    },
  }
}

function rowOf(card: Card): NewRow {
  return {
    workspace_id: card.workspaceId,
    id: card.id,
    ks: card.ks,
    asker_id: card.asker.userId,
    asker_name: card.askerName,
    channel_id: card.channelId ?? null,
    is_private: card.isPrivate ? 1 : 0,
    form: card.layout,
    told: JSON.stringify(card.told),
    version: card.version,
    posted_channel_id: card.posted?.channelId ?? null,
    ts: card.posted?.ts ?? null,
    thread_ts: card.posted?.threadTs ?? null,
    title: card.title,
    link: card.link === undefined ? null : JSON.stringify(card.link),
    names: card.names === undefined ? null : JSON.stringify(card.names),
  }
}

function cardOf(row: Selectable<CardsTable>): Card {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    ks: row.ks,
    title: row.title,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    askerName: row.asker_name,
    channelId: row.channel_id ?? undefined,
    isPrivate: row.is_private === 1,
    layout: row.form,
    told: JSON.parse(row.told),
    version: row.version,
    posted: landedAt(row),
    link: linkIn(row.link),
    names: namesIn(row.names),
  }
}

/** Names in a column. */
export function namesIn(column: string | null): Names | undefined {
  return column === null ? undefined : JSON.parse(column)
}

/** Where a card stands; undefined of one that was not posted. */
export function landedAt({
  posted_channel_id: channel_id,
  ts,
  thread_ts,
}: Pick<CardsTable, 'posted_channel_id' | 'ts' | 'thread_ts'>): Posted | undefined {
  return channel_id === null || ts === null ? undefined : postedOf({ channel_id, ts, thread_ts })
}

/** Where a live card stands. */
export function postedOf({
  channel_id: channelId,
  ts,
  thread_ts: threadTs,
}: Pick<LiveCardsTable, 'channel_id' | 'ts' | 'thread_ts'>): Posted {
  return { channelId, ts, threadTs: threadTs ?? undefined }
}

/** True for a card that Bellhop doesn't keep up to date. */
function isNotLive({
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

/** The link in a column. */
export function linkIn(column: string | null): AlertLink | undefined {
  return column === null ? undefined : JSON.parse(column)
}

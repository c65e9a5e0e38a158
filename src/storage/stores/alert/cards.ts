// Posted cards in the database, and the links of alerts with the keys they lead to.

import { hash } from 'node:crypto'
import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import { z } from 'zod'
import type { Card, Cards } from '../../../alert/cards.ts'
import { type AlertLink, alertLinkSchema, type KnownLinks, nameOfLink } from '../../../alert/link.ts'
import { type Names, namesSchema } from '../../../names/names.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import type { Posted } from '../../../slack/outbound/message.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { CardsTable, LiveCardsTable, Tables } from '../../tables.ts'

const toldSchema = z.array(z.string())
const standing = z.union([z.number(), z.literal('closed')])
const replySchema = z.object({
  id: z.string(),
  actions: z.array(
    z.object({
      kind: z.string(),
      timestamp: z.number(),
      data: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  more: z.number().optional(),
  older: z.number(),
  ending: z
    .object({ id: z.string(), words: z.string(), by: z.string().optional(), link: z.string().optional() })
    .optional(),
  change: z
    .object({
      from: standing,
      to: standing,
      severity: z.number(),
      message: z.string(),
      closedSince: z.number().optional(),
    })
    .optional(),
  since: z.number(),
})

type NewRow = Omit<CardsTable, 'kept_at' | 'reply_until' | 'drawings'>

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
      const row = await readCards(db, engine)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && cardOf(row)
    },

    async inThread(workspaceId, channelId, threadTs) {
      const rows = await readCards(db, engine)
        .where('workspace_id', '=', workspaceId)
        .where('posted_channel_id', '=', channelId)
        .where((where) => where.or([where('ts', '=', threadTs), where('thread_ts', '=', threadTs)]))
        .orderBy('kept_at')
        .limit(mostInThread)
        .execute()
      return rows.map(cardOf)
    },

    async replaceTold(workspaceId, id, version, { told, reply }, replyMs = 0) {
      return didChange(
        db
          .updateTable('cards')
          .set({
            told: JSON.stringify(told),
            version: version + 1,
            reply: reply === undefined ? null : JSON.stringify(reply),
            reply_until: reply === undefined ? null : fromNow(engine, replyMs),
          })
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

    async drawingOf(workspaceId, id) {
      const row = await db
        .selectFrom('cards')
        .select('drawings')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.drawings
    },

    async noteDrawing(workspaceId, id, after) {
      const noting = db
        .updateTable('cards')
        .set({ drawings: sql`drawings + 1` })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
      return didChange(after === undefined ? noting : noting.where('drawings', '=', after))
    },

    async claimShare(workspaceId, id) {
      return setShared(workspaceId, id, 1)
    },

    async releaseShare(workspaceId, id) {
      await setShared(workspaceId, id, 0)
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

  /** True for the one caller that changes it. */
  async function setShared(workspaceId: string, id: string, isShared: 0 | 1): Promise<boolean> {
    return didChange(
      db
        .updateTable('cards')
        .set({ is_shared: isShared })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('is_shared', '!=', isShared),
    )
  }
}

/** Rows as `cardOf` takes them. */
export function readCards(db: Kysely<Tables>, engine: Engine) {
  return db
    .selectFrom('cards')
    .selectAll()
    .select(sql<number>`case when reply_until <= ${engine.now()} then 1 else 0 end`.as('is_in_doubt'))
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
    is_shared: 0,
    posted_channel_id: card.posted?.channelId ?? null,
    ts: card.posted?.ts ?? null,
    thread_ts: card.posted?.threadTs ?? null,
    title: card.title,
    reply: null,
    link: card.link === undefined ? null : JSON.stringify(card.link),
    names: card.names === undefined ? null : JSON.stringify(card.names),
  }
}

export function cardOf(row: Selectable<CardsTable> & { readonly is_in_doubt: number }): Card {
  const reply = row.reply === null ? undefined : replySchema.parse(JSON.parse(row.reply))
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    ks: row.ks,
    title: row.title || row.ks,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    askerName: row.asker_name,
    channelId: row.channel_id ?? undefined,
    isPrivate: row.is_private === 1,
    layout: row.form,
    told: toldSchema.parse(JSON.parse(row.told)),
    version: row.version,
    posted: landedAt(row),
    link: linkIn(row.link),
    names: namesIn(row.names),
    reply: reply && { ...reply, ending: reply.ending, isInDoubt: row.is_in_doubt === 1 },
  }
}

/** Names in a column; undefined for what a newer version may have written in another way. */
export function namesIn(column: string | null): Names | undefined {
  return column === null ? undefined : namesSchema.safeParse(JSON.parse(column)).data
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

/** Ids of all cards of the alert that a card is of. */
export function cardsOfSameAlert(db: Kysely<Tables>, workspaceId: string, cardId: string) {
  return db
    .selectFrom('cards as same')
    .select('same.id')
    .where('same.workspace_id', '=', workspaceId)
    .where('same.ks', '=', (one) =>
      one
        .selectFrom('cards as this')
        .select('this.ks')
        .where('this.workspace_id', '=', workspaceId)
        .where('this.id', '=', cardId),
    )
}

export function alertLinksIn(db: Kysely<Tables>, engine: Engine): KnownLinks {
  const ofPerson = ({ workspaceId, userId }: SlackUser) =>
    db.selectFrom('alert_links').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)

  return {
    async keyOf(owner, link) {
      const row = await ofPerson(owner).select('ks').where('hash', '=', hashOf(link)).executeTakeFirst()
      return row?.ks
    },

    async linkTo(owner, ks) {
      const row = await ofPerson(owner)
        .select('link')
        .where('ks', '=', ks)
        .orderBy('kept_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && linkIn(row.link)
    },

    async keep({ workspaceId, userId }, link, ks) {
      const known = { link: JSON.stringify(link), ks, kept_at: engine.now() }
      await db
        .insertInto('alert_links')
        .values({ workspace_id: workspaceId, user_id: userId, hash: hashOf(link), ...known })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'hash']).doUpdateSet(known))
        .execute()
    },

    async forget({ workspaceId, userId }) {
      await db
        .deleteFrom('alert_links')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('alert_links').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('alert_links').where('kept_at', '<', before).execute()
    },
  }
}

function hashOf(link: AlertLink): string {
  return hash('sha256', nameOfLink(link), 'base64url')
}

/** The link in a column; undefined for what a newer version may have written in another way. */
export function linkIn(column: string | null): AlertLink | undefined {
  return column === null ? undefined : alertLinkSchema.safeParse(JSON.parse(column)).data
}

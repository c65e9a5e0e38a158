// Watches in the database: starting, ending, what is read, and other cards of an alert. Taking turns at live cards is in
// live-cards.ts.
import { type Expression, type Kysely, sql, type Transaction } from 'kysely'
import { liveFor } from '../../../alert/cards.ts'
import type { Ended, NewWatch, Watcher, Watches } from '../../../watch/watches.ts'
import { didChange, type Engine, fromNow, mostLooks } from '../../engine.ts'
import type { Tables } from '../../tables.ts'
import { postedOf } from './cards.ts'
import { leasesIn, shownOf, watcherOf } from './live-cards.ts'

export function watchesIn(db: Kysely<Tables>, engine: Engine): Watches {
  return {
    ...leasesIn(db, engine),

    async start(watch, most) {
      try {
        return await db.transaction().execute(async (transaction) => {
          // The live card first, as everybody does: two who lock in different orders would wait for each other.
          await makeLive(transaction, watch)
          return takeSlot(transaction, engine, watch, most)
        })
      } catch (error) {
        if (error instanceof NoFreeSlot) return 'too-many'
        throw error
      }
    },

    async countLive(workspaceId) {
      const { count } = await liveIn(workspaceId)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async countOverdue() {
      const { count } = await liveIn(undefined)
        .where(({ ref }) => isOverdue(ref('shown')))
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    watchersOf,

    liveOf: async (workspaceId, cardId) => liveFor(await watchersOf(workspaceId, cardId)),

    async forgetLook(workspaceId, cardId) {
      await db
        .updateTable('live_cards')
        .set((update) => ({ is_seen: 0 as const, pokes: update('pokes', '+', 1) }))
        .where('workspace_id', '=', workspaceId)
        .where('card_id', '=', cardId)
        .execute()
    },

    async liveCardOf(workspaceId, keys, where) {
      const cards = db
        .selectFrom('live_cards')
        .innerJoin('cards', (join) =>
          join
            .onRef('cards.workspace_id', '=', 'live_cards.workspace_id')
            .onRef('cards.id', '=', 'live_cards.card_id'),
        )
        .select(['live_cards.card_id', 'live_cards.channel_id', 'live_cards.ts', 'live_cards.thread_ts'])
        .where('cards.workspace_id', '=', workspaceId)
        .where('cards.ks', 'in', [...keys])
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('watches')
              .select('user_id')
              .whereRef('watches.workspace_id', '=', 'live_cards.workspace_id')
              .whereRef('watches.card_id', '=', 'live_cards.card_id')
              .where('ended', 'is', null)
              .where('until', '>', engine.now()),
          ),
        )
        .orderBy('live_cards.since')
        .limit(1)
      const row = await ('channelId' in where
        ? cards.where('live_cards.channel_id', '=', where.channelId)
        : cards
            .where('cards.asker_id', '=', where.ownerId)
            .where((one) =>
              one.or([one('cards.is_private', '=', 1), one('live_cards.channel_id', 'like', 'D%')]),
            )
      ).executeTakeFirst()
      return row && { workspaceId, cardId: row.card_id, posted: postedOf(row) }
    },

    async makeDue(workspaceId, keys, but = '') {
      // Poked: a look that began before must not put it off.
      await db
        .updateTable('live_cards')
        .set((update) => ({ due_at: engine.now(), pokes: update('pokes', '+', 1) }))
        .where('workspace_id', '=', workspaceId)
        .where('card_id', 'in', cardsOf(workspaceId, keys, but))
        .execute()
    },

    async listOf({ workspaceId, userId }) {
      const rows = await running(db, engine)
        .innerJoin('live_cards', (join) =>
          join
            .onRef('live_cards.workspace_id', '=', 'watches.workspace_id')
            .onRef('live_cards.card_id', '=', 'watches.card_id'),
        )
        .innerJoin('cards', (join) =>
          join
            .onRef('cards.workspace_id', '=', 'watches.workspace_id')
            .onRef('cards.id', '=', 'watches.card_id'),
        )
        .select(['watches.card_id', 'watches.until', 'cards.ks'])
        .select(['live_cards.channel_id', 'live_cards.ts', 'live_cards.thread_ts', 'live_cards.shown'])
        .where('watches.workspace_id', '=', workspaceId)
        .where('watches.user_id', '=', userId)
        .orderBy('watches.since')
        .execute()
      return rows.map((row) => ({
        cardId: row.card_id,
        ks: row.ks,
        posted: postedOf(row),
        until: row.until,
        shown: shownOf(row.shown),
      }))
    },

    end,

    async endAllOf({ workspaceId, userId }, ended) {
      const rows = await running(db, engine)
        .select('card_id')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
      // One by one: a transaction that locked several cards could wait for one that renews their leases, and it for this.
      for (const { card_id: cardId } of rows) await end(workspaceId, cardId, userId, ended)
    },

    async endAllIn(workspaceId, channelId, ended) {
      const rows = await db
        .selectFrom('live_cards')
        .select('card_id')
        .where('workspace_id', '=', workspaceId)
        .where('channel_id', '=', channelId)
        .execute()
      for (const { card_id: cardId } of rows) await end(workspaceId, cardId, undefined, ended)
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('live_cards').where('workspace_id', '=', workspaceId).execute()
      await db.deleteFrom('watches').where('workspace_id', '=', workspaceId).execute()
    },
  }

  function liveIn(workspaceId: string | undefined) {
    const all = db.selectFrom('live_cards')
    return workspaceId === undefined ? all : all.where('workspace_id', '=', workspaceId)
  }

  /** True once the next check that the card announces is past. */
  function isOverdue(shown: Expression<string | null>) {
    const nextBy = sql<number>`coalesce(${engine.numberIn(shown, 'nextBy')}, ${engine.numberIn(shown, 'asOf')} + 600)`
    return sql<boolean>`${nextBy} * 1000 < ${engine.now()}`
  }

  function cardsOf(workspaceId: string, keys: readonly string[], but: string) {
    return db
      .selectFrom('cards')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('ks', 'in', [...keys])
      .where('id', '!=', but)
  }

  function end(
    workspaceId: string,
    cardId: string,
    userId: string | undefined,
    ended: Ended,
  ): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      await poke(transaction, workspaceId, cardId, userId)
      const ending = endWatches(transaction, workspaceId, ended).where('card_id', '=', cardId)
      return didChange(userId === undefined ? ending : ending.where('user_id', '=', userId))
    })
  }

  async function watchersOf(workspaceId: string, cardId: string): Promise<readonly Watcher[]> {
    const rows = await running(db, engine)
      .selectAll()
      .select(engine.now().as('now'))
      .where('workspace_id', '=', workspaceId)
      .where('card_id', '=', cardId)
      .orderBy('since')
      .execute()
    return rows.map((row) => watcherOf(row, row.now))
  }

  async function makeLive(
    transaction: Transaction<Tables>,
    { workspaceId, cardId, posted, shown }: NewWatch,
  ): Promise<void> {
    await transaction
      .insertInto('live_cards')
      .values({
        workspace_id: workspaceId,
        card_id: cardId,
        since: engine.now(),
        channel_id: posted.channelId,
        ts: posted.ts,
        thread_ts: posted.threadTs ?? null,
        shown: JSON.stringify(shown),
        is_seen: 0,
        true_at: null,
        drawn_at: null,
        failures: 0,
        due_at: engine.now(),
        pokes: 0,
        lease_owner: null,
        lease_until: null,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'card_id']).doUpdateSet({
          // When nobody watches any more, and the end is only not told yet, another time of being live begins.
          since: sql<number>`case when exists (
            select 1 from watches where workspace_id = ${workspaceId} and card_id = ${cardId}
              and ended is null and until > ${engine.now()}
          ) then live_cards.since else ${engine.now()} end`,
          due_at: engine.now(),
          is_seen: 0,
          pokes: sql<number>`live_cards.pokes + 1`,
        }),
      )
      .execute()
  }

  function endWatches(transaction: Transaction<Tables>, workspaceId: string, ended: Ended) {
    return transaction
      .updateTable('watches')
      .set({ slot: null, ended: JSON.stringify(ended) })
      .where('workspace_id', '=', workspaceId)
      .where('ended', 'is', null)
  }

  /** The first step of ending: the live card before its watches, and only if there is something to end. */
  async function poke(
    transaction: Transaction<Tables>,
    workspaceId: string,
    cardId: string,
    userId: string | undefined,
  ): Promise<void> {
    const toEnd = running(transaction, engine)
      .select('user_id')
      .where('workspace_id', '=', workspaceId)
      .where('card_id', '=', cardId)
    await transaction
      .updateTable('live_cards')
      .set((update) => ({ due_at: engine.now(), is_seen: 0 as const, pokes: update('pokes', '+', 1) }))
      .where('workspace_id', '=', workspaceId)
      .where('card_id', '=', cardId)
      .where(({ exists }) => exists(userId === undefined ? toEnd : toEnd.where('user_id', '=', userId)))
      .execute()
  }
}

function running(db: Kysely<Tables>, engine: Engine) {
  return db.selectFrom('watches').where('ended', 'is', null).where('until', '>', engine.now())
}

/** Rolls the transaction back. */
class NoFreeSlot extends Error {}

/**
 * Starts or extends a watch. Each watch of a person holds one of their numbered slots, and a unique index gives a slot to
 * one watch only.
 * @throws NoFreeSlot when none of the person's `most` slots is free.
 */
async function takeSlot(
  transaction: Transaction<Tables>,
  engine: Engine,
  watch: NewWatch,
  most: number,
): Promise<'started' | 'extended'> {
  await dropOwnEnded(transaction, watch)
  for (let look = 0; look < mostLooks; look++) {
    if (await extend(transaction, engine, watch)) return 'extended'
    const slot = await freeSlot(transaction, watch, most)
    if (slot === undefined) throw new NoFreeSlot()
    if (await insert(transaction, engine, watch, slot)) return 'started'
  }
  throw new Error(`no slot was found for a watch of card ${watch.cardId}`)
}

async function dropOwnEnded(transaction: Transaction<Tables>, watch: NewWatch): Promise<void> {
  await transaction
    .deleteFrom('watches')
    .where('workspace_id', '=', watch.workspaceId)
    .where('card_id', '=', watch.cardId)
    .where('user_id', '=', watch.userId)
    .where('ended', 'is not', null)
    .execute()
}

async function extend(transaction: Transaction<Tables>, engine: Engine, watch: NewWatch): Promise<boolean> {
  return didChange(
    transaction
      .updateTable('watches')
      .set({ until: fromNow(engine, watch.ttlMs), user_name: watch.name })
      .where('workspace_id', '=', watch.workspaceId)
      .where('card_id', '=', watch.cardId)
      .where('user_id', '=', watch.userId),
  )
}

async function freeSlot(
  transaction: Transaction<Tables>,
  { workspaceId, userId }: NewWatch,
  most: number,
): Promise<number | undefined> {
  const rows = await transaction
    .selectFrom('watches')
    .select('slot')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('slot', 'is not', null)
    .execute()
  const used = new Set(rows.map(({ slot }) => slot))
  for (let slot = 0; slot < most; slot++) if (!used.has(slot)) return slot
  return undefined
}

async function insert(
  transaction: Transaction<Tables>,
  engine: Engine,
  { workspaceId, cardId, userId, name, ttlMs }: NewWatch,
  slot: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('watches')
    .values({
      workspace_id: workspaceId,
      card_id: cardId,
      user_id: userId,
      user_name: name,
      since: engine.now(),
      until: fromNow(engine, ttlMs),
      slot,
      ended: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

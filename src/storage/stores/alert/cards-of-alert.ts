// Live cards by their alert: what their watchers were told directly, and which other cards of an alert there are.
import { type Kysely, sql } from 'kysely'
import type { DirectNews, Watches } from '../../../watch/watches.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { Tables } from '../../tables.ts'
import { isNotLive, postedOf } from './cards.ts'

type OfAlert = Pick<
  Watches,
  | 'liveCardOf'
  | 'makeDue'
  | 'snapshotsOf'
  | 'claimTelling'
  | 'settleTelling'
  | 'releaseTelling'
  | 'keepLevel'
  | 'keepToThread'
>

export function ofAlertIn(db: Kysely<Tables>, engine: Engine): OfAlert {
  return {
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

    async snapshotsOf(workspaceId, keys, { but = '', newerThanMs, most }) {
      const snapshots = await cardsOf(workspaceId, keys, but)
        .where('is_private', '=', 0)
        .where('form', '=', 'thread')
        .where('ts', 'is not', null)
        .where('kept_at', '>=', fromNow(engine, -newerThanMs))
        .where(isNotLive)
        .orderBy('kept_at', 'desc')
        .limit(most)
        .execute()
      return snapshots.map(({ id }) => id)
    },

    async claimTelling(telling, forMs) {
      const { workspaceId, cardId, userId, from, to } = telling
      return didChange(
        ofPerson(telling)
          .set({ told_level: to, telling_until: fromNow(engine, forMs) })
          .where('is_thread_only', '=', 0)
          .where((where) =>
            where.or([
              where('telling_until', '<=', engine.now()),
              where(sql<number>`coalesce(told_level, ${from})`, '>', to),
            ]),
          )
          // Another card of that alert has told them so.
          .where(({ not, exists }) =>
            not(
              exists(
                db
                  .selectFrom('watches as other')
                  .select('other.card_id')
                  .where('other.workspace_id', '=', workspaceId)
                  .where('other.user_id', '=', userId)
                  .where('other.card_id', 'in', sameAlert(workspaceId, cardId))
                  .where('other.told_level', '<=', to)
                  .where((where) =>
                    where.or([
                      where('other.telling_until', 'is', null),
                      where('other.telling_until', '>', engine.now()),
                    ]),
                  ),
              ),
            ),
          ),
      )
    },

    async settleTelling(telling) {
      await ofPerson(telling).set({ telling_until: null }).where('told_level', '=', telling.to).execute()
    },

    async releaseTelling(telling) {
      await ofPerson(telling)
        .set({ told_level: telling.from, telling_until: null })
        .where('told_level', '=', telling.to)
        .where('telling_until', 'is not', null)
        .execute()
    },

    async keepLevel({ workspaceId, cardId }, userIds, level, where) {
      if (userIds.length === 0) return
      const ofThese = db
        .updateTable('watches')
        .set({ told_level: level, telling_until: null })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', 'in', [...userIds])
      await ofThese.where('card_id', '=', cardId).execute()
      if (where === 'card') return
      await ofThese
        .where('card_id', 'in', sameAlert(workspaceId, cardId))
        .where('ended', 'is', null)
        .where((one) => one.or([one('telling_until', 'is', null), one('telling_until', '<=', engine.now())]))
        .execute()
    },

    async keepToThread({ workspaceId, userId }, cardId) {
      return didChange(ofPerson({ workspaceId, cardId, userId }).set({ is_thread_only: 1 }))
    },
  }

  function cardsOf(workspaceId: string, keys: readonly string[], but: string) {
    return db
      .selectFrom('cards')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('ks', 'in', [...keys])
      .where('id', '!=', but)
  }

  /** Somebody's running watches of the alert that a card is of. */
  function ofPerson({ workspaceId, cardId, userId }: Pick<DirectNews, 'workspaceId' | 'cardId' | 'userId'>) {
    return db
      .updateTable('watches')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('ended', 'is', null)
      .where('card_id', 'in', sameAlert(workspaceId, cardId))
  }

  function sameAlert(workspaceId: string, cardId: string) {
    return cardsOfSameAlert(db, workspaceId, cardId)
  }
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

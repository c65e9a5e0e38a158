// Closed alerts in the database that may open again: one row for each card, for a quarter of an hour.
import type { Kysely } from 'kysely'
import type { Reopening, Reopenings } from '../../../act/follow.ts'
import { type Engine, fromNow } from '../../engine.ts'
import type { Tables } from '../../tables.ts'

export function reopeningsIn(db: Kysely<Tables>, engine: Engine): Reopenings {
  return {
    async keep({ workspaceId, userId, cardId }, { forMs, inMs }) {
      const kept = { user_id: userId, until: fromNow(engine, forMs), due_at: fromNow(engine, inMs) }
      await db
        .insertInto('reopenings')
        .values({ workspace_id: workspaceId, card_id: cardId, ...kept })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'card_id']).doUpdateSet(kept))
        .execute()
    },

    async renew({ workspaceId, cardId }, ms) {
      await db
        .updateTable('reopenings')
        .set({ due_at: fromNow(engine, ms) })
        .where('workspace_id', '=', workspaceId)
        .where('card_id', '=', cardId)
        .execute()
    },

    async end({ workspaceId, cardId }) {
      await db
        .deleteFrom('reopenings')
        .where('workspace_id', '=', workspaceId)
        .where('card_id', '=', cardId)
        .execute()
    },

    async endAllOf({ workspaceId, userId }) {
      await db
        .deleteFrom('reopenings')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async claim(leaseMs) {
      await db.deleteFrom('reopenings').where('until', '<=', engine.now()).execute()
      const rows = await db
        .updateTable('reopenings')
        .set({ due_at: fromNow(engine, leaseMs) })
        .where('due_at', '<=', engine.now())
        .returning(['workspace_id', 'card_id', 'user_id'])
        .execute()
      return rows.map(
        ({ workspace_id, card_id, user_id }): Reopening => ({
          workspaceId: workspace_id,
          cardId: card_id,
          userId: user_id,
        }),
      )
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('reopenings').where('workspace_id', '=', workspaceId).execute()
    },
  }
}

// Accounts in the database: sealed tokens.
import type { Kysely } from 'kysely'
import type { Accounts } from '../../account/tokens.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { didChange, type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** @param scrub - A forgotten token is gone from the file's log when that is said, or soon after; a replaced one soon after. */
export function accountsIn(
  db: Kysely<Tables>,
  engine: Engine,
  scrub: () => Promise<boolean> = async () => true,
): Accounts {
  function accountOf({ workspaceId, userId }: SlackUser) {
    return db.selectFrom('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  }

  function only({ workspaceId, userId }: SlackUser) {
    return db.updateTable('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  }

  return {
    async find(owner) {
      const row = await accountOf(owner).select('token').executeTakeFirst()
      return row?.token
    },

    async since(owner) {
      const row = await accountOf(owner).select('kept_at').executeTakeFirst()
      return row?.kept_at
    },

    async keep({ workspaceId, userId }, token) {
      const kept_at = engine.now()
      const kept = { token, kept_at, asked_at: kept_at }
      await db
        .insertInto('accounts')
        .values({ workspace_id: workspaceId, user_id: userId, ...kept })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(kept))
        .execute()
      void scrub()
    },

    async reseal(owner, previous, resealed) {
      await only(owner).set({ token: resealed }).where('token', '=', previous).execute()
    },

    async notAskedFor(ms, { mostEach, most }) {
      const rows = await db
        .selectFrom((accounts) =>
          accounts
            .selectFrom('accounts')
            .select(['workspace_id', 'user_id', 'asked_at'])
            .select(({ fn }) =>
              fn
                .agg<number>('row_number')
                .over((over) => over.partitionBy('workspace_id').orderBy('asked_at').orderBy('user_id'))
                .as('place'),
            )
            .where('asked_at', '<=', fromNow(engine, -ms))
            .as('due'),
        )
        .select(['workspace_id', 'user_id'])
        .where('place', '<=', mostEach)
        // Of each workspace its first, then of each its second: one that Slack is silent about takes no other's turn.
        .orderBy('place')
        .orderBy('asked_at')
        .orderBy('user_id')
        .limit(most)
        .execute()
      return rows.map((row) => ({ workspaceId: row.workspace_id, userId: row.user_id }))
    },

    async noteAsked(owner, agoMs = 0) {
      await only(owner)
        .set({ asked_at: fromNow(engine, -agoMs) })
        .execute()
    },

    async forget({ workspaceId, userId }) {
      const wasThere = await didChange(
        db.deleteFrom('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId),
      )
      await scrub()
      return wasThere
    },

    async ofWorkspace(workspaceId) {
      const rows = await db
        .selectFrom('accounts')
        .select('user_id')
        .where('workspace_id', '=', workspaceId)
        .execute()
      return rows.map(({ user_id: userId }) => ({ workspaceId, userId }))
    },

    async forgetWorkspace(workspaceId) {
      const { numDeletedRows } = await db
        .deleteFrom('accounts')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      // Nobody waits for a word about it, and more is forgotten right after.
      void scrub()
      return Number(numDeletedRows)
    },
  }
}

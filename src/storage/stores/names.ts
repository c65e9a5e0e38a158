// Links in the database between people in Slack and who they are at the service.
import type { Kysely } from 'kysely'
import type { OwnIds } from '../../names/own-id.ts'
import type { Tables } from '../tables.ts'

export function ownIdsIn(db: Kysely<Tables>): OwnIds {
  return {
    async find({ workspaceId, userId }) {
      const row = await db
        .selectFrom('own_ids')
        .select(['service_user_id', 'is_matched'])
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && { userId: row.service_user_id, isMatched: row.is_matched === 1 }
    },

    async keep({ workspaceId, userId }, own) {
      const kept = { service_user_id: own.userId, is_matched: own.isMatched ? 1 : 0 } as const
      await db
        .insertInto('own_ids')
        .values({ workspace_id: workspaceId, user_id: userId, ...kept })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(kept))
        .execute()
    },

    async personOf(workspaceId, userId) {
      const row = await db
        .selectFrom('own_ids')
        .select('user_id')
        .where('workspace_id', '=', workspaceId)
        .where('service_user_id', '=', userId)
        .orderBy('is_matched', 'desc')
        .executeTakeFirst()
      return row && { workspaceId, userId: row.user_id }
    },

    async forget({ workspaceId, userId }) {
      await db
        .deleteFrom('own_ids')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('own_ids').where('workspace_id', '=', workspaceId).execute()
    },
  }
}

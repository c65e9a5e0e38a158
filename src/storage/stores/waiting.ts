// Commands that wait for an account, in the database.
import type { Kysely } from 'kysely'
import type { WaitingCommands } from '../../account/accounts.ts'
import type { Tables } from '../tables.ts'

export function waitingIn(db: Kysely<Tables>): WaitingCommands {
  return {
    async keep({ workspaceId, userId }, { id, what, since }) {
      await db
        .insertInto('waiting')
        .values({ workspace_id: workspaceId, user_id: userId, id, what, since })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'user_id', 'id']).doUpdateSet({ what, since }),
        )
        .execute()
    },

    find: ({ workspaceId, userId }, id) =>
      db
        .selectFrom('waiting')
        .select(['id', 'what', 'since'])
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst(),

    take: ({ workspaceId, userId }, id) =>
      db
        .deleteFrom('waiting')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning(['id', 'what', 'since'])
        .executeTakeFirst(),

    async forgetAll({ workspaceId, userId }) {
      await db
        .deleteFrom('waiting')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('waiting').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('waiting').where('since', '<', before).execute()
    },
  }
}

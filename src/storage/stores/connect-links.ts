// One-time links to the token page, in the database.
import type { Kysely, Selectable } from 'kysely'
import type { ConnectLink, ConnectLinks } from '../../account/links.ts'
import { didChange, type Engine, fromNow } from '../engine.ts'
import type { ConnectLinksTable, Tables } from '../tables.ts'

function linkOf(row: Selectable<ConnectLinksTable>): ConnectLink {
  const { workspace_id: workspaceId, user_id: userId, what, prompt } = row
  return { owner: { workspaceId, userId }, what, prompt: prompt ?? undefined }
}

export function connectLinksIn(db: Kysely<Tables>, engine: Engine): ConnectLinks {
  async function find(hash: string): Promise<ConnectLink | undefined> {
    const row = await db
      .selectFrom('connect_links')
      .selectAll()
      .where('hash', '=', hash)
      .where('until', '>', engine.now())
      .executeTakeFirst()
    return row && linkOf(row)
  }

  return {
    find,

    async keep({ workspaceId, userId }, { hash, what }, lifeMs) {
      await db
        .insertInto('connect_links')
        .values({
          hash,
          workspace_id: workspaceId,
          user_id: userId,
          what,
          prompt: null,
          until: fromNow(engine, lifeMs),
        })
        .execute()
    },

    async setPrompt({ workspaceId, userId }, hash, prompt) {
      await db
        .updateTable('connect_links')
        .set({ prompt })
        .where('hash', '=', hash)
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    use: (hash) => didChange(db.deleteFrom('connect_links').where('hash', '=', hash)),

    async forgetAll({ workspaceId, userId }) {
      await db
        .deleteFrom('connect_links')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('connect_links').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('connect_links').where('until', '<', before).execute()
    },
  }
}

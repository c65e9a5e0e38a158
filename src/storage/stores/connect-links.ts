// One-time links to the token page, in the database.
import type { Kysely, Selectable } from 'kysely'
import type { ConnectLink, ConnectLinks } from '../../account/links.ts'
import { didChange, type Engine, fromNow } from '../engine.ts'
import type { ConnectLinksTable, Tables } from '../tables.ts'

function linkOf(row: Selectable<ConnectLinksTable>): ConnectLink {
  const { workspace_id: workspaceId, user_id: userId, what, prompt } = row
  return { owner: { workspaceId, userId }, what, prompt: prompt ?? undefined }
}

/** In place of the tries that are left: a used link has none, and is told from one whose tries are used up. */
const used = -1

export function connectLinksIn(db: Kysely<Tables>, engine: Engine): ConnectLinks {
  async function find(hash: string): Promise<ConnectLink | undefined> {
    const row = await db
      .selectFrom('connect_links')
      .selectAll()
      .where('hash', '=', hash)
      .where('until', '>', engine.now())
      .where('tries_left', '>', 0)
      .executeTakeFirst()
    return row && linkOf(row)
  }

  return {
    find,

    async findUsed(hash) {
      const row = await db
        .selectFrom('connect_links')
        .selectAll()
        .where('hash', '=', hash)
        .where('tries_left', '=', used)
        .executeTakeFirst()
      return row && linkOf(row)
    },

    async keep({ workspaceId, userId }, { hash, what }, { lifeMs, tries }) {
      await db
        .insertInto('connect_links')
        .values({
          hash,
          workspace_id: workspaceId,
          user_id: userId,
          what,
          prompt: null,
          until: fromNow(engine, lifeMs),
          tries_left: tries,
          held_until: null,
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

    async hold(hash, leaseMs) {
      // One statement: of two that come at once, the second finds it held.
      const held = await db
        .updateTable('connect_links')
        .set(({ eb }) => ({ tries_left: eb('tries_left', '-', 1), held_until: fromNow(engine, leaseMs) }))
        .where('hash', '=', hash)
        .where('until', '>', engine.now())
        .where('tries_left', '>', 0)
        .where((row) => row.or([row('held_until', 'is', null), row('held_until', '<=', engine.now())]))
        .returningAll()
        .executeTakeFirst()
      if (held !== undefined) return linkOf(held)
      return (await find(hash)) && 'busy'
    },

    async release(hash) {
      await db.deleteFrom('connect_links').where('hash', '=', hash).where('tries_left', '=', 0).execute()
      await db.updateTable('connect_links').set({ held_until: null }).where('hash', '=', hash).execute()
    },

    async use(hash) {
      return didChange(
        db
          .updateTable('connect_links')
          .set({ tries_left: used, prompt: null, held_until: null })
          .where('hash', '=', hash)
          .where('tries_left', '<>', used),
      )
    },

    async setUsed(hash, what) {
      await db
        .updateTable('connect_links')
        .set({ what })
        .where('hash', '=', hash)
        .where('tries_left', '=', used)
        .execute()
    },

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

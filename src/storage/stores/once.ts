// Things that have happened once, in the database.
import type { Kysely } from 'kysely'
import type { Once } from '../../slack/guard/once.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Longer than keys are kept. */
const everMs = 365 * 24 * 60 * 60_000

export function onceIn(db: Kysely<Tables>, engine: Engine): Once {
  return {
    async claim(workspaceId, key, withinMs = everMs) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('once')
        .values({ workspace_id: workspaceId, key, said_at: engine.now() })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'key'])
            .doUpdateSet({ said_at: engine.now() })
            .where('once.said_at', '<', fromNow(engine, -withinMs)),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    },

    async release(workspaceId, key) {
      await db.deleteFrom('once').where('workspace_id', '=', workspaceId).where('key', '=', key).execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('once').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before, prefix = '') {
      await db.deleteFrom('once').where('said_at', '<', before).where('key', 'like', `${prefix}%`).execute()
    },
  }
}

// Grants in the database: asking, giving up, and what is read. Sending them is in grant-sending.ts.
import { type Kysely, sql } from 'kysely'
import type { Grants, NewGrant } from '../grant/grants.ts'
import { type Engine, fromNow } from './engine.ts'
import { grantOf, readRow, rowOf } from './grant-rows.ts'
import { sendingIn } from './grant-sending.ts'
import type { Tables } from './tables.ts'

export function grantsIn(db: Kysely<Tables>, engine: Engine): Grants {
  return {
    ...sendingIn(db, engine),

    ask: (grant) => askAll([grant]),

    askAll,

    async cancel({ workspaceId, userId }, id, { isHandedOver } = { isHandedOver: false }) {
      const { numUpdatedRows } = await db
        .updateTable('grants')
        .set({ state: 'cancelled', is_handed_over: isHandedOver ? 1 : 0 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('asker_id', '=', userId)
        .where('state', '=', 'asked')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async cancelAll({ workspaceId, userId }, ids) {
      if (ids.length === 0) return
      await db
        .updateTable('grants')
        .set({ state: 'cancelled' })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', ids)
        .where('asker_id', '=', userId)
        .where('state', '=', 'asked')
        .execute()
    },

    async find(workspaceId, id) {
      const row = await readRow(db, workspaceId, id)
      const standing = row?.joined_id == null ? row : await readRow(db, workspaceId, row.joined_id)
      return standing && grantOf(standing)
    },

    async told(workspaceId, id) {
      await setOnce('is_told', workspaceId, id)
    },

    shared: (workspaceId, id) => setOnce('is_shared', workspaceId, id),

    async notShared(workspaceId, id) {
      await db
        .updateTable('grants')
        .set({ is_shared: 0 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async claimUntold(settledMs, claimMs) {
      const rows = await db
        .updateTable('grants')
        .set({ telling_until: fromNow(engine, claimMs) })
        // Literals: SQLite uses a partial index only when it sees its condition in the statement.
        .where('state', '=', sql.lit('settled' as const))
        .where('is_told', '=', sql.lit(0 as const))
        .where((where) =>
          where.or([
            where('settled_at', '<', fromNow(engine, -settledMs)),
            where('lease_until', 'is not', null),
          ]),
        )
        .where((where) =>
          where.or([where('telling_until', 'is', null), where('telling_until', '<=', engine.now())]),
        )
        .returningAll()
        .execute()
      // `returning` promises no order.
      return rows.toSorted((a, b) => (a.settled_at ?? 0) - (b.settled_at ?? 0)).map(grantOf)
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('grants').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('grants').where('asked_at', '<', before).where('state', '!=', 'sending').execute()
    },
  }

  async function askAll(grants: readonly NewGrant[]): Promise<void> {
    if (grants.length === 0) return
    await db
      .insertInto('grants')
      .values(grants.map((grant) => ({ ...rowOf(grant), asked_at: engine.now() })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** True for the one caller that sets the mark; only a grant whose outcome is known can have it. */
  async function setOnce(mark: 'is_told' | 'is_shared', workspaceId: string, id: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('grants')
      .set({ [mark]: 1 })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'settled')
      .where(mark, '=', 0)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

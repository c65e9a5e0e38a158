// Batches in the database: asking, giving up, and what is read. Sending them is in batch-sending.ts.
import { type Kysely, sql } from 'kysely'
import type { Batches } from '../grant/batches.ts'
import { batchOf, readRow, rowOf } from './batch-rows.ts'
import { sendingIn } from './batch-sending.ts'
import { type Engine, fromNow } from './engine.ts'
import type { Tables } from './tables.ts'

export function batchesIn(db: Kysely<Tables>, engine: Engine): Batches {
  return {
    ...sendingIn(db, engine),

    async ask(batch) {
      await db
        .insertInto('batches')
        .values({ ...rowOf(batch), asked_at: engine.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async cancel({ workspaceId, userId }, id, { isHandedOver } = { isHandedOver: false }) {
      const { numUpdatedRows } = await db
        .updateTable('batches')
        .set({ state: 'cancelled', is_handed_over: isHandedOver ? 1 : 0 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('asker_id', '=', userId)
        .where('state', '=', 'asked')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async find(workspaceId, id) {
      const row = await readRow(db, workspaceId, id)
      const standing = row?.joined_id == null ? row : await readRow(db, workspaceId, row.joined_id)
      return standing && batchOf(standing)
    },

    async told(workspaceId, id) {
      await setOnce('is_told', workspaceId, id)
    },

    shared: (workspaceId, id) => setOnce('is_shared', workspaceId, id),

    async notShared(workspaceId, id) {
      await db
        .updateTable('batches')
        .set({ is_shared: 0 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async claimUntold(settledMs, claimMs) {
      const rows = await db
        .updateTable('batches')
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
      return rows.toSorted((a, b) => (a.settled_at ?? 0) - (b.settled_at ?? 0)).map(batchOf)
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('batches').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('batches').where('asked_at', '<', before).where('state', '!=', 'sending').execute()
    },
  }

  /** True for the one caller that sets the mark; only a batch whose result is known can have it. */
  async function setOnce(mark: 'is_told' | 'is_shared', workspaceId: string, id: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('batches')
      .set({ [mark]: 1 })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'settled')
      .where(mark, '=', 0)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

// What grants and batches have in common in the database: giving up, what was told and shared, and what is forgotten.
import { type Kysely, sql } from 'kysely'
import type { Grants } from '../../grant/grants.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'

export type WishTable = 'grants' | 'batches'

export interface WishMarks
  extends Pick<
    Grants,
    'cancel' | 'renewTelling' | 'leaveUntold' | 'shared' | 'notShared' | 'forgetWorkspace' | 'prune'
  > {
  /** True for the one caller that says so first. @param only - While the row holds this outcome. */
  told(workspaceId: string, id: string, only?: { readonly outcome: string }): Promise<boolean>
  /** @param find - Reads one of those that are claimed. */
  claimUntold<Wish>(
    leaseMs: number,
    find: (workspaceId: string, id: string) => Promise<Wish | undefined>,
  ): Promise<readonly Wish[]>
}

/** What an older version settled says nothing of its teller, who may be waiting for Slack. */
const olderTellingMs = 300_000

export function wishMarksIn(db: Kysely<Tables>, engine: Engine, table: WishTable): WishMarks {
  /** True for the one caller that sets the mark; only what has an outcome can have it. */
  async function setOnce(
    mark: 'is_told' | 'is_shared',
    workspaceId: string,
    id: string,
    only?: { readonly outcome: string },
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ [mark]: 1 })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'settled')
      .where(mark, '=', 0)
      .$if(only !== undefined, (query) => query.where(sql.ref('outcome'), '=', only?.outcome))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    async cancel({ workspaceId, userId }, id, { isHandedOver } = { isHandedOver: false }) {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ state: 'cancelled', is_handed_over: isHandedOver ? 1 : 0 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('asker_id', '=', userId)
        .where('state', '=', 'asked')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    told: (workspaceId, id, only) => setOnce('is_told', workspaceId, id, only),

    async renewTelling(workspaceId, id, leaseMs) {
      await db
        .updateTable(table)
        .set({ telling_until: fromNow(engine, leaseMs) })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', 'settled')
        .where('is_told', '=', 0)
        .execute()
    },

    async leaveUntold(workspaceId, id) {
      await db
        .updateTable(table)
        .set({ telling_until: engine.now() })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', 'settled')
        .execute()
    },

    shared: (workspaceId, id) => setOnce('is_shared', workspaceId, id),

    async notShared(workspaceId, id) {
      await db
        .updateTable(table)
        .set({ is_shared: 0 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async claimUntold(leaseMs, find) {
      const rows = await db
        .updateTable(table)
        .set({ telling_until: fromNow(engine, leaseMs) })
        // Literals: SQLite uses a partial index only when it sees its condition in the statement.
        .where('state', '=', sql.lit('settled' as const))
        .where('is_told', '=', sql.lit(0 as const))
        .where((where) =>
          where.or([
            where('telling_until', '<=', engine.now()),
            where.and([
              where('telling_until', 'is', null),
              where.or([
                // It lapsed, so there is nobody behind it.
                where('lease_until', 'is not', null),
                where('settled_at', '<', fromNow(engine, -olderTellingMs)),
              ]),
            ]),
          ]),
        )
        .returning(['workspace_id', 'id', 'settled_at'])
        .execute()
      // `returning` promises no order.
      const inOrder = rows.toSorted((a, b) => (a.settled_at ?? 0) - (b.settled_at ?? 0))
      const found = await Promise.all(inOrder.map((row) => find(row.workspace_id, row.id)))
      return found.filter((one) => one !== undefined)
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom(table).where('asked_at', '<', before).where('state', '!=', 'sending').execute()
    },
  }
}

// Who sends a batch, across all processes, and who ends it when its sender has died.
//
// The people of a batch are grants, and those are what is never sent twice. So it does no harm when two equal batches
// begin at the very same moment and neither sees the other: they share their grants.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Batches } from '../grant/batches.ts'
import { batchOf, readRow } from './batch-rows.ts'
import { type Engine, fromNow } from './engine.ts'
import type { BatchesTable, Tables } from './tables.ts'

/** One that is found neither free nor taken at each look means that something else is wrong. */
const MOST_LOOKS = 20

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const sending = sql.lit('sending' as const)
const yes = sql.lit(1 as const)

type Row = Selectable<BatchesTable>
type Sending = Pick<Batches, 'begin' | 'renew' | 'settle' | 'lapsed' | 'settleLapsed'>

export function sendingIn(db: Kysely<Tables>, engine: Engine): Sending {
  return {
    async begin(asker, id, { leaseMs, joinMs, askedAfter }) {
      for (let look = 0; look < MOST_LOOKS; look++) {
        const row = await readRow(db, asker.workspaceId, id)
        if (row === undefined || row.asker_id !== asker.userId) return { kind: 'gone' }
        if (row.state !== 'asked') {
          const standing = row.joined_id === null ? row : await readRow(db, row.workspace_id, row.joined_id)
          const isGone = standing === undefined || standing.state === 'cancelled'
          return isGone ? { kind: 'gone' } : { kind: 'joined', batch: batchOf(standing) }
        }
        if (row.asked_at < askedAfter) return { kind: 'gone' }

        const equal = await equalsOf(row, joinMs).selectAll().executeTakeFirst()
        if (equal !== undefined) {
          await asked(row).set({ state: 'joined', joined_id: equal.id }).execute()
          continue
        }
        const begun = await asked(row)
          .set({ state: 'sending', is_standing: 1, lease_until: fromNow(engine, leaseMs) })
          .returningAll()
          .executeTakeFirst()
        if (begun !== undefined) return { kind: 'begun', batch: batchOf(begun) }
      }
      throw new Error(`batch ${id} was found neither asked nor begun`)
    },

    async renew(workspaceId, id, leaseMs) {
      await underWay(workspaceId, id)
        .set({ lease_until: fromNow(engine, leaseMs) })
        .execute()
    },

    async settle(workspaceId, id, { stands }) {
      const { numUpdatedRows } = await underWay(workspaceId, id)
        .set({ state: 'settled', settled_at: engine.now(), is_standing: stands ? 1 : 0, lease_until: null })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async lapsed() {
      const rows = await db
        .selectFrom('batches')
        .selectAll()
        .where('state', '=', sending)
        .where('lease_until', '<=', engine.now())
        .execute()
      return rows.map(batchOf)
    },

    // The lease stays as it ran out: it says that there is nobody left to tell the result.
    async settleLapsed(workspaceId, id) {
      await underWay(workspaceId, id)
        .set({ state: 'settled', settled_at: engine.now() })
        .where('lease_until', '<=', engine.now())
        .execute()
    },
  }

  function underWay(workspaceId: string, id: string) {
    return db
      .updateTable('batches')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'sending')
  }

  function equalsOf(wish: Row, joinMs: number) {
    return db
      .selectFrom('batches')
      .where('workspace_id', '=', wish.workspace_id)
      .where('asker_id', '=', wish.asker_id)
      .where('fingerprint', '=', wish.fingerprint)
      .where('is_standing', '=', yes)
      .where((where) =>
        where.or([where('state', '=', 'sending'), where('settled_at', '>=', fromNow(engine, -joinMs))]),
      )
  }

  function asked(row: Row) {
    return db
      .updateTable('batches')
      .where('workspace_id', '=', row.workspace_id)
      .where('id', '=', row.id)
      .where('state', '=', 'asked')
  }
}

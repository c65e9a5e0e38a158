// Who sends a batch, across all processes, and who ends it when its sender has died.
//
// As for grants: the batch that equal ones join is *standing*, a unique index allows one of those per asker and wish,
// and each step is one statement that either takes the place or finds it taken.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { BatchBegun, Batches } from '../../grant/batches.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { BatchesTable, Tables } from '../tables.ts'
import { isTaken } from '../taken.ts'
import { batchOf, readRow } from './batch-rows.ts'
import { retireStanding, standing } from './standing.ts'

/** A place that is found taken and free again at each look means that something else is wrong. */
const MOST_LOOKS = 20

// A literal, not a parameter: SQLite uses a partial index only when it sees its condition in the statement.
const sending = sql.lit('sending' as const)

type Row = Selectable<BatchesTable>
type Sending = Pick<Batches, 'begin' | 'renew' | 'settle' | 'lapsed' | 'settleLapsed'>

export function sendingIn(db: Kysely<Tables>, engine: Engine): Sending {
  return {
    async begin(asker, id, { leaseMs, joinMs, askedAfter }) {
      for (let look = 0; look < MOST_LOOKS; look++) {
        const row = await readRow(db, asker.workspaceId, id)
        if (row === undefined || row.asker_id !== asker.userId) return { kind: 'gone' }
        if (row.state !== 'asked') return begunBefore(row)
        if (row.asked_at < askedAfter) return { kind: 'gone' }

        await retireStanding(db, engine, 'batches', row, joinMs)
        const begun = (await takePlace(row, leaseMs)) ?? (await joinStanding(row))
        if (begun !== undefined) return begun
      }
      throw new Error(`batch ${id} found its place neither free nor taken`)
    },

    async renew(workspaceId, id, leaseMs) {
      await underWay(workspaceId, id)
        .set({ lease_until: fromNow(engine, leaseMs) })
        .execute()
    },

    async settle(workspaceId, id, { stands, corrects, tellingMs }) {
      const told = { lease_until: null, is_told: 0, telling_until: fromNow(engine, tellingMs) } as const
      const { numUpdatedRows } = await underWay(workspaceId, id)
        .set({ ...told, state: 'settled', settled_at: engine.now(), is_standing: stands ? 1 : 0 })
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return true
      if (!corrects) return false
      // The lease of one that others have ended stays, so this is done once.
      const ended = await db
        .updateTable('batches')
        .set(told)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', 'settled')
        .where('lease_until', 'is not', null)
        .executeTakeFirst()
      return ended.numUpdatedRows > 0n
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

  function asked(row: Row) {
    return db
      .updateTable('batches')
      .where('workspace_id', '=', row.workspace_id)
      .where('id', '=', row.id)
      .where('state', '=', 'asked')
  }

  async function begunBefore(row: Row): Promise<BatchBegun> {
    const standing = row.joined_id === null ? row : await readRow(db, row.workspace_id, row.joined_id)
    const isGone = standing === undefined || standing.state === 'cancelled'
    return isGone ? { kind: 'gone' } : { kind: 'repeated', batch: batchOf(standing) }
  }

  /** Undefined when the batch waits no more, or an equal one stands in its way. */
  async function takePlace(wish: Row, leaseMs: number): Promise<BatchBegun | undefined> {
    try {
      const row = await asked(wish)
        .set({ state: 'sending', is_standing: 1, lease_until: fromNow(engine, leaseMs) })
        .returningAll()
        .executeTakeFirst()
      return row && { kind: 'begun', batch: batchOf(row) }
    } catch (error) {
      if (isTaken(error)) return undefined
      throw error
    }
  }

  /** Joins the equal batch that stands, if one does, and writes that down: this intent is answered for good. */
  async function joinStanding(wish: Row): Promise<BatchBegun | undefined> {
    const other = await db
      .selectFrom('batches')
      .selectAll()
      .where('workspace_id', '=', wish.workspace_id)
      .where('asker_id', '=', wish.asker_id)
      .where('fingerprint', '=', wish.fingerprint)
      .where('is_standing', '=', standing)
      .executeTakeFirst()
    if (other === undefined || other.id === wish.id) return undefined
    const { numUpdatedRows } = await asked(wish)
      .set({ state: 'joined', joined_id: other.id })
      .executeTakeFirst()
    return numUpdatedRows > 0n ? { kind: 'joined', batch: batchOf(other) } : undefined
  }
}

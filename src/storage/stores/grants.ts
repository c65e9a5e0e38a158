// Grants in the database: asking, and what is read. Sending them is in grant-sending.ts.
import type { Kysely } from 'kysely'
import { type Grants, lapsed, type NewGrant } from '../../grant/grants.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { grantOf, readRow, rowOf } from './grant-rows.ts'
import { sendingIn } from './grant-sending.ts'
import { wishMarksIn } from './wish-marks.ts'

export function grantsIn(db: Kysely<Tables>, engine: Engine): Grants {
  const { claimUntold, told, ...marks } = wishMarksIn(db, engine, 'grants')

  const find: Grants['find'] = async (workspaceId, id) => {
    const row = await readRow(db, workspaceId, id)
    const standing = row?.joined_id == null ? row : await readRow(db, workspaceId, row.joined_id)
    return standing && grantOf(standing)
  }

  return {
    ...sendingIn(db, engine),
    ...marks,
    find,

    ask: (grant) => askAll([grant]),

    async told(workspaceId, id, outcome) {
      const isDoubt = outcome.kind === lapsed.kind && outcome.doubt === lapsed.doubt
      return told(workspaceId, id, isDoubt ? { outcome: JSON.stringify(lapsed) } : undefined)
    },

    askAll,

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

    claimUntold: (leaseMs) => claimUntold(leaseMs, find),
  }

  async function askAll(grants: readonly NewGrant[]): Promise<void> {
    if (grants.length === 0) return
    await db
      .insertInto('grants')
      .values(grants.map((grant) => ({ ...rowOf(grant), asked_at: engine.now() })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

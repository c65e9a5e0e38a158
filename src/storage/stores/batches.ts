// Batches in the database: asking, and what is read. Sending them is in batch-sending.ts.
import type { Kysely } from 'kysely'
import type { Batches } from '../../grant/batches.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { batchOf, readRow, rowOf } from './batch-rows.ts'
import { sendingIn } from './batch-sending.ts'
import { wishMarksIn } from './wish-marks.ts'

export function batchesIn(db: Kysely<Tables>, engine: Engine): Batches {
  const { claimUntold, ...marks } = wishMarksIn(db, engine, 'batches')

  const find: Batches['find'] = async (workspaceId, id) => {
    const row = await readRow(db, workspaceId, id)
    const standing = row?.joined_id == null ? row : await readRow(db, workspaceId, row.joined_id)
    return standing && batchOf(standing)
  }

  return {
    ...sendingIn(db, engine),
    ...marks,
    find,

    async ask(batch) {
      await db
        .insertInto('batches')
        .values({ ...rowOf(batch), asked_at: engine.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    claimUntold: (leaseMs) => claimUntold(leaseMs, find),
  }
}

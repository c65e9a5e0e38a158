// A grant or batch that *stands*: equal ones of the same asker join it. A unique index allows one.
import { type Kysely, sql } from 'kysely'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'
import type { WishTable } from './wish-marks.ts'

/** A literal: SQLite uses a partial index only when it sees its condition in the statement. */
export const standing = sql.lit(1 as const)

/** Lets an equal one that was settled longer than `joinMs` ago stand in the way no longer. */
export async function retireStanding(
  db: Kysely<Tables>,
  engine: Engine,
  table: WishTable,
  wish: { readonly workspace_id: string; readonly asker_id: string; readonly fingerprint: string },
  joinMs: number,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ is_standing: 0 })
    .where('workspace_id', '=', wish.workspace_id)
    .where('asker_id', '=', wish.asker_id)
    .where('fingerprint', '=', wish.fingerprint)
    .where('is_standing', '=', standing)
    .where('state', '=', 'settled')
    .where('settled_at', '<', fromNow(engine, -joinMs))
    .execute()
}

// Looks at an open database, and tries a write that it takes back. Makes and changes nothing.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Health } from '../doctor/storage.ts'
import { pendingMigrations } from './migrate.ts'
import { keyChecksIn } from './stores.ts'
import type { Tables } from './tables.ts'

/** Rolls the transaction back. */
class Undone extends Error {}

/** @throws ConfigError when it belongs to a newer version of Bellhop; else what a statement throws. */
export async function lookAt(
  db: Kysely<Tables>,
  options: {
    /** Names the database in messages. */
    readonly where: string
    readonly schema?: string
    /** Its name and version. */
    readonly engine: RawBuilder<{ readonly engine: string }>
  },
): Promise<Omit<Health, 'freeBytes'>> {
  const { made, pending } = await pendingMigrations(db, options)
  const isUpToDate = pending.length === 0
  const trial = isUpToDate
    ? sql`insert into kept values ('doctor', '', '', '', '', 0, 0)`
    : sql`create table bellhop_doctor (n integer)`
  const trying = db.transaction().execute(async (transaction) => {
    await trial.execute(transaction)
    throw new Undone()
  })
  await trying.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  const { rows } = await options.engine.execute(db)
  const keyChecks = isUpToDate ? await keyChecksIn({ db, now: Date.now }).all() : []
  return { engine: rows[0]?.engine ?? '', isNew: made.length === 0, pending, keyChecks }
}

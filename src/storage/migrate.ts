// Brings a database to the tables this version knows, or says how far it is from them.
import { type Kysely, sql } from 'kysely'
import { migrations as allMigrations } from './baseline.ts'
import { refusalFor } from './problem.ts'
import type { Tables } from './tables.ts'

export interface MigrateOptions {
  /** Names the database in messages. */
  readonly where: string
  /** Keeps others from migrating, where the transaction's begin does not. */
  readonly lock?: (transaction: Kysely<Tables>) => Promise<unknown>
  readonly migrations?: typeof allMigrations
}

/**
 * Changes nothing, and needs no right to, when nothing is left to do. Processes that start together wait for each other:
 * one looks and works in one transaction that holds a lock.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
export async function migrate(db: Kysely<Tables>, options: MigrateOptions): Promise<void> {
  if ((await pendingMigrations(db, options)).pending.length === 0) return
  const { lock, migrations = allMigrations } = options
  await db.transaction().execute(async (transaction) => {
    await lock?.(transaction)
    await sql`create table if not exists migrations (name text primary key)`.execute(transaction)
    const { pending } = await pendingMigrations(transaction, options)
    for (const name of pending) {
      for (const statement of (migrations[name] ?? '').split(/;\s*$/m))
        if (statement.trim() !== '') await sql.raw(statement).execute(transaction)
      await transaction.insertInto('migrations').values({ name }).execute()
    }
  })
}

/**
 * Lists what was made and what is left to make, oldest first. Changes nothing.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
export async function pendingMigrations(
  db: Kysely<Tables>,
  { where, migrations = allMigrations }: MigrateOptions,
): Promise<{ readonly made: readonly string[]; readonly pending: readonly string[] }> {
  // Where they can't be read there is no such table yet, or the next statement says why.
  const rows = await db
    .selectFrom('migrations')
    .select('name')
    .orderBy('name')
    .execute()
    .catch(() => [])
  const made = rows.map(({ name }) => name)
  const unknown = made.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) {
    const newer = `was last used by a newer version of Bellhop (it has ${unknown.join(', ')}).`
    throw refusalFor(where, `${newer} Start that version, or restore an earlier copy of the database.`)
  }
  return { made, pending: Object.keys(migrations).filter((name) => !made.includes(name)) }
}

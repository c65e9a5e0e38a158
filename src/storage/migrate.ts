// Brings a database to the tables this version knows, or looks how far it is from them: that makes and changes nothing.
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { KeptCheck } from '../keys/key-checks.ts'
import { refusalFor } from './problem.ts'
import { keyChecksIn } from './stores.ts'
import { migrations as allMigrations, type Tables } from './tables.ts'

interface MigrateOptions {
  /** Names the database in messages. */
  readonly where: string
  /** Where the tables are, on PostgreSQL; a SQLite file has one such place. */
  readonly schema?: string | undefined
  /** Keeps others from migrating, where the transaction's begin does not. */
  readonly lock?: (transaction: Transaction<Tables>) => Promise<unknown>
  readonly migrations?: typeof allMigrations
}

/**
 * Changes nothing, and needs no right to, when nothing is left to do. Processes that start together wait for each other:
 * one looks and works in one transaction that holds a lock.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
export async function migrate(db: Kysely<Tables>, options: MigrateOptions): Promise<void> {
  if ((await pendingMigrations(db, options)).pending.length === 0) return
  const { schema, lock, migrations = allMigrations } = options
  await db.transaction().execute(async (transaction) => {
    await lock?.(transaction)
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => ({ ...migrations }) },
      ...(schema !== undefined && { migrationTableSchema: schema }),
    })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  })
}

/**
 * Lists what was made and what is left to make, oldest first. Changes nothing.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
async function pendingMigrations(
  db: Kysely<Tables>,
  { where, schema, migrations = allMigrations }: MigrateOptions,
): Promise<{ readonly made: readonly string[]; readonly pending: readonly string[] }> {
  const made = await madeMigrations(db, schema)
  const unknown = made.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) {
    const newer = `was last used by a newer version of Bellhop (it has ${unknown.join(', ')}).`
    throw refusalFor(where, `${newer} Start that version, or restore an earlier copy of the database.`)
  }
  return { made, pending: Object.keys(migrations).filter((name) => !made.includes(name)) }
}

async function madeMigrations(db: Kysely<Tables>, schema: string | undefined): Promise<readonly string[]> {
  // Kysely's introspection would read every column of every table, at each start.
  const found =
    schema === undefined
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`
      : sql`select 1 from pg_catalog.pg_tables where schemaname = ${schema} and tablename = 'kysely_migration'`
  if ((await found.execute(db)).rows.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

/** Health of a database, as its storage finds it. */
export interface Inspection {
  /** As in `SQLite 3.51.0`. */
  readonly engine: string
  /** True as long as nothing of Bellhop's is in it, or it is not there at all and can be made. */
  readonly isNew: boolean
  /** Migrations that the next start makes. */
  readonly pending: readonly string[]
  /** What shows whether keys are those that sealed it. */
  readonly keyChecks: readonly KeptCheck[]
}

/**
 * Looks at an open database, and tries a write that it takes back.
 * @param options.engine - Its name and version.
 * @throws ConfigError when it belongs to a newer version of Bellhop; else what a statement throws.
 */
export async function lookAt(
  db: Kysely<Tables>,
  options: MigrateOptions & { readonly engine: RawBuilder<{ readonly engine: string }> },
): Promise<Inspection> {
  const { made, pending } = await pendingMigrations(db, options)
  const isUpToDate = pending.length === 0
  const trial = isUpToDate
    ? sql`insert into kept values ('doctor', '', '', '', '', 0, 0)`
    : sql`create table bellhop_doctor (n integer)`
  const transaction = await db.startTransaction().execute()
  await trial.execute(transaction).finally(() => transaction.rollback().execute())
  const { rows } = await options.engine.execute(db)
  const keyChecks = isUpToDate ? await keyChecksIn({ db, now: Date.now }).all() : []
  return { engine: rows[0]?.engine ?? '', isNew: made.length === 0, pending, keyChecks }
}

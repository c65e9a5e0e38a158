// Brings a database to the tables this version knows, or looks how far it is from them: that makes and changes nothing.
import { refusalFor } from './problem.ts'
import type { Engine, Sql } from './sql.ts'
import { keyChecksIn } from './stores.ts'
import { migrations as allMigrations } from './tables.ts'

interface MigrateOptions {
  readonly where: string
  readonly migrations?: typeof allMigrations
}

/**
 * Changes nothing, and needs no right to, when nothing is left to do. Processes that start together wait for each other:
 * one looks and works in one transaction.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
export async function migrate(db: Engine, options: MigrateOptions): Promise<void> {
  const { migrations = allMigrations } = options
  if ((await pendingMigrations(db, db.tables, options)).length === 0) return
  await db.transaction('bellhop migrations', async (sql) => {
    // Another may just have done it.
    const pending = await pendingMigrations(sql, db.tables, options)
    await sql.run('create table if not exists migrations (name text primary key)')
    for (const name of pending) {
      const statements = (migrations[name] ?? '').split(/;\s*$/m).filter((text) => text.trim() !== '')
      for (const statement of statements) await sql.run(statement)
      await sql.run('insert into migrations values (?)', [name])
    }
  })
}

/** Lists what is left to make, oldest first. Changes nothing. @throws ConfigError as `migrate`. */
async function pendingMigrations(
  sql: Sql,
  tables: string,
  { where, migrations = allMigrations }: MigrateOptions,
): Promise<readonly string[]> {
  const isThere = (await sql.all<{ name: string }>(tables)).some(({ name }) => name === 'migrations')
  const rows = isThere ? await sql.all<{ name: string }>('select name from migrations order by name') : []
  const made = rows.map(({ name }) => name)
  const unknown = made.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) {
    const newer = `was last used by a newer version of Bellhop (it has ${unknown.join(', ')}).`
    throw refusalFor(where, `${newer} Start that version, or restore an earlier copy of the database.`)
  }
  return Object.keys(migrations).filter((name) => !made.includes(name))
}

export type Inspection = Awaited<ReturnType<typeof lookAt>>

/**
 * Looks at an open database, and tries a write that it takes back.
 * @param version - Selects its name and version as `engine`.
 * @throws ConfigError as `migrate`; else what a statement throws.
 */
export async function lookAt(db: Engine, version: string, options: MigrateOptions) {
  /** Migrations that the next start makes: all of them where it is not there at all and can be made. */
  const pending = await pendingMigrations(db, db.tables, options)
  const isUpToDate = pending.length === 0
  const takenBack = new Error('taken back')
  const trying = db.transaction('bellhop doctor', async (sql) => {
    const row = `insert into kept values ('doctor', '', '', '', '', 0, 0)`
    await sql.run(isUpToDate ? row : 'create table bellhop_doctor (n integer)')
    throw takenBack
  })
  await trying.catch((error: unknown) => {
    if (error !== takenBack) throw error
  })
  const [found] = await db.all<{ engine: string }>(version)
  /** What shows whether keys are those that sealed it. */
  const keyChecks = isUpToDate ? await keyChecksIn({ db, now: Date.now }).all() : []
  return { engine: found?.engine ?? '', pending, keyChecks }
}

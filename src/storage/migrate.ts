// Brings a database to the tables this version knows. Processes that start together wait for each other:
// the migrator looks and works in one transaction that holds the write lock.
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { ConfigError } from '../errors.ts'
import { migrations as allMigrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

/**
 * @param where - Names the database in messages.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
export async function migrate(db: Kysely<Tables>, where: string, migrations = allMigrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const unknown = (await appliedMigrations(db)).filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) throw error
  throw new ConfigError([
    `DATABASE_URL: ${where} was last used by a newer version of Bellhop (it has ${unknown.join(', ')}). ` +
      'Start that version, or go back to a copy of the database from before the upgrade.',
  ])
}

async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

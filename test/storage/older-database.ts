// Databases of an earlier version, on both engines: empty, and with a way to them that no store stands in.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { createSqliteDriver, sqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { connect, prepareFile } from '../../src/storage/sqlite/file.ts'
import type { Tables } from '../../src/storage/tables.ts'
import type { PostgresServer } from '../postgres.ts'
import { temporaryFile } from './files.ts'

export interface OlderDatabase {
  readonly url: string
  readonly db: Kysely<Tables>
  /** Where its tables are, on PostgreSQL. */
  readonly schema: string | undefined
}

/** @param version - The first migration that it has not seen, as in `0015`. */
export function olderDatabases(
  server: PostgresServer,
  version: string,
): readonly (readonly [engine: string, make: () => Promise<OlderDatabase>])[] {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < version))

  async function migrated(older: OlderDatabase): Promise<OlderDatabase> {
    await migrate(older.db, { where: older.url, schema: older.schema, migrations: before })
    return older
  }

  return [
    [
      'SQLite',
      () => {
        const path = temporaryFile()
        prepareFile(path)
        const database = connect(path, 'FULL')
        onTestFinished(() => database.close())
        const db = new Kysely<Tables>({ dialect: sqliteDialect(createSqliteDriver(database)) })
        return migrated({ url: `file:${path}`, db, schema: undefined })
      },
    ],
    [
      'PostgreSQL',
      async () => {
        const url = await server.createDatabase()
        const pool = new pg.Pool({ connectionString: url, max: 1 })
        onTestFinished(() => pool.end())
        const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
        return migrated({ url, db, schema: 'public' })
      },
    ],
  ]
}

// The upgrade that brings limits that processes share, and the time at which Slack was asked about somebody, from the
// version before, on both engines.
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { createSqliteDriver, sqliteDialect } from '../../src/storage/sqlite-dialect.ts'
import { connect, prepareFile } from '../../src/storage/sqlite-file.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl, temporaryFile } from './files.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const one = { perMinute: 1, cost: 1, needed: 1 }
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0015'))

const server = await startPostgres()

function onSqlite() {
  const path = temporaryFile()
  prepareFile(path)
  const database = connect(path, 'FULL')
  onTestFinished(() => database.close())
  const db = new Kysely<Tables>({ dialect: sqliteDialect(createSqliteDriver(database)) })
  return { url: `file:${path}`, db }
}

async function onPostgres() {
  const url = await server.createDatabase()
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  onTestFinished(() => pool.end())
  return { url, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}

it.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])('a database on %s keeps its accounts, and processes on it share limits from then on', async (_, make) => {
  const { url, db } = await make()
  await migrate(db, { where: url, migrations: before })
  await sql`insert into accounts values ('T1', 'U1', 'k1.token', 1, 'k1.fingerprint')`.execute(db)

  const [storage, other] = [await openUrl(url), await openUrl(url)]

  expect(storage.migrated[0]).toBe('0015-shared-limits')
  expect(await storage.accounts.find(alice)).toBe('k1.token')
  // Nobody has been asked about yet.
  expect(await storage.accounts.notAskedFor(1_000, { mostEach: 1, most: 1 })).toEqual([alice])
  expect(await storage.processes.renew('A', 20_000)).toBe(1)
  expect(await other.processes.renew('B', 20_000)).toBe(2)
  expect(await storage.sharedLimits.take(alice, one)).toBe(true)
  expect(await other.sharedLimits.take(alice, one)).toBe(false)
})

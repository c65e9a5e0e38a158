// No statement of a store walks through a whole table: what is quick with ten rows stays quick with a million.
import { DatabaseSync } from 'node:sqlite'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { postgresEngine } from '../../src/storage/engine.ts'
import { openStorage } from '../../src/storage/storage.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { startPostgres } from '../postgres.ts'
import { open, temporaryFile } from './files.ts'

const statements = [
  `select * from kept where kind = ? and key = ? and until > ?`,
  `select * from kept where kind = ? and workspace_id = ? and value in ('a', 'b')`,
  `delete from kept where kind = ? and workspace_id = ? and user_id = ?`,
  `delete from kept where until <= ?`,
  `select * from docs where kind = ? and workspace_id = ? and id = ?`,
  `select * from docs where kind = ? and workspace_id = ? and claim = ?`,
  `select * from docs where kind = ? and workspace_id = ? and ref = ?`,
  `select * from docs where kind = ? and due_at <= ? order by due_at`,
  `delete from docs where kind = ? and workspace_id = ? and owner_id = ?`,
  `delete from docs where kind = ? and kept_at < ? and claim is null`,
  `select * from docs where kind = ? and workspace_id = ? and owner_id = ? order by kept_at`,
  `delete from docs where kind = ? and workspace_id = ?`,
  `delete from accounts where workspace_id = ?`,
  `select workspace_id, user_id, asked_at from accounts where asked_at <= ?`,
  `select * from audit_records where workspace_id = ? and event_key = ?`,
  `select * from audit_records where seq > ? order by seq limit 500`,
  `update audit_records set email = null where email = ?`,
]

it.each(statements)('SQLite uses an index: %s', async (statement) => {
  const path = temporaryFile()
  await open(path)
  const database = new DatabaseSync(path)
  onTestFinished(() => database.close())
  const plan = database.prepare(`explain query plan ${statement}`).all()
  expect(plan.map(({ detail }) => detail).join('; ')).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX [^;]+$/)
})

const server = await startPostgres()
const url = await server.createDatabase()
await (await openStorage({ url, now: Date.now })).close()
// Tables of a few rows are read whole, whatever indices there are, unless that is forbidden.
const carefully = `${url}?options=-c%20enable_seqscan%3Doff`
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const now = postgresEngine.now().compile(compiler).sql

it.each(statements)('PostgreSQL can use an index, by its own clock too: %s', async (statement) => {
  const filled = statement.replaceAll(/([<>]=?|until =) \?/g, `$1 ${now}`).replaceAll('?', "'x'")
  const plan = await server.query(`explain ${filled}`, carefully)
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(lines).toContain('Index Cond')
  expect(lines).not.toContain('Seq Scan')
})

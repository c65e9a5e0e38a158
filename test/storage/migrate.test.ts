// Migrations as upgrades meet them: a further step, a step that fails, a transaction among other statements.
import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/storage/migrate.ts'
import { kyselyOn } from '../../src/storage/sqlite/dialect.ts'
import { migrations, type Tables } from '../../src/storage/tables.ts'
import { open, temporaryFile } from './files.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }

function connectTo(path: string): Kysely<Tables> {
  const database = new DatabaseSync(path, { timeout: 2 })
  onTestFinished(() => database.close())
  return kyselyOn(database)
}

const broken: Migration = {
  async up(db) {
    await db.schema.createTable('half').addColumn('id', 'text').execute()
    await db.schema.createTable('half').addColumn('id', 'text').execute()
  },
}

async function tables(db: Kysely<Tables>): Promise<readonly string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name)
}

it('an upgrade that fails half way leaves nothing behind', async () => {
  const path = temporaryFile()
  const storage = await open(path)
  const db = connectTo(path)

  await expect(
    migrate(db, { where: path, migrations: { ...migrations, '9000-broken': broken } }),
  ).rejects.toThrow('half')

  expect(await tables(db)).not.toContain('half')
  await storage.accounts.keep(alice, 'k.x')
  expect(await storage.accounts.find(alice)).toBe('k.x')
})

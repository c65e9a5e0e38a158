// Migrations as upgrades meet them: a step that fails.
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { migrate, allMigrations as migrations } from '../../src/storage/migrate.ts'
import { engineOn } from '../../src/storage/sqlite/connection.ts'
import { open, temporaryFile } from './files.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }

function connectTo(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 2 })
  onTestFinished(() => database.close())
  return database
}

const tablesIn = (database: DatabaseSync) =>
  database
    .prepare("select name from sqlite_master where type = 'table'")
    .all()
    .map(({ name }) => name)

it('an upgrade that fails half way leaves nothing behind', async () => {
  const path = temporaryFile()
  const storage = await open(path)
  const database = connectTo(path)
  const broken = 'create table half (id text);\ncreate table half (id text);'

  await expect(
    migrate(engineOn(database), path, { ...migrations, '9000-broken': broken }),
  ).rejects.toThrow('half')

  expect(tablesIn(database)).not.toContain('half')
  await storage.accounts.keep(alice, 'k.x')
  expect(await storage.accounts.find(alice)).toMatchObject({ token: 'k.x' })
})

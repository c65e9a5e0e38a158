// PostgreSQL: the contract on a real server, and what is true of many processes on one.
import { afterAll, describe, expect, it } from 'vitest'
import { allMigrations as migrations } from '../../src/storage/migrate.ts'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { assemble, openStorage } from '../../src/storage/storage.ts'
import { startPostgres } from '../postgres.ts'
import { storageContract } from './contract.ts'
import { openUrl } from './files.ts'

const server = await startPostgres()
const template = await server.createDatabase()
await (await openStorage({ url: template, now: Date.now })).close()

/** One database for the contract: emptying its tables takes a moment, another database and its connections many. */
async function openPair() {
  const url = await server.createDatabase(template)
  const clock = { now: 0 }
  const now = () => clock.now
  const databases = [await openPostgres(url, { now }), await openPostgres(url, { now })] as const
  const [storage, other] = [assemble(databases[0]), assemble(databases[1])]
  const tables = await server.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
    url,
  )
  const emptied = tables.map(({ tablename }) => `delete from ${tablename}`).join(';')
  return {
    storage,
    other,
    clock,
    databases,
    empty: () => server.query(emptied, url),
    close: () => Promise.all([storage.close(), other.close()]),
  }
}

let pair: Awaited<ReturnType<typeof openPair>> | undefined
afterAll(() => pair?.close())

storageContract('PostgreSQL', async () => {
  // A test may have closed it.
  if (pair === undefined || (await pair.storage.problem()) !== undefined) {
    await pair?.close()
    pair = await openPair()
  }
  await pair.empty()
  pair.clock.now = 1_800_000_000_000
  return pair
})

const alice = { workspaceId: 'T1', userId: 'U1' }

describe('processes on one PostgreSQL database', () => {
  it('that start together on an empty one make it once', async () => {
    const url = await server.createDatabase()
    const storages = await Promise.all([1, 2, 3, 4].map(() => openUrl(url)))
    const made = await server.query('select name from migrations', url)
    expect(made.map(({ name }) => name)).toEqual(Object.keys(migrations))
    await storages[0]?.accounts.keep(alice, 'k.x')
    expect(await storages[3]?.accounts.find(alice)).toMatchObject({ token: 'k.x' })
  })
})

// PostgreSQL: the contract on a real server, and what is true of many processes on one.
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { asked, begin, take } from '../../src/send/request.ts'
import { migrations } from '../../src/storage/baseline.ts'
import { type Engine, postgresEngine } from '../../src/storage/engine.ts'
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
  // Read by the driver when it sends a query, as the database would read its own.
  const read = { toPostgres: () => String(clock.now) }
  const engine: Engine = { ...postgresEngine, now: () => sql<number>`${read}::bigint` }
  const databases = [await openPostgres(url, { engine }), await openPostgres(url, { engine })] as const
  const [storage, other] = [assemble(databases[0]), assemble(databases[1])]
  const tables = await server.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    url,
  )
  const emptied = tables.map(({ tablename }) => `delete from ${tablename}`).join(';')
  return {
    ...{ storage, other, clock, databases },
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
const write = {
  kind: 'add-user',
  containerId: 12,
  email: 'dave@example.com',
  authProvider: undefined,
  member: false,
  permissions: [],
} as const
const hourMs = 3_600_000

describe('processes on one PostgreSQL database', () => {
  it('that start together on an empty one make it once', async () => {
    const url = await server.createDatabase()
    const storages = await Promise.all([1, 2, 3, 4].map(() => openUrl(url)))
    const made = await server.query('select name from kysely_migration', url)
    expect(made.map(({ name }) => name)).toEqual(Object.keys(migrations))
    await storages[0]?.accounts.keep(alice, 'k.x')
    expect(await storages[3]?.accounts.find(alice)).toBe('k.x')
  })

  it('share its clock, however wrong their own are', async () => {
    const url = await server.createDatabase(template)
    const early = await openUrl(url, () => Date.now() - hourMs)
    const late = await openUrl(url, () => Date.now() + hourMs)
    await early.requests.insert((now) => asked({ id: 'w', sender: alice, writes: [write] }, now))
    const key = { workspaceId: 'T1', id: 'w' }
    const begun = await early.requests.change(key, begin({ sender: alice, passes: () => true }))
    await late.accounts.keep(alice, 'k.x')

    expect(begun?.state).toBe('sending')
    expect(await late.requests.takeDue(take)).toEqual([])
    const [row] = await server.query(
      `select abs(extract(epoch from clock_timestamp()) * 1000 - kept_at) < 600000 as is_right from accounts`,
      url,
    )
    expect(row).toEqual({ is_right: true })
  })
})

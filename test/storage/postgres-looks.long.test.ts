// PostgreSQL as an operator sees it: looked at without making or changing anything, and when its disk is full.
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { assemble, inspectStorage, openStorage, type Storage } from '../../src/storage/storage.ts'
import { keepLog } from '../keep-log.ts'
import { startPostgres } from '../postgres.ts'
import { linesIn } from '../world.ts'

const server = await startPostgres()
const began = 'Bellhop can’t write to the database'
const ended = 'the database can be written again'
const alice = { workspaceId: 'T1', userId: 'U1' }

async function startOnce(url: string): Promise<string> {
  await (await openStorage({ url, now: Date.now })).close()
  return url
}

describe('inspecting a PostgreSQL database', () => {
  it('that can only be read, or whose tables cannot be written, says so', async () => {
    const url = await startOnce(await server.createDatabase())
    await server.query(`create role reader login password 'r'`)
    await server.query('grant select on all tables in schema public to reader', url)
    const asReader = url.replace(/\/\/postgres:[^@]+@/, '//reader:r@')

    await expect(inspectStorage(asReader)).rejects.toThrow('permission denied')

    const name = new URL(url).pathname.slice(1)
    await server.query(`alter database ${name} set default_transaction_read_only = on`)
    await expect(inspectStorage(url)).rejects.toThrow('is read-only.')
  })
})

describe('a PostgreSQL database', () => {
  async function openOn(url: string): Promise<{ storage: Storage; lines: string[]; pass(): void }> {
    const { log, lines } = keepLog()
    let at = 1_800_000_000_000
    const storage = assemble(await openPostgres(url, { log, now: () => at }))
    onTestFinished(() => storage.close())
    return { storage, lines, pass: () => (at += 10_000) }
  }

  it('whose disk is full is told once, and so is that there is room again', async () => {
    const url = await server.createDatabase()
    const { storage, lines, pass } = await openOn(url)
    await server.query(
      `create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
      url,
    )
    for (const table of ['accounts', 'kept']) {
      await server.query(
        `create trigger full_disk before insert on ${table} execute function full_disk()`,
        url,
      )
    }

    await expect(storage.accounts.keep(alice, 'k.x')).rejects.toThrow('could not extend file')

    expect(await storage.problem()).toBe('full')
    expect(linesIn(lines, began)).toMatchObject([{ level: 'warn', why: 'full' }])
    for (const table of ['accounts', 'kept'])
      await server.query(`drop trigger full_disk on ${table}`, url)
    pass()
    expect(await storage.problem()).toBeUndefined()
    expect(linesIn(lines, ended)).toHaveLength(1)
    expect(await server.query('select count(*)::int as n from kept', url)).toEqual([{ n: 0 }])
  })
})

// Looking at a database without making or changing anything, on both engines.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrations } from '../../src/storage/baseline.ts'
import { inspectStorage, openStorage } from '../../src/storage/storage.ts'
import { startPostgres } from '../postgres.ts'
import { open, temporaryFile } from './files.ts'

const all = Object.keys(migrations)
const server = await startPostgres()

async function startOnce(url: string): Promise<string> {
  await (await openStorage({ url, now: Date.now })).close()
  return url
}

describe('inspecting a SQLite file', () => {
  it('that is not there says that it can be made, and does not make it', async () => {
    const path = join(dirname(temporaryFile()), 'deeper', 'bellhop.db')

    const health = await inspectStorage(`file:${path}`)

    expect(health).toEqual({
      engine: expect.stringMatching(/^SQLite 3\.\d+/),
      isNew: true,
      pending: all,
      freeBytes: expect.any(Number),
      keyChecks: [],
    })
    expect(existsSync(dirname(path))).toBe(false)
  })

  it('that is in use finds it up to date, and leaves no trace', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    const alice = { workspaceId: 'T1', userId: 'U1' }
    await storage.waiting.keep(alice, 'w1', 'k.x')
    const before = readFileSync(`${path}-wal`)
    expect(before.length).toBeGreaterThan(0)

    expect(await inspectStorage(`file:${path}`)).toMatchObject({ isNew: false, pending: [] })

    expect(readFileSync(`${path}-wal`)).toEqual(before)
    expect(await storage.waiting.take(alice, 'w1')).toMatchObject({ what: 'k.x' })
  })

  it('that another program keeps locked says so', async () => {
    const path = temporaryFile()
    await open(path)
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')

    await expect(inspectStorage(`file:${path}`)).rejects.toThrow(`${path} is locked by another program.`)
  })

  it('that is something else says so', async () => {
    const path = join(dirname(dirname(temporaryFile())), 'list.txt')
    writeFileSync(path, 'A shopping list, which is longer than the head of a database would be. '.repeat(20))

    await expect(inspectStorage(`file:${path}`)).rejects.toThrow('file is not a database')
  })
})

describe('inspecting a PostgreSQL database', () => {
  it('that is empty says what a start would make, and makes nothing', async () => {
    const url = await server.createDatabase()

    expect(await inspectStorage(url)).toEqual({
      engine: expect.stringMatching(/^PostgreSQL \d+/),
      isNew: true,
      pending: all,
      freeBytes: undefined,
      keyChecks: [],
    })

    expect(await server.query(`select tablename from pg_tables where schemaname = 'public'`, url)).toEqual([])
  })

  it('that is in use finds it up to date, and leaves no row', async () => {
    const url = await startOnce(await server.createDatabase())

    expect(await inspectStorage(url)).toMatchObject({ isNew: false, pending: [] })

    expect(await server.query('select * from key_checks', url)).toEqual([])
  })

  it('that can only be read, or whose tables cannot be written, says so', async () => {
    const url = await startOnce(await server.createDatabase())
    await server.query(`create role reader login password 'r'`)
    await server.query('grant select on all tables in schema public to reader', url)
    const asReader = url.replace(/\/\/postgres:[^@]+@/, '//reader:r@')

    await expect(inspectStorage(asReader)).rejects.toThrow('Grant the permission')

    const name = new URL(url).pathname.slice(1)
    await server.query(`alter database ${name} set default_transaction_read_only = on`)
    await expect(inspectStorage(url)).rejects.toThrow('is read-only.')
  })

  it('that is not there says so without its url', async () => {
    const url = (await server.createDatabase()).replace(/\d+$/, '999')

    const error: unknown = await inspectStorage(url).catch((thrown: unknown) => thrown)

    expect(String(error)).toContain('Create that database, or name another')
    expect(String(error)).not.toContain('not-a-secret')
  })
})

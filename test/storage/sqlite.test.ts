// SQLite: the contract, and what is true of a file.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../../src/errors.ts'
import { allMigrations as migrations } from '../../src/storage/migrate.ts'
import { backUp } from '../../src/storage/sqlite/backup.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { assemble, openStorage } from '../../src/storage/storage.ts'
import { openFile } from '../database-folder.ts'
import { storageContract } from './contract.ts'
import { bytesOf, databaseFile, open, temporaryFile } from './files.ts'

storageContract('SQLite', async () => {
  const path = await databaseFile()
  const clock = { now: 1_800_000_000_000 }
  const openOne = () => openSqlite(`file:${path}`, () => clock.now)
  const databases = [await openOne(), await openOne()] as const
  const [storage, other] = [assemble(databases[0]), assemble(databases[1])]
  onTestFinished(async () => void (await Promise.all([storage.close(), other.close()])))
  return { storage, other, clock, databases }
})

const alice = { workspaceId: 'T1', userId: 'U1' }
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('a SQLite file', () => {
  it('is for its owner alone, the files beside it too', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    await storage.accounts.keep(alice, 'k.x')

    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(modeOf(file)).toBe(0o600)
    expect(modeOf(dirname(path))).toBe(0o700)
  })

  it('that others could read is narrowed when it is opened', async () => {
    const path = temporaryFile()
    await (await open(path)).close()
    chmodSync(path, 0o644)

    const storage = await open(path)
    await storage.accounts.keep(alice, 'k.x')

    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(modeOf(file)).toBe(0o600)
  })

  it('keeps what it was told after it is closed and opened again, by either way of naming it', async () => {
    const path = temporaryFile()
    const first = await open(path)
    await first.accounts.keep(alice, 'k.x')
    await first.close()

    const second = await openStorage({ url: pathToFileURL(path).href, now: Date.now })
    expect(await second.accounts.find(alice)).toMatchObject({ token: 'k.x' })
    await second.close()
  })

  it('takes what is written in the same moment, but for what fails', async () => {
    const { db, close } = await openSqlite(`file:${temporaryFile()}`, Date.now)
    const insert = `insert into kept values ('x', ?, 'T1', '', '', 1, 1)`
    const written = await Promise.allSettled([
      db.run(insert, ['a']),
      db.run(insert, ['a']),
      db.transaction('x', async (sql) => {
        await sql.run(insert, ['b'])
        throw new Error('taken back')
      }),
      db.runLasting(insert, ['c']),
    ])
    expect(written.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect(await db.all('select key from kept order by key')).toMatchObject([
      { key: 'a' },
      { key: 'c' },
    ])
    await close()
  })

  it('whose log grew while somebody read it has a small one again soon after', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    const reader = openFile(path)
    const rows = reader.prepare('select * from kept, migrations').iterate()
    const put = (key: number) =>
      storage.waiting.put({ ...alice, key: String(key), value: 'x'.repeat(100_000) })
    await put(0)
    rows.next()
    for (let key = 1; key <= 80; key += 1) await put(key)
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(8_000_000)

    rows.return?.()
    for (let key = 1; key <= 20; key += 1) await put(key)

    expect(statSync(`${path}-wal`).size).toBeLessThan(5_000_000)
  })

  it('of a newer version is refused, and left as it was', async () => {
    const path = temporaryFile()
    await (await open(path)).close()
    const file = openFile(path)
    file.exec("insert into migrations values ('9999-from-the-future')")

    const refusal = await open(path).catch((error: unknown) => error)

    expect(refusal).toBeInstanceOf(ConfigError)
    expect(String(refusal)).toContain('newer version of Bellhop (it has 9999-from-the-future)')
    expect(file.prepare('select count(*) n from migrations').get()).toMatchObject({
      n: Object.keys(migrations).length + 1,
    })
  })

  it.each([
    [
      'is a directory',
      (path: string) => mkdirSync(path, { recursive: true }),
      'unable to open database file',
    ],
    [
      'is no database',
      (path: string) => {
        mkdirSync(dirname(path))
        writeFileSync(path, 'a shopping list, and not a short one'.repeat(50))
      },
      'file is not a database',
    ],
    [
      'lies under a file',
      (path: string) => writeFileSync(dirname(path), ''),
      'Check its path, its rights and the disk',
    ],
  ])('that %s is refused in words', async (_, make, words) => {
    const path = temporaryFile()
    make(path)
    const refusal = await open(path).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ConfigError)
    expect(String(refusal)).toContain('DATABASE_URL: ')
    expect(String(refusal)).toContain(words)
  })
})

describe('a forgotten token, while Bellhop runs', () => {
  /** As a killed process leaves its files. */
  async function kept(path: string, text: string) {
    const storage = await open(path)
    await storage.accounts.keep(alice, `k.${text}`)
    return storage
  }

  it('is gone from the file and from its log when that is said', async () => {
    const path = temporaryFile()
    const storage = await kept(path, 'forget-me-entirely')
    await storage.waiting.put({ ...alice, key: 'w', value: 'k.forget-this-too' })
    await storage.forgetPerson(alice)
    await storage.accounts.forget(alice)
    expect(bytesOf(path)).not.toMatch(/forget-(me-entirely|this-too)/)
  })

  it('is gone from both soon with all the tokens of its workspace', async () => {
    const path = temporaryFile()
    const storage = await kept(path, 'forget-me-entirely')
    expect(await storage.forgetWorkspace('T1')).toBe(1)
    await expect.poll(() => bytesOf(path).includes('forget-me-entirely')).toBe(false)
  })

  it('is gone soon when another has taken its place', async () => {
    const path = temporaryFile()
    const storage = await kept(path, 'forget-me-entirely')
    await storage.accounts.keep(alice, 'k.another')
    await expect.poll(() => bytesOf(path)).not.toContain('forget-me-entirely')
    expect(await storage.accounts.find(alice)).toMatchObject({ token: 'k.another' })
  })

  it('is in no copy that is made afterwards', async () => {
    const path = temporaryFile()
    const storage = await kept(path, 'forget-me-entirely')
    // So many that whole pages are free in the end.
    const many = Array.from({ length: 400 }, (_, at) => ({ workspaceId: 'T1', userId: `U${at}` }))
    await Promise.all(
      many.map((one) => storage.accounts.keep(one, `k.forget-me-entirely${'x'.repeat(200)}`)),
    )
    await storage.forgetWorkspace('T1')
    const to = `${path}-copy`
    await backUp(`file:${path}`, to)
    expect(readFileSync(to).includes('forget-me-entirely')).toBe(false)
  })
})

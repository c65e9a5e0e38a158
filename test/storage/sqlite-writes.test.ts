// Writes of one moment share a commit, and each of them still stands or falls for itself.
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { createSharedWrites } from '../../src/storage/sqlite/dialect.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { open, temporaryFile } from './files.ts'

let database: DatabaseSync
let commits: string[]
beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.exec('create table notes (id integer primary key, text text)')
  commits = []
})

function openWrites(run: <T>(work: () => T) => Promise<T> = async (work) => work()) {
  const exec = (sql: string) => {
    commits.push(sql)
    database.exec(sql)
  }
  const writes = createSharedWrites({
    database: {
      exec,
      get isTransaction() {
        return database.isTransaction
      },
    },
    write({ sql, parameters }) {
      const { changes } = database.prepare(sql).run(...parameters.map(String))
      return { numAffectedRows: BigInt(changes), rows: [] }
    },
    run,
  })
  return (id: number, text = 'text') =>
    writes.add(CompiledQuery.raw('insert into notes (id, text) values (?, ?)', [id, text]))
}

const ids = () =>
  database
    .prepare('select id from notes order by id')
    .all()
    .map(({ id }) => id)

it('those of one moment are committed once', async () => {
  const add = openWrites()
  await Promise.all([add(1), add(2), add(3)])
  expect(commits).toEqual(['begin immediate', 'commit'])
  expect(ids()).toEqual([1, 2, 3])
})

it('one that is alone needs no transaction of its own', async () => {
  const add = openWrites()
  expect((await add(1)).numAffectedRows).toBe(1n)
  expect(commits).toEqual([])
})

it('one that is refused fails alone', async () => {
  const add = openWrites()
  const outcomes = await Promise.allSettled([add(1), add(1), add(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(ids()).toEqual([1, 2])
})

it('a full disk takes back all of a moment, and nobody is told that theirs is kept', async () => {
  const add = openWrites()
  database.exec('pragma max_page_count = 3')
  const outcomes = await Promise.allSettled([add(1), add(2, 'x'.repeat(100_000)), add(3)])
  const kept = new Set(ids())
  const told = outcomes.map(({ status }) => status === 'fulfilled')
  expect(told).toEqual([1, 2, 3].map((id) => kept.has(id)))
  expect(kept.has(2)).toBe(false)
})

it('all of a moment are tried again while the database is locked', async () => {
  let tries = 0
  const add = openWrites(async (work) => {
    tries += 1
    if (tries === 1) database.exec('begin immediate')
    try {
      return work()
    } catch {
      database.exec('rollback')
      return work()
    }
  })
  await Promise.all([add(1), add(2)])
  expect(ids()).toEqual([1, 2])
})

it('one that comes while others are written goes with the next', async () => {
  const add = openWrites()
  const later = add(1).then(() => Promise.all([add(3), add(4)]))
  await Promise.all([add(2), later])
  expect(commits).toEqual(['begin immediate', 'commit', 'begin immediate', 'commit'])
  expect(ids()).toEqual([1, 2, 3, 4])
})

it('what was asked for before the storage is closed is kept', async () => {
  const path = temporaryFile()
  const storage = await openStorage({ url: `file:${path}`, now: Date.now })
  const first = storage.once.claim('T1', 'said')
  const kept = storage.accounts.keep({ workspaceId: 'T1', userId: 'U1' }, 'k1.sealed')
  await storage.close()

  expect(await first).toBe(true)
  await kept
  const again = await open(path)
  expect(await again.once.claim('T1', 'said')).toBe(false)
  expect(await again.accounts.find({ workspaceId: 'T1', userId: 'U1' })).toBe('k1.sealed')
})

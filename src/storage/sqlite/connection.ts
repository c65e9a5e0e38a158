// node:sqlite as an engine, on one connection. What is written in the same moment shares a commit. While it
// waits for another program's lock, the process goes on.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as restOfThisTurn } from 'node:timers/promises'
import { retryFor } from '../../work/retry.ts'
import type { Health, Problem } from '../problem.ts'
import type { Engine, Sql, Value } from '../sql.ts'

interface Writing {
  readonly work: () => Promise<void>
  /** True if the work is a single statement, which needs no transaction around it. */
  readonly isStatement: boolean
  readonly isLasting: boolean
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** @param how.patienceMs - How long another program's lock is waited for. */
export function engineOn(
  database: DatabaseSync,
  { health, patienceMs }: { readonly health?: Health; readonly patienceMs?: number } = {},
): Engine & { close(): Promise<void> } {
  const prepared = new Map<string, StatementSync>()
  let waiting: Writing[] = []
  /** Whether commits wait for the disk, as `synchronous` is set now. */
  let isSynced = false
  /** Resolves when all that waits is committed; never rejects. Undefined while nothing waits. */
  let committing: Promise<void> | undefined

  /** Parses a statement and keeps it, as a kept one costs half as much. No pragma is kept: some act while being parsed. */
  function prepare(text: string): StatementSync {
    const known = prepared.get(text) ?? database.prepare(text)
    if (!text.startsWith('pragma')) prepared.set(text, known)
    return known
  }

  const onConnection: Sql = {
    // Rows are not checked, as only Bellhop writes them: the caller says what its select returns.
    all: async <Row>(text: string, values: readonly Value[] = []) =>
      prepare(text).all(...values) as Row[],
    run: async (text, values = []) => Number(prepare(text).run(...values).changes),
  }

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await onceUnlocked(work, patienceMs)
      health?.succeeded()
      return result
    } catch (error) {
      health?.failed(error)
      throw error
    }
  }

  function write<T>(
    work: (sql: Sql) => Promise<T>,
    { isStatement = true, isLasting = false } = {},
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let result: T
    async function keepResult() {
      result = await work(onConnection)
    }
    waiting.push({
      work: keepResult,
      isStatement,
      isLasting,
      done: () => resolve(result),
      failed: reject,
    })
    committing ??= commitAll()
    return promise
  }

  async function commitAll() {
    await restOfThisTurn()
    const all = waiting
    waiting = []
    await commit(all)
    committing = waiting.length > 0 ? commitAll() : undefined
  }

  /** Commits several writes together; if one of them fails, each is done by itself. */
  async function commit(all: readonly Writing[]) {
    const isLasting = all.some((one) => one.isLasting)
    try {
      // Set only when it changes, and here: SQLite takes this setting only between transactions.
      if (isLasting !== isSynced)
        database.exec(`pragma synchronous = ${isLasting ? 'full' : 'normal'}`)
      isSynced = isLasting
      await patiently(() => inOneTransaction(all))
      for (const { done } of all) done()
    } catch (error) {
      if (all.length === 1) all[0]?.failed(error)
      else for (const one of all) await commit([one])
    }
  }

  async function inOneTransaction(all: readonly Writing[]) {
    const [first, ...others] = all
    if (first?.isStatement && others.length === 0) return first.work()
    // Takes the lock at once: a transaction that reads first could fail half way, if another process wrote meanwhile.
    database.exec('begin immediate')
    try {
      for (const { work } of all) await work()
      database.exec('commit')
    } finally {
      // After some errors, such as a full disk, SQLite has rolled back by itself.
      if (database.isTransaction) database.exec('rollback')
    }
  }

  return {
    async all<Row extends object>(text: string, values?: readonly Value[]) {
      // Reads wait for the commit under way: nothing uncommitted is read.
      while (database.isTransaction) await committing
      return patiently(() => onConnection.all<Row>(text, values))
    },
    run: (text, values) => write(({ run }) => run(text, values)),
    runLasting: (text, values) => write(({ run }) => run(text, values), { isLasting: true }),
    // `turn` isn’t needed: one transaction is made at a time anyway.
    transaction: (_turn, work, how) => write(work, { ...how, isStatement: false }),
    tables: `select name from sqlite_master where type = 'table'`,
    /** Closes the database, once all that was asked for before is done. */
    async close() {
      while (committing !== undefined) await committing
      database.close()
    },
  }
}

/** Does work that fails while another connection holds the file’s lock: such work is tried again for a time. */
export function onceUnlocked<T>(work: () => T | Promise<T>, withinMs = 10_000): Promise<T> {
  return retryFor(withinMs, work, (error) => problemIn(error) === 'locked')
}

/** The problem of the database that an error of SQLite tells of (sqlite.org/rescode.html). */
export function problemIn(error: unknown): Problem | 'broken' | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  const code = Number(error.errcode)
  // 1032: the file is gone from its place. 4874: there is no room for the index of the log.
  if (code === 1032) return 'moved'
  if (code === 4874) return 'full'

  return byPrimaryCode[code & 0xff]
}
// SQLite’s names for these codes, in this order: BUSY, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB.
const byPrimaryCode: Readonly<Record<number, Problem | 'broken'>> = {
  5: 'locked',
  7: 'broken',
  8: 'read-only',
  10: 'full',
  11: 'broken',
  13: 'full',
  14: 'away',
  26: 'broken',
}

// One SQLite file on disk: where it is, who may read it, a connection to it, and whether it is still there. Knows
// nothing of what is kept in it.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { ConfigError, errorCode } from '../../errors.ts'
import { createTrouble, type Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'

/**
 * How long SQLite itself waits for another's lock. It waits synchronously, the whole process with it, so this stays
 * tiny; the long, asynchronous wait is `onceUnlocked`.
 */
const synchronousWaitMs = 2
/** Prepared statements kept per connection; lists of varying length are all that could make it grow. */
const statementsKept = 200
/** Of pages in memory, at most. The default of 2 MB reads pages again that each command needs. */
const cacheKb = 4_000
const ownerOnly = 0o600

/** The path in `file:./data/bellhop.db`, `file:/var/lib/bellhop.db` or `file:///var/lib/bellhop.db`. */
export function sqlitePath(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url)
  return url.slice('file:'.length)
}

/** As `sqlitePath`. @throws ConfigError when no such file is there. */
export function existingPath(url: string): string {
  const path = sqlitePath(url)
  if (existsSync(path)) return path
  throw new ConfigError([
    'DATABASE_URL: the file doesn’t exist. Run this in the directory where Bellhop runs, with its settings.',
  ])
}

/** Makes the file and its directory, or narrows their rights, so that nobody else reads them at any moment. */
export function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!existsSync(path)) createFile(path)
  // SQLite gives its side files the rights of the main one when it makes them; these may be from before.
  for (const each of [path, `${path}-wal`, `${path}-shm`]) narrow(each)
}

function createFile(path: string): void {
  try {
    // `wx` never opens a file that exists: closing a second descriptor of an open database would drop SQLite's locks.
    closeSync(openSync(path, 'wx', ownerOnly))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function narrow(path: string): void {
  try {
    const found = statSync(path)
    if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(path, ownerOnly)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/**
 * `FULL` waits for the disk at each commit and survives a power cut. `NORMAL` survives a killed process, and after a
 * power cut the newest commits may be missing, never half there (sqlite.org/pragma.html#pragma_synchronous).
 */
export type Durability = 'FULL' | 'NORMAL'

/** @throws SQLite's busy error when another process is setting the file up; may be tried again. */
export function connect(path: string, durability: Durability): DatabaseSync {
  const database = new DatabaseSync(path, {
    timeout: synchronousWaitMs,
    enableForeignKeyConstraints: true,
  })
  try {
    // secure_delete: a forgotten token is overwritten, not only unlinked.
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = ${durability};
      pragma secure_delete = on;
      pragma temp_store = memory;
      pragma cache_size = -${cacheKb};
    `)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

/**
 * What Kysely needs of a connection. Statements are prepared once and kept. Measured, CPU for a small one (Node 24):
 * 0.6 µs, 7.5 where it is prepared each time.
 */
export function asKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = asKyselyStatement(database.prepare(sql))
      if (statements.size >= statementsKept) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}

function asKyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  }
}

function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value
  }
  throw new TypeError(`SQLite cannot keep a ${typeof value}`)
}

/**
 * Whether the database file that was opened is still where it was: who removes or replaces it under a running bot
 * loses what that bot writes from then on.
 * @returns True while the path leads to the file that it leads to now. Never throws; says in the log when that ends,
 * and when it is so again.
 */
export async function watchPlace(
  path: string,
  log: Log | undefined,
  now: Clock,
): Promise<() => Promise<boolean>> {
  const opened = await identityOf(path)
  const trouble = log && createTrouble({ log, now, level: 'error' })
  return async () => {
    const isInPlace = (await identityOf(path)) === opened
    if (isInPlace) trouble?.ends({}, 'the database file is back in its place')
    else
      trouble?.begins(
        {},
        'the database file was removed or replaced while Bellhop runs: whatever it writes now is lost. Stop Bellhop and put the file back (docs/operating/restore.md). If you start it before that, it begins with an empty file',
      )
    return isInPlace
  }
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

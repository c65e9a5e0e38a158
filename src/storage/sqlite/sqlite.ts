// A SQLite file as a database, on one connection of node:sqlite.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { ConfigError, errorCode } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../slack/person.ts'
import { retryFor } from '../../work/retry.ts'
import { inTime } from '../../work/under-way.ts'
import { type Inspection, lookAt, migrate } from '../migrate.ts'
import { type Database, problemWords, refusalFor, watchHealth } from '../problem.ts'
import type { Engine } from '../sql.ts'
import { engineOn, onceUnlocked, problemIn } from './connection.ts'

/** The path in `file:./data/bellhop.db`, `file:/var/lib/bellhop.db` or `file:///var/lib/bellhop.db`. */
function sqlitePath(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length)
}

const notThere = 'doesn’t exist. Run this in the directory where Bellhop runs, with its settings.'

/** As `sqlitePath`. @throws ConfigError when no such file is there. */
export function existingPath(url: string): string {
  const path = sqlitePath(url)
  if (!existsSync(path)) throw refusalFor('the file', notThere)
  return path
}

/** @throws ConfigError when the file cannot be opened, or belongs to a newer version of Bellhop. */
export async function openSqlite(url: string, now: Clock, log?: Log): Promise<Database> {
  const path = sqlitePath(url)
  try {
    makeFile(path)
    const database = await onceUnlocked(() => connect(path))
    const isInPlace = () => identityOf(path) === opened
    const health = watchHealth({ sort: problemIn, whenSilent: 'locked', isInPlace, log, now })
    const db = engineOn(database, { health })
    await migrate(db, path).catch((error: unknown) => {
      database.close()
      throw error
    })
    const opened = identityOf(path)
    let ended: Promise<void> | undefined
    const isOpen = () => ended === undefined
    const emptied = () => retryFor(60_000, () => emptyLog(db), isOpen).catch(() => undefined)
    return {
      db,
      now,
      problem: () => health.problem(db),
      scrub: () => inTime(emptied(), 1_000),
      close: () => (ended ??= db.close()),
    }
  } catch (error) {
    throw asConfigError(error, path)
  }
}

/** Looks at a file without making or changing anything. @throws ConfigError if Bellhop couldn’t use the file. */
export async function inspectSqlite(url: string): Promise<Inspection> {
  const path = sqlitePath(url)
  try {
    // Without a file, a database in memory shows what the next start makes.
    const isThere = existsSync(path)
    if (!isThere && existsSync(dirname(path))) accessSync(`${dirname(path)}/.`, constants.W_OK)
    using database = new DatabaseSync(isThere ? path : ':memory:', { timeout: 2 })
    const version = `select 'SQLite ' || sqlite_version() as engine`
    return await lookAt(engineOn(database, { patienceMs: 1_500 }), version, path)
  } catch (error) {
    throw asConfigError(error, path)
  }
}

/** Makes the file and its directory, or narrows their rights, so that nobody else reads them at any moment. */
function makeFile(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Never opens a file that exists: closing a second descriptor of an open database would drop SQLite's locks.
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: ownerOnly })
  if (!statSync(path).isFile()) return
  // SQLite makes its side files with the main file’s rights, but these may be there from before.
  for (const each of [path, `${path}-wal`, `${path}-shm`])
    if (existsSync(each) && (statSync(each).mode & 0o077) !== 0) chmodSync(each, ownerOnly)
}
const ownerOnly = 0o600

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** @throws SQLite's busy error when another process is setting the file up; may be tried again. */
function connect(path: string): DatabaseSync {
  // While SQLite waits for another program's lock, the process stands still: so 2 ms here; `onceUnlocked` waits longer.
  const database = new DatabaseSync(path, { timeout: 2 })
  try {
    // normal: a killed process loses no commit; a power cut loses those since the last lasting one. journal_size_limit: a
    // log that grew while somebody read it is cut. secure_delete: a forgotten token is overwritten, not only unlinked.
    database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on;
      pragma journal_size_limit = 4000000; pragma temp_store = memory; pragma cache_size = -4000`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Takes forgotten data out of SQLite's own log (the file that ends in -wal): the log holds pages as they were before,
 * sealed tokens among them, until it is emptied. Throws while somebody reads the log, as while a copy is made.
 */
async function emptyLog(db: Engine): Promise<void> {
  const [found] = await db.all<{ busy: number }>('pragma wal_checkpoint(truncate)')
  if (found?.busy !== 0) throw new Error('somebody reads the log')
}

/** An error from opening a file: a ConfigError, in words, if the operator can mend it; any other error as it is. */
export function asConfigError(error: unknown, path: string): unknown {
  if (error instanceof ConfigError || !(error instanceof Error)) return error
  const found = problemIn(error)
  if (found === undefined && errorCode(error) === undefined) return error
  if (found !== undefined && found !== 'broken' && found !== 'away')
    return refusalFor(path, problemWords[found])
  return refusalFor(
    path,
    `can’t be used: ${error.message}. Check its path, its rights and the disk, or restore a copy.`,
  )
}

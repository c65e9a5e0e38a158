// Looks at a SQLite file: how it is, or whether it could be made.
import { randomBytes, randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { Health } from '../../doctor/health.ts'
import { pendingMigrations } from '../migrate.ts'
import { keyChecksIn } from '../stores/keys.ts'
import type { Tables } from '../tables.ts'
import { createSqliteDriver, sqliteDialect } from './dialect.ts'
import { asConfigError, onceUnlocked } from './errors.ts'
import { sqlitePath } from './file.ts'

/** A lock that is held for longer holds the bot up as well. */
const UNLOCKED_WITHIN_MS = 1_500
/** As much as a busy moment writes. */
const triedBytes = 128 * 1024

/** @throws ConfigError as `inspectStorage`. */
export async function inspectSqlite(url: string): Promise<Health> {
  const path = sqlitePath(url)
  try {
    const folder = nearestFolder(path)
    if (!existsSync(path)) mustTakeFiles(folder)
    // Where there is no file, one in memory tells the rest.
    const database = new DatabaseSync(existsSync(path) ? path : ':memory:', { timeout: 2 })
    try {
      const looked = await look(database, path)
      mustHaveRoom(folder)
      return { ...looked, freeBytes: freeBytesIn(folder) }
    } finally {
      database.close()
    }
  } catch (error) {
    throw asConfigError(error, path)
  }
}

async function look(database: DatabaseSync, where: string): Promise<Omit<Health, 'freeBytes'>> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(createSqliteDriver(database)) })
  const { made, pending } = await pendingMigrations(db, { where })
  await onceUnlocked(() => database.exec('begin immediate'), UNLOCKED_WITHIN_MS)
  database.exec('create table bellhop_doctor (n integer); rollback')
  const version = database.prepare('select sqlite_version() as version').get()?.version
  const keyChecks = pending.length > 0 ? [] : await keyChecksIn(db).all()
  return { engine: `SQLite ${version}`, isNew: made.length === 0, pending, keyChecks }
}

/**
 * What is taken back in SQLite never reaches the disk, and one that is full would not be found out: a file beside it does.
 * @throws as the system does when there is no room for it.
 */
function mustHaveRoom(folder: string): void {
  const trial = join(folder, `.bellhop-doctor-${randomUUID()}`)
  try {
    writeFileSync(trial, randomBytes(triedBytes), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    // Whether files may be made there is looked at where it matters.
    if (!isNotAllowed(error)) throw error
  } finally {
    rmSync(trial, { force: true })
  }
}

function isNotAllowed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(EACCES|EPERM|EROFS)$/.test(String(error.code))
}

function nearestFolder(path: string): string {
  const folder = dirname(resolve(path))
  return existsSync(folder) ? folder : nearestFolder(folder)
}

/** @throws as the system does when a directory or a file is made there. */
function mustTakeFiles(folder: string): void {
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
  accessSync(folder, constants.W_OK)
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

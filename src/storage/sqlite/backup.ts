// A copy of a SQLite database while Bellhop runs on it: whole, checked, and for its owner alone.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { ConfigError, UserError } from '../../errors.ts'
import { asConfigError, isFull, onceUnlocked } from './errors.ts'
import { existingPath } from './file.ts'

/**
 * All pages in one step. Between two steps another process may write, and then SQLite begins anew: beside a busy bot
 * a copy in small steps never ends. In WAL mode one long step holds no writer up.
 */
const pagesAStep = 2 ** 31 - 1
const ownerOnly = 0o600

export interface Copied {
  readonly from: string
  readonly bytes: number
}

/**
 * Copies the database into a new file, which is there in the end only when it is whole.
 *
 * @param url - `file:` and a path; see `existingPath`.
 * @param to - Where the copy goes. Nothing may be there.
 * @throws UserError when the copy cannot be made there, or the database is no file.
 * @throws ConfigError when there is no database, or it cannot be read.
 */
export async function backUp(url: string, to: string): Promise<Copied> {
  if (!url.startsWith('file:')) throw new UserError(usePgDump)
  const from = existingPath(url)
  const partial = `${to}.partial`
  reserve(to, partial)
  try {
    await copy(from, partial)
    check(partial, from)
    if (existsSync(to)) throw alreadyThere(to)
    renameSync(partial, to)
  } catch (error) {
    // SQLite does not say which of the two files it is about; only the copy grows.
    const hasNoRoom = isFull(error)
    for (const file of [partial, `${partial}-journal`, `${partial}-wal`, `${partial}-shm`]) {
      rmSync(file, { force: true })
    }
    if (hasNoRoom)
      throw new UserError(`${to} was not written: the disk is full. Free some space, or name another file.`)
    throw asConfigError(error, from)
  }
  return { from, bytes: statSync(to).size }
}

/** Makes the file that the copy is written to, so that nobody else reads it at any moment. */
function reserve(to: string, partial: string): void {
  if (existsSync(to)) throw alreadyThere(to)
  if (!existsSync(dirname(resolve(to)))) {
    throw new UserError(`${dirname(to)} doesn’t exist. Create that directory, or name another file.`)
  }
  try {
    closeSync(openSync(partial, 'wx', ownerOnly))
  } catch (error) {
    if (existsSync(partial)) {
      throw new UserError(
        `${partial} exists: another backup is running, or one was interrupted. If nothing writes to the file, remove it and try again.`,
      )
    }
    throw new UserError(`${to} can’t be written: ${error instanceof Error ? error.message : error}.`)
  }
}

async function copy(from: string, partial: string): Promise<void> {
  let source: DatabaseSync | undefined
  try {
    // Two milliseconds: it waits synchronously; the patient wait is around it.
    const opened = new DatabaseSync(from, { timeout: 2 })
    source = opened
    await onceUnlocked(() => backup(opened, partial, { rate: pagesAStep }))
  } finally {
    source?.close()
  }
}

/** Opens the copy as somebody would who needs it, and reads all of it. */
function check(partial: string, from: string): void {
  const database = new DatabaseSync(partial)
  try {
    // One file, with nothing beside it. Bellhop sets it back to WAL when it opens it.
    database.exec('pragma journal_mode = delete')
    const found = database.prepare('pragma integrity_check').all()
    const isWhole = found.length === 1 && found[0]?.integrity_check === 'ok'
    const tables = database.prepare("select count(*) as n from sqlite_master where name = 'accounts'").get()
    if (!isWhole) throw new ConfigError([`DATABASE_URL: ${from} is damaged. Restore an earlier copy.`])
    if (tables?.n !== 1) throw new UserError('The file in DATABASE_URL is not a Bellhop database.')
  } finally {
    database.close()
  }
}

function alreadyThere(to: string): UserError {
  return new UserError(`${to} already exists, and Bellhop won’t overwrite it. Name another file.`)
}

const usePgDump =
  'DATABASE_URL is a PostgreSQL database. Copy it with pg_dump --format=custom --file=<file> "$DATABASE_URL".'

// Errors of SQLite, sorted by what may be done about them (sqlite.org/rescode.html).

import { ConfigError, errorCode } from '../../errors.ts'
import { retryFor } from '../../work/retry.ts'
import type { Failure } from '../write-health.ts'

const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
/** No memory, a fault of the disk, a damaged file, none of SQLite's. */
const broken: ReadonlySet<number | undefined> = new Set([7, 10, 11, 26])
/** The file is gone from its place, which /readyz says in words of its own. */
const SQLITE_READONLY_DBMOVED = 1032
/** No room for the index of the log. */
const SQLITE_IOERR_SHMSIZE = 4874
/**
 * The system refuses to write, for another reason than a full disk: a quota, a limit on the size of files, a fault.
 * WRITE, FSYNC, DIR_FSYNC, TRUNCATE, DELETE, SHMOPEN, SHMMAP, SEEK, BEGIN_ATOMIC and COMMIT_ATOMIC.
 */
const refusals: ReadonlySet<number | undefined> = new Set([
  778, 1034, 1290, 1546, 2570, 4618, 5386, 5642, 7434, 7690,
])

/** True while another connection holds the lock. */
function isLocked(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY
}

/** How long whoever asks waits in all while the database is locked, before the error reaches them. */
const unlockedWithinMs = 10_000
const pauses = { mayPass: isLocked, firstMs: 2, longestMs: 50 }

/** Does the work once no other connection holds the lock, without stopping the process meanwhile. */
export function onceUnlocked<T>(work: () => T | Promise<T>, withinMs = unlockedWithinMs): Promise<T> {
  return retryFor(withinMs, work, pauses)
}

/** SQLite's result code without what it adds above the low byte (SQLITE_BUSY_SNAPSHOT is a SQLITE_BUSY). */
function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error)
  return code === undefined ? undefined : code & 0xff
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}

/** No room on the disk for what SQLite writes. */
export function isFull(error: unknown): boolean {
  return primaryCode(error) === SQLITE_FULL || resultCode(error) === SQLITE_IOERR_SHMSIZE
}

/** The system refused a write, whatever for; see `isFull`. */
function isRefused(error: unknown): boolean {
  return refusals.has(resultCode(error))
}

/** Undefined where the statement itself is to blame. */
export function failureOf(error: unknown): Failure | undefined {
  const exact = resultCode(error)
  const code = primaryCode(error)
  if (isFull(error)) return { kind: 'full', unwritable: 'full' }
  if (isRefused(error)) return { kind: 'other', unwritable: 'refused' }
  if (exact === SQLITE_READONLY_DBMOVED) return { kind: 'other' }
  if (code === SQLITE_READONLY) return { kind: 'other', unwritable: 'read-only' }
  if (code === SQLITE_BUSY || code === SQLITE_CANTOPEN) return { kind: 'unreachable' }
  return broken.has(code) ? { kind: 'other' } : undefined
}

/**
 * Why a database file could not be opened: what the operator can mend about it, in words; every other error as it is.
 */
export function asConfigError(error: unknown, path: string): unknown {
  if (error instanceof ConfigError) return error
  const sentence = sqliteSentence(error) ?? systemSentence(errorCode(error) ?? '')
  return sentence === undefined ? error : new ConfigError([`DATABASE_URL: ${path} ${sentence}`])
}

function sqliteSentence(error: unknown): string | undefined {
  if (isFull(error)) return noRoom
  if (isRefused(error)) return refused(`SQLite error ${resultCode(error)}`)
  return sqliteSentences[primaryCode(error) ?? -1]
}

function systemSentence(code: string): string | undefined {
  return /^(EDQUOT|EFBIG|EIO)$/.test(code) ? refused(code) : systemSentences[code]
}

const notAllowed =
  'can’t be read and written by Bellhop’s user. Make that user its owner, or name another file.'
const noRoom = 'can’t grow: the disk is full. Free some space, then start again.'
const refused = (code: string) =>
  `can’t be written (${code}), because of a quota, a limit on the size of files (ulimit -f, LimitFSIZE) or a disk fault. Fix that, then start again.`

const systemSentences: Readonly<Record<string, string>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: 'is on a read-only file system. Name another file.',
  EEXIST: 'has a file where a directory must be. Name another path.',
  ENOTDIR: 'has a file where a directory must be. Name another path.',
  ENOSPC: noRoom,
}

// By primary result code, sqlite.org/rescode.html.
const sqliteSentences: Readonly<Record<number, string>> = {
  5: 'is locked by another program. Stop that program, or name another file.',
  8: notAllowed,
  11: 'is damaged. Restore a copy of it.',
  14: 'can’t be opened. Check that it is a file, not a directory, and that Bellhop’s user can read and write it.',
  26: 'is not a SQLite database. Name another file.',
}

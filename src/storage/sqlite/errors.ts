// What SQLite says when it fails (sqlite.org/rescode.html).
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
export function isLocked(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY
}

/** SQLite's result code without what it adds above the low byte (SQLITE_BUSY_SNAPSHOT is a SQLITE_BUSY). */
export function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error)
  return code === undefined ? undefined : code & 0xff
}

export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}

/** No room on the disk for what SQLite writes. */
export function isFull(error: unknown): boolean {
  return primaryCode(error) === SQLITE_FULL || resultCode(error) === SQLITE_IOERR_SHMSIZE
}

/** The system refused a write, whatever for; see `isFull`. */
export function isRefused(error: unknown): boolean {
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

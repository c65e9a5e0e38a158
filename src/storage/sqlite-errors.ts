// What SQLite says when it fails (sqlite.org/rescode.html).

const SQLITE_BUSY = 5

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

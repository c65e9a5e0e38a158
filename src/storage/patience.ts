// Waiting for another's lock without stopping the process.
import { setTimeout as delay } from 'node:timers/promises'

/** How long a caller waits for locks in all, before the error reaches them. */
const PATIENCE_MS = 10_000
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

const SQLITE_BUSY = 5

/** Tries `work` again, with growing pauses, as long as the database answers that it is locked. */
export async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    // Jitter, so that two who collided do not collide again at the same moment.
    await delay(pauseMs * (0.5 + Math.random()))
  }
}

function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY
}

const uniqueViolations: ReadonlySet<number | undefined> = new Set([
  2067, // SQLITE_CONSTRAINT_UNIQUE
  1555, // SQLITE_CONSTRAINT_PRIMARYKEY
])

/** True when a row could not be written because another holds its place in a unique index. */
export function isTaken(error: unknown): boolean {
  return uniqueViolations.has(resultCode(error))
}

/** SQLite's result code without what it adds above the low byte (SQLITE_BUSY_SNAPSHOT is a SQLITE_BUSY). */
export function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error)
  return code === undefined ? undefined : code & 0xff
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode : undefined
}

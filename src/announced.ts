// Errors whose cause has a line of its own in the log: whoever meets one adds no stack, and background jobs say nothing.
import type { Log } from './log.ts'

const announced = new WeakSet<Error>()

/** Its cause has been said, and its end will be. */
export function announce(error: unknown): void {
  if (error instanceof Error) announced.add(error)
}

export function isAnnounced(error: unknown): boolean {
  return error instanceof Error && (announced.has(error) || isAnnounced(error.cause))
}

/** Writes down why background work failed, which is tried again: steps only where the cause is announced. */
export function logFailedJob(
  log: Log,
  level: 'warn' | 'error',
  fields: { readonly err: unknown; readonly [name: string]: unknown },
  message: string,
): void {
  log[isAnnounced(fields.err) ? 'debug' : level](fields, message)
}

// Errors of PostgreSQL and its client, sorted by what may be done about them
// (postgresql.org/docs/current/errcodes-appendix.html).
import type { Failure } from '../write-health.ts'

/** SQLSTATE as the server gave it, or the system's code of a failed connection. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const networkCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
])

// 57P01 to 03: shutting down, crashed, starting up. 53300: too many connections. 08: a connection's failures.
const awayStates = /^(57P0[123]|53300|08...)$/

// The client's own errors have no code.
const lostWords = /^(Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed))/

/** True when the answer did not come in the time that was given for it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /^(Query read timeout|timeout e)/.test(error.message)
}

/** True when a connection could not be made, or broke, in a way that may pass by itself. */
export function isAway(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined) return networkCodes.has(code) || awayStates.test(code)
  return error instanceof Error && lostWords.test(error.message)
}

/**
 * True when a statement outside a transaction has certainly changed nothing, and may succeed at a second try:
 * it was the victim of a deadlock, never left this process, or met a server that only reads since another took over.
 */
export function changedNothing(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined) return code === '40P01' || code === '40001' || isReadOnly(error)
  return error instanceof Error && /^Client .* not queryable$/.test(error.message)
}

/** True of a server that another has taken the place of. */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === '25006'
}

/** Undefined where the statement itself is to blame. */
export function failureOf(error: unknown): Failure | undefined {
  if (isReadOnly(error)) return { kind: 'other', unwritable: 'read-only' }
  const code = errorCode(error)
  if (code === '53100') return { kind: 'full', unwritable: 'full' }
  if (isAway(error)) return { kind: 'unreachable' }
  // No resources; a fault of its system, or of its own.
  return code !== undefined && /^(53|58|XX)/.test(code) ? { kind: 'other' } : undefined
}

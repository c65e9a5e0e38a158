// Health of the database, as doctor asks for it and /readyz tells it. A port: storage answers it.

import type { KeptCheck } from '../keys/key-checks.ts'
import type { Problem } from '../storage/problem.ts'

export interface Health {
  /** As in `SQLite 3.51.0`. */
  readonly engine: string
  /** True as long as nothing of Bellhop's is in it, or it is not there at all and can be made. */
  readonly isNew: boolean
  /** Migrations that the next start makes. */
  readonly pending: readonly string[]
  /** Room on the disk of a file, in bytes; undefined where it is a server's. */
  readonly freeBytes: number | undefined
  /** What shows whether keys are those that sealed it. */
  readonly keyChecks: readonly KeptCheck[]
}

/** Words of /readyz for why a bot is not ready. Whoever runs it matches them: no host and no file in them. */
export const readyWords = {
  away: 'cannot be reached',
  locked: 'cannot be reached',
  moved: 'the database file was removed or replaced',
  full: 'the disk is full, or the system refuses to write',
  'read-only': 'it can only be read',
  silent: 'has not answered yet',
  noSocket: 'the socket is not connected',
} as const satisfies Readonly<Record<Problem | 'silent' | 'noSocket', string>>

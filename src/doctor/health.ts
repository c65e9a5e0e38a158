// Health of the database, as doctor asks for it. A port: storage answers it.

import type { KeptCheck } from '../keys/key-checks.ts'
import { readyWords } from './ready-words.ts'

/** Why nothing can be written to the database; `refused` is a quota, a limit on the size of files, a fault of the disk. */
export type Unwritable = 'full' | 'read-only' | 'refused'

export interface Health {
  /** As in `SQLite 3.51.0`. */
  readonly engine: string
  /** True as long as nothing of Bellhop's is in it, or it is not there at all and can be made. */
  readonly isNew: boolean
  /** Migrations that the next start makes. */
  readonly pending: readonly string[]
  /** Room on the disk of a file, in bytes; undefined where it is a server's. */
  readonly freeBytes: number | undefined
  /** What shows whether keys are those that sealed it; opaque to doctor. */
  readonly keyChecks: readonly KeptCheck[]
}

/**
 * Looks at the database over a connection of its own, and tries a write that it takes back. Makes and changes nothing.
 * @throws ConfigError when it cannot be reached, read or written, or belongs to a newer version of Bellhop.
 */
export type ExamineStorage = () => Promise<Health>

type Reason = Unwritable | 'away' | 'moved'

/**
 * Why a bot is not ready for want of its database: the words of /readyz, and what to do about each.
 *
 * @property said - In /readyz, behind `storage: `.
 * @property found - The same as a sentence whose subject is Bellhop.
 */
export const databaseReasons: Readonly<
  Record<Reason, { readonly said: string; readonly found: string; readonly mend: string }>
> = {
  away: {
    said: readyWords.away,
    found: 'can’t reach its database.',
    mend: 'Check the server that DATABASE_URL names, and the network in between. Bellhop reconnects by itself.',
  },
  moved: {
    said: readyWords.moved,
    found: 'has lost its database: the file was removed or replaced.',
    mend: 'Stop Bellhop and put the file back (docs/operating/restore.md). Don’t start Bellhop before that, or it begins with an empty one.',
  },
  full: {
    said: readyWords.full,
    found: 'can’t write to its database: the disk is full.',
    mend: 'Free some space. Bellhop tries again by itself.',
  },
  refused: {
    said: readyWords.refused,
    found: 'can’t write to its database: the system refuses to write the file.',
    mend: 'Raise the quota or the limit on file sizes (ulimit -f, LimitFSIZE), or repair the disk. Bellhop tries again by itself.',
  },
  'read-only': {
    said: readyWords['read-only'],
    found: 'can’t write to its database: the database is read-only.',
    mend: 'Make the database writable for the user that runs Bellhop, or point DATABASE_URL at the server that accepts writes.',
  },
}

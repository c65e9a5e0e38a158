// Why a bot is not ready for want of its database: the words of /readyz, and how to mend each.
import type { Unwritable } from '../health.ts'

type Reason = Unwritable | 'away' | 'moved'

/** @property said - In /readyz, behind `storage: `. No host and no file in it. */
export const databaseReasons: Readonly<Record<Reason, { readonly said: string; readonly mend: string }>> = {
  away: {
    said: 'cannot be reached',
    mend: 'Check the server that DATABASE_URL names, and the way to it. Bellhop connects again by itself.',
  },
  moved: {
    said: 'the database file was removed or replaced',
    mend: 'Stop Bellhop and put the file back (docs/operating/restore.md). Don’t start it before that: it would begin empty.',
  },
  full: {
    said: 'the disk is full',
    mend: 'Make room. Bellhop tries again by itself.',
  },
  refused: {
    said: 'the system refuses to write its file',
    mend: 'Lift its quota or the limit on the size of files (ulimit -f, LimitFSIZE), or mend its disk. Bellhop tries again by itself.',
  },
  'read-only': {
    said: 'it can only be read',
    mend: 'Make it writable for the user Bellhop runs as, or lead DATABASE_URL to the server that takes writes.',
  },
}

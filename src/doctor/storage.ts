// Doctor's look at the database: reachable, up to date, writable, and sealed with these keys.
import type { EncryptionKey } from '../account/vault.ts'
import { type KeptCheck, keyProblems } from '../keys/key-checks.ts'
import { isUnwritable, type Problem } from '../storage/problem.ts'
import { amber, type Check, type Found, green, red } from './check.ts'

/** Health of a database, as its storage finds it. */
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

const littleRoom = 100 * 1024 * 1024
/** Less than this is soon too little for what one moment writes, and for the index of SQLite's log. */
const noRoom = 1024 * 1024

/**
 * @param examine - Looks at the database over a connection of its own, and tries a write that it takes back. Makes and
 * changes nothing. Throws ConfigError when it cannot be reached, read or written, or is a newer version's.
 * @param keys - Of ENCRYPTION_KEYS; undefined where they cannot be read.
 * @param bot - Of a bot that works with it: says why it can write nothing.
 */
export function storageCheck(
  examine: () => Promise<Health>,
  keys: readonly EncryptionKey[] | undefined,
  bot?: { problem(): Promise<Problem | undefined> },
): Check {
  return {
    name: 'Database',
    by: 'operator',
    async run() {
      const why = await bot?.problem()
      if (isUnwritable(why))
        return [red(`Bellhop can’t write to its database: ${readyWords[why]}.`, makeRoom)]
      const health = await examine()
      const wrong = keys === undefined ? [] : keyProblems(health.keyChecks, keys)
      const ofKeys = wrong.map((problem) => ({ name: 'Keys', ...red(problem) }))
      return [stateFound(health), ...ofKeys, ...diskFound(health)]
    },
  }
}

const makeRoom =
  'Free some space, raise the quota or the limit on file sizes, or make the database writable for Bellhop. Bellhop tries again by itself.'

function stateFound({ engine, isNew, pending }: Health): Found {
  if (pending.length === 0) return green(`${engine} is reachable, up to date and writable.`)
  const tables = isNew
    ? 'Bellhop’s tables don’t exist yet. The first start creates them.'
    : 'The next start updates Bellhop’s tables.'
  return green(`${engine}: ${tables}`)
}

function diskFound({ freeBytes }: Health): readonly Found[] {
  if (freeBytes === undefined || freeBytes >= littleRoom) return []
  const found = `The database’s disk has ${Math.floor(freeBytes / 1024 / 1024)} MB left.`
  const mend = 'Free some space: when the disk is full, nothing can be granted.'
  return [{ name: 'Disk', ...(freeBytes < noRoom ? red : amber)(found, mend) }]
}

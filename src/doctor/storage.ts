// Doctor's look at the database: reachable, up to date, writable, and sealed with these keys.
import type { EncryptionKey } from '../account/vault.ts'
import { keyProblems } from '../keys/key-checks.ts'
import type { Looked } from '../storage/migrate.ts'
import { isUnwritable, type Problem } from '../storage/problem.ts'
import { type Check, type Found, green, red } from './check.ts'

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

/**
 * @param examine - Looks at the database over a connection of its own, and tries a write that it takes back. Makes and
 * changes nothing. Throws ConfigError when it cannot be reached, read or written, or is a newer version's.
 * @param keys - Of ENCRYPTION_KEYS; undefined where they cannot be read.
 * @param bot - Of a bot that works with it: says why it can write nothing.
 */
export function storageCheck(
  examine: () => Promise<Looked>,
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
      const looked = await examine()
      const wrong = keys === undefined ? [] : keyProblems(looked.keyChecks, keys)
      const ofKeys = wrong.map((problem) => ({ name: 'Keys', ...red(problem) }))
      return [stateFound(looked), ...ofKeys]
    },
  }
}

const makeRoom =
  'Free some space, raise the quota or the limit on file sizes, or make the database writable for Bellhop. Bellhop tries again by itself.'

function stateFound({ engine, isNew, pending }: Looked): Found {
  if (pending.length === 0) return green(`${engine} is reachable, up to date and writable.`)
  const tables = isNew
    ? 'Bellhop’s tables don’t exist yet. The first start creates them.'
    : 'The next start updates Bellhop’s tables.'
  return green(`${engine}: ${tables}`)
}

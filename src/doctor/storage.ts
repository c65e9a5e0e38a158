// Doctor's look at the database: reachable, up to date, writable, and sealed with these keys.
import type { EncryptionKey } from '../account/vault.ts'
import { keyProblems } from '../keys/key-checks.ts'
import { isUnwritable, type Problem } from '../storage/problem.ts'
import { amber, type Check, type Found, green, problemIn, red } from './check.ts'
import { type Health, readyWords } from './health.ts'

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
    ifSlow:
      'Check that no other program keeps the database busy or locked, and that this machine can reach its server.',
    async run() {
      const why = await bot?.problem()
      if (isUnwritable(why))
        return [red(`Bellhop can’t write to its database: ${readyWords[why]}.`, makeRoom)]
      const health = await examine()
      const wrong = keys === undefined ? [] : keyProblems(health.keyChecks, keys)
      const ofKeys = wrong.map((problem) => ({ name: 'Keys', ...problemIn(problem) }))
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

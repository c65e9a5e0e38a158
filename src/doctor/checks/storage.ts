// Doctor's look at the database: reachable, migrated, writable.
import { ConfigError } from '../../errors.ts'
import { databaseReasons, type ExamineStorage, type Health, type Unwritable } from '../health.ts'
import type { Check, Finding } from './check.ts'
import { problemOf } from './settings.ts'

const name = 'Database'

const littleRoom = 100 * 1024 * 1024
/** Less than this is soon too little for what one moment writes, and for the index of SQLite's log. */
const noRoom = 1024 * 1024

/**
 * @param isRunning - A bot works with it: then it must be there, and up to date.
 * @param keyProblems - What is wrong with the keys, by what shows it in the database.
 * @param unwritable - Why the bot that works with it can write nothing.
 */
export function storageCheck(
  examine: ExamineStorage,
  isRunning: boolean,
  keyProblems: (checks: Health['keyChecks']) => readonly string[] = () => [],
  unwritable: () => Promise<Unwritable | undefined> = async () => undefined,
): Check {
  return {
    name,
    by: 'operator',
    ifSlow:
      'Check that no other program keeps the database busy or locked, and that this machine can reach its server.',
    async run() {
      try {
        const health = await examine()
        const wrong = keyProblems(health.keyChecks).map((problem) => problemOf('Keys', problem))
        const why = await unwritable()
        const state = why === undefined ? stateFinding(health, isRunning) : unwritableFinding(why)
        return [state, ...wrong, ...diskFindings(health)]
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const why = await unwritable()
        if (why !== undefined) return [unwritableFinding(why)]
        return error.problems.map((problem) => problemOf(name, problem))
      }
    },
  }
}

function unwritableFinding(why: Unwritable): Finding {
  const { found, mend } = databaseReasons[why]
  return { name, state: 'red', found: `Bellhop ${found}`, mend }
}

function stateFinding({ engine, isNew, pending }: Health, isRunning: boolean): Finding {
  if (pending.length === 0) {
    return { name, state: 'green', found: `${engine} is reachable, up to date and writable.` }
  }
  if (isRunning) {
    return {
      name,
      state: 'red',
      found: isNew ? `${engine}: Bellhop’s data is gone.` : `${engine}: Bellhop’s tables are out of date.`,
      mend: isNew ? 'Restore a backup, and restart Bellhop.' : 'Restart Bellhop: that updates them.',
    }
  }
  return {
    name,
    state: 'green',
    found: isNew
      ? `${engine}: Bellhop’s tables don’t exist yet. The first start creates them.`
      : `${engine} is reachable and writable. The next start updates Bellhop’s tables (${pending.length === 1 ? 'one step' : `${pending.length} steps`}).`,
  }
}

function diskFindings({ freeBytes }: Health): readonly Finding[] {
  if (freeBytes === undefined || freeBytes >= littleRoom) return []
  const megabytes = Math.floor(freeBytes / 1024 / 1024)
  const found = `The database’s disk has ${megabytes} MB left.`
  if (freeBytes < noRoom) {
    return [
      { name: 'Disk', state: 'red', found, mend: 'Free some space: until then, nothing can be granted.' },
    ]
  }
  return [
    {
      name: 'Disk',
      state: 'amber',
      found,
      mend: 'Free some space: when the disk is full, nothing can be granted.',
    },
  ]
}

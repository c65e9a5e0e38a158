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
    ifSlow: 'See whether another program keeps it busy or locked, and that its server is reached.',
    async run() {
      try {
        const health = await examine()
        const wrong = keyProblems(health.keyChecks).map((problem) => problemOf('Keys', problem))
        const why = await unwritable()
        const state = why === undefined ? standing(health, isRunning) : sayUnwritable(why)
        return [state, ...wrong, ...room(health)]
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const why = await unwritable()
        if (why !== undefined) return [sayUnwritable(why)]
        return error.problems.map((problem) => problemOf(name, problem))
      }
    },
  }
}

function sayUnwritable(why: Unwritable): Finding {
  const { said, mend } = databaseReasons[why]
  return { name, state: 'red', found: `Nothing can be written: ${said}.`, mend }
}

function standing({ engine, isNew, pending }: Health, isRunning: boolean): Finding {
  if (pending.length === 0) {
    return { name, state: 'green', found: `${engine}, reachable, up to date and writable.` }
  }
  if (isRunning) {
    return {
      name,
      state: 'red',
      found: isNew ? `${engine}: what Bellhop had kept is gone.` : `${engine}: it is not up to date.`,
      mend: isNew
        ? 'Put back a copy of it, and start Bellhop again.'
        : 'Start Bellhop again: that brings it up to date.',
    }
  }
  return {
    name,
    state: 'green',
    found: isNew
      ? `${engine}: nothing is there yet; the first start makes it.`
      : `${engine}, reachable and writable; the next start brings it up to date (${pending.length} to go).`,
  }
}

function room({ freeBytes }: Health): readonly Finding[] {
  if (freeBytes === undefined || freeBytes >= littleRoom) return []
  const megabytes = Math.floor(freeBytes / 1024 / 1024)
  const found = `Its disk has ${megabytes} MB left.`
  if (freeBytes < noRoom) {
    return [{ name: 'Disk', state: 'red', found, mend: 'Make room: nothing can be granted until then.' }]
  }
  return [
    { name: 'Disk', state: 'amber', found, mend: 'Make room: when it is full, nothing can be granted.' },
  ]
}

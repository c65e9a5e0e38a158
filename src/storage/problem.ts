// Problems of a database: a name for each, the words for it at the start, in the log and by doctor, and how it is found.
// Also the interface of an open database.
import { randomBytes, randomUUID } from 'node:crypto'
import { ConfigError } from '../errors.ts'
import { announce, createTrouble, type Log } from '../log/log.ts'
import { storageFailuresTotal } from '../metrics/metrics.ts'
import type { Clock } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import type { Engine } from './sql.ts'

/** `away`: can’t be reached; `full`: its disk is, or a quota or limit; `moved`: its file was removed or replaced. */
export type Problem = 'away' | 'moved' | 'locked' | 'full' | 'read-only'

/** True if the database can be reached, but nothing can be written. */
export function isUnwritable(problem: Problem | undefined): boolean {
  return problem !== undefined && problem !== 'away' && problem !== 'locked'
}

/** Sentences behind the name of the database: what is wrong, and what to do about it. */
const sentences: Readonly<Record<Problem, string>> = {
  away: 'can’t be reached. Check that it is there, and that Bellhop may use it.',
  moved:
    'was removed or replaced while Bellhop runs: whatever it writes now is lost. Stop Bellhop and put the file back (docs/running.md, Copy and restore). If you start it before that, it begins with an empty file.',
  locked: 'is locked by another program. Stop that program, or name another file.',
  full: 'can’t grow: the disk is full, or a quota or a limit on file sizes (ulimit -f) is reached. Free some space, or raise that.',
  'read-only':
    'is read-only. Make it writable for Bellhop’s user, or name the server that accepts writes.',
}

/** @param where - Names the database; never its url, which may hold a password. */
export function refusalFor(where: string, problem: Problem | string): ConfigError {
  const isKnown = (word: string): word is Problem => Object.hasOwn(sentences, word)
  return new ConfigError([
    `DATABASE_URL: ${where} ${isKnown(problem) ? sentences[problem] : problem}`,
  ])
}

export type Health = ReturnType<typeof watchHealth>

/** An open database, SQLite or PostgreSQL, of which the stores are made. */
export interface Database {
  readonly db: Engine
  /** The problem as of now, as `Health` finds it. Never throws. */
  problem(): Promise<Problem | undefined>
  /** This process's clock: the clocks of several machines have to agree. */
  readonly now: Clock
  /**
   * Takes forgotten data out of SQLite's own log, too: true when that is done; false if it takes longer than `withinMs`
   * (default: a second), but goes on, for a minute in all. Never rejects. On PostgreSQL, true at once: nothing is done, as
   * the server cleans its log in its own time.
   */
  scrub(withinMs?: number): Promise<boolean>
  /** Closes the database, once work that was asked for before is done. May be called twice. */
  close(): Promise<void>
}

const answeredWithinMs = 1_500

/** Kinds of failures in the figures; `other` for those that are not named here. */
const counted: Partial<Record<Problem | 'broken', string>> = {
  away: 'unreachable',
  locked: 'unreachable',
  full: 'full',
}

export function watchHealth(engine: {
  /** The problem of the database that an error tells of; undefined if the statement itself is to blame. */
  readonly sort: (error: unknown) => Problem | 'broken' | undefined
  /** The problem of a database that does not answer in time. */
  readonly whenSilent: Problem
  /** False once its file was removed or replaced. */
  readonly isInPlace?: () => boolean
  readonly log: Log | undefined
  readonly now: Clock
}) {
  const { sort, whenSilent, isInPlace = () => true, log, now } = engine
  const [away, unwritable] = [
    log && createTrouble({ log, now }),
    log && createTrouble({ log, now }),
  ]
  let present: Problem | undefined

  function failed(error: unknown) {
    const found = sort(error)
    if (found === undefined) return
    storageFailuresTotal.inc({ kind: counted[found] ?? 'other' })
    if (found === 'locked' || found === 'broken') return
    announce(error)
    const broke = 'the connection to the database is lost; Bellhop tries again when it needs it'
    if (found === 'away') away?.begins({ err: error }, broke)
    else cannotWrite(found)
  }

  function cannotWrite(found: Exclude<Problem, 'away' | 'locked'>): Problem {
    present = found
    const why = `Bellhop can’t write to the database, which ${sentences[found]} Until then nobody can grant or connect`
    unwritable?.begins({ why: found }, why)
    return found
  }

  return {
    succeeded: () => away?.ends('the database is connected again'),
    failed,
    /**
     * The problem as of now. Found by a read while all is well; once something could not be written, by a write each time.
     * Never throws, and answers within two seconds.
     */
    async problem(db: Engine): Promise<Problem | undefined> {
      if (!isInPlace()) return cannotWrite('moved')
      // A read doesn’t wait behind other writes, as a trial write does. But it proves less: it succeeds while
      // another program has SQLite locked.
      const isWrite = present !== undefined
      const trial = isWrite ? tryWrite(db) : db.run('select name from migrations limit 1')
      try {
        if ((await inTime(trial, answeredWithinMs)) === undefined) return whenSilent
      } catch (error) {
        const found = sort(error)
        return found === undefined || found === 'broken' ? 'away' : found
      }
      if (!isWrite) return present
      present = undefined
      unwritable?.ends('the database can be written again')
      return undefined
    },
  }
}

/** One write that leaves nothing behind, as large as what a busy moment writes. Rejects when it cannot be written. */
async function tryWrite(db: Engine): Promise<number> {
  const key = `trial:${randomUUID()}`
  // Enough for some pages of a file. Random, as PostgreSQL would compress other text.
  const value = randomBytes(48 * 1024).toString('base64')
  return db.transaction('bellhop trial', async (sql) => {
    await sql.run(`insert into kept values ('trial', ?, '', '', ?, 0, 0)`, [key, value])
    return sql.run(`delete from kept where kind = 'trial' and key = ?`, [key])
  })
}

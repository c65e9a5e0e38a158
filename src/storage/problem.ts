// Problems of a database, such as a full disk: their names, their sentences, and how they are found while the bot runs.
// Also the interface of an open database.
import { randomBytes, randomUUID } from 'node:crypto'
import { ConfigError } from '../errors.ts'
import { announce, createTrouble, type Log } from '../log/log.ts'
import { storageFailuresTotal } from '../metrics/metrics.ts'
import type { Clock } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import type { Engine } from './sql.ts'

/**
 * `away`: the database can’t be reached. `moved`: its file was removed or replaced. `locked`: another program holds it.
 * `full`: the disk is full, or a quota or limit is reached.
 */
export type Problem = 'away' | 'moved' | 'locked' | 'full' | 'read-only'

/** True if the database can be reached, but nothing can be written. */
export function isUnwritable(problem: Problem | undefined): boolean {
  return problem !== undefined && problem !== 'away' && problem !== 'locked'
}

/** Sentences behind the name of the database: what is wrong, and what to do about it. */
export const problemWords: Readonly<Record<Problem, string>> = {
  away: 'can’t be reached. Check that it is there, and that Bellhop may use it.',
  moved:
    'was removed or replaced while Bellhop runs: whatever it writes now is lost. Stop Bellhop and put the file back (docs/running.md, Copy and restore). If you start it before that, it begins with an empty file.',
  locked: 'is locked by another program. Stop that program, or name another file.',
  full: 'can’t grow: the disk is full, or a quota or a limit on file sizes (ulimit -f) is reached. Free some space, or raise that.',
  'read-only':
    'is read-only. Make it writable for Bellhop’s user, or name the server that accepts writes.',
}

/** @param where - Names the database; never its url, which may hold a password. @param words - What is wrong with it. */
export function refusalFor(where: string, words: string): ConfigError {
  return new ConfigError([`DATABASE_URL: ${where} ${words}`])
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
   * Takes forgotten data out of SQLite’s own log, too. While another program reads the log, this is tried for a minute, but
   * waited for no longer than a second. PostgreSQL cleans its log by itself.
   */
  scrub(): Promise<void>
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

/** Notices from errors and successes of statements what is wrong with the database, and logs when that changes. */
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
    const broke = 'the database can’t be reached; Bellhop tries again when it needs it'
    if (found === 'away') away?.begins({ err: error }, broke)
    else cannotWrite(found)
  }

  function cannotWrite(found: Exclude<Problem, 'away' | 'locked'>): Problem {
    present = found
    const why = `Bellhop can’t write to the database, which ${problemWords[found]} Until then nobody can grant or connect`
    unwritable?.begins({ why: found }, why)
    return found
  }

  return {
    succeeded: () => away?.ends('the database is connected again'),
    failed,
    /**
     * The problem as of now. While no problem is known, a read is tried; from when something could not be written until it
     * can be again, a write is tried. Never throws, and answers within two seconds.
     */
    async problem(db: Engine): Promise<Problem | undefined> {
      if (!isInPlace()) return cannotWrite('moved')
      // A read is quicker than a write, which waits behind others. But it succeeds even while another program has SQLite
      // locked.
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

/** Writes as much as a busy moment does, and takes it out again. Rejects when that can’t be written. */
async function tryWrite(db: Engine): Promise<number> {
  const key = `trial:${randomUUID()}`
  // Enough for some pages of a file. Random, as PostgreSQL would compress other text.
  const value = randomBytes(48 * 1024).toString('base64')
  return db.transaction('bellhop trial', async (sql) => {
    await sql.run(`insert into kept values ('trial', ?, '', '', ?, 0, 0)`, [key, value])
    return sql.run(`delete from kept where kind = 'trial' and key = ?`, [key])
  })
}

// The open database, on either engine: what the stores are made of.
import type { DeleteResult, Kysely, UpdateResult } from 'kysely'
import type { Clock } from '../slack/person.ts'
import type { Health } from './problem.ts'
import type { Tables } from './tables.ts'

export interface Database extends Pick<Health, 'problem'> {
  /** Inside a transaction, only the transaction's own handle may be used. */
  readonly db: Kysely<Tables>
  /** Of this process: on several machines their clocks have to agree. */
  readonly now: Clock
  /** True where rows can be locked one by one (PostgreSQL); SQLite lets one write at a time. */
  readonly hasRowLocks: boolean
  /**
   * Takes what was forgotten out of SQLite's own log, too: true when that is done, false after `withinMs` (a second),
   * and then it goes on for a minute. Never rejects. PostgreSQL does it in its own time; nothing is done there.
   */
  scrub(withinMs?: number): Promise<boolean>
  /** What was asked for before is done first. May be called twice. */
  close(): Promise<void>
}

/** Runs a statement that changes or deletes rows. @returns True where there was one. */
export async function didChange(statement: {
  executeTakeFirst(): Promise<UpdateResult | DeleteResult>
}): Promise<boolean> {
  const result = await statement.executeTakeFirst()
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n
}

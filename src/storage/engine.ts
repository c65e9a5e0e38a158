// Engine: the few SQL expressions that differ between SQLite and PostgreSQL, and the open database.
import {
  type DeleteResult,
  type Expression,
  type Kysely,
  type RawBuilder,
  sql,
  type Transaction,
  type UpdateResult,
} from 'kysely'
import type { Clock } from '../slack/ids.ts'
import type { Health } from './problem.ts'
import type { Tables } from './tables.ts'

export interface Engine {
  /** Now, in milliseconds since 1970, by the clock that all processes on this database share. */
  now(): RawBuilder<number>
  /** The same, where this process has that clock. */
  readonly clock?: Clock
  /** True where rows can be locked one by one (PostgreSQL); SQLite lets one write at a time. */
  readonly hasRowLocks: boolean
  /** Runs a transaction that survives a power cut once it is committed, with all that was written before it. */
  durably<T>(db: Kysely<Tables>, work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>
}

/** The clock is the database's own, read once a statement. */
export const postgresEngine: Engine = {
  // A query of its own, so that an index can be searched for it.
  now: () => sql<number>`(select (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
  hasRowLocks: true,
  durably: (db, work) => db.transaction().execute(work),
}

/** @param now - All processes on one file share its machine's clock. */
export function sqliteEngine(now: Clock): Engine {
  return {
    now: () => sql<number>`${now()}`,
    clock: now,
    hasRowLocks: false,
    // Waiting for the disk stops the process, so that only what needs it does: a crash takes nothing either way.
    durably: (db, work) =>
      db.connection().execute(async (connection) => {
        await sql`pragma synchronous = full`.execute(connection)
        try {
          return await connection.transaction().execute(work)
        } finally {
          await sql`pragma synchronous = normal`.execute(connection)
        }
      }),
  }
}

/** Now, read. @param on - The database, or a transaction on it. */
export async function timeIn({ now, clock }: Engine, on: Kysely<Tables>): Promise<number> {
  return clock?.() ?? (await on.selectNoFrom(now().as('now')).executeTakeFirstOrThrow()).now
}

/** A time from now. @param ms - May be below 0. */
export function fromNow(engine: Engine, ms: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(${engine.now()} + ${ms})`
}

/** The open database, from which the stores are put together. */
export interface Database extends Pick<Health, 'problem'> {
  /** Inside a transaction, only the transaction's own handle may be used. */
  readonly db: Kysely<Tables>
  readonly engine: Engine
  /**
   * Takes what was forgotten out of SQLite's own log, too: true when that is done, false after `withinMs` (a second),
   * and then it goes on by itself. Never rejects. PostgreSQL does it in its own time; nothing is done there.
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

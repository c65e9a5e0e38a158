// What the stores must know of the database below them. All else is the same SQL.
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../slack/ids.ts'

export interface Engine {
  /** Now, in milliseconds since 1970, by the clock that all processes on this database share. */
  now(): RawBuilder<number>
  /** True where rows can be locked one by one (PostgreSQL); SQLite lets one write at a time. */
  readonly hasRowLocks: boolean
  /** A table of what a JSON array holds, one `value` a row: many rows in one statement that is always the same. */
  each(json: Expression<string>): RawBuilder<unknown>
  /** A number in a JSON object; null where there is none. */
  numberIn(json: Expression<string | null>, name: string): RawBuilder<number | null>
  /** The lesser of two numbers in a row. */
  least(one: Expression<number>, other: Expression<number>): RawBuilder<number>
  greatest(one: Expression<number>, other: Expression<number>): RawBuilder<number>
}

/** The clock is the database's own, read once a statement. */
export const postgresEngine: Engine = {
  // A query of its own, so that an index can be searched for it.
  now: () => sql<number>`(select (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
  hasRowLocks: true,
  each: (json) => sql`jsonb_array_elements(${json}::jsonb) as each (value)`,
  numberIn: (json, name) => sql`((${json})::jsonb ->> ${name})::double precision`,
  least: (one, other) => sql`least(${one}, ${other})`,
  greatest: (one, other) => sql`greatest(${one}, ${other})`,
}

/** Among the parameters of a query: the time at which it runs, not the one at which it is built. */
export class TimeNow {
  readonly read: Clock

  constructor(read: Clock) {
    this.read = read
  }
}

/** @param now - All processes on one file share its machine's clock. */
export function sqliteEngine(now: Clock): Engine {
  const timeNow = sql<number>`${new TimeNow(now)}`
  return {
    now: () => timeNow,
    hasRowLocks: false,
    each: (json) => sql`json_each(${json})`,
    numberIn: (json, name) => sql`(${json} ->> ${name})`,
    least: (one, other) => sql`min(${one}, ${other})`,
    greatest: (one, other) => sql`max(${one}, ${other})`,
  }
}

/** A time from now. @param ms - May be below 0. */
export function fromNow(engine: Engine, ms: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(${engine.now()} + ${ms})`
}

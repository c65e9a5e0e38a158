// Engine: the few SQL expressions that differ between SQLite and PostgreSQL, prepared statements, deletes in pieces, and
// the open database.
import { setImmediate as letOthersOn } from 'node:timers/promises'
import {
  type Compilable,
  type CompiledQuery,
  type DeleteResult,
  type Expression,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
  type UpdateResult,
} from 'kysely'
import type { Unwritable } from '../doctor/health.ts'
import { errorCode } from '../errors.ts'
import type { Clock } from '../slack/ids.ts'
import { resultCode } from './sqlite/errors.ts'
import type { Tables } from './tables.ts'
import type { FailureKind } from './write-health.ts'

export interface Engine {
  /** Now, in milliseconds since 1970, by the clock that all processes on this database share. */
  now(): RawBuilder<number>
  /** True where rows can be locked one by one (PostgreSQL); SQLite lets one write at a time. */
  readonly hasRowLocks: boolean
  /** A table of what a JSON array holds, one `value` a row: many rows in one statement that is always the same. */
  each(json: Expression<string>): RawBuilder<unknown>
  /**
   * A number in JSON as `JSON.stringify` writes it, by a name that stands in it once; null where there is none.
   */
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
  // Not read as JSON: that fails for an escaped U+0000, or half of a pair, in any of its texts. In a text, the second quote
  // would be escaped.
  numberIn: (json, name) => sql`substring(${json} from ${`"${name}":([-+.eE0-9]+)`}::text)::double precision`,
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

/** The open database, from which the stores are put together. */
export interface Database {
  /** Connection whose commits survive a power cut. */
  readonly durable: Kysely<Tables>
  /** Connection that may be quicker: a power cut may take its newest commits, a killed process none. */
  readonly quick: Kysely<Tables>
  readonly engine: Engine
  /** True when a table can be read just now. Never throws, and answers within two seconds. */
  isReachable(): Promise<boolean>
  /** False once its file was removed or replaced: what is written goes nowhere. Never throws; a server always is. */
  isInPlace(): Promise<boolean>
  /**
   * Why nothing can be written just now; undefined when something can, as far as is known. While nothing can, a write is
   * tried every ten seconds when this is asked. Never throws, and answers within a second.
   */
  unwritable(): Promise<Unwritable | undefined>
  /** Statements that have failed since it was opened because something is wrong with the database itself. */
  failures(): Readonly<Record<FailureKind, number>>
  /**
   * Takes what was forgotten out of SQLite's own log, too: true when that is done, false after `withinMs` (a second),
   * and then it goes on by itself. Never rejects. PostgreSQL does it in its own time; nothing is done there.
   */
  scrub(withinMs?: number): Promise<boolean>
  /** May be called twice. */
  close(): Promise<void>
}

const takenInSqlite: ReadonlySet<number | undefined> = new Set([
  2067, // SQLITE_CONSTRAINT_UNIQUE
  1555, // SQLITE_CONSTRAINT_PRIMARYKEY
])
/** PostgreSQL's unique_violation. */
const takenInPostgres = '23505'

/** True when a row could not be written because another holds its place in a unique index. */
export function isTaken(error: unknown): boolean {
  return takenInSqlite.has(resultCode(error)) || errorCode(error) === takenInPostgres
}

/**
 * Looks at a row or a place before a change, which another process may change in between. If that happens at each of
 * them, something else is wrong.
 */
export const mostLooks = 50

/** Runs a statement that changes or deletes rows. @returns True where there was one. */
export async function didChange(statement: {
  executeTakeFirst(): Promise<UpdateResult | DeleteResult>
}): Promise<boolean> {
  const result = await statement.executeTakeFirst()
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n
}

/** Stands among the parameters for a value that is known when the query runs. */
class Slot {}

type Values<Given> = { readonly [Name in keyof Given]: string | number | null }

/** The place of each value. */
export type Slots<Given> = <Name extends keyof Given>(name: Name) => Expression<Given[Name]>

/**
 * A query that is built and compiled once. For those that are made for every command. Measured, CPU on SQLite (Node 24):
 * 2 µs for a look-up and 27 for a new card, 9 and 50 where they are built each time.
 * @param build - Called once, at the first use.
 */
export function prepare<Given extends Values<Given>, Row>(
  db: Kysely<Tables>,
  build: (slot: Slots<Given>) => Compilable<Row>,
): (values: Given) => Promise<QueryResult<Row>> {
  const names = new Map<unknown, keyof Given>()
  let compiled: CompiledQuery<Row> | undefined

  function place<Name extends keyof Given>(name: Name): Expression<Given[Name]> {
    const slot = new Slot()
    names.set(slot, name)
    return sql`${slot}`
  }

  return (values) => {
    compiled ??= build(place).compile()
    const parameters = compiled.parameters.map((one) => {
      const name = one instanceof Slot ? names.get(one) : undefined
      return name === undefined ? one : values[name]
    })
    return db.executeQuery({ ...compiled, parameters })
  }
}

const mostAtOnce = 1_000

/**
 * Deletes many rows. SQLite stops the process while it deletes, so it is done in pieces.
 * @param deleteSome - Deletes no more than so many, and says how many those were.
 */
export async function inPieces(
  deleteSome: (most: number) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  for (let deleted = mostAtOnce; deleted === mostAtOnce; ) {
    deleted = Number((await deleteSome(mostAtOnce)).numDeletedRows)
    await letOthersOn()
  }
}

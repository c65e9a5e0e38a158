// A query that is built and compiled once. For those that are made for every command: building one costs as much as
// running it.
import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type Kysely,
  type QueryResult,
  sql,
} from 'kysely'
import type { Tables } from './tables.ts'

/** Stands among the parameters for a value that is known when the query runs. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Values = Readonly<Record<string, string | number | null>>

/** The place of each value. */
export type Slots<Given> = <Name extends keyof Given & string>(name: Name) => Expression<Given[Name]>

/** @param build - Called once, at the first use. */
export function prepare<Given extends Values, Row>(
  db: Kysely<Tables>,
  build: (slot: Slots<Given>) => Compilable<Row>,
): (values: Given) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined
  return (values) => {
    compiled ??= build((name) => sql`${new Slot(name)}`).compile()
    const parameters = compiled.parameters.map((one) => (one instanceof Slot ? values[one.name] : one))
    return db.executeQuery({ ...compiled, parameters })
  }
}

// SQL as the stores write it, the same for both engines: values stand as `?`, columns have underscores, and a select
// renames them to the names of a row’s fields in code.

export type Value = string | number | null

export interface Sql {
  /** Rows, with the names that the statement gives their columns. Takes a select, or a `delete … returning`. */
  all<Row extends object>(text: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** @returns How many rows it made, changed or deleted. */
  run(text: string, values?: readonly Value[]): Promise<number>
}

export interface Engine extends Sql {
  /**
   * Runs a statement as `run` does, and makes its work, and all work before it, survive a power cut. Work of `run` on SQLite
   * survives only the end of the process. PostgreSQL makes no difference between the two.
   */
  runLasting(text: string, values?: readonly Value[]): Promise<number>
  /**
   * Does all of the work, or none of it if it throws. Work that could not be committed may be begun again.
   * @param turn - Any word. Transactions with the same word are made one after the other, in all processes.
   * @param work - May use only the `sql` that it is given: a statement of the engine would wait for this work to end.
   * @param how.isLasting - As `runLasting`.
   */
  transaction<T>(
    turn: string,
    work: (sql: Sql) => Promise<T>,
    how?: { readonly isLasting: boolean },
  ): Promise<T>
  /** A select of the names of all tables. */
  readonly tables: string
}

/** Conditions of which all hold: `{ ownerId: 'U1' }` is `owner_id = ?`. An undefined value makes no condition. */
export function where(by: Readonly<Record<string, Value | undefined>>) {
  const asked = Object.entries(by).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  )
  const column = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return {
    text: asked.map(({ name }) => `${column(name)} = ?`).join(' and '),
    values: asked.map(({ value }) => value),
  }
}

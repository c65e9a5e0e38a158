// SQL as the stores write it, the same for both engines: values stand as `?`, columns have underscores, and a select names
// them as a row is read.

export type Value = string | number | null

export interface Sql {
  /** Rows, as the select names their columns. Also of a statement that deletes them, and returns what it has deleted. */
  all<Row extends object>(text: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** @returns How many rows it made, changed or deleted. */
  run(text: string, values?: readonly Value[]): Promise<number>
}

export interface Engine extends Sql {
  /**
   * Runs a statement as `run` does. What it has done, and whatever was done before it, survives a power cut. On SQLite,
   * later work by `run` survives only a killed process; on PostgreSQL, all survives that the server is set to keep.
   */
  runLasting(text: string, values?: readonly Value[]): Promise<number>
  /**
   * Does all of the work, or nothing where it throws. The work may be begun again where it could not be committed.
   * @param turn - A word: transactions with the same one are made one after the other, in all processes.
   * @param work - May await nothing but its handle: a call of the engine itself would wait for this work to end.
   * @param how.isLasting - As `runLasting`.
   */
  transaction<T>(
    turn: string,
    work: (sql: Sql) => Promise<T>,
    how?: { readonly isLasting: boolean },
  ): Promise<T>
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

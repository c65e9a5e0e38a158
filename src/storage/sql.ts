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
   * Runs a statement as `run` does. What it has done, and whatever was done before it, survives a power cut: on SQLite the
   * others are safe from a killed process alone. PostgreSQL keeps all of them, as its server is set.
   */
  runLasting(text: string, values?: readonly Value[]): Promise<number>
  /**
   * All of the work, or nothing where it throws. It may be begun again where it could not be committed.
   * @param turn - Work with the same word waits for each other, in all processes.
   * @param work - Awaits this handle alone: the engine itself would wait for it.
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

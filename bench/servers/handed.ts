// Tells of each statement that SQLite is asked in this process, and of the rows that it hands over.
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite'

export interface Handed {
  /** Where the database is; null for one in memory. */
  readonly file: string | null
  readonly text: string
  readonly values: readonly SQLInputValue[]
  readonly rows: readonly object[]
}

/** The loop for what is due asks all the time, whatever anybody does. */
const ofLoop = 'select due_at due'

/**
 * @param told - After each statement that is prepared from now on, but for those of the loop for what is due.
 * @returns Stops it.
 */
export function watchHanded(told: (handed: Handed) => void): () => void {
  const { all, run } = StatementSync.prototype
  const { prepare } = DatabaseSync.prototype
  const files = new WeakMap<StatementSync, string | null>()

  DatabaseSync.prototype.prepare = function (...args) {
    const statement = prepare.apply(this, args)
    files.set(statement, this.location())
    return statement
  }

  function tell(statement: StatementSync, values: SQLInputValue[], rows: object[]): void {
    const { sourceSQL: text } = statement
    const file = files.get(statement)
    if (file !== undefined && !text.startsWith(ofLoop)) told({ file, text, values, rows })
  }

  Object.assign(StatementSync.prototype, {
    all(this: StatementSync, ...values: SQLInputValue[]) {
      const rows: object[] = Reflect.apply(all, this, values)
      tell(this, values, rows)
      return rows
    },
    run(this: StatementSync, ...values: SQLInputValue[]) {
      const done: unknown = Reflect.apply(run, this, values)
      tell(this, values, [])
      return done
    },
  })
  return () => {
    Object.assign(StatementSync.prototype, { all, run })
    DatabaseSync.prototype.prepare = prepare
  }
}

/** Each of them is parsed. */
export function documentsAmong(rows: readonly object[]): number {
  return rows[0] !== undefined && 'doc' in rows[0] ? rows.length : 0
}

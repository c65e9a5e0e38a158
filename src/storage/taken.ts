// Uniqueness: when a row's place in a unique index is taken, in the words of both engines.
import { errorCode } from './postgres/errors.ts'
import { resultCode } from './sqlite/errors.ts'

const inSqlite: ReadonlySet<number | undefined> = new Set([
  2067, // SQLITE_CONSTRAINT_UNIQUE
  1555, // SQLITE_CONSTRAINT_PRIMARYKEY
])
const inPostgres = '23505'

/** True when a row could not be written because another holds its place in a unique index. */
export function isTaken(error: unknown): boolean {
  return inSqlite.has(resultCode(error)) || errorCode(error) === inPostgres
}

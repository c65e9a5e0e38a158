// Tells of each statement that a bot's SQLite has run, and how often it has waited for the disk: loaded before the bot,
// in its process.
import { DatabaseSync, StatementSync } from 'node:sqlite'

export interface Done {
  /** It has ended a write: by itself, or as the end of a transaction. */
  readonly isCommit: boolean
  /** How often the thread has waited for the disk meanwhile. */
  readonly syncs: number
}

/** After each call of a method, this is told who has it. */
export function watch<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  names: readonly Name[],
  told: (self: unknown) => void,
): void {
  for (const name of names) {
    const original = owner[name]
    owner[name] = function (this: unknown, ...args: never[]) {
      try {
        return Reflect.apply(original, this, args)
      } finally {
        told(this)
      }
    }
  }
}

const { prepare } = DatabaseSync.prototype

/** Unwatched, and prepared anew each time: what a pragma says is fixed when it is parsed. */
function ask(database: DatabaseSync, sql: string): Readonly<Record<string, unknown>> {
  return prepare.call(database, sql).get() ?? {}
}

/** Of a database, after a statement. */
interface Seen {
  /** Rows written so far. Those that were rolled back count as well, and changes of the schema don't. */
  readonly changes: number
  /** Pages of its log that are not in its file yet. */
  readonly waiting: number
}
const seen = new WeakMap<DatabaseSync, Seen>()
const nothing: Seen = { changes: 0, waiting: 0 }

function look(database: DatabaseSync): Seen {
  const { changes } = ask(database, 'select total_changes() as changes')
  const { log, checkpointed } = ask(database, 'pragma wal_checkpoint(noop)')
  return { changes: Number(changes), waiting: Number(log) - Number(checkpointed) }
}

/** When SQLite syncs: sqlite.org/pragma.html#pragma_synchronous; `walFrames` and `walCheckpoint` in its src/wal.c. */
function whatIsDone(database: DatabaseSync): Done {
  if (!database.isOpen || database.isTransaction) return { isCommit: false, syncs: 0 }
  const before = seen.get(database) ?? nothing
  const now = look(database)
  seen.set(database, now)
  const isCommit = now.changes !== before.changes
  const { synchronous } = ask(database, 'pragma synchronous')
  const ofCommit = isCommit && Number(synchronous) >= full ? 1 : 0
  // With its first pages.
  const ofNewLog = isCommit && before.waiting === 0 ? 1 : 0
  // The log before it, and the file after it.
  const ofCheckpoint = now.waiting < before.waiting ? 2 : 0
  return { isCommit, syncs: ofCommit + ofNewLog + ofCheckpoint }
}
/** With `normal`, which is less, a commit does not wait. */
const full = 2

/** Only for a database whose log is a WAL. */
export function watchStatements(told: (done: Done) => void): void {
  const databases = new WeakMap<object, DatabaseSync>()
  DatabaseSync.prototype.prepare = function (...args) {
    const statement = prepare.apply(this, args)
    databases.set(statement, this)
    return statement
  }
  watch(StatementSync.prototype, ['run', 'all', 'get', 'iterate'], (self) => {
    const database = self instanceof StatementSync ? databases.get(self) : undefined
    if (database !== undefined) told(whatIsDone(database))
  })
  watch(DatabaseSync.prototype, ['exec'], (self) => {
    if (self instanceof DatabaseSync) told(whatIsDone(self))
  })
}

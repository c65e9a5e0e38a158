// Kysely's own SQLite dialect over node:sqlite, on one connection. Another program's lock is waited for without stopping the
// process, and whatever else the process does has its turn between statements.
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as letOthersOn } from 'node:timers/promises'
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type Logger,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { retryFor } from '../../work/retry.ts'
import type { Problem } from '../problem.ts'
import type { Tables } from '../tables.ts'

/** @param patienceMs - How long another program's lock is waited for. */
export function kyselyOn(
  database: DatabaseSync,
  {
    log = () => undefined,
    patienceMs = usualPatienceMs,
  }: { readonly log?: Logger; readonly patienceMs?: number } = {},
): Kysely<Tables> {
  const adapted = adapt(database)
  const dialect = new SqliteDialect({ database: adapted })
  dialect.createDriver = () => new Driver(adapted, patienceMs)
  dialect.createAdapter = () => new Adapter()
  return new Kysely({ dialect, log, plugins: [new CamelCasePlugin()] })
}

/** What Kysely expects of a connection. A statement that is parsed once costs half as much. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()

  function prepare(text: string): SqliteStatement {
    const statement = database.prepare(text)
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...values.map(bindable)),
      run: (values) => statement.run(...values.map(bindable)),
      iterate: (values) => statement.iterate(...values.map(bindable)),
    }
  }

  return {
    close: () => database.close(),
    prepare(text) {
      // Some pragmas take effect while they are parsed.
      if (text.startsWith('pragma')) return prepare(text)
      const known = prepared.get(text) ?? prepare(text)
      prepared.set(text, known)
      return known
    },
  }
}

function bindable(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new TypeError(`SQLite cannot keep a ${typeof value}`)
}

class Adapter extends SqliteAdapter {
  /** SQLite does roll back `create table`. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Quick statements share a turn. */
const turnMs = 5

class Driver extends SqliteDriver {
  readonly #patienceMs: number
  /** When others had their last turn. */
  #turnAt = 0

  constructor(database: SqliteDatabase, patienceMs: number) {
    super({ database })
    this.#patienceMs = patienceMs
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const one = await super.acquireConnection()
    return {
      executeQuery: <Row>(query: CompiledQuery) =>
        onceUnlocked(() => one.executeQuery<Row>(query), this.#patienceMs),
      streamQuery: (query, size) => one.streamQuery(query, size),
    }
  }
  /** Others come on in between: a statement of SQLite stops the process. */
  override async releaseConnection(): Promise<void> {
    if (performance.now() - this.#turnAt < turnMs) return
    await letOthersOn()
    this.#turnAt = performance.now()
  }
  /** At once: a transaction that reads first could fail half way when another process has written meanwhile. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  /** Some errors, as of a full disk, have rolled back already; the error that led here is the one to be told. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined)
  }
}

const usualPatienceMs = 10_000

/** Does the work once no other connection holds the lock, without stopping the process meanwhile. */
export function onceUnlocked<T>(work: () => T | Promise<T>, withinMs = usualPatienceMs): Promise<T> {
  return retryFor(withinMs, work, (error) => problemIn(error) === 'locked')
}

/** What an error of SQLite says of the database (sqlite.org/rescode.html). */
export function problemIn(error: unknown): Problem | 'broken' | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  const code = Number(error.errcode)
  // The file is gone from its place; and no room for the index of the log.
  return code === 1032 ? 'moved' : code === 4874 ? 'full' : byPrimaryCode[code & 0xff]
}
// BUSY, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB.
const byPrimaryCode: Readonly<Record<number, Problem | 'broken'>> = {
  ...{ 5: 'locked', 7: 'broken', 8: 'read-only', 10: 'full' },
  ...{ 11: 'broken', 13: 'full', 14: 'away', 26: 'broken' },
}

// Kysely's SQLite dialect with three differences: a locked database is waited for asynchronously; while it is, other
// statements of this process go on (readers are not blocked by a writer in WAL mode); and writes of the same moment go
// into one transaction.
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as immediately } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createWork } from '../../work/under-way.ts'
import { TimeNow } from '../engine.ts'
import { isLocked, onceUnlocked } from './errors.ts'
import { asKyselyDatabase } from './file.ts'

export function sqliteDialect(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class Adapter extends SqliteAdapter {
  /** True turns off Kysely's own queue, in which readers would stand behind a writer that waits for a lock. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
  /** SQLite does roll back `create table`; true makes the migrator put all it does into one transaction. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const writeKinds: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

/** True for a write that returns no rows. */
function isWrite({ query }: CompiledQuery): boolean {
  return writeKinds.has(query.kind) && !('returning' in query && query.returning !== undefined)
}

/** Puts the time of now into a query that may run a moment later. */
function asOfNow(query: CompiledQuery): CompiledQuery {
  if (!query.parameters.some((one) => one instanceof TimeNow)) return query
  const parameters = query.parameters.map((one) => (one instanceof TimeNow ? one.read() : one))
  return { ...query, parameters }
}

/**
 * Hands out Kysely's one connection under many faces, of which only one at a time may be in a transaction.
 * @param onError - Called with each error that a caller gets.
 */
export function createSqliteDriver(
  database: DatabaseSync,
  onError: (error: unknown) => void = () => undefined,
): Driver {
  const statements = asKyselyDatabase(database)
  const driver = new SqliteDriver({ database: statements })
  let transaction:
    | { readonly owner: DatabaseConnection; readonly ended: PromiseWithResolvers<void> }
    | undefined

  function isFreeFor(asker: DatabaseConnection | undefined): boolean {
    return transaction === undefined || transaction.owner === asker
  }

  /** `work` must do its whole work synchronously: then nothing can come between the check and it. */
  function runUnlocked<T>(asker: DatabaseConnection | undefined, work: () => Promise<T>): Promise<T> {
    return onceUnlocked(async () => {
      while (!isFreeFor(asker)) await transaction?.ended.promise
      return work()
    })
  }

  /**
   * As `runUnlocked`, and at once where nothing stands in the way, as is nearly always so. Counted for a look-up: 2
   * promises, 9 with a loop that is not needed.
   * @param told - Of what whoever asked gets as an error.
   */
  function run<T>(
    asker: DatabaseConnection | undefined,
    work: () => Promise<T>,
    told: (error: unknown) => void = onError,
  ): Promise<T> {
    const fail = (error: unknown): never => {
      told(error)
      throw error
    }
    if (!isFreeFor(asker)) return runUnlocked(asker, work).catch(fail)
    return work().catch((error: unknown) =>
      isLocked(error) ? runUnlocked(asker, work).catch(fail) : fail(error),
    )
  }

  const writes = createSharedWrites({
    database,
    // Each write of a moment is told of by itself.
    run: (work) =>
      run(
        undefined,
        async () => work(),
        () => undefined,
      ),
    onError,
    write({ sql, parameters }) {
      const { changes } = statements.prepare(sql).run(parameters)
      return { numAffectedRows: BigInt(changes), rows: [] }
    },
  })

  function end(): void {
    transaction?.ended.resolve()
    transaction = undefined
  }

  return {
    init: () => driver.init(),
    async acquireConnection() {
      const inner = await driver.acquireConnection()
      const connection: DatabaseConnection = {
        executeQuery: (query) =>
          transaction?.owner !== connection && isWrite(query)
            ? writes.add(asOfNow(query))
            : run(connection, () => inner.executeQuery(query)),
        streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize),
      }
      return connection
    },
    releaseConnection: async () => {},
    async beginTransaction(connection) {
      await run(connection, async () => {
        // A transaction that reads first and writes later could fail half way when another has written meanwhile.
        database.exec('begin immediate')
        transaction = { owner: connection, ended: Promise.withResolvers() }
      })
    },
    async commitTransaction(connection) {
      await run(connection, async () => database.exec('commit'))
      end()
    },
    async rollbackTransaction(connection) {
      if (transaction?.owner !== connection) return
      try {
        // Some errors (a full disk) have rolled back already.
        if (database.isTransaction) database.exec('rollback')
      } finally {
        end()
      }
    },
    // Whoever opened the connection closes it: Kysely would not close one that it never used.
    async destroy() {
      // What was asked for just before gets as far as the writes first.
      await immediately()
      await writes.done()
    },
  }
}

/**
 * Writes that are asked for in the same moment go into one transaction, as many people's commands write at once. Each
 * write still succeeds or fails for itself. Measured, CPU for each of fifty writes (Node 24): 10 µs where they have to be
 * on the disk and 6 where not, 153 and 25 with a commit each.
 */
export interface SharedWrites {
  /** Resolves once it is committed. */
  add(query: CompiledQuery): Promise<QueryResult<never>>
  /** Resolves when nothing waits any more. Never rejects. */
  done(): Promise<void>
}

interface Waiting extends PromiseWithResolvers<QueryResult<never>> {
  readonly query: CompiledQuery
}

/** What became of one write; it counts only when the transaction is committed. */
type Outcome =
  | { readonly kind: 'done'; readonly result: QueryResult<never> }
  | { readonly kind: 'failed'; readonly error: unknown }

/**
 * @param room.write - Runs one, synchronously.
 * @param room.run - Runs `work` when no transaction is open, and again while the database is locked.
 * @param room.onError - Called with each error that the caller of a write gets.
 */
export function createSharedWrites(room: {
  readonly database: Pick<DatabaseSync, 'exec' | 'isTransaction'>
  readonly write: (query: CompiledQuery) => QueryResult<never>
  readonly run: <T>(work: () => T) => Promise<T>
  readonly onError?: (error: unknown) => void
}): SharedWrites {
  const { database, write, run, onError } = room
  let waiting: Waiting[] = []
  const underWay = createWork()

  function writeAll(queries: readonly CompiledQuery[]): readonly Outcome[] {
    const [only] = queries
    if (queries.length === 1 && only !== undefined) return [{ kind: 'done', result: write(only) }]
    database.exec('begin immediate')
    try {
      const outcomes = queries.map(tryOne)
      database.exec('commit')
      return outcomes
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  function tryOne(query: CompiledQuery): Outcome {
    try {
      return { kind: 'done', result: write(query) }
    } catch (error) {
      // Some errors (a full disk) roll back all that came before as well.
      if (!database.isTransaction) throw error
      return { kind: 'failed', error }
    }
  }

  function fail({ reject }: Waiting, error: unknown): void {
    onError?.(error)
    reject(error)
  }

  function begin(): void {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    const written = run(() => writeAll(batch.map(({ query }) => query))).then(
      (outcomes) => {
        for (const [index, one] of batch.entries()) {
          const outcome = outcomes[index]
          if (outcome?.kind === 'done') one.resolve(outcome.result)
          else fail(one, outcome?.error)
        }
      },
      (error: unknown) => {
        for (const one of batch) fail(one, error)
      },
    )
    void underWay.track(written)
  }

  return {
    add(query) {
      const one = { query, ...Promise.withResolvers<QueryResult<never>>() }
      waiting.push(one)
      if (waiting.length === 1) setImmediate(begin)
      return one.promise
    },
    async done() {
      begin()
      await underWay.done()
    },
  }
}

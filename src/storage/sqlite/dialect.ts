// Kysely's SQLite dialect with two differences: a locked database is waited for asynchronously; and while it is, other
// statements of this process go on (readers are not blocked by a writer in WAL mode).
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as immediately } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { onceUnlocked } from './errors.ts'
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

/**
 * Hands out Kysely's one connection under many faces, of which only one at a time may be in a transaction.
 * @param onError - Called with each error that a caller gets.
 */
export function createSqliteDriver(
  database: DatabaseSync,
  onError: (error: unknown) => void = () => undefined,
): Driver {
  const driver = new SqliteDriver({ database: asKyselyDatabase(database) })
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

  /** At once where nothing stands in the way, as is nearly always so. */
  async function run<T>(asker: DatabaseConnection | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await runUnlocked(asker, work)
    } catch (error) {
      onError(error)
      throw error
    }
  }

  function end(): void {
    transaction?.ended.resolve()
    transaction = undefined
  }

  return {
    init: () => driver.init(),
    async acquireConnection() {
      const inner = await driver.acquireConnection()
      const connection: DatabaseConnection = {
        executeQuery: (query) => run(connection, () => inner.executeQuery(query)),
        streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize),
      }
      return connection
    },
    // Others come on in between: a statement of SQLite stops the process.
    releaseConnection: () => immediately(),
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
      // What was asked for just before is done first.
      await immediately()
    },
  }
}

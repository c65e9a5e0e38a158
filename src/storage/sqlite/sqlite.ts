// Opens a SQLite file as a database.
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyConfig,
  type QueryResult,
  sql,
} from 'kysely'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'
import type { Database } from '../database.ts'
import { sqliteEngine } from '../engine.ts'
import { migrate } from '../migrate.ts'
import { patiently } from '../patience.ts'
import type { Tables } from '../tables.ts'
import { createWriteHealth, tryWrite } from '../write-health.ts'
import { createSqliteDriver, sqliteDialect } from './dialect.ts'
import { asConfigError, failureOf, isLocked } from './errors.ts'
import { connect, type Durability, prepareFile, sqlitePath, watchPlace } from './file.ts'
import { createScrub } from './scrub.ts'

/**
 * @param url - `file:` and a path; see `sqlitePath`.
 * @throws ConfigError when the file cannot be opened, or belongs to a newer version of Bellhop.
 */
export async function openSqlite(url: string, now: Clock, log?: Log): Promise<Database> {
  const path = sqlitePath(url)
  try {
    prepareFile(path)
    const health = createWriteHealth({ tryWrite: () => tryWrite(durable.db), log, now })
    const onError = (error: unknown) => health.failed(failureOf(error), error)
    const durable = await open(path, 'FULL', onError)
    try {
      const migrated = await migrate(durable.db, { where: path })
      const isInPlace = await watchPlace(path, log, now)
      return join(durable, await open(path, 'NORMAL', onError), {
        ...{ migrated, isInPlace, now, log },
        unwritable: health.unwritable,
        failures: health.counts,
      })
    } catch (error) {
      await durable.close()
      throw error
    }
  } catch (error) {
    throw asConfigError(error, path)
  }
}

/** Two connections, because waiting for the disk stops the process. */
function join(
  durable: Connection,
  quick: Connection,
  {
    now,
    log,
    ...rest
  }: Pick<Database, 'migrated' | 'isInPlace' | 'unwritable' | 'failures'> & {
    readonly now: Clock
    readonly log: Log | undefined
  },
): Database {
  const scrub = createScrub({
    log,
    async empty() {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(quick.db)
      return rows[0]?.busy === 0
    },
  })
  return {
    ...rest,
    durable: durable.db,
    quick: quick.db,
    engine: sqliteEngine(now),
    scrub: scrub.now,
    async isReachable() {
      try {
        await sql`select name from kysely_migration limit 1`.execute(quick.db)
        return true
      } catch {
        return false
      }
    },
    async close() {
      await scrub.stop()
      await quick.close()
      await durable.close()
    },
  }
}

interface Connection {
  readonly db: Kysely<Tables>
  close(): Promise<void>
}

async function open(
  path: string,
  durability: Durability,
  onError: (error: unknown) => void,
): Promise<Connection> {
  const database = await patiently(() => connect(path, durability), isLocked)
  const driver = createSqliteDriver(database, onError)
  await driver.init()
  const db = new DirectKysely({ dialect: sqliteDialect(driver) }, await driver.acquireConnection())
  return {
    db,
    async close() {
      await db.destroy()
      // Kysely ends only what it has begun, and what is compiled passes it by.
      await driver.destroy()
      if (database.isOpen) database.close()
    },
  }
}

/** A query that is compiled already goes straight to the file: Kysely's own way there costs as much as the query. */
class DirectKysely extends Kysely<Tables> {
  readonly #connection: DatabaseConnection

  constructor(config: KyselyConfig, connection: DatabaseConnection) {
    super(config)
    this.#connection = connection
  }

  override executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery('compile' in query ? query.compile() : query)
  }
}

// Opens a SQLite file as a database.
import { Kysely, sql } from 'kysely'
import type { Clock } from '../slack/ids.ts'
import type { Database } from './database.ts'
import { sqliteEngine } from './engine.ts'
import { migrate } from './migrate.ts'
import { patiently } from './patience.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isLocked } from './sqlite-errors.ts'
import { connect, type Durability, prepareFile, sqlitePath } from './sqlite-file.ts'
import { asConfigError } from './sqlite-open-error.ts'
import type { Tables } from './tables.ts'

/**
 * @param url - `file:` and a path; see `sqlitePath`.
 * @throws ConfigError when the file cannot be opened, or belongs to a newer version of Bellhop.
 */
export async function openSqlite(url: string, now: Clock): Promise<Database> {
  const path = sqlitePath(url)
  try {
    prepareFile(path)
    const durable = await open(path, 'FULL')
    try {
      const migrated = await migrate(durable.db, { where: path })
      return join(durable, await open(path, 'NORMAL'), migrated, now)
    } catch (error) {
      await durable.close()
      throw error
    }
  } catch (error) {
    throw asConfigError(error, path)
  }
}

/** Two connections, because waiting for the disk stops the process. */
function join(durable: Connection, quick: Connection, migrated: readonly string[], now: Clock): Database {
  return {
    durable: durable.db,
    quick: quick.db,
    engine: sqliteEngine(now),
    migrated,
    async isReachable() {
      try {
        await sql`select name from kysely_migration limit 1`.execute(quick.db)
        return true
      } catch {
        return false
      }
    },
    async close() {
      await quick.close()
      await durable.close()
    },
  }
}

interface Connection {
  readonly db: Kysely<Tables>
  close(): Promise<void>
}

async function open(path: string, durability: Durability): Promise<Connection> {
  const database = await patiently(() => connect(path, durability), isLocked)
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
  return {
    db,
    async close() {
      await db.destroy()
      if (database.isOpen) database.close()
    },
  }
}

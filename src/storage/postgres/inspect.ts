// How a PostgreSQL database is.
import { Kysely, sql } from 'kysely'
import type { Health } from '../../doctor/health.ts'
import { pendingMigrations } from '../migrate.ts'
import { keyChecksIn } from '../stores/key-checks.ts'
import type { Tables } from '../tables.ts'
import { postgresDialect } from './dialect.ts'
import { asConfigError, whereIs } from './errors.ts'
import { openConnections } from './pool.ts'
import { checkServer, mustMakeTables } from './server.ts'
import type { Manners } from './session.ts'

const atOnce: Manners = { patienceMs: 0, answerMs: 3_000 }

/** What the transaction is ended with, so that nothing of it stays. */
class Undone extends Error {}

/** @throws ConfigError as `inspectStorage`. */
export async function inspectPostgres(url: string): Promise<Health> {
  const connections = openConnections(url, undefined)
  const db = new Kysely<Tables>({ dialect: postgresDialect(connections, atOnce) })
  try {
    const where = whereIs(url)
    const schema = await checkServer(db, where)
    const { made, pending } = await pendingMigrations(db, { where, schema })
    await (pending.length > 0 ? mustMakeTables(db) : tryWrite(db))
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version`.execute(db)
    const version = rows[0]?.version.split(' ')[0]
    const keyChecks = pending.length > 0 ? [] : await keyChecksIn(db).all()
    return {
      engine: `PostgreSQL ${version}`,
      isNew: made.length === 0,
      pending,
      freeBytes: undefined,
      keyChecks,
    }
  } catch (error) {
    throw asConfigError(error, url)
  } finally {
    await connections.end()
  }
}

async function tryWrite(db: Kysely<Tables>): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      const row = { workspace_id: '', user_id: '', id: 'doctor', what: '', since: 0 }
      await transaction.insertInto('waiting').values(row).execute()
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
}

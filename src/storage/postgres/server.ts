// Looks at a PostgreSQL server: whether it can do what Bellhop needs, and how the database there is.
import { Kysely, sql } from 'kysely'
import type { Health } from '../../doctor/health.ts'
import { ConfigError } from '../../errors.ts'
import { pendingMigrations } from '../migrate.ts'
import { keyChecksIn } from '../stores/key-checks.ts'
import type { Tables } from '../tables.ts'
import type { Manners } from './dialect.ts'
import { postgresDialect } from './dialect.ts'
import { asConfigError, whereIs } from './errors.ts'
import { openConnections } from './pool.ts'

const OLDEST_MAJOR = 14

/**
 * Whether the server can do what Bellhop needs.
 * @param where - Names the database in messages.
 * @returns The schema in which its tables are made.
 * @throws ConfigError when it is too old, only reads, or cannot keep every text.
 */
export async function checkServer(db: Kysely<Tables>, where: string): Promise<string> {
  const { rows } = await sql<Server>`
    select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') as reads_only,
      current_schema() as schema`.execute(db)
  const [server] = rows
  const schema = server?.schema ?? undefined
  const problem = server && problemOf(server)
  if (problem === undefined && schema !== undefined) return schema
  throw new ConfigError([`DATABASE_URL: ${where} ${problem ?? noSchema}`])
}

/** @throws an error of the code with which the server itself refuses, when tables cannot be made. */
export async function mustMakeTables(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select has_schema_privilege(current_schema(), 'create') as may`.execute(db)
  if (rows[0]?.may !== true) throw Object.assign(new Error('no right to make tables'), { code: '42501' })
}

interface Server {
  readonly major: number
  readonly encoding: string
  readonly reads_only: string
  readonly schema: string | null
}

function problemOf({ major, encoding, reads_only }: Server): string | undefined {
  if (major < OLDEST_MAJOR) {
    return `is PostgreSQL ${major}; Bellhop needs ${OLDEST_MAJOR} or newer. Upgrade it, or name another.`
  }
  if (encoding !== 'UTF8') {
    return `uses the encoding ${encoding}, which can’t store every text. Create a database with the encoding UTF8.`
  }
  if (reads_only === 'on') {
    return 'is read-only. Name the server that accepts writes, not a standby.'
  }
  return undefined
}

const noSchema =
  'has no schema for the tables. Let the user use the schema public, or name another one in search_path.'

const atOnce: Manners = { triedForMs: 0, answerMs: 3_000 }

/** What the transaction is ended with, so that nothing of it stays. */
class Undone extends Error {}

/** How the database is. @throws ConfigError as `inspectStorage`. */
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

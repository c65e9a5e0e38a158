// A PostgreSQL database: a pool of `pg` under Kysely's own dialect. A process on SQLite loads none of it.
import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresDialect, PostgresDriver, sql } from 'kysely'
import pg from 'pg'
import { ConfigError, errorCode } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../slack/person.ts'
import { retryFor } from '../../work/retry.ts'
import { type Inspection, lookAt, migrate } from '../migrate.ts'
import { type Database, type Health, type Problem, refusalFor, watchHealth } from '../problem.ts'
import type { Tables } from '../tables.ts'

/**
 * @param url - `postgres://` or `postgresql://`; its query is `pg`'s.
 * @param how.startingMs - How long a server is waited for that is not up yet: containers start in any order.
 * @throws ConfigError, without the url, when the server cannot be reached or used.
 */
export async function openPostgres(
  url: string,
  how: { readonly now: Clock; readonly log?: Log | undefined; readonly startingMs?: number },
): Promise<Database> {
  const { now, log, startingMs = 30_000 } = how
  const health = watchHealth({ db: () => db, sort: problemIn, whenSilent: 'away', log, now })
  // It belongs to the transaction: a pooler in between cannot hand it to others.
  const locking = sql`select pg_advisory_xact_lock(hashtext('bellhop migrations'))`
  await atStart(url, { patienceMs: startingMs, health }, (db, schema) =>
    migrate(db, { where: whereIs(url), schema, lock: (transaction) => locking.execute(transaction) }),
  )
  const { db, close } = connect(url, { answerMs: 5_000, patienceMs: 10_000, health })
  return { db, now, hasRowLocks: true, problem: health.problem, scrub: async () => true, close }
}

/** Looks at the database without changing anything. @throws ConfigError as `inspectStorage`. */
export function inspectPostgres(url: string): Promise<Inspection> {
  const engine = sql<{ engine: string }>`
    select 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1) as engine`
  return atStart(url, { patienceMs: 0 }, (db, schema) => lookAt(db, { where: whereIs(url), schema, engine }))
}

/** On connections of its own, on which a statement may take as long as a migration takes. */
async function atStart<T>(
  url: string,
  how: Connecting,
  work: (db: Kysely<Tables>, schema: string) => Promise<T>,
): Promise<T> {
  const { db, close } = connect(url, how)
  try {
    const { rows } = await sql<{ schema: string | null; readsOnly: string }>`
      select current_schema() as schema, current_setting('transaction_read_only') as reads_only`.execute(db)
    if (rows[0]?.readsOnly === 'on') throw refusalFor(whereIs(url), 'read-only')
    return await work(db, rows[0]?.schema ?? '')
  } catch (error) {
    throw asConfigError(error, url)
  } finally {
    await close()
  }
}

interface Connecting {
  /** How long a server that is away is waited for before a statement is sent. */
  readonly patienceMs: number
  /** A statement takes no longer. Default: as long as it takes. */
  readonly answerMs?: number
  readonly health?: Health
}

function connect(
  url: string,
  { answerMs, patienceMs, health }: Connecting,
): { readonly db: Kysely<Tables>; close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'bellhop',
    // Statements are short; small servers allow 20 connections in all.
    max: 5,
    connectionTimeoutMillis: 5_000,
    query_timeout: answerMs,
    // A server that another has taken the place of is left within a minute.
    maxLifetimeSeconds: 60,
    keepAlive: true,
    types: { getTypeParser },
  })
  // An 'error' that nobody listens to ends the process. The pool listens to idle connections only.
  const lost = (error: Error) => void (ended === undefined && health?.failed(error))
  pool.on('error', lost)
  pool.on('connect', (client) => void client.on('error', lost))
  // A statement that has got no answer would keep the next one waiting.
  pool.on('release', (_error, client) => {
    if ('readyForQuery' in client && client.readyForQuery !== true) void client.end()
  })
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => new Driver(pool, patienceMs, health)
  dialect.createAdapter = () => new Adapter()
  const db = new Kysely<Tables>({
    dialect,
    log: (event) => health?.listen(event),
    plugins: [new CamelCasePlugin()],
  })
  let ended: Promise<void> | undefined
  return { db, close: () => (ended ??= pool.end()) }
}

class Adapter extends PostgresAdapter {
  // Kysely's own lock belongs to a session, which a connection pooler would hand to others.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Driver extends PostgresDriver {
  readonly #patienceMs: number
  readonly #health: Health | undefined

  constructor(pool: pg.Pool, patienceMs: number, health: Health | undefined) {
    super({ pool })
    this.#patienceMs = patienceMs
    this.#health = health
  }
  /** A server that restarts is waited for before anything is sent; what was under way then fails. */
  override acquireConnection() {
    const mayPass = (error: unknown) => {
      this.#health?.failed(error)
      return problemIn(error) === 'away'
    }
    return retryFor(this.#patienceMs, () => super.acquireConnection(), mayPass)
  }
  /** A connection that broke has rolled back by itself; the error that led here is the one to be told. */
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined)
  }
}

/** Reads `bigint` as a number: all that Bellhop keeps in one is milliseconds. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)

/** What an error says of the database (postgresql.org/docs/current/errcodes-appendix.html). */
export function problemIn(error: unknown): Problem | 'broken' | undefined {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error)
  // The client's own errors have no code.
  if (code === undefined) return clientLost.test(error.message) ? 'away' : undefined
  if (code === '25006') return 'read-only'
  if (code === '53100') return 'full'
  if (networkLost.test(code) || serverLost.test(code)) return 'away'
  // No resources; a fault of its system, or of its own.
  return /^(53|58|XX)/.test(code) ? 'broken' : undefined
}
const clientLost = /^(Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed))/
const networkLost = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
// 57P01 to 03: shutting down, crashed, starting up. 53300: too many connections. 08: a connection's failures.
const serverLost = /^(57P0[123]|53300|08...)$/

/** Names the database in messages: `bellhop at db.example.com:5433`. What stands in the query goes first, as for `pg`. */
function whereIs(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  const server = searchParams.get('host') ?? (host || 'localhost')
  return `${decodeURIComponent(pathname.slice(1))} at ${decodeURIComponent(server)}`
}

/** Why a database could not be opened, in the words of the server or of `pg`. Never with the url: it holds a password. */
function asConfigError(error: unknown, url: string): unknown {
  if (error instanceof ConfigError || !(error instanceof Error)) return error
  const found = problemIn(error)
  if (found === 'read-only' || found === 'full') return refusalFor(whereIs(url), found)
  return refusalFor(whereIs(url), `can’t be used: ${error.message || errorCode(error)}. ${whatToCheck}`)
}

const whatToCheck =
  'Check that PostgreSQL runs there, and host, port, user, password, database and TLS (sslmode, sslrootcert) in DATABASE_URL. Its user must be allowed to make tables.'

// A PostgreSQL database: a pool of `pg` as an engine. A process on SQLite loads none of it.
import pg from 'pg'
import { ConfigError, errorCode } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../slack/person.ts'
import { retryFor } from '../../work/retry.ts'
import { type Inspection, lookAt, migrate } from '../migrate.ts'
import {
  type Database,
  type Health,
  type Problem,
  problemWords,
  refusalFor,
  watchHealth,
} from '../problem.ts'
import type { Engine, Sql, Value } from '../sql.ts'

/**
 * @param url - `postgres://` or `postgresql://`; its query is `pg`'s.
 * @param how.startingMs - How long to wait for a server that is not up yet: containers start in any order.
 * @throws ConfigError, without the url, when the server cannot be reached or used.
 */
export async function openPostgres(
  url: string,
  how: { readonly now: Clock; readonly log?: Log | undefined; readonly startingMs?: number },
): Promise<Database> {
  const { now, log, startingMs = 30_000 } = how
  const health = watchHealth({ sort: problemIn, whenSilent: 'away', log, now })
  await atStart(url, { patienceMs: startingMs, health }, (db) => migrate(db, whereIs(url)))
  const { db, close } = poolOf(url, { answerMs: 5_000, patienceMs: 10_000, health })
  return { db, now, problem: () => health.problem(db), scrub: async () => undefined, close }
}

/** As `inspectStorage`. */
export function inspectPostgres(url: string): Promise<Inspection> {
  const version = `select 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1) as engine`
  return atStart(url, { patienceMs: 0 }, (db) => lookAt(db, version, whereIs(url)))
}

/** Does work on connections of its own, on which statements have no time limit, as a migration may take long. */
async function atStart<T>(
  url: string,
  how: Connecting,
  work: (db: Engine) => Promise<T>,
): Promise<T> {
  const { db, close } = poolOf(url, how)
  try {
    const [found] = await db.all<{ state: string }>(
      `select current_setting('transaction_read_only') state`,
    )
    if (found?.state === 'on') throw refusalFor(whereIs(url), problemWords['read-only'])
    return await work(db)
  } catch (error) {
    throw asConfigError(error, url)
  } finally {
    await close()
  }
}

interface Connecting {
  /** How long to wait, before a statement is sent, for a server that is away. */
  readonly patienceMs: number
  /** The longest time for a statement. Default: as long as it takes. */
  readonly answerMs?: number
  readonly health?: Health
}

/**
 * Makes a pool, whose connections open when they are needed. Each call of the engine takes a connection (if the server is
 * away, it waits for that), tells `health` how the call went, and gives the connection back.
 */
function poolOf(url: string, { answerMs, patienceMs, health }: Connecting) {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'bellhop',
    // Statements are short; small servers allow 20 connections in all.
    max: 5,
    connectionTimeoutMillis: 5_000,
    query_timeout: answerMs,
    // A minute at most, so that a server that takes another one’s place is soon used.
    maxLifetimeSeconds: 60,
    keepAlive: true,
    types: { getTypeParser },
  })
  // An 'error' event without a listener ends the process. The pool listens only to connections that are idle.
  const lost = (error: Error) => void (ended === undefined && health?.failed(error))
  pool.on('error', lost)
  pool.on('connect', (client) => void client.on('error', lost))
  // Connections whose statement got no answer are closed: their next statement would wait for that answer.
  pool.on('release', (_error, client) => {
    if ('readyForQuery' in client && client.readyForQuery !== true) void client.end()
  })
  let ended: Promise<void> | undefined

  /** Does work on a connection. Waits for a server that is away, but only for a connection: work that has begun fails. */
  async function onConnection<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const mayPass = (error: unknown) => {
      health?.failed(error)
      return problemIn(error) === 'away'
    }
    const client = await retryFor(patienceMs, () => pool.connect(), mayPass)
    try {
      const result = await work(sqlOn(client))
      health?.succeeded()
      return result
    } catch (error) {
      health?.failed(error)
      throw error
    } finally {
      client.release()
    }
  }

  const run: Sql['run'] = (text, values) => onConnection((sql) => sql.run(text, values))
  const db: Engine = {
    all: (text, values) => onConnection((sql) => sql.all(text, values)),
    run,
    runLasting: run,
    transaction: (turn, work) =>
      onConnection(async (sql) => {
        await sql.run('begin')
        try {
          // The lock ends with the transaction. One that belongs to a connection could pass to others behind a pooler.
          await sql.all('select pg_advisory_xact_lock(hashtext(?))', [turn])
          const result = await work(sql)
          await sql.run('commit')
          return result
        } catch (error) {
          // A broken connection can’t be told to roll back, and the server does it by itself. The first error is thrown.
          await sql.run('rollback').catch(() => undefined)
          throw error
        }
      }),
    tables:
      'select tablename as name from pg_catalog.pg_tables where schemaname = current_schema()',
  }
  return { db, close: () => (ended ??= pool.end()) }
}

/** Statements with `$1` and so on, by their text with `?`. */
const numbered = new Map<string, string>()

function sqlOn(client: pg.PoolClient): Sql {
  function query<Row extends object>(text: string, values: readonly Value[] = []) {
    let count = 0
    const ours = numbered.get(text) ?? text.replaceAll('?', () => `$${++count}`)
    numbered.set(text, ours)
    return client.query<Row>(ours, [...values])
  }
  return {
    all: async <Row extends object>(text: string, values?: readonly Value[]) =>
      (await query<Row>(text, values)).rows,
    run: async (text, values) => (await query(text, values)).rowCount ?? 0,
  }
}

/** Reads `bigint` as a number: all that Bellhop keeps in one is milliseconds. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)

/** The problem of the database that an error tells of (postgresql.org/docs/current/errcodes-appendix.html). */
export function problemIn(error: unknown): Problem | 'broken' | undefined {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error)
  // The client's own errors have no code.
  if (code === undefined) return clientLost.test(error.message) ? 'away' : undefined
  if (code === '25006') return 'read-only'
  if (code === '53100') return 'full'
  if (networkLost.test(code) || serverLost.test(code)) return 'away'
  // 53: the server lacks resources. 58: a fault of the system under it. XX: a fault of its own.
  return /^(53|58|XX)/.test(code) ? 'broken' : undefined
}
const clientLost =
  /^(Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed))/
const networkLost = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
// 57P01 to 03: shutting down, crashed, starting up. 53300: too many connections. 08: a connection's failures.
const serverLost = /^(57P0[123]|53300|08...)$/

/** Names the database in messages: `bellhop at db.example.com:5433`. A host in the query counts first, as for `pg`. */
function whereIs(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  const server = searchParams.get('host') ?? (host || 'localhost')
  return `${decodeURIComponent(pathname.slice(1))} at ${decodeURIComponent(server)}`
}

/** Why a database could not be opened, in the words of the server or of `pg`. Never with the url: it holds a password. */
function asConfigError(error: unknown, url: string): unknown {
  if (error instanceof ConfigError || !(error instanceof Error)) return error

  return refusalFor(
    whereIs(url),
    `can’t be used: ${error.message || errorCode(error)}. ${whatToCheck}`,
  )
}

const whatToCheck =
  'Check that PostgreSQL runs there, and host, port, user, password, database and TLS (sslmode, sslrootcert) in DATABASE_URL. Its user must be allowed to make tables.'

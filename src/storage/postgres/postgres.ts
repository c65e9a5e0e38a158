// A PostgreSQL database: opened once its server can do what Bellhop needs, or looked at without changing anything. A
// process on SQLite loads none of it, one on PostgreSQL has it from its start.
import { Kysely, sql, type Transaction } from 'kysely'
import type { Health } from '../../doctor/health.ts'
import { ConfigError, errorCode } from '../../errors.ts'
import { announce, type Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'
import { retryFor } from '../../work/retry.ts'
import { inTime } from '../../work/under-way.ts'
import { type Database, type Engine, postgresEngine } from '../engine.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { keyChecksIn } from '../stores/keys.ts'
import type { Tables } from '../tables.ts'
import { createWriteHealth, tryWrite } from '../write-health.ts'
import { openConnections, type PoolConnections, postgresDialect, type StatementLimits } from './dialect.ts'
import { asConfigError, failureOf, isAway, isSilence, whereIs } from './errors.ts'

/** How long a start waits for a server that is not up yet: containers start in any order. */
const usualStartingMs = 30_000
const pauses = { firstMs: 2, longestMs: 500 }
/**
 * Tries for longer than a server takes to come back. `leaseMs` leaves a living sender 4 s to commit what became of its
 * request; a commit that takes the rest of these 10 s still counts, as `settle` puts it in place of others' doubt.
 */
const usual: StatementLimits = { triedForMs: 10_000, answerMs: 5_000 }
/** A migration takes as long as it takes, and waits for the one another process makes. */
const migrating: StatementLimits = { triedForMs: 0 }
const silenceSaidMs = 60_000
const probeMs = 1_500
const probing: StatementLimits = { triedForMs: 0, answerMs: probeMs }

export interface PostgresOptions {
  readonly log?: Log | undefined
  readonly engine?: Engine
  readonly startingMs?: number
  /** Of this process. Default: `Date.now`. */
  readonly now?: Clock
}

/**
 * @param url - `postgres://` or `postgresql://`; its query is `pg`'s.
 * @throws ConfigError, without the url, when the server cannot be reached or used.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { log, engine = postgresEngine, startingMs = usualStartingMs, now = Date.now } = options
  const connections = openConnections(url, log, now)
  const open = (limits: StatementLimits) =>
    new Kysely<Tables>({ dialect: postgresDialect(connections, limits) })
  try {
    await awaitServer(connections, startingMs, log)
    const db = open(migrating)
    const schema = await checkServer(db, whereIs(url))
    await migrate(db, { where: whereIs(url), schema, prepare })
    const health = createWriteHealth({ tryWrite: () => tryWrite(patient), log, now })
    const onError = (error: unknown) => {
      health.failed(failureOf(error), error)
      // What gets no answer has a line of its own.
      if (isSilence(error)) announce(error)
      else if (isAway(error)) connections.noteLoss(error)
    }
    const patient = open({ ...usual, onSilence: sayOfSilence(log), onError })
    const { unwritable, counts: failures } = health
    return asDatabase(connections, patient, open(probing), { engine, unwritable, failures })
  } catch (error) {
    await connections.end()
    throw asConfigError(error, url)
  }
}

/** One line a minute for all statements that get no answer. */
function sayOfSilence(log: Log | undefined): () => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - saidAt < silenceSaidMs) return
    saidAt = performance.now()
    log?.warn(
      'the database did not answer in time; if there is a pooler in between, it must allow 5 connections for each Bellhop process',
    )
  }
}

/** Keeps others from migrating, and finds out first what would otherwise fail half way. */
async function prepare(transaction: Transaction<Tables>): Promise<void> {
  // It belongs to the transaction: a pooler between here and the server cannot hand it to others.
  await sql`select pg_advisory_xact_lock(hashtext('bellhop migrations'))`.execute(transaction)
  await mustMakeTables(transaction)
}

async function awaitServer(connections: PoolConnections, forMs: number, log: Log | undefined) {
  let isSaid = false
  const mayPass = (error: unknown) => {
    if (!isAway(error)) return false
    if (!isSaid)
      log?.info({ code: errorCode(error) }, 'waiting for the database, which cannot be reached yet')
    isSaid = true
    return true
  }
  const client = await retryFor(forMs, connections.take, { ...pauses, mayPass })
  client.release()
}

function asDatabase(
  connections: PoolConnections,
  db: Kysely<Tables>,
  probe: Kysely<Tables>,
  rest: Pick<Database, 'engine' | 'unwritable' | 'failures'>,
): Database {
  async function answers(): Promise<boolean> {
    try {
      await sql`select name from kysely_migration limit 1`.execute(probe)
      return true
    } catch {
      return false
    }
  }
  return {
    ...rest,
    durable: db,
    quick: db,
    isReachable: async () => (await inTime(answers(), probeMs)) ?? false,
    isInPlace: async () => true,
    scrub: async () => true,
    close: () => connections.end(),
  }
}

const oldestMajor = 14

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
async function mustMakeTables(db: Kysely<Tables>): Promise<void> {
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
  if (major < oldestMajor) {
    return `is PostgreSQL ${major}; Bellhop needs ${oldestMajor} or newer. Upgrade it, or name another.`
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

const atOnce: StatementLimits = { triedForMs: 0, answerMs: 3_000 }

/** Rolls the transaction back. */
class Undone extends Error {}

/** Looks at the database without changing anything. @throws ConfigError as `inspectStorage`. */
export async function inspectPostgres(url: string): Promise<Health> {
  const connections = openConnections(url, undefined)
  const db = new Kysely<Tables>({ dialect: postgresDialect(connections, atOnce) })
  try {
    const where = whereIs(url)
    const schema = await checkServer(db, where)
    const { made, pending } = await pendingMigrations(db, { where, schema })
    await (pending.length > 0 ? mustMakeTables(db) : mustTakeRows(db))
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

/** @throws when a row cannot be written. Nothing of it stays. */
async function mustTakeRows(db: Kysely<Tables>): Promise<void> {
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

// Opens a PostgreSQL database.

import { Kysely, sql, type Transaction } from 'kysely'
import { announce, type Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'
import { retryFor } from '../../work/retry.ts'
import { inTime } from '../../work/under-way.ts'
import { type Database, type Engine, postgresEngine } from '../engine.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { createWriteHealth, tryWrite } from '../write-health.ts'
import type { Manners } from './dialect.ts'
import { postgresDialect } from './dialect.ts'
import { asConfigError, errorCode, failureOf, isAway, isSilence, whereIs } from './errors.ts'
import { openConnections, type PoolConnections } from './pool.ts'
import { checkServer, mustMakeTables } from './server.ts'

/** How long a start waits for a server that is not up yet: containers start in any order. */
const STARTING_MS = 30_000
const pauses = { firstMs: 2, longestMs: 500 }
/** Within the lease of a grant (see lease.ts), and longer than a server takes to come back. */
const usual: Manners = { triedForMs: 10_000, answerMs: 5_000 }
/** A migration takes as long as it takes, and waits for the one another process makes. */
const migrating: Manners = { triedForMs: 0 }
const SILENCE_SAID_MS = 60_000
const PROBE_MS = 1_500
const probing: Manners = { triedForMs: 0, answerMs: PROBE_MS }

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
  const { log, engine = postgresEngine, startingMs = STARTING_MS, now = Date.now } = options
  const connections = openConnections(url, log, now)
  const open = (manners: Manners) => new Kysely<Tables>({ dialect: postgresDialect(connections, manners) })
  try {
    await awaitServer(connections, startingMs, log)
    const db = open(migrating)
    const schema = await checkServer(db, whereIs(url))
    const migrated = await migrate(db, { where: whereIs(url), schema, prepare })
    const health = createWriteHealth({ tryWrite: () => tryWrite(patient), log, now })
    const onError = (error: unknown) => {
      health.failed(failureOf(error), error)
      // What gets no answer has a line of its own.
      if (isSilence(error)) announce(error)
      else if (isAway(error)) connections.noteLoss(error)
    }
    const patient = open({ ...usual, onSilence: sayOfSilence(log), onError })
    const { unwritable, counts: failures } = health
    return join(connections, patient, open(probing), { engine, migrated, unwritable, failures })
  } catch (error) {
    await connections.end()
    throw asConfigError(error, url)
  }
}

/** One line a minute for all statements that get no answer. */
function sayOfSilence(log: Log | undefined): () => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - saidAt < SILENCE_SAID_MS) return
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

function join(
  connections: PoolConnections,
  db: Kysely<Tables>,
  probe: Kysely<Tables>,
  rest: Pick<Database, 'engine' | 'migrated' | 'unwritable' | 'failures'>,
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
    isReachable: async () => (await inTime(answers(), PROBE_MS)) ?? false,
    isInPlace: async () => true,
    scrub: async () => true,
    close: () => connections.end(),
  }
}

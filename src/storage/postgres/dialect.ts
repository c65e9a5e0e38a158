// Kysely's PostgreSQL dialect with two differences: whoever migrates takes the lock; and connections, which may break at
// any moment, are survived: that is logged, and never ends the process.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SelectQueryNode,
} from 'kysely'
import pg, { type PoolClient } from 'pg'
import { announce, createTrouble, type Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'
import { retryFor } from '../../work/retry.ts'
import { changedNothing, isAway, isReadOnly, isSilence } from './errors.ts'

export function postgresDialect(connections: PoolConnections, limits: StatementLimits): Dialect {
  return {
    createDriver: () => createDriver(connections, limits),
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class Adapter extends PostgresAdapter {
  // Kysely's own lock belongs to a session, which a connection pooler would hand to others; see postgres.ts.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

function createDriver(connections: PoolConnections, limits: StatementLimits): Driver {
  // Never connects: it only says the words of transactions to the sessions it is given.
  const words = new PostgresDriver({
    pool: async () => {
      throw new Error('sessions have connections of their own')
    },
  })
  return {
    init: async () => {},
    acquireConnection: async () => new Session(() => connections.take(), limits),
    releaseConnection: async (connection) => sessionOf(connection).release(),
    async beginTransaction(connection, settings) {
      await words.beginTransaction(connection, settings)
      sessionOf(connection).hold()
    },
    async commitTransaction(connection) {
      await words.commitTransaction(connection)
      sessionOf(connection).letGo(true)
    },
    async rollbackTransaction(connection) {
      const session = sessionOf(connection)
      const rollback = CompiledQuery.raw('rollback')
      // The error that led here is the one to be told. A connection that broke has rolled back by itself.
      const isSound = await session.executeQuery(rollback).then(
        () => true,
        () => false,
      )
      session.letGo(isSound)
    },
    savepoint: (connection, name, compile) => words.savepoint(connection, name, compile),
    rollbackToSavepoint: (connection, name, compile) => words.rollbackToSavepoint(connection, name, compile),
    releaseSavepoint: (connection, name, compile) => words.releaseSavepoint(connection, name, compile),
    // Whoever opened the connections closes them.
    destroy: async () => {},
  }
}

function sessionOf(connection: DatabaseConnection): Session {
  if (!(connection instanceof Session)) throw new Error('a connection of another driver')
  return connection
}

const pauses = { firstMs: 2, longestMs: 250 }

export interface StatementLimits {
  /** How long a statement is tried again, from its first try. */
  readonly triedForMs: number
  /** How long an answer is waited for; for ever when not given. */
  readonly answerMs?: number
  /** Called for each answer that did not come in time. */
  readonly onSilence?: () => void
  /** Called with each error that a caller gets. */
  readonly onError?: (error: unknown) => void
}

/**
 * One connection to PostgreSQL, as Kysely takes it. Outside a transaction it may be another one for each statement, so that
 * a statement that a broken connection certainly left undone is tried again, and the caller hears nothing.
 */
class Session implements DatabaseConnection {
  readonly #take: () => Promise<PoolClient>
  readonly #limits: StatementLimits
  #client: PoolClient | undefined
  #isInTransaction = false

  constructor(take: () => Promise<PoolClient>, limits: StatementLimits) {
    this.#take = take
    this.#limits = limits
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#execute(query)
    } catch (error) {
      this.#limits.onError?.(error)
      throw error
    }
  }

  #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInTransaction) return this.#send(query)
    let wasSent = false
    const work = async () => {
      wasSent = false
      this.#client ??= await this.#take()
      wasSent = true
      return await this.#send<Row>(query)
    }
    const mayPass = (error: unknown) =>
      changedNothing(error) || (isAway(error) && (!wasSent || changesNothing(query)))
    return retryFor(this.#limits.triedForMs, work, { ...pauses, mayPass })
  }

  /** From here on the connection stays the same, and nothing is tried again. */
  hold(): void {
    this.#isInTransaction = true
  }

  /** The transaction is over. @param isSound - False: nobody knows what state the connection is in. */
  letGo(isSound: boolean): void {
    this.#isInTransaction = false
    if (!isSound) this.release(true)
  }

  release(isBroken = false): void {
    this.#client?.release(isBroken)
    this.#client = undefined
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are not streamed')
  }

  async #send<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#client === undefined) throw new Error('the connection broke in the middle of a transaction')
    const question = {
      text: query.sql,
      values: [...query.parameters],
      query_timeout: this.#limits.answerMs,
    }
    try {
      const { command, rowCount, rows } = await this.#client.query(question)
      if (writes.has(command)) return { numAffectedRows: BigInt(rowCount ?? 0), rows }
      // Kysely reads here whether a commit was one.
      return { rows: ends.has(command) ? [{ command }] : rows }
    } catch (error) {
      if (isSilence(error)) this.#limits.onSilence?.()
      if (isAway(error) || isReadOnly(error)) this.release(true)
      throw error
    }
  }
}

const writes: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const ends: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK'])

/** True when it may be said twice: a plain select, or the first word of a transaction. */
function changesNothing({ query, sql }: CompiledQuery): boolean {
  // What stands in `with` may write.
  return SelectQueryNode.is(query) ? query.with === undefined : /^(begin|start transaction)\b/.test(sql)
}

/** A process has no more connections than this. Statements are short; small servers allow 20 connections in all. */
const mostConnections = 5
const connectMs = 5_000
const keptIdleMs = 60_000
const keepAliveMs = 10_000
/** A connection that was idle for longer is asked for a sign of life before a statement is trusted to it. */
const trustedIdleMs = 500
const signOfLifeMs = 2_000
/** A server that is going away ends one connection after the other: for so long, those it has not ended prove nothing. */
const goingAwayMs = 1_000

export interface PoolConnections {
  /** A connection that answers; it must be released. @throws when none can be made just now. */
  take(): Promise<pg.PoolClient>
  /** A statement found that the server is away: says so, unless it is said. */
  noteLoss(error: unknown): void
  /** Resolves when all are closed. May be called twice. */
  end(): Promise<void>
}

/** @param url - What stands in its query is left to `pg`. */
export function openConnections(url: string, log: Log | undefined, now: Clock = Date.now): PoolConnections {
  const pool = new pg.Pool({
    connectionString: withPlainMode(url),
    fallback_application_name: 'bellhop',
    max: mostConnections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: keptIdleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser },
  })
  const idleSince = new WeakMap<pg.ClientBase, number>()
  const trouble = log && createTrouble({ log, now })
  let ended: Promise<void> | undefined

  function lost(error: unknown): void {
    if (ended !== undefined) return
    // One line for all connections that break together.
    trouble?.begins(
      { err: error },
      'a connection to the database broke; Bellhop opens another one when it needs it',
    )
    announce(error)
  }

  // An 'error' that nobody listens to ends the process. The pool listens to idle connections only.
  pool.on('error', lost)
  pool.on('connect', (client) => {
    client.on('error', lost)
  })
  pool.on('release', (_error, client) => void idleSince.set(client, performance.now()))

  /** @throws what its answer is. */
  async function askForSign(client: pg.PoolClient): Promise<void> {
    const question = { text: 'select 1', query_timeout: signOfLifeMs }
    await client.query(question)
  }

  const isConnectedAgain = () => trouble?.ends({}, 'the database is connected again')

  /** A server that is going away still takes connections, and ends them at once. */
  async function welcome(client: pg.PoolClient): Promise<void> {
    if (trouble?.since() === undefined) return
    try {
      await askForSign(client)
    } catch (error) {
      client.release(true)
      throw error
    }
    isConnectedAgain()
  }

  async function isAlive(client: pg.PoolClient, idleSinceMs: number): Promise<boolean> {
    const troubleSince = trouble?.since()
    const isTrusted = performance.now() - idleSinceMs < trustedIdleMs
    if (isTrusted && troubleSince === undefined) return true
    try {
      await askForSign(client)
    } catch {
      return false
    }
    // Also where no new connection is needed for long: the next outage must be said again.
    if (troubleSince !== undefined && now() - troubleSince >= goingAwayMs) isConnectedAgain()
    return true
  }

  return {
    async take() {
      // Ends: a dead connection leaves the pool, and a new one is returned or fails.
      for (;;) {
        const client = await pool.connect()
        const since = idleSince.get(client)
        if (since === undefined) await welcome(client)
        if (since === undefined || (await isAlive(client, since))) return client
        client.release(true)
      }
    },
    noteLoss: lost,
    end() {
      ended ??= pool.end()
      return ended
    },
  }
}

/**
 * `pg` 8 takes each of these for verify-full, and says so in nine lines at every start: said outright, it is quiet. Who
 * asks for the weaker meaning that libpq gives them gets it.
 * Source: pg-connection-string, README, “TCP connections”.
 */
function withPlainMode(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full')
}

/** Reads `bigint` as a number: all that Bellhop keeps in one is milliseconds. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)

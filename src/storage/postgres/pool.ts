// Connections to one PostgreSQL server. They may break at any moment: that is logged, and never ends the process.
import pg from 'pg'
import { announce, createTrouble, type Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'

/** A process has no more connections than this. Statements are short; small servers allow 20 connections in all. */
const MOST_CONNECTIONS = 5
const CONNECT_MS = 5_000
const KEPT_IDLE_MS = 60_000
const KEEP_ALIVE_MS = 10_000
/** A connection that was idle for longer is asked for a sign of life before a statement is trusted to it. */
const TRUSTED_IDLE_MS = 500
const SIGN_OF_LIFE_MS = 2_000

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
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: KEPT_IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
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

  async function askForSign(client: pg.PoolClient): Promise<void> {
    const question = { text: 'select 1', query_timeout: SIGN_OF_LIFE_MS }
    await client.query(question)
  }

  async function isAlive(client: pg.PoolClient, idleSinceMs: number): Promise<boolean> {
    if (performance.now() - idleSinceMs < TRUSTED_IDLE_MS) return true
    return askForSign(client).then(
      () => true,
      () => false,
    )
  }

  /** A server that is going away still takes connections, and ends them at once. @throws what its answer is. */
  async function welcome(client: pg.PoolClient): Promise<void> {
    if (trouble?.since() === undefined) return
    try {
      await askForSign(client)
    } catch (error) {
      client.release(true)
      throw error
    }
    trouble.ends({}, 'the database is connected again')
  }

  return {
    async take() {
      // It ends: each that is found dead leaves the pool, and a new one is returned, or thrown for.
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

/** As everywhere, but `bigint` is a number: all that Bellhop keeps in one is milliseconds. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)

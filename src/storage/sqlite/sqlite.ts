// A SQLite file as a database: opened, or looked at without making or changing it.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Health } from '../../doctor/health.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../slack/ids.ts'
import { doubling, retry } from '../../work/retry.ts'
import { inTime } from '../../work/under-way.ts'
import { type Database, sqliteEngine } from '../engine.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { keyChecksIn } from '../stores/keys.ts'
import type { Tables } from '../tables.ts'
import { createWriteHealth, tryWrite } from '../write-health.ts'
import { createSqliteDriver, sqliteDialect } from './dialect.ts'
import { asConfigError, failureOf, onceUnlocked } from './errors.ts'
import { connect, type Durability, prepareFile, sqlitePath, watchPlace } from './file.ts'

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
      await migrate(durable.db, { where: path })
      const isInPlace = await watchPlace(path, log, now)
      return asDatabase(durable, await open(path, 'NORMAL', onError), {
        isInPlace,
        now,
        log,
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

/**
 * Two connections, because waiting for the disk stops the process. Measured, for one small write: 1 ms, and 0.08 where a
 * power cut may take it.
 */
function asDatabase(
  durable: Connection,
  quick: Connection,
  {
    now,
    log,
    ...rest
  }: Pick<Database, 'isInPlace' | 'unwritable' | 'failures'> & {
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
  const database = await onceUnlocked(() => connect(path, durability))
  const db = new Kysely<Tables>({ dialect: sqliteDialect(createSqliteDriver(database, onError)) })
  return {
    db,
    async close() {
      await db.destroy()
      if (database.isOpen) database.close()
    },
  }
}

/** A lock that is held for longer holds the bot up as well. */
const unlockedWithinMs = 1_500

/** @throws ConfigError as `inspectStorage`. */
export async function inspectSqlite(url: string): Promise<Health> {
  const path = sqlitePath(url)
  try {
    const folder = nearestFolder(path)
    if (!existsSync(path)) mustTakeFiles(folder)
    // Where there is no file, one in memory tells the rest.
    const database = new DatabaseSync(existsSync(path) ? path : ':memory:', { timeout: 2 })
    try {
      const looked = await look(database, path)
      return { ...looked, freeBytes: freeBytesIn(folder) }
    } finally {
      database.close()
    }
  } catch (error) {
    throw asConfigError(error, path)
  }
}

async function look(database: DatabaseSync, where: string): Promise<Omit<Health, 'freeBytes'>> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(createSqliteDriver(database)) })
  const { made, pending } = await pendingMigrations(db, { where })
  await onceUnlocked(() => database.exec('begin immediate'), unlockedWithinMs)
  database.exec('create table bellhop_doctor (n integer); rollback')
  const version = database.prepare('select sqlite_version() as version').get()?.version
  const keyChecks = pending.length > 0 ? [] : await keyChecksIn(db).all()
  return { engine: `SQLite ${version}`, isNew: made.length === 0, pending, keyChecks }
}

function nearestFolder(path: string): string {
  const folder = dirname(resolve(path))
  return existsSync(folder) ? folder : nearestFolder(folder)
}

/** @throws as the system does when a directory or a file is made there. */
function mustTakeFiles(folder: string): void {
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
  accessSync(folder, constants.W_OK)
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Somebody waits for it, in a message that says that their token is forgotten. */
const awaitedMs = 1_000
const pauseAfter = doubling(10, 5_000)
/** A copy of a big database takes that long, and reads all the time. */
const saidAfterMs = 60_000

export interface Scrub {
  /** Empties the log. True when that is done, false after `withinMs`: then it goes on by itself. Never rejects. */
  now(withinMs?: number): Promise<boolean>
  /** Resolves once no more is tried; closing the file empties its log as well. */
  stop(): Promise<void>
}

/** Somebody reads what the log holds, or writes. */
class StillRead extends Error {}

/**
 * Takes out of SQLite's own log (the file that ends in -wal) what was forgotten: the log holds pages as they
 * were before, sealed tokens among them, until it is emptied.
 * @param room.empty - Tries once: false while somebody reads what the log holds, or writes.
 */
export function createScrub(room: {
  readonly empty: () => Promise<boolean>
  readonly log?: Log | undefined
}): Scrub {
  const { empty, log } = room
  let isWanted = false
  const stopping = new AbortController()
  let underWay: Promise<void> | undefined

  /** Rejects when it is stopped before. */
  async function emptyOnce(): Promise<void> {
    const begunAt = performance.now()
    let isSaid = false
    const tryOnce = async () => {
      if (!(await empty())) throw new StillRead()
    }
    await retry(tryOnce, {
      pauseAfter(error, tries) {
        if (!isSaid && performance.now() - begunAt >= saidAfterMs) {
          log?.warn(
            { err: error instanceof StillRead ? undefined : error },
            'deleted data is still in the log of the database file (-wal), because another program has been reading the file for a minute; trying again',
          )
          isSaid = true
        }
        return pauseAfter(tries)
      },
      wait: (ms) => delay(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined),
      stopping: stopping.signal,
    })
  }

  /** Again for whoever has forgotten something meanwhile. */
  async function emptyWhileWanted(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false
      await emptyOnce().catch(() => undefined)
    }
    underWay = undefined
  }

  return {
    async now(withinMs = awaitedMs) {
      isWanted = true
      underWay ??= emptyWhileWanted()
      const isDone = await inTime(
        underWay.then(() => !stopping.signal.aborted),
        withinMs,
      )
      return isDone ?? false
    },
    async stop() {
      stopping.abort()
      await underWay
    },
  }
}

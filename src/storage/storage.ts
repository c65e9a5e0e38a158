// Everything Bellhop remembers, and the forgetting of what is old. Other folders use the stores through this file.

import { type Card, facetsOfCard } from '../alert/cards.ts'
import { type End, facetsOfEnd } from '../ends/states.ts'
import { type Follow, facetsOfFollow } from '../follow/follows.ts'
import { facetsOfLive, type LiveCard } from '../live/live-cards.ts'
import type { Log } from '../log/log.ts'
import { facetsOfMaintenance, type Maintenance } from '../maintenance/maintenance.ts'
import { facetsOfRequest, type Request } from '../send/request.ts'
import type { Clock, SlackUser } from '../slack/person.ts'
import { dayMs, hourMs } from '../work/durations.ts'
import { every, type Repeated } from '../work/retry.ts'
import { docsOf, keptOf } from './docs.ts'
import type { Inspection } from './migrate.ts'
import type { Database } from './problem.ts'
import { existingPath, inspectSqlite, openSqlite } from './sqlite/sqlite.ts'
import {
  accountsIn,
  alertLinksIn,
  auditRecordsIn,
  keyChecksIn,
  onceIn,
  ownIdsIn,
  placesIn,
} from './stores.ts'

export type Storage = ReturnType<typeof assemble>

/**
 * Opens the database, makes it when there is none, and brings it up to date. Several processes may have it open.
 *
 * @param how.url - `file:` and a path, or `postgres://…`.
 * @param how.mustExist - Works only on what is there: no new file is made.
 * @throws ConfigError when it cannot be opened, or belongs to a newer version of Bellhop.
 */
export async function openStorage(how: { url: string; now: Clock; log?: Log; mustExist?: true }) {
  const { url, now, log, mustExist } = how
  if (url.startsWith('file:')) {
    if (mustExist) existingPath(url)
    return assemble(await openSqlite(url, now, log))
  }
  const { openPostgres } = await import('./postgres/postgres.ts')
  return assemble(await openPostgres(url, { log, now }))
}

/** The stores on an open database, which must not be used after `close`. */
export function assemble(database: Database) {
  const { db, now, problem, scrub, close } = database
  return {
    accounts: accountsIn(database),
    requests: docsOf<Request>(database, 'request', facetsOfRequest, { isLasting: true }),
    cards: docsOf<Card>(database, 'card', facetsOfCard),
    liveCards: docsOf<LiveCard>(database, 'live-card', facetsOfLive),
    follows: docsOf<Follow>(database, 'follow', facetsOfFollow),
    maintenances: docsOf<Maintenance>(database, 'maintenance', facetsOfMaintenance, {
      isLasting: true,
    }),
    ends: docsOf<End>(database, 'end', facetsOfEnd, { isLasting: true }),
    /** Commands that wait until their asker has connected an account, sealed for the asker. */
    waiting: keptOf(database, 'waiting'),
    /** Links to the token page, by the hash of their secret: what is stored opens no page. */
    connectLinks: keptOf(database, 'connect-link'),
    alertLinks: alertLinksIn(database),
    places: placesIn(database),
    ownIds: ownIdsIn(database),
    once: onceIn(database),
    auditRecords: auditRecordsIn(database),
    keyChecks: keyChecksIn(database),
    /** Forgets a person’s values that are only kept for a time: commands that wait, links, who they are at the service. */
    async forgetPerson({ workspaceId, userId }: SlackUser) {
      const theirs = `delete from kept where workspace_id = ? and user_id = ? and user_id <> ''`
      await db.runLasting(theirs, [workspaceId, userId])
    },
    /**
     * Forgets all that is kept of a workspace, but for what the audit trail says of it.
     * @returns How many had an account.
     */
    async forgetWorkspace(workspaceId: string): Promise<number> {
      const forget = (table: string) =>
        db.runLasting(`delete from ${table} where workspace_id = ?`, [workspaceId])
      const tables = ['accounts', 'docs', 'docs_listed', 'kept']
      const [accounts = 0] = await Promise.all(tables.map(forget))
      await scrub()
      return accounts
    },
    prune: () => db.run('delete from kept where until <= ?', [now()]),
    problem,
    scrub,
    close,
  }
}

/**
 * Looks at a database without making or changing anything: before the first start, and while the bot runs.
 * @param url - `file:` and a path, or `postgres://…`.
 * @throws ConfigError, without the url, when it cannot be reached, read or written, or is a newer version's.
 */
export async function inspectStorage(url: string): Promise<Inspection> {
  if (url.startsWith('file:')) return inspectSqlite(url)
  const { inspectPostgres } = await import('./postgres/postgres.ts')
  return inspectPostgres(url)
}

/** How long concluded requests are kept, and cards that aren’t live: buttons of older ones say that the card is too old. */
export const keptMs = 90 * dayMs

/** Deletes every hour what nobody will ask for any more. The audit trail prunes itself by AUDIT_DAYS. */
export function keepHouse(storage: Storage, now: Clock, log: Log): Repeated {
  return every(hourMs, async () => {
    const before = now() - keptMs
    try {
      await storage.prune()
      await storage.cards.prune(before, 'live-card')
      await storage.requests.prune(before)
    } catch (err) {
      log.failedJob('warn', { err }, 'old records could not be deleted; trying again in an hour')
    }
    await storage.scrub()
    // Asking logs the problem, if there is one. Without this, it would stay unnoticed where nothing asks for /readyz.
    await storage.problem()
  })
}

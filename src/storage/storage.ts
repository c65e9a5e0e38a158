// Everything Bellhop remembers, behind the ports its features declare. The door into this room, with retention.ts, which
// forgets what is old.
import type { ConnectLinks } from '../account/links.ts'
import type { Accounts, WaitingCommands } from '../account/tokens.ts'
import type { Reopenings } from '../act/room.ts'
import type { Cards } from '../alert/cards.ts'
import type { KnownLinks } from '../alert/link.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { AuditLookUps, AuditRecords } from '../audit/trail.ts'
import type { Health, Unwritable } from '../doctor/health.ts'
import type { Recent } from '../home/recent.ts'
import type { KeyChecks } from '../keys/key-checks.ts'
import type { SealedRows } from '../keys/rotate.ts'
import type { Log } from '../log/log.ts'
import type { OwnIds } from '../names/room.ts'
import type { Sends, Wishes } from '../send/wishes.ts'
import type { Once } from '../slack/guard/once.ts'
import type { Clock } from '../slack/ids.ts'
import type { Watches } from '../watch/watches.ts'
import type { Database } from './engine.ts'
import { existingPath, inspectSqlite, openSqlite } from './sqlite/sqlite.ts'
import { accountsIn } from './stores/accounts.ts'
import { cardsIn } from './stores/alert/cards.ts'
import { watchesIn } from './stores/alert/watches.ts'
import { approvalsIn } from './stores/approvals.ts'
import { auditLookUpsIn, auditRecordsIn } from './stores/audit.ts'
import { keyChecksIn, sealedRowsIn } from './stores/keys.ts'
import { recentIn } from './stores/recent.ts'
import { reopeningsIn } from './stores/reopenings.ts'
import { sendsIn } from './stores/send/sends.ts'
import { wishesIn } from './stores/send/wishes.ts'
import { alertLinksIn, connectLinksIn, onceIn, ownIdsIn, waitingIn } from './stores/small.ts'

export interface Storage extends Pick<Database, 'problem' | 'failures' | 'scrub'> {
  readonly accounts: Accounts
  readonly waiting: WaitingCommands
  readonly connectLinks: ConnectLinks
  readonly cards: Cards
  readonly alertLinks: KnownLinks
  readonly ownIds: OwnIds
  readonly wishes: Wishes
  readonly sends: Sends
  readonly reopenings: Reopenings
  readonly watches: Watches
  readonly once: Once
  readonly approvals: Approvals
  readonly recent: Recent
  readonly auditRecords: AuditRecords
  readonly auditLookUps: AuditLookUps
  /** What is sealed, across the other stores. */
  readonly sealedRows: SealedRows
  readonly keyChecks: KeyChecks
  /** False while nobody answers, or another program keeps the file locked. As `problem`, as is what follows. */
  isReachable(): Promise<boolean>
  /** False once its file was removed or replaced: what is written goes nowhere. */
  isInPlace(): Promise<boolean>
  /** Why nothing can be written just now. */
  unwritable(): Promise<Unwritable | undefined>
  /** Forgets all that is kept of a workspace, but for its installation and what the audit trail says of it. */
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Stores must not be used after it. */
  close(): Promise<void>
}

/**
 * Checks that there is a database, for commands that only work on what is there.
 * @param url - As of `openStorage`.
 * @throws ConfigError when `openStorage` would make a new file.
 */
export function needDatabase(url: string): void {
  if (url.startsWith('file:')) existingPath(url)
}

/**
 * Opens the database, makes it when there is none, and brings it up to date. Several processes may have it open.
 *
 * @param options.url - `file:` and a path, or `postgres://…`.
 * @param options.now - The time on SQLite; PostgreSQL has its own.
 * @param options.log - Learns of connections that broke.
 * @throws ConfigError when it cannot be opened, or belongs to a newer version of Bellhop.
 */
export async function openStorage(options: {
  readonly url: string
  readonly now: Clock
  readonly log?: Log
}): Promise<Storage> {
  const { url, now, log } = options
  if (url.startsWith('file:')) return assemble(await openSqlite(url, now, log), log)
  const { openPostgres } = await import('./postgres/postgres.ts')
  return assemble(await openPostgres(url, { log }), log)
}

export function assemble(database: Database, log?: Log): Storage {
  const { db, engine, problem, failures, scrub, close } = database
  const accounts = scrubbedAccounts(accountsIn(db, engine), scrub)
  // Each forgets a workspace. What the others keep of one is forgotten by one of these, or outlives it.
  const forgetting = {
    accounts,
    wishes: wishesIn(db, engine),
    reopenings: reopeningsIn(db, engine),
    cards: cardsIn(db, engine),
    alertLinks: alertLinksIn(db, engine),
    ownIds: ownIdsIn(db, engine),
    waiting: waitingIn(db, engine),
    connectLinks: connectLinksIn(db, engine),
    watches: watchesIn(db, engine, log),
    once: onceIn(db, engine),
    approvals: approvalsIn(db, engine),
  }
  return {
    ...forgetting,
    sends: sendsIn(db, engine),
    recent: recentIn(db),
    auditRecords: auditRecordsIn(db, engine),
    auditLookUps: auditLookUpsIn(db, engine),
    sealedRows: sealedRowsIn(db),
    keyChecks: keyChecksIn(db),
    async forgetWorkspace(workspaceId) {
      for (const store of Object.values(forgetting)) await store.forgetWorkspace(workspaceId)
      await scrub()
    },
    problem,
    async isReachable() {
      const found = await problem()
      return found !== 'away' && found !== 'locked'
    },
    isInPlace: async () => (await problem()) !== 'moved',
    async unwritable() {
      const found = await problem()
      return found === 'full' || found === 'refused' || found === 'read-only' ? found : undefined
    },
    failures,
    scrub,
    close,
  }
}

/** A forgotten token is gone from the file's log when this resolves, or soon after; a replaced one soon after. */
function scrubbedAccounts(accounts: Accounts, scrub: Database['scrub']): Accounts {
  return {
    ...accounts,
    async keep(...kept) {
      await accounts.keep(...kept)
      void scrub()
    },
    async forget(...which) {
      const wasThere = await accounts.forget(...which)
      await scrub()
      return wasThere
    },
    async forgetWorkspace(workspaceId) {
      const count = await accounts.forgetWorkspace(workspaceId)
      // Nobody waits for a word about it, and more is forgotten right after.
      void scrub()
      return count
    },
  }
}

/**
 * Looks at a database without making or changing anything: before the first start, and while the bot runs.
 * @param url - `file:` and a path, or `postgres://…`.
 * @throws ConfigError, without the url, when it cannot be reached, read or written, or is a newer version's.
 */
export async function inspectStorage(url: string): Promise<Health> {
  if (url.startsWith('file:')) return inspectSqlite(url)
  const { inspectPostgres } = await import('./postgres/postgres.ts')
  return inspectPostgres(url)
}

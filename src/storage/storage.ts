// Everything Bellhop remembers, behind the ports its features declare. The only door into this room.
import { Kysely, sql } from 'kysely'
import type { Accounts } from '../account/accounts.ts'
import type { WaitingCommands } from '../account/waiting.ts'
import type { Cards } from '../alert/cards.ts'
import type { Grants } from '../grant/grants.ts'
import type { Clock } from '../slack/ids.ts'
import { accountsIn } from './accounts.ts'
import { cardsIn } from './cards.ts'
import { grantsIn } from './grants.ts'
import { migrate } from './migrate.ts'
import { asConfigError } from './open-error.ts'
import { patiently } from './patience.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { connect, type Durability, prepareFile, sqlitePath } from './sqlite-file.ts'
import type { Tables } from './tables.ts'
import { waitingIn } from './waiting.ts'

export interface Storage {
  readonly accounts: Accounts
  readonly waiting: WaitingCommands
  readonly cards: Cards
  readonly grants: Grants
  /** True when a table can be read just now. Never throws. */
  isReachable(): Promise<boolean>
  /** Stores must not be used after it. */
  close(): Promise<void>
}

/**
 * Opens the database, makes it when there is none, and brings it up to date. Several processes may have it open.
 *
 * @param options.url - `file:` and a path; see `sqlitePath`.
 * @throws ConfigError when the file cannot be opened, or belongs to a newer version of Bellhop.
 */
export async function openStorage({ url, now }: { url: string; now: Clock }): Promise<Storage> {
  const path = sqlitePath(url)
  try {
    prepareFile(path)
    const durable = await open(path, 'FULL')
    try {
      await migrate(durable.db, path)
      return assemble(durable, await open(path, 'NORMAL'), now)
    } catch (error) {
      await durable.close()
      throw error
    }
  } catch (error) {
    throw asConfigError(error, path)
  }
}

/**
 * Two connections, because waiting for the disk stops the process. A grant must be on the disk before it is sent, and
 * a forgotten token must stay forgotten. A card or a waiting command that a power cut takes costs a second reply or
 * a second try; both survive a killed process.
 */
function assemble(durable: Connection, quick: Connection, now: Clock): Storage {
  return {
    accounts: accountsIn(durable.db, now),
    grants: grantsIn(durable.db, now),
    cards: cardsIn(quick.db, now),
    waiting: waitingIn(quick.db),
    async isReachable() {
      try {
        await sql`select name from kysely_migration limit 1`.execute(quick.db)
        return true
      } catch {
        return false
      }
    },
    async close() {
      await quick.close()
      await durable.close()
    },
  }
}

interface Connection {
  readonly db: Kysely<Tables>
  close(): Promise<void>
}

async function open(path: string, durability: Durability): Promise<Connection> {
  const database = await patiently(() => connect(path, durability))
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) })
  return {
    db,
    async close() {
      await db.destroy()
      if (database.isOpen) database.close()
    },
  }
}

// Stores with words of their own: accounts, which are sealed tokens, one of each person; the audit trail, which does
// not know what a mac is; and small things that are kept until a time: what happened once, who somebody is at the
// service, links of alerts, and a known text for each key that was ever the first, sealed with it.
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Sealed } from '../account/vault.ts'
import { type AlertLink, linkParts } from '../alert/link.ts'
import { type AuditRecords, beginning, type ChainedRecord } from '../audit/trail.ts'
import type { KeyChecks } from '../keys/key-checks.ts'
import type { OwnId } from '../names/own-id.ts'
import type { SlackUser } from '../slack/person.ts'
import { didChange, keptOf } from './docs.ts'
import type { Database } from './problem.ts'
import type { Tables } from './tables.ts'

export function accountsIn({ db, now, scrub }: Database) {
  const keyOf = ({ workspaceId, userId }: SlackUser) => ({ workspaceId, userId })
  const isOf = (owner: SlackUser) => (row: ExpressionBuilder<Tables, 'accounts'>) => row.and(keyOf(owner))
  const one = (owner: SlackUser) => db.selectFrom('accounts').where(isOf(owner))

  return {
    /** Undefined when this person has not connected. */
    async find(owner: SlackUser): Promise<Sealed | undefined> {
      return (await one(owner).select('token').executeTakeFirst())?.token
    },

    /** When it was kept, in milliseconds since 1970. */
    async since(owner: SlackUser): Promise<number | undefined> {
      return (await one(owner).select('keptAt').executeTakeFirst())?.keptAt
    },

    /** Replaces any earlier one, which is gone from the file's log soon. */
    async keep(owner: SlackUser, token: Sealed): Promise<void> {
      const kept = { token, keptAt: now() }
      await db
        .insertInto('accounts')
        .values({ ...keyOf(owner), ...kept })
        .onConflict((conflict) => conflict.columns(['workspaceId', 'userId']).doUpdateSet(kept))
        .execute()
      void scrub()
    },

    /** False, and nothing done, when it has changed or gone meanwhile. */
    reseal: (owner: SlackUser, previous: Sealed, token: Sealed): Promise<boolean> =>
      didChange(db.updateTable('accounts').set({ token }).where(isOf(owner)).where('token', '=', previous)),

    /** All that another key than this one has sealed. */
    sealedByOthers: (keyId: string) =>
      db
        .selectFrom('accounts')
        .select(['workspaceId', 'userId', 'token'])
        .where(({ fn, val }) => fn('substr', ['token', val(1), val(keyId.length + 1)]), '<>', `${keyId}.`)
        .orderBy('userId')
        .execute(),

    /** People who connected at least so long ago. */
    keptFor: (ms: number): Promise<readonly SlackUser[]> =>
      db
        .selectFrom('accounts')
        .select(['workspaceId', 'userId'])
        .where('keptAt', '<=', now() - ms)
        .orderBy('keptAt')
        .execute(),

    /** It is gone from the file's log as well when this is said, or soon after. True if there was one. */
    async forget(owner: SlackUser): Promise<boolean> {
      const wasThere = await didChange(db.deleteFrom('accounts').where(isOf(owner)))
      await scrub()
      return wasThere
    },
  }
}

export function auditRecordsIn({ db, now, hasRowLocks }: Database): AuditRecords {
  const all = (on: Kysely<Tables> = db) => on.selectFrom('auditRecords').selectAll()

  return {
    append: ({ workspaceId, key }, seal) =>
      db.transaction().execute(async (transaction) => {
        // One after the other. SQLite lets one write at a time anyway.
        if (hasRowLocks)
          await sql`select pg_advisory_xact_lock(hashtext('bellhop audit'))`.execute(transaction)
        const known = await all(transaction)
          .where('workspaceId', '=', workspaceId)
          .where('key', '=', key)
          .executeTakeFirst()
        if (known !== undefined) return { seq: known.seq, mac: known.mac, isNew: false }
        const newest = await all(transaction).orderBy('seq', 'desc').limit(1).executeTakeFirst()
        const { seq, mac, at } = newest ?? { ...beginning, at: 0 }
        const record = seal({ seq, mac, at, now: now() })
        await transaction
          .insertInto('auditRecords')
          .values({ ...record, email: record.email ?? null })
          .execute()
        return { seq: record.seq, mac: record.mac, isNew: true }
      }),

    async page({ after, since = 0, most }) {
      const rows = await all()
        .where('seq', '>', after)
        .$if(since > 0, (query) => query.where('at', '>=', since))
        .orderBy('seq')
        .limit(most)
        .execute()
      return rows.map(recordOf)
    },

    async erase(email) {
      const { numUpdatedRows } = await db
        .updateTable('auditRecords')
        .set({ email: null })
        .where('email', '=', email)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    async newestOlderThan(ms) {
      const old = all().where('at', '<', now() - ms)
      const row = await old.orderBy('at', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return row && recordOf(row)
    },

    async newestCut() {
      const cuts = all().where('workspaceId', '=', '').where('key', 'like', 'cut:%')
      const row = await cuts.orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return row && recordOf(row)
    },

    async drop(upTo) {
      await db.deleteFrom('auditRecords').where('seq', '<=', upTo).execute()
    },
  }
}

function recordOf({ email, ...rest }: Tables['auditRecords']): ChainedRecord {
  return { ...rest, email: email ?? undefined }
}

const dayMs = 24 * 60 * 60_000

/** How long each is kept. */
export const smallMs = {
  /** Since somebody last used them. */
  alertLinks: 90 * dayMs,
  /** Nobody sends an act any more that was begun so long ago. */
  once: 31 * dayMs,
} as const

/** What happened once: each key is claimed once, or once in so long. */
export function onceIn(database: Database) {
  const { add, find, take } = keptOf(database, 'once')
  return {
    /** True for the one caller that does so first, or for the first time in so long. */
    claim: (workspaceId: string, key: string, forMs: number = smallMs.once): Promise<boolean> =>
      add({ workspaceId, key, forMs }),
    isClaimed: async (workspaceId: string, key: string) => (await find({ workspaceId, key })) !== undefined,
    /** Gives a claim back: it did not happen after all. */
    release: async (workspaceId: string, key: string) => void (await take(workspaceId, key)),
  }
}

/** Who somebody in Slack is at the service. */
export function ownIdsIn(database: Database) {
  const kept = keptOf(database, 'own-id')
  const textOf = ({ userId, isMatched }: OwnId) => JSON.stringify({ userId, isMatched })
  return {
    async find({ workspaceId, userId }: SlackUser): Promise<OwnId | undefined> {
      const found = await kept.find({ workspaceId, key: userId })
      return found && JSON.parse(found.value)
    },
    /** In place of what was kept. */
    keep: ({ workspaceId, userId }: SlackUser, own: OwnId): Promise<void> =>
      kept.put({ workspaceId, userId, key: userId, value: textOf(own) }),
    /** Whoever is that user of the service, those who are matched first. */
    async personOf(workspaceId: string, userId: number): Promise<SlackUser | undefined> {
      for (const isMatched of [true, false]) {
        const person = await kept.find({ workspaceId, value: textOf({ userId, isMatched }) })
        if (person !== undefined) return { workspaceId, userId: person.userId }
      }
      return undefined
    },
    forget: async ({ workspaceId, userId }: SlackUser) => void (await kept.take(workspaceId, userId)),
  }
}

/**
 * Links and the keys they were found to lead to. Each was found with somebody's token, and is remembered for that person
 * alone: what one may see, another may not.
 */
export function alertLinksIn(database: Database) {
  const kept = keptOf(database, 'link')
  const textOf = (link: AlertLink) => JSON.stringify(link, [...linkParts])
  return {
    async keyOf({ workspaceId, userId }: SlackUser, link: AlertLink): Promise<string | undefined> {
      const found = await kept.find({ workspaceId, userId, value: textOf(link) })
      return found?.key.slice(`${userId} `.length)
    },
    /** The link that was last found to lead to this key. @param ks - As the service writes it. */
    async linkTo({ workspaceId, userId }: SlackUser, ks: string): Promise<AlertLink | undefined> {
      const found = await kept.find({ workspaceId, key: `${userId} ${ks}` })
      return found && JSON.parse(found.value)
    },
    keep: ({ workspaceId, userId }: SlackUser, link: AlertLink, ks: string): Promise<void> =>
      kept.put({
        ...{ workspaceId, userId, key: `${userId} ${ks}` },
        ...{ value: textOf(link), forMs: smallMs.alertLinks },
      }),
  }
}

export function keyChecksIn(database: Pick<Database, 'db' | 'now'>): KeyChecks {
  const { add, take } = keptOf(database, 'key-check')
  const isUsed = sql<number>`(select count(*) from accounts where substr(token, 1, length(key) + 1) = key || '.')`
  return {
    async all() {
      const checks = database.db.selectFrom('kept').where('kind', '=', 'key-check').orderBy('key')
      const rows = await checks.select(['key', 'value', isUsed.as('used')]).execute()
      return rows.map(({ key, value, used }) => ({ keyId: key, sealed: value, isUsed: used > 0 }))
    },
    add: async ({ keyId, sealed }) => void (await add({ workspaceId: '', key: keyId, value: sealed })),
    remove: async (keyId) => (await take('', keyId)) !== undefined,
  }
}

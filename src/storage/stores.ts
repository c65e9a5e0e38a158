// Stores with words of their own: accounts, which are sealed tokens, one of each person; the audit trail, which does
// not know what a mac is; and small things that are kept until a time: what happened once, who somebody is at the
// service, links of alerts, and a known text for each key that was ever the first, sealed with it.
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { Sealed } from '../account/vault.ts'
import { type AlertLink, linkParts } from '../alert/link.ts'
import { type AuditRecords, beginning, type ChainedRecord } from '../audit/trail.ts'
import type { KeyChecks } from '../keys/key-checks.ts'
import type { OwnId } from '../names/own-id.ts'
import type { SlackUser } from '../slack/person.ts'
import { didChange, keptOf } from './docs.ts'
import type { Database } from './problem.ts'
import type { AuditRecordsTable, Tables } from './tables.ts'

export function accountsIn({ db, now, scrub }: Database) {
  const keyOf = ({ workspaceId, userId }: SlackUser) => ({ workspace_id: workspaceId, user_id: userId })
  const isOf = (owner: SlackUser) => (row: ExpressionBuilder<Tables, 'accounts'>) => row.and(keyOf(owner))
  const one = (owner: SlackUser) => db.selectFrom('accounts').where(isOf(owner))

  return {
    /** Undefined when this person has not connected. */
    async find(owner: SlackUser): Promise<Sealed | undefined> {
      return (await one(owner).select('token').executeTakeFirst())?.token
    },

    /** When it was kept, in milliseconds since 1970. */
    async since(owner: SlackUser): Promise<number | undefined> {
      return (await one(owner).select('kept_at').executeTakeFirst())?.kept_at
    },

    /** Replaces any earlier one, which is gone from the file's log soon. */
    async keep(owner: SlackUser, token: Sealed): Promise<void> {
      const kept = { token, kept_at: now() }
      await db
        .insertInto('accounts')
        .values({ ...keyOf(owner), ...kept })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(kept))
        .execute()
      void scrub()
    },

    /** False, and nothing done, when it has changed or gone meanwhile. */
    reseal: (owner: SlackUser, previous: Sealed, token: Sealed): Promise<boolean> =>
      didChange(db.updateTable('accounts').set({ token }).where(isOf(owner)).where('token', '=', previous)),

    /** All that another key than this one has sealed. */
    async sealedByOthers(keyId: string) {
      const rows = await db
        .selectFrom('accounts')
        .select(['workspace_id', 'user_id', 'token'])
        .where(({ fn, val }) => fn('substr', ['token', val(1), val(keyId.length + 1)]), '<>', `${keyId}.`)
        .orderBy('user_id')
        .execute()
      return rows.map((row) => ({ owner: ownerOf(row), token: row.token }))
    },

    /** People who connected at least so long ago. */
    async keptFor(ms: number): Promise<readonly SlackUser[]> {
      const all = db.selectFrom('accounts').select(['workspace_id', 'user_id']).orderBy('kept_at')
      return (await all.where('kept_at', '<=', now() - ms).execute()).map(ownerOf)
    },

    /** It is gone from the file's log as well when this is said, or soon after. True if there was one. */
    async forget(owner: SlackUser): Promise<boolean> {
      const wasThere = await didChange(db.deleteFrom('accounts').where(isOf(owner)))
      await scrub()
      return wasThere
    },
  }
}

function ownerOf(row: { readonly workspace_id: string; readonly user_id: string }): SlackUser {
  return { workspaceId: row.workspace_id, userId: row.user_id }
}

export function auditRecordsIn({ db, now, hasRowLocks }: Database): AuditRecords {
  const all = (on: Kysely<Tables> = db) => on.selectFrom('audit_records').selectAll()

  return {
    append: ({ workspaceId, key }, seal) =>
      db.transaction().execute(async (transaction) => {
        // One after the other. SQLite lets one write at a time anyway.
        if (hasRowLocks)
          await sql`select pg_advisory_xact_lock(hashtext('bellhop audit'))`.execute(transaction)
        const known = await all(transaction)
          .where('workspace_id', '=', workspaceId)
          .where('event_key', '=', key)
          .executeTakeFirst()
        if (known !== undefined) return { seq: known.seq, mac: known.mac, isNew: false }
        const newest = await all(transaction).orderBy('seq', 'desc').limit(1).executeTakeFirst()
        const { seq, mac, at } = newest ?? { ...beginning, at: 0 }
        const record = seal({ seq, mac, at, now: now() })
        await transaction.insertInto('audit_records').values(rowOf(record)).execute()
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
        .updateTable('audit_records')
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
      const cuts = all().where('workspace_id', '=', '').where('event_key', 'like', 'cut:%')
      const row = await cuts.orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return row && recordOf(row)
    },

    async drop(upTo) {
      await db.deleteFrom('audit_records').where('seq', '<=', upTo).execute()
    },
  }
}

function rowOf({ workspaceId, key, keyId, email, ...rest }: ChainedRecord): AuditRecordsTable {
  return { ...rest, workspace_id: workspaceId, event_key: key, key_id: keyId, email: email ?? null }
}

function recordOf({ workspace_id, event_key, key_id, email, ...rest }: Selectable<AuditRecordsTable>) {
  const record: ChainedRecord = {
    ...rest,
    workspaceId: workspace_id,
    key: event_key,
    keyId: key_id,
    email: email ?? undefined,
  }
  return record
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
  const { add, get, take } = keptOf(database, 'once')
  return {
    /** True for the one caller that does so first, or for the first time in so long. */
    claim: (workspaceId: string, key: string, forMs: number = smallMs.once): Promise<boolean> =>
      add({ workspaceId, key, forMs }),
    isClaimed: async (workspaceId: string, key: string) => (await get(workspaceId, key)) !== undefined,
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
      const found = await kept.get(workspaceId, userId)
      return found && JSON.parse(found.value)
    },
    /** In place of what was kept. */
    keep: ({ workspaceId, userId }: SlackUser, own: OwnId): Promise<void> =>
      kept.put({ workspaceId, userId, key: userId, value: textOf(own) }),
    /** Whoever is that user of the service, those who are matched first. */
    async personOf(workspaceId: string, userId: number): Promise<SlackUser | undefined> {
      for (const isMatched of [true, false]) {
        const [person] = await kept.withValue(workspaceId, textOf({ userId, isMatched }))
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
  const keyOf = ({ userId }: SlackUser, ks: string) => `${userId} ${ks}`
  return {
    async keyOf(owner: SlackUser, link: AlertLink): Promise<string | undefined> {
      const [found] = await kept.withValue(owner.workspaceId, textOf(link), owner.userId)
      return found?.key.slice(keyOf(owner, '').length)
    },
    /** The link that was last found to lead to this key. @param ks - As the service writes it. */
    async linkTo(owner: SlackUser, ks: string): Promise<AlertLink | undefined> {
      const found = await kept.get(owner.workspaceId, keyOf(owner, ks))
      return found && JSON.parse(found.value)
    },
    keep: ({ workspaceId, userId }: SlackUser, link: AlertLink, ks: string): Promise<void> =>
      kept.put({
        ...{ workspaceId, userId, key: keyOf({ workspaceId, userId }, ks) },
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

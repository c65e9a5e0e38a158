// Stores with words of their own: accounts, which are sealed tokens; the audit trail, whose macs are made elsewhere; and
// small things that are kept until a time.

import type { Sealed } from '../account/vault.ts'
import { type AlertLink, linkParts } from '../alert/link.ts'
import type { AlertPlace } from '../alert/place.ts'
import {
  beginning,
  type ChainedRecord,
  type Entry,
  type Head,
  type Link,
  mostSeq,
} from '../audit/trail.ts'
import type { OwnId } from '../names/own-id.ts'
import type { SlackUser } from '../slack/person.ts'
import { dayMs } from '../work/durations.ts'
import { keptOf } from './docs.ts'
import type { Database } from './problem.ts'

export function accountsIn({ db, now, scrub }: Database) {
  const isOf = 'workspace_id = ? and user_id = ?'
  const keyOf = ({ workspaceId, userId }: SlackUser) => [workspaceId, userId]
  const owners = 'select workspace_id "workspaceId", user_id "userId"'

  return {
    /** Undefined when this person has not connected. `keptAt`: in milliseconds since 1970. */
    async find(owner: SlackUser) {
      const account = `select token, kept_at "keptAt" from accounts where ${isOf}`
      const [found] = await db.all<{ token: Sealed; keptAt: number }>(account, keyOf(owner))
      return found
    },

    /** Stores a token in place of any earlier one, which is soon gone from SQLite's own log as well. */
    async keep(owner: SlackUser, token: Sealed) {
      const upsert = `insert into accounts (workspace_id, user_id, token, kept_at) values (?, ?, ?, ?)
        on conflict (workspace_id, user_id) do update set token = excluded.token, kept_at = excluded.kept_at`
      await db.runLasting(upsert, [...keyOf(owner), token, now()])
      void scrub()
    },

    /** Replaces the sealed token `previous`; false, with nothing done, if it was changed or deleted meanwhile. */
    async reseal(owner: SlackUser, previous: Sealed, token: Sealed): Promise<boolean> {
      const update = `update accounts set token = ? where ${isOf} and token = ?`
      return (await db.runLasting(update, [token, ...keyOf(owner), previous])) > 0
    },

    sealedByOthers: (keyId: string) =>
      db.all<SlackUser & { readonly token: Sealed }>(
        `${owners}, token from accounts where substr(token, 1, ?) <> ? order by user_id`,
        [keyId.length + 1, `${keyId}.`],
      ),

    /** People who connected at least so long ago. */
    keptFor: (ms: number): Promise<readonly SlackUser[]> =>
      db.all(`${owners} from accounts where kept_at <= ? order by kept_at`, [now() - ms]),

    /**
     * Deletes a token; true if there was one. Resolves when the token is gone from SQLite's own log, too, or
     * after a second.
     */
    async forget(owner: SlackUser): Promise<boolean> {
      const gone = await db.runLasting(`delete from accounts where ${isOf}`, keyOf(owner))
      await scrub()
      return gone > 0
    },
  }
}

export function auditRecordsIn({ db, now }: Database) {
  const all =
    'select seq, at, workspace_id "workspaceId", key, key_id "keyId", mac, body, email from audit_records'
  const find = (rest: string, values: readonly number[] = []) =>
    db.all<ChainedRecord>(`${all} ${rest}`, values)

  return {
    /**
     * Adds records at the end of the chain, one for each entry whose key has no record yet. All are added in one
     * transaction, during which no other process adds any.
     * @returns The link of each entry’s record. `isNew` is false if that record was there before.
     */
    append: (entries: readonly Entry[], seal: (entry: Entry, head: Head) => ChainedRecord) =>
      db.transaction('bellhop audit', async (sql) => {
        const newest = 'select seq, mac, at from audit_records order by seq desc limit 1'
        const insert = `insert into audit_records (seq, at, workspace_id, key, key_id, mac, body, email)
          values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, key) do nothing`
        const known = 'select seq, mac from audit_records where workspace_id = ? and key = ?'
        const [last] = await sql.all<Link & { readonly at: number }>(newest)
        let head = last ?? { ...beginning, at: 0 }
        const links: (Link & { readonly isNew: boolean })[] = []
        for (const entry of entries) {
          const record = seal(entry, { ...head, now: now() })
          const { seq, at, workspaceId, key, keyId, mac, body, email } = record
          const row = [seq, at, workspaceId, key, keyId, mac, body, email]
          const isNew = (await sql.run(insert, row)) > 0
          if (isNew) head = { seq, mac, at }
          const [before] = isNew ? [] : await sql.all<Link>(known, [workspaceId, key])
          links.push({ seq, mac, ...before, isNew })
        }
        return links
      }),

    /** Records after this number, oldest first, none older than `since`: milliseconds since 1970. Default: all. */
    page: ({ after, since = 0, most }: { after: number; since?: number; most: number }) =>
      find('where seq > ? and at >= ? order by seq limit ?', [after, since, most]),

    /**
     * Takes the address out of all records that have it in plain; returns how many.
     * @param email - As records have it (`foldEmail`).
     */
    erase: (email: string) =>
      db.run('update audit_records set email = null where email = ?', [email]),

    /**
     * The newest record that is older than so many milliseconds. Reads through all older ones, which are few, as old records
     * are deleted.
     */
    async newestOlderThan(ms: number): Promise<ChainedRecord | undefined> {
      const [first] = await find('where at >= ? order by seq limit 1', [now() - ms])
      const before = first?.seq ?? mostSeq
      return (await find('where seq < ? order by seq desc limit 1', [before]))[0]
    },

    /** The newest `cut`: the record that says up to which number records were deleted. */
    newestCut: async () =>
      (await find(`where workspace_id = '' and key like 'cut:%' order by seq desc limit 1`))[0],

    /** Forgets records up to this number. */
    drop: (upTo: number) => db.run('delete from audit_records where seq <= ?', [upTo]),
  }
}

/** How long each kind of small things is kept. */
export const smallMs = {
  /** Counted from when somebody last used the link. */
  alertLinks: 90 * dayMs,
  /** As long as cards are kept (`keptMs` in storage.ts). */
  places: 90 * dayMs,
  /** Long enough: a thing that is to be done once is asked for again within days, if at all. */
  once: 31 * dayMs,
} as const

/** Things that must happen only once. A thing has a key, and whoever claims the key does it. A claim ends after a time. */
export function onceIn(database: Database) {
  const { add, find, take } = keptOf(database, 'once')
  return {
    /** True for the caller that claims the key; false while somebody’s claim holds. */
    claim: (workspaceId: string, key: string, forMs: number = smallMs.once) =>
      add({ workspaceId, key, forMs }),
    isClaimed: async (workspaceId: string, key: string) =>
      (await find({ workspaceId, key })) !== undefined,
    /** Gives a claim back, because the thing that was claimed did not happen. */
    release: take,
  }
}

export function ownIdsIn(database: Database) {
  const kept = keptOf(database, 'own-id')
  const textOf = ({ userId, isMatched }: OwnId) => JSON.stringify({ userId, isMatched })
  return {
    async find({ workspaceId, userId }: SlackUser): Promise<OwnId | undefined> {
      const found = await kept.find({ workspaceId, key: userId })
      return found && JSON.parse(found.value)
    },
    keep: ({ workspaceId, userId }: SlackUser, own: OwnId) =>
      kept.put({ workspaceId, userId, key: userId, value: textOf(own) }),
    /** A person in Slack who is that user of the service; if there are several, one who was found by their address. */
    async personOf(workspaceId: string, userId: number): Promise<SlackUser | undefined> {
      for (const isMatched of [true, false]) {
        const person = await kept.find({ workspaceId, value: textOf({ userId, isMatched }) })
        if (person !== undefined) return { workspaceId, userId: person.userId }
      }
      return undefined
    },
    forget: ({ workspaceId, userId }: SlackUser) => kept.take(workspaceId, userId),
  }
}

/**
 * Keys of alerts, by the web links that lead to them. A key was found with somebody’s token, and is remembered for that
 * person alone, as others may not see the alert.
 */
export function alertLinksIn(database: Database) {
  const kept = keptOf(database, 'link')
  const textOf = (link: AlertLink) => JSON.stringify(link, [...linkParts])
  return {
    async keyOf({ workspaceId, userId }: SlackUser, link: AlertLink): Promise<string | undefined> {
      const found = await kept.find({ workspaceId, userId, value: textOf(link) })
      return found?.key.slice(`${userId} `.length)
    },
    /** @param ks - As the service writes it. */
    keep: ({ workspaceId, userId }: SlackUser, link: AlertLink, ks: string) =>
      kept.put({
        workspaceId,
        userId,
        key: `${userId} ${ks}`,
        value: textOf(link),
        forMs: smallMs.alertLinks,
      }),
  }
}

/**
 * Places of alerts (the asset, the time and so on), by the alert’s key. They are the same for everybody, as no place says
 * whose token may see the alert. Each was proved by a list of the asset’s open alerts.
 */
export function placesIn(database: Database) {
  const kept = keptOf(database, 'place')

  async function find(workspaceId: string, ks: string): Promise<AlertPlace | undefined> {
    const found = await kept.find({ workspaceId, key: ks })
    return found && JSON.parse(found.value)
  }

  return {
    find,
    /** Places by key, for those of the first fifty keys whose place is known. */
    async some(
      workspaceId: string,
      keys: readonly string[],
    ): Promise<ReadonlyMap<string, AlertPlace>> {
      const found = await kept.findAll(workspaceId, keys)
      return new Map(found.map(({ key, value }) => [key, JSON.parse(value)]))
    },
    /** Adds to what is known of a place, or replaces it if the asset is another. @param ks - As the service writes it. */
    async keep(workspaceId: string, ks: string, found: AlertPlace) {
      const before = await find(workspaceId, ks)
      const said = JSON.parse(JSON.stringify(found, [...linkParts]))
      const place = before?.asset === found.asset ? { ...before, ...said } : said
      const value = JSON.stringify(place)
      await kept.put({ workspaceId, key: ks, value, forMs: smallMs.places })
    },
  }
}

export function keyChecksIn(database: Pick<Database, 'db' | 'now'>) {
  const { add, take } = keptOf(database, 'key-check')
  const isUsed = `exists (select 1 from accounts where substr(token, 1, length(key) + 1) = key || '.')`
  return {
    /** `isUsed`: an account is sealed with this key. */
    async all() {
      const checks = `select key "keyId", value sealed, ${isUsed} "isUsed" from kept where kind = 'key-check' order by key`
      const rows = await database.db.all<{
        keyId: string
        sealed: Sealed
        isUsed: boolean | number
      }>(checks)
      return rows.map((row) => ({ ...row, isUsed: Boolean(row.isUsed) }))
    },
    /** Adds the check of a key; changes nothing when there is one. */
    add: ({ keyId, sealed }: { readonly keyId: string; readonly sealed: Sealed }) =>
      add({ workspaceId: '', key: keyId, value: sealed }),
    /** Removes the check of a key; false when there was none. */
    remove: async (keyId: string) => (await take('', keyId)) !== undefined,
  }
}

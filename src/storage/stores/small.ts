// Small things with a word of their own for what is kept until a time: what happened once, who somebody is at the service,
// links of alerts, and a known text for each key that was ever the first, sealed with it.

import { sql } from 'kysely'
import { type AlertLink, linkParts } from '../../alert/link.ts'
import type { KeyChecks } from '../../keys/key-checks.ts'
import type { OwnId } from '../../names/own-id.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Database } from '../engine.ts'
import { keptOf } from '../kept.ts'

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
  const { add, take } = keptOf(database, 'once')
  return {
    /** True for the one caller that does so first, or for the first time in so long. */
    claim: (workspaceId: string, key: string, forMs: number = smallMs.once): Promise<boolean> =>
      add({ workspaceId, key, forMs }),
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

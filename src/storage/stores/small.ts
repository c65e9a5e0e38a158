// Small things that are kept until a time: what happened once, commands that wait for an account, links to the token page
// and of alerts, and who somebody is at the service.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Sealed } from '../../account/vault.ts'
import { type AlertLink, nameOfLink } from '../../alert/link.ts'
import type { OwnId } from '../../names/own-id.ts'
import { replayKeys } from '../../slack/guard/once.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Engine } from '../engine.ts'
import { keptOf } from '../kept.ts'
import type { Tables } from '../tables.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** How long each is kept. */
export const smallMs = {
  /** Since somebody last used them. */
  alertLinks: 90 * dayMs,
  /** Nobody sends an act any more that was begun so long ago. */
  once: 31 * dayMs,
  /** Ten minutes after it was signed, nobody is taken for Slack with it any more. */
  requests: hourMs,
} as const

/** What happened once: each key is claimed once, or once in so long. */
export function onceIn(db: Kysely<Tables>, engine: Engine) {
  const { add, take } = keptOf(db, engine, 'once')
  return {
    /** True for the one caller that does so first, or for the first time in so long. */
    claim(workspaceId: string, key: string, withinMs?: number): Promise<boolean> {
      const usualMs = key.startsWith(replayKeys) ? smallMs.requests : smallMs.once
      return add({ workspaceId, key, value: '', forMs: withinMs ?? usualMs })
    },
    /** Gives a claim back: it did not happen after all. */
    release: async (workspaceId: string, key: string) => void (await take(workspaceId, key)),
  }
}

/** Where commands wait, sealed for their asker, while that one connects an account. */
export function waitingIn(db: Kysely<Tables>, engine: Engine) {
  const kept = keptOf(db, engine, 'waiting')
  const keyOf = ({ userId }: SlackUser, id: string) => `${userId} ${id}`
  return {
    keep: (owner: SlackUser, id: string, what: Sealed, forMs: number) =>
      kept.put({ ...owner, key: keyOf(owner, id), value: what, forMs }),
    /** Takes the command and forgets it: of two callers, one gets it. Undefined when it is gone or somebody else's. */
    take: async (owner: SlackUser, id: string): Promise<Sealed | undefined> =>
      (await kept.take(owner.workspaceId, keyOf(owner, id)))?.value,
  }
}

/** Links to the token page, by the hash of their secret: what is stored opens no page. */
export function connectLinksIn(db: Kysely<Tables>, engine: Engine) {
  const links = keptOf(db, engine, 'connect-link')
  return {
    keep: (owner: SlackUser, linkHash: string, what: Sealed, forMs: number) =>
      links.put({ ...owner, key: linkHash, value: what, forMs }),
    /** Looks without using anything up. */
    async find(linkHash: string) {
      const row = await links.find(linkHash)
      return row && { owner: { workspaceId: row.workspace_id, userId: row.user_id }, what: row.value }
    },
    /** Uses it up. False if it was already used or gone. */
    use: links.drop,
  }
}

/** Who somebody in Slack is at the service. */
export function ownIdsIn(db: Kysely<Tables>, engine: Engine) {
  const kept = keptOf(db, engine, 'own-id')
  const textOf = ({ userId, isMatched }: OwnId) => JSON.stringify({ userId, isMatched } satisfies OwnId)
  return {
    async find({ workspaceId, userId }: SlackUser): Promise<OwnId | undefined> {
      const row = await kept.get(workspaceId, userId)
      return row && JSON.parse(row.value)
    },
    /** In place of what was kept. */
    keep: (person: SlackUser, own: OwnId): Promise<void> =>
      kept.put({ ...person, key: person.userId, value: textOf(own) }),
    /** Whoever is that user of the service, those who are matched first. */
    async personOf(workspaceId: string, userId: number): Promise<SlackUser | undefined> {
      const [matched, chosen] = [true, false].map((isMatched) => textOf({ userId, isMatched }))
      const rows = await kept.withValues(workspaceId, [matched ?? '', chosen ?? ''])
      const row = rows.find(({ value }) => value === matched) ?? rows[0]
      return row && { workspaceId, userId: row.user_id }
    },
    forget: async ({ workspaceId, userId }: SlackUser) => void (await kept.take(workspaceId, userId)),
  }
}

/**
 * Links and the keys they were found to lead to. Each was found with somebody's token, and is remembered for that person
 * alone: what one may see, another may not.
 */
export function alertLinksIn(db: Kysely<Tables>, engine: Engine) {
  const keys = keptOf(db, engine, 'key-of-link')
  const links = keptOf(db, engine, 'link-of-key')
  // Of the link, which may be longer than PostgreSQL takes into an index.
  const placeOf = ({ userId }: SlackUser, link: AlertLink) =>
    `${userId} ${hash('sha256', nameOfLink(link), 'base64url')}`
  const keyOf = async (owner: SlackUser, link: AlertLink) =>
    (await keys.get(owner.workspaceId, placeOf(owner, link)))?.value
  const forMs = smallMs.alertLinks
  return {
    keyOf,
    /** The link that was last found to lead to this key. @param ks - As the service writes it. */
    async linkTo(owner: SlackUser, ks: string): Promise<AlertLink | undefined> {
      const row = await links.get(owner.workspaceId, `${owner.userId} ${ks}`)
      const link: AlertLink | undefined = row && JSON.parse(row.value)
      // It may lead elsewhere by now.
      return link && (await keyOf(owner, link)) === ks ? link : undefined
    },
    async keep(owner: SlackUser, link: AlertLink, ks: string): Promise<void> {
      await keys.put({ ...owner, key: placeOf(owner, link), value: ks, forMs })
      await links.put({ ...owner, key: `${owner.userId} ${ks}`, value: JSON.stringify(link), forMs })
    },
  }
}

// Links of alerts and the keys they lead to, in the database.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type AlertLink, alertLinkSchema, type KnownLinks, nameOfLink } from '../../../alert/link.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import type { Engine } from '../../engine.ts'
import type { Tables } from '../../tables.ts'

export function alertLinksIn(db: Kysely<Tables>, engine: Engine): KnownLinks {
  const ofPerson = ({ workspaceId, userId }: SlackUser) =>
    db.selectFrom('alert_links').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)

  return {
    async keyOf(owner, link) {
      const row = await ofPerson(owner).select('ks').where('hash', '=', hashOf(link)).executeTakeFirst()
      return row?.ks
    },

    async linkTo(owner, ks) {
      const row = await ofPerson(owner)
        .select('link')
        .where('ks', '=', ks)
        .orderBy('kept_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && linkIn(row.link)
    },

    async keep({ workspaceId, userId }, link, ks) {
      const known = { link: JSON.stringify(link), ks, kept_at: engine.now() }
      await db
        .insertInto('alert_links')
        .values({ workspace_id: workspaceId, user_id: userId, hash: hashOf(link), ...known })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'hash']).doUpdateSet(known))
        .execute()
    },

    async forget({ workspaceId, userId }) {
      await db
        .deleteFrom('alert_links')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('alert_links').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('alert_links').where('kept_at', '<', before).execute()
    },
  }
}

function hashOf(link: AlertLink): string {
  return hash('sha256', nameOfLink(link), 'base64url')
}

/** Of a column; undefined for what a newer version may have written in another way. */
export function linkIn(column: string | null): AlertLink | undefined {
  return column === null ? undefined : alertLinkSchema.safeParse(JSON.parse(column)).data
}

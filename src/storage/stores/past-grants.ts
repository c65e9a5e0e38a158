// Past grants in the database, read from wishes and their sends; and which of them their people were told.
import type { Kysely } from 'kysely'
import type { GrantNotices } from '../../grant/follow-ups.ts'
import type { PastGrant, PastGrants } from '../../grant/past-grants.ts'
import { asAddUser, targetOf } from '../../send/writes.ts'
import { didChange, type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { outcomeColumn, writeIn } from './send/columns.ts'

/** Matches the column `outcome` of every grant, whatever ground it is called done on; `unsaid` may be anybody's doing. */
const granted = `${outcomeColumn({ kind: 'done' }).slice(0, -1)}%`
const unsaid = outcomeColumn({ kind: 'done', on: 'unsaid' })

export function pastGrantsIn(db: Kysely<Tables>, engine: Engine): PastGrants {
  return {
    async newest({ workspaceId, containerId, emails, of }, withinMs) {
      const targets = emails.map((email) => targetOf({ kind: 'add-user', containerId, email, ...anyAccess }))
      if (targets.length === 0) return []
      const rows = await db
        .selectFrom('sends')
        .innerJoin('wishes', (join) =>
          join
            .onRef('wishes.workspace_id', '=', 'sends.workspace_id')
            .onRef('wishes.id', '=', 'sends.wish_id'),
        )
        .select(['sends.kind', 'sends.write', 'sends.settled_at', 'sends.target', 'sends.sender_id'])
        .select('wishes.asker_id')
        .where('sends.workspace_id', '=', workspaceId)
        .where('sends.target', 'in', targets)
        .where('sends.state', '=', 'settled')
        .where('sends.settled_at', '>=', fromNow(engine, -withinMs))
        .where('sends.outcome', 'like', granted)
        .where('sends.outcome', '!=', unsaid)
        .$if(of !== undefined, (query) =>
          query.where(({ or, eb }) =>
            or([eb('sends.sender_id', '=', of ?? ''), eb('wishes.asker_id', '=', of ?? '')]),
          ),
        )
        .execute()
      const newestFirst = rows.toSorted((a, b) => (b.settled_at ?? 0) - (a.settled_at ?? 0))
      return targets.flatMap((target, index): readonly PastGrant[] => {
        const row = newestFirst.find((one) => one.target === target)
        const email = emails[index]
        if (row === undefined || email === undefined) return []
        const { permissions } = asAddUser(writeIn(row))
        return [
          {
            email,
            permissions,
            at: row.settled_at ?? 0,
            senderId: row.sender_id,
            askerId: row.asker_id,
          },
        ]
      })
    },
  }
}

export function grantNoticesIn(db: Kysely<Tables>): GrantNotices {
  return {
    async take({ workspaceId, wishId, n }) {
      return didChange(
        db
          .updateTable('sends')
          .set({ is_noticed: 1 })
          .where('workspace_id', '=', workspaceId)
          .where('wish_id', '=', wishId)
          .where('n', '=', n)
          .where('state', '=', 'settled')
          .where('outcome', 'like', granted)
          .where('outcome', '!=', unsaid)
          .where('is_noticed', '=', 0),
      )
    },
  }
}

/** Plays no part in a target. */
const anyAccess = { authProvider: undefined, member: false, permissions: [] } as const

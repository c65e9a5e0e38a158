// Recent doings of somebody, read from cards and wishes; and what the service refused them last.
import type { Kysely } from 'kysely'
import type { Doing, Evidence, Recent } from '../../home/recent.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { evidenceIn, lastGrants } from './recent-grants.ts'
import { postedOf } from './watch-rows.ts'

export function recentIn(db: Kysely<Tables>, engine: Engine): Recent {
  return {
    async lastOf(owner, most) {
      const found = await Promise.all([lastLookUps(owner, most), lastGrants(db, owner, most)])
      return found
        .flat()
        .toSorted((a, b) => b.at - a.at)
        .slice(0, most)
    },

    async evidenceOf(owner, since) {
      const found = await Promise.all([
        lastRead(owner, since),
        refusalsSince(owner, since),
        evidenceIn(db, owner, since),
      ])
      return found.flat().toSorted((a, b) => b.at - a.at)
    },

    async refused({ workspaceId, userId }, { kind, ks }) {
      const refusal = { ks: ks ?? null, refused_at: engine.now() }
      await db
        .insertInto('refusals')
        .values({ workspace_id: workspaceId, user_id: userId, kind, ...refusal })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'kind']).doUpdateSet(refusal))
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('refusals').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('refusals').where('refused_at', '<', before).execute()
    },
  }

  type Owner = Parameters<Recent['lastOf']>[0]

  async function lastLookUps({ workspaceId, userId }: Owner, most: number): Promise<readonly Doing[]> {
    const rows = await db
      .selectFrom('cards')
      .select(['ks', 'title', 'kept_at', 'posted_channel_id', 'ts', 'thread_ts'])
      .where('workspace_id', '=', workspaceId)
      .where('asker_id', '=', userId)
      .orderBy('kept_at', 'desc')
      .limit(most)
      .execute()
    return rows.map(({ ks, title, kept_at: at, posted_channel_id: channel_id, ts, thread_ts }) => ({
      kind: 'look-up',
      at,
      ks,
      title: title || ks,
      posted: channel_id === null || ts === null ? undefined : postedOf({ channel_id, ts, thread_ts }),
    }))
  }

  async function lastRead({ workspaceId, userId }: Owner, since: number): Promise<readonly Evidence[]> {
    const rows = await db
      .selectFrom('cards')
      .select('kept_at')
      .where('workspace_id', '=', workspaceId)
      .where('asker_id', '=', userId)
      .where('kept_at', '>=', since)
      .orderBy('kept_at', 'desc')
      .limit(1)
      .execute()
    return rows.map((row) => ({ kind: 'read', at: row.kept_at }))
  }

  /** One that was about an alert is past when the same alert could be looked up afterwards. */
  async function refusalsSince({ workspaceId, userId }: Owner, since: number): Promise<readonly Evidence[]> {
    const rows = await db
      .selectFrom('refusals')
      .select(['kind', 'ks', 'refused_at'])
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('refused_at', '>=', since)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('cards')
              .select('id')
              .whereRef('cards.workspace_id', '=', 'refusals.workspace_id')
              .whereRef('cards.asker_id', '=', 'refusals.user_id')
              .whereRef('cards.ks', '=', 'refusals.ks')
              .whereRef('cards.kept_at', '>', 'refusals.refused_at'),
          ),
        ),
      )
      .execute()
    return rows.map(({ kind, ks, refused_at: at }) =>
      kind === 'refused' ? { kind, at } : { kind: 'not-read', at, ks: ks ?? undefined },
    )
  }
}

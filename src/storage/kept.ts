// Keeps a value under a key until a time: what happened once, commands that wait, links, who somebody is at the service.
import type { Selectable } from 'kysely'
import type { Database } from './engine.ts'
import type { KeptTable } from './tables.ts'

export interface NewKept {
  readonly workspaceId: string
  readonly key: string
  /** Default: empty, where it says all that it is there. */
  readonly value?: string
  /** Default: as long as the workspace. */
  readonly forMs?: number
  /** Whose it is; it is forgotten with all of theirs. */
  readonly userId?: string
}

type Row = Selectable<KeptTable>

/** Longer than anything is kept, in milliseconds. */
export const everMs = 100 * 365 * 24 * 60 * 60_000

/** @param kind - Of what is kept by it; others don't see it. */
export function keptOf({ db, now }: Pick<Database, 'db' | 'now'>, kind: string) {
  const live = () => db.selectFrom('kept').selectAll().where('kind', '=', kind).where('until', '>', now())
  const is = (workspaceId: string, key: string) => ({ kind, workspace_id: workspaceId, key })
  const insert = ({ workspaceId, key, value = '', forMs = everMs, userId = '' }: NewKept) => {
    const rest = { user_id: userId, value, kept_at: now(), until: now() + forMs }
    return { rest, inserted: db.insertInto('kept').values({ ...is(workspaceId, key), ...rest }) }
  }

  return {
    async get(workspaceId: string, key: string) {
      const found = live().where('workspace_id', '=', workspaceId).where('key', '=', key)
      return (await found.execute()).map(asKept)[0]
    },
    /** For a key that is unique whatever its workspace, such as the hash of a secret. */
    async find(key: string) {
      return (await live().where('key', '=', key).execute()).map(asKept)[0]
    },
    /** Those that have this value, the newest first. @param userId - Default: anybody's. */
    async withValue(workspaceId: string, value: string, userId?: string) {
      const rows = await live()
        .where('workspace_id', '=', workspaceId)
        .where('value', '=', value)
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
        .orderBy('kept_at', 'desc')
        .execute()
      return rows.map(asKept)
    },
    /** In place of what was there. */
    async put(kept: NewKept): Promise<void> {
      const { inserted, rest } = insert(kept)
      await inserted
        .onConflict((conflict) => conflict.columns(['kind', 'key', 'workspace_id']).doUpdateSet(rest))
        .execute()
    },
    /** True for the one caller that puts it there: nothing was, or it was over. */
    async add(kept: NewKept): Promise<boolean> {
      const { inserted, rest } = insert(kept)
      const { numInsertedOrUpdatedRows = 0n } = await inserted
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'key', 'workspace_id'])
            .doUpdateSet(rest)
            .where('kept.until', '<=', now()),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    },
    /** Takes it away: of two callers, one gets it. */
    async take(workspaceId: string, key: string) {
      const taken = db.deleteFrom('kept').where((row) => row.and(is(workspaceId, key)))
      return (await taken.where('until', '>', now()).returningAll().execute()).map(asKept)[0]
    },
  }
}

function asKept({ workspace_id: workspaceId, user_id: userId, key, value, kept_at: since }: Row) {
  return { workspaceId, userId, key, value, since }
}

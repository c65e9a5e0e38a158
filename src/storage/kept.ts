// Values under a key until a time: claims, waiting commands, links, who somebody is. A key is unique in its kind and
// workspace. What is over is as good as gone, and deleted every hour.
import type { Kysely, Selectable } from 'kysely'
import { didChange, type Engine, fromNow } from './engine.ts'
import type { KeptTable, Tables } from './tables.ts'

export type KeptRow = Selectable<KeptTable>

export interface NewKept {
  readonly workspaceId: string
  readonly key: string
  readonly value: string
  /** Default: as long as the workspace. */
  readonly forMs?: number
  /** Whose it is; it is forgotten with all of theirs. */
  readonly userId?: string
}

const everMs = 100 * 365 * 24 * 60 * 60_000

/** @param kind - Of what is kept by it; others don't see it. */
export function keptOf(db: Kysely<Tables>, engine: Engine, kind: string) {
  const live = () =>
    db.selectFrom('kept').selectAll().where('kind', '=', kind).where('until', '>', engine.now())
  const deletes = () => db.deleteFrom('kept').where('kind', '=', kind)
  const insert = ({ workspaceId, key, value, forMs = everMs, userId = '' }: NewKept) => {
    const rest = { user_id: userId, value, kept_at: engine.now(), until: fromNow(engine, forMs) }
    return { rest, inserted: db.insertInto('kept').values({ kind, key, workspace_id: workspaceId, ...rest }) }
  }

  return {
    get: (workspaceId: string, key: string): Promise<KeptRow | undefined> =>
      live().where('workspace_id', '=', workspaceId).where('key', '=', key).executeTakeFirst(),
    /** For a key that is unique whatever its workspace, such as the hash of a secret. */
    find: (key: string): Promise<KeptRow | undefined> => live().where('key', '=', key).executeTakeFirst(),
    /** Those that have one of these values, the oldest first. */
    withValues: (workspaceId: string, values: readonly string[]): Promise<readonly KeptRow[]> =>
      live()
        .where('workspace_id', '=', workspaceId)
        .where('value', 'in', [...values])
        .orderBy('kept_at')
        .execute(),
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
            .where('kept.until', '<=', engine.now()),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    },
    /** Takes it away: of two callers, one gets it. */
    take: (workspaceId: string, key: string): Promise<KeptRow | undefined> =>
      deletes()
        .where('workspace_id', '=', workspaceId)
        .where('key', '=', key)
        .where('until', '>', engine.now())
        .returningAll()
        .executeTakeFirst(),
    /** As `find`. True for one of two callers. */
    drop: (key: string): Promise<boolean> =>
      didChange(deletes().where('key', '=', key).where('until', '>', engine.now())),
  }
}

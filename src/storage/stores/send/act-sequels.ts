// Sequels of acts in the database: one row for each act, until nobody could send it again.
import type { Kysely } from 'kysely'
import type { SequelKey, Sequels } from '../../../act/room.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { Tables } from '../../tables.ts'

export function actSequelsIn(db: Kysely<Tables>, engine: Engine): Sequels {
  return {
    async keep({ workspaceId, wishId, userId }, leaseMs) {
      const dueAt = fromNow(engine, leaseMs)
      await db
        .insertInto('act_sequels')
        .values({
          workspace_id: workspaceId,
          wish_id: wishId,
          user_id: userId,
          step: 'act',
          kept_at: engine.now(),
          due_at: dueAt,
          until: null,
          is_owner_told: 0,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'wish_id'])
            .doUpdateSet({ due_at: dueAt })
            .where('act_sequels.step', '=', 'act'),
        )
        .execute()
    },

    async renew(key, ms) {
      await running(key)
        .set({ due_at: fromNow(engine, ms) })
        .execute()
    },

    async awaitReopening(key, { forMs, inMs }) {
      const reopening = {
        step: 'reopening',
        until: fromNow(engine, forMs),
        due_at: fromNow(engine, inMs),
      } as const
      await running(key).set(reopening).where('step', '=', 'act').execute()
    },

    async takeNotice(key) {
      return didChange(only(key).set({ is_owner_told: 1 }).where('is_owner_told', '=', 0))
    },

    async releaseNotice(key) {
      await only(key).set({ is_owner_told: 0 }).execute()
    },

    async end(key) {
      await only(key).set(over).execute()
    },

    async endAllOf({ workspaceId, userId }) {
      await db
        .updateTable('act_sequels')
        .set(over)
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('due_at', 'is not', null)
        .execute()
    },

    async claim(leaseMs) {
      const rows = await db
        .updateTable('act_sequels')
        .set({ due_at: fromNow(engine, leaseMs) })
        .where('due_at', '<=', engine.now())
        .where(({ or, eb, exists, selectFrom }) =>
          or([
            eb('step', '=', 'reopening'),
            exists(
              selectFrom('wishes')
                .select('id')
                .whereRef('wishes.workspace_id', '=', 'act_sequels.workspace_id')
                .whereRef('wishes.id', '=', 'act_sequels.wish_id')
                .where('state', 'not in', ['asked', 'sending']),
            ),
          ]),
        )
        .returningAll()
        .returning(engine.now().as('now'))
        .execute()
      return rows.flatMap(({ workspace_id: workspaceId, wish_id: wishId, user_id: userId, step, ...row }) => {
        if (step === 'over') return []
        const isOver = row.until !== null && row.until <= row.now
        return [{ workspaceId, wishId, userId, step, ageMs: row.now - row.kept_at, isOver }]
      })
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('act_sequels').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('act_sequels').where('kept_at', '<', before).execute()
    },
  }

  function only({ workspaceId, wishId }: SequelKey) {
    return db.updateTable('act_sequels').where('workspace_id', '=', workspaceId).where('wish_id', '=', wishId)
  }

  function running(key: SequelKey) {
    return only(key).where('due_at', 'is not', null)
  }
}

/** It stays, so that the same act, sent again by Slack, is not followed up once more. */
const over = { step: 'over', due_at: null } as const

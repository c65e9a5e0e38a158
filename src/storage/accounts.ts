// Sealed tokens in the database.
import type { Kysely } from 'kysely'
import type { Accounts } from '../account/accounts.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Engine } from './engine.ts'
import { prepare, type Slots } from './prepared.ts'
import type { Tables } from './tables.ts'

type Owner = Pick<SlackUser, 'workspaceId' | 'userId'>

export function accountsIn(db: Kysely<Tables>, engine: Engine): Accounts {
  function accountOf({ workspaceId, userId }: SlackUser) {
    return db.selectFrom('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  }

  const findToken = prepare(db, (slot: Slots<Owner>) =>
    db
      .selectFrom('accounts')
      .select('token')
      .where('workspace_id', '=', slot('workspaceId'))
      .where('user_id', '=', slot('userId')),
  )

  return {
    async find({ workspaceId, userId }) {
      const { rows } = await findToken({ workspaceId, userId })
      return rows[0]?.token
    },

    async since(owner) {
      const row = await accountOf(owner).select('kept_at').executeTakeFirst()
      return row?.kept_at
    },

    async keep({ workspaceId, userId }, token, fingerprint) {
      const kept = { token, kept_at: engine.now(), fingerprint: fingerprint ?? null }
      await db
        .insertInto('accounts')
        .values({ workspace_id: workspaceId, user_id: userId, ...kept })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(kept))
        .execute()
    },

    async fingerprintOf(owner) {
      const row = await accountOf(owner).select('fingerprint').executeTakeFirst()
      return row?.fingerprint ?? undefined
    },

    async mark({ workspaceId, userId }, token, fingerprint) {
      await db
        .updateTable('accounts')
        .set({ fingerprint })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('token', '=', token)
        .execute()
    },

    async reseal({ workspaceId, userId }, previous, resealed) {
      await db
        .updateTable('accounts')
        .set({ token: resealed })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('token', '=', previous)
        .execute()
    },

    async forget({ workspaceId, userId }) {
      const { numDeletedRows } = await db
        .deleteFrom('accounts')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async forgetWorkspace(workspaceId) {
      const { numDeletedRows } = await db
        .deleteFrom('accounts')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

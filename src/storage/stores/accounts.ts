// Accounts in the database: sealed tokens, one of each person.
import type { Sealed } from '../../account/vault.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { type Database, didChange } from '../engine.ts'

export function accountsIn({ db, now, scrub }: Database) {
  const keyOf = ({ workspaceId, userId }: SlackUser) => ({ workspace_id: workspaceId, user_id: userId })
  const is = (owner: SlackUser) => db.selectFrom('accounts').where((row) => row.and(keyOf(owner)))
  const change = (owner: SlackUser) => db.updateTable('accounts').where((row) => row.and(keyOf(owner)))

  return {
    /** Undefined when this person has not connected. */
    async find(owner: SlackUser): Promise<Sealed | undefined> {
      return (await is(owner).select('token').executeTakeFirst())?.token
    },

    /** When it was kept, in milliseconds since 1970. */
    async since(owner: SlackUser): Promise<number | undefined> {
      return (await is(owner).select('kept_at').executeTakeFirst())?.kept_at
    },

    /** Replaces any earlier one, which is gone from the file's log soon. */
    async keep(owner: SlackUser, token: Sealed): Promise<void> {
      const kept = { token, kept_at: now() }
      await db
        .insertInto('accounts')
        .values({ ...keyOf(owner), ...kept })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(kept))
        .execute()
      void scrub()
    },

    /** False, and nothing done, when it has changed or gone meanwhile. */
    reseal: (owner: SlackUser, previous: Sealed, token: Sealed): Promise<boolean> =>
      didChange(change(owner).set({ token }).where('token', '=', previous)),

    /** All that another key than this one has sealed. */
    async sealedByOthers(keyId: string) {
      const rows = await db
        .selectFrom('accounts')
        .select(['workspace_id', 'user_id', 'token'])
        .where(({ fn, val }) => fn('substr', ['token', val(1), val(keyId.length + 1)]), '<>', `${keyId}.`)
        .orderBy('user_id')
        .execute()
      return rows.map((row) => ({ owner: ownerOf(row), token: row.token }))
    },

    /** People who connected at least so long ago. */
    async keptFor(ms: number): Promise<readonly SlackUser[]> {
      const all = db.selectFrom('accounts').select(['workspace_id', 'user_id'])
      return (
        await all
          .where('kept_at', '<=', now() - ms)
          .orderBy('kept_at')
          .execute()
      ).map(ownerOf)
    },

    /** It is gone from the file's log as well when this is said, or soon after. True if there was one. */
    async forget(owner: SlackUser): Promise<boolean> {
      const wasThere = await didChange(db.deleteFrom('accounts').where((row) => row.and(keyOf(owner))))
      await scrub()
      return wasThere
    },
  }
}

function ownerOf(row: { readonly workspace_id: string; readonly user_id: string }): SlackUser {
  return { workspaceId: row.workspace_id, userId: row.user_id }
}

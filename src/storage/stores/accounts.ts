// Sealed tokens in the database. One that is replaced or forgotten leaves its fingerprint in past-tokens.ts.
import type { Kysely } from 'kysely'
import type { Accounts } from '../../account/accounts.ts'
import type { Fingerprint } from '../../account/fingerprint.ts'
import type { Sealed } from '../../account/vault.ts'
import { personKey, type SlackUser } from '../../slack/ids.ts'
import { createTurns } from '../../work/turns.ts'
import { type Engine, fromNow } from '../engine.ts'
import { prepare, type Slots } from '../prepared.ts'
import type { Tables } from '../tables.ts'
import { giveUp } from './past-tokens.ts'

/** Only another process changes a row between a look and its change; at each look, something else is wrong. */
const MOST_LOOKS = 20

const changedAtEachLook = () => new Error('an account was changed by others at each look')

type Owner = Pick<SlackUser, 'workspaceId' | 'userId'>

export function accountsIn(db: Kysely<Tables>, engine: Engine): Accounts {
  /** By person: however often somebody connects at once, none of it is turned away. */
  const turns = createTurns()

  function accountOf({ workspaceId, userId }: SlackUser) {
    return db.selectFrom('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  }

  /**
   * Changes an account, and no other than was looked at: its fingerprint is kept first, so that no token is replaced or
   * forgotten without it, whoever else is about it and wherever the process dies.
   * @param next - The fingerprint that takes its place.
   * @param change - False when the row has changed or gone meanwhile.
   * @returns `none` without an account.
   */
  async function leave(
    owner: SlackUser,
    next: Fingerprint | undefined,
    change: (token: Sealed) => Promise<boolean>,
  ): Promise<'left' | 'none' | 'changed'> {
    const known = await accountOf(owner).select(['token', 'fingerprint']).executeTakeFirst()
    if (known === undefined) return 'none'
    const past = known.fingerprint ?? undefined
    if (past !== undefined && past !== next) await giveUp(db, engine, owner, past)
    return (await change(known.token)) ? 'left' : 'changed'
  }

  async function keep(owner: SlackUser, token: Sealed, fingerprint: Fingerprint | undefined): Promise<void> {
    const { workspaceId, userId } = owner
    const kept_at = engine.now()
    const kept = { token, kept_at, fingerprint: fingerprint ?? null, asked_at: kept_at }
    for (let look = 0; look < MOST_LOOKS; look++) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('accounts')
        .values({ workspace_id: workspaceId, user_id: userId, ...kept })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows > 0n) return
      const left = await leave(owner, fingerprint, async (earlier) => {
        const { numUpdatedRows } = await db
          .updateTable('accounts')
          .set(kept)
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', userId)
          .where('token', '=', earlier)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      })
      if (left === 'left') return
    }
    throw changedAtEachLook()
  }

  async function forget(owner: SlackUser): Promise<boolean> {
    const { workspaceId, userId } = owner
    for (let look = 0; look < MOST_LOOKS; look++) {
      const left = await leave(owner, undefined, async (token) => {
        const { numDeletedRows } = await db
          .deleteFrom('accounts')
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', userId)
          .where('token', '=', token)
          .executeTakeFirst()
        return numDeletedRows > 0n
      })
      if (left !== 'changed') return left === 'left'
    }
    throw changedAtEachLook()
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

    keep: (owner, token, fingerprint) => turns(personKey(owner), () => keep(owner, token, fingerprint)),

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

    async notAskedFor(ms, { mostEach, most }) {
      const rows = await db
        .selectFrom((accounts) =>
          accounts
            .selectFrom('accounts')
            .select(['workspace_id', 'user_id', 'asked_at'])
            .select(({ fn }) =>
              fn
                .agg<number>('row_number')
                .over((over) => over.partitionBy('workspace_id').orderBy('asked_at').orderBy('user_id'))
                .as('place'),
            )
            .where('asked_at', '<=', fromNow(engine, -ms))
            .as('due'),
        )
        .select(['workspace_id', 'user_id'])
        .where('place', '<=', mostEach)
        // Of each workspace its first, then of each its second: one that Slack is silent about takes no other's turn.
        .orderBy('place')
        .orderBy('asked_at')
        .orderBy('user_id')
        .limit(most)
        .execute()
      return rows.map((row) => ({ workspaceId: row.workspace_id, userId: row.user_id }))
    },

    async noteAsked({ workspaceId, userId }, agoMs = 0) {
      await db
        .updateTable('accounts')
        .set({ asked_at: fromNow(engine, -agoMs) })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    forget: (owner) => turns(personKey(owner), () => forget(owner)),

    async forgetWorkspace(workspaceId) {
      const { numDeletedRows } = await db
        .deleteFrom('accounts')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

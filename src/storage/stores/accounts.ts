// Accounts in the database: sealed tokens, fingerprints of those that were given up (one that is replaced or forgotten
// leaves its own), and commands that wait for an account.
import { type Kysely, sql } from 'kysely'
import type { Accounts, PastTokens, WaitingCommands } from '../../account/tokens.ts'
import { type Fingerprint, keyIdOf, type Sealed } from '../../account/vault.ts'
import { personKey, type SlackUser } from '../../slack/ids.ts'
import { createTurns } from '../../work/turns.ts'
import { didChange, type Engine, fromNow, mostLooks, prepare, type Slots } from '../engine.ts'
import type { Tables } from '../tables.ts'

const changedAtEachLook = () => new Error('an account was changed by others at each look')

type Owner = Pick<SlackUser, 'workspaceId' | 'userId'>

export function accountsIn(db: Kysely<Tables>, engine: Engine): Accounts {
  /** By person: however often somebody connects at once, none of it is turned away. */
  const turns = createTurns()

  function accountOf({ workspaceId, userId }: SlackUser) {
    return db.selectFrom('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  }

  function only({ workspaceId, userId }: SlackUser) {
    return db.updateTable('accounts').where('workspace_id', '=', workspaceId).where('user_id', '=', userId)
  }

  /**
   * Changes an account, and no other than was looked at: its fingerprint is kept first, so that no token is replaced or
   * forgotten without it, whoever else is about it and wherever the process dies.
   * @param how.next - The fingerprint that takes its place.
   * @param how.sealed - Leaves another token alone. Default: whichever it is.
   * @param change - False when the row has changed or gone meanwhile.
   * @returns `none` without such an account.
   */
  async function leave(
    owner: SlackUser,
    { next, sealed }: { readonly next?: Fingerprint | undefined; readonly sealed?: Sealed | undefined },
    change: (token: Sealed) => Promise<boolean>,
  ): Promise<'left' | 'none' | 'changed'> {
    const known = await accountOf(owner).select(['token', 'fingerprint']).executeTakeFirst()
    if (known === undefined || known.token !== (sealed ?? known.token)) return 'none'
    const past = known.fingerprint ?? undefined
    if (past !== undefined && past !== next) await giveUp(db, engine, owner, past)
    return (await change(known.token)) ? 'left' : 'changed'
  }

  async function keep(owner: SlackUser, token: Sealed, fingerprint: Fingerprint | undefined): Promise<void> {
    const { workspaceId, userId } = owner
    const kept_at = engine.now()
    const kept = { token, kept_at, fingerprint: fingerprint ?? null, asked_at: kept_at }
    for (let look = 0; look < mostLooks; look++) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('accounts')
        .values({ workspace_id: workspaceId, user_id: userId, ...kept })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows > 0n) return
      const left = await leave(owner, { next: fingerprint }, (earlier) =>
        didChange(only(owner).set(kept).where('token', '=', earlier)),
      )
      if (left === 'left') return
    }
    throw changedAtEachLook()
  }

  async function forget(owner: SlackUser, sealed: Sealed | undefined): Promise<boolean> {
    const { workspaceId, userId } = owner
    for (let look = 0; look < mostLooks; look++) {
      const left = await leave(owner, { sealed }, async (token) => {
        return didChange(
          db
            .deleteFrom('accounts')
            .where('workspace_id', '=', workspaceId)
            .where('user_id', '=', userId)
            .where('token', '=', token),
        )
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

    async mark(owner, token, fingerprint) {
      await only(owner).set({ fingerprint }).where('token', '=', token).execute()
    },

    async reseal(owner, previous, resealed) {
      await only(owner).set({ token: resealed }).where('token', '=', previous).execute()
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

    async noteAsked(owner, agoMs = 0) {
      await only(owner)
        .set({ asked_at: fromNow(engine, -agoMs) })
        .execute()
    },

    forget: (owner, sealed) => turns(personKey(owner), () => forget(owner, sealed)),

    async ofWorkspace(workspaceId) {
      const rows = await db
        .selectFrom('accounts')
        .select('user_id')
        .where('workspace_id', '=', workspaceId)
        .execute()
      return rows.map(({ user_id: userId }) => ({ workspaceId, userId }))
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

export function pastTokensIn(db: Kysely<Tables>, engine: Engine): PastTokens {
  function of(people: readonly SlackUser[]) {
    const [first] = people
    // All of them are of the workspace in which something is asked.
    const userIds = people.map(({ userId }) => userId)
    return db
      .selectFrom('past_tokens')
      .select('user_id')
      .where('workspace_id', '=', first?.workspaceId ?? '')
      .where('user_id', 'in', userIds)
      .limit(1)
  }

  return {
    async compare(people, made) {
      if (people.length === 0) return 'other'
      if ((await of(people).where('fingerprint', 'in', made).executeTakeFirst()) !== undefined) return 'same'
      const known = made.map(keyIdOf)
      const lost = await of(people).where('key_id', 'not in', known).executeTakeFirst()
      return lost === undefined ? 'other' : 'unknown'
    },

    async prune(ttlMs) {
      await db
        .deleteFrom('past_tokens')
        .where('given_up_at', '<=', fromNow(engine, -ttlMs))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('approvals')
                .select('approvals.id')
                .whereRef('approvals.workspace_id', '=', 'past_tokens.workspace_id')
                .where('approvals.is_open', '=', sql.lit(1))
                .whereRef('approvals.asked_at', '<', sql<number>`past_tokens.given_up_at + ${ttlMs}`)
                .where((or) =>
                  or.or([
                    or('approvals.asker_id', '=', or.ref('past_tokens.user_id')),
                    // JSON that holds the ids of the recipients, which are letters and digits.
                    or('approvals.barred', 'like', sql<string>`'%"' || past_tokens.user_id || '"%'`),
                  ]),
                ),
            ),
          ),
        )
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('past_tokens').where('workspace_id', '=', workspaceId).execute()
    },
  }
}

/** Marks a token as one that its owner had. Marked again, it counts from now. */
async function giveUp(
  db: Kysely<Tables>,
  engine: Engine,
  { workspaceId, userId }: SlackUser,
  fingerprint: Fingerprint,
): Promise<void> {
  const given_up_at = engine.now()
  await db
    .insertInto('past_tokens')
    .values({
      workspace_id: workspaceId,
      user_id: userId,
      fingerprint,
      key_id: keyIdOf(fingerprint),
      given_up_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'user_id', 'fingerprint']).doUpdateSet({ given_up_at }),
    )
    .execute()
}

export function waitingIn(db: Kysely<Tables>): WaitingCommands {
  return {
    async keep({ workspaceId, userId }, { id, what, since }) {
      await db
        .insertInto('waiting')
        .values({ workspace_id: workspaceId, user_id: userId, id, what, since })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'user_id', 'id']).doUpdateSet({ what, since }),
        )
        .execute()
    },

    find: ({ workspaceId, userId }, id) =>
      db
        .selectFrom('waiting')
        .select(['id', 'what', 'since'])
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst(),

    take: ({ workspaceId, userId }, id) =>
      db
        .deleteFrom('waiting')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning(['id', 'what', 'since'])
        .executeTakeFirst(),

    async forgetAll({ workspaceId, userId }) {
      await db
        .deleteFrom('waiting')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('waiting').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('waiting').where('since', '<', before).execute()
    },
  }
}

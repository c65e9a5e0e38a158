// Requests for approval in the database: asking, what is read, and what is owed. Deciding on them is in
// approval-deciding.ts.
import { type Kysely, sql } from 'kysely'
import type { Approval, Approvals, Card } from '../../approval/approvals.ts'
import type { Log } from '../../log/log.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { decidingIn } from './approval-deciding.ts'
import { approvalOf, readable, rowOf } from './approval-rows.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const yes = sql.lit(1 as const)

/** A place that is found taken and free again at each look means that something else is wrong. */
const MOST_LOOKS = 20

export function approvalsIn(db: Kysely<Tables>, engine: Engine, log?: Log): Approvals {
  const deciding = decidingIn(db, engine, log)
  return {
    ...deciding,

    async ask(approval, { ttlMs, claimMs }) {
      const { workspaceId } = approval.asker
      for (let look = 0; look < MOST_LOOKS; look++) {
        const row = await db
          .insertInto('approvals')
          .values({
            ...rowOf(approval),
            asked_at: engine.now(),
            until: fromNow(engine, ttlMs),
            claim_until: fromNow(engine, claimMs),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .returning(engine.now().as('now'))
          .executeTakeFirst()
        if (row !== undefined) return { isNew: true, approval: approvalOf(row) }
        const known = (await find(workspaceId, approval.id)) ?? (await openFor(workspaceId, approval.wishId))
        // Its time is over, and nobody has looked since: it does not stand in the way.
        if (known?.state === 'ended' && known.id !== approval.id) await deciding.expire()
        else if (known !== undefined) return { isNew: false, approval: known }
      }
      throw new Error(`request ${approval.id} found its place neither free nor taken`)
    },

    find,

    async ofWish({ workspaceId, userId }, wishId) {
      const rows = await read()
        .where('workspace_id', '=', workspaceId)
        .where('wish_id', '=', wishId)
        .where('asker_id', '=', userId)
        .orderBy('asked_at')
        .execute()
      return rows.map(approvalOf)
    },

    async openOf({ workspaceId, userId }) {
      const rows = await read()
        .where('workspace_id', '=', workspaceId)
        .where('asker_id', '=', userId)
        .where('is_open', '=', yes)
        .orderBy('asked_at')
        .execute()
      return rows.map(approvalOf).filter(({ state }) => state !== 'ended')
    },

    async postAgain({ workspaceId, userId }, id, claimMs) {
      const none: Card = { kind: 'none' }
      const nowhere: Card = { kind: 'nowhere' }
      const row = await db
        .updateTable('approvals')
        .set({ card: JSON.stringify(none), is_owed: 1, claim_until: fromNow(engine, claimMs) })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('asker_id', '=', userId)
        .where('state', '=', 'open')
        .where('until', '>', engine.now())
        .where('card', '=', JSON.stringify(nowhere))
        .returningAll()
        .returning(engine.now().as('now'))
        .executeTakeFirst()
      return row && approvalOf(row)
    },

    async claimOwed(claimMs) {
      const rows = await db
        .updateTable('approvals')
        .set({ claim_until: fromNow(engine, claimMs) })
        .where('is_owed', '=', yes)
        .where('claim_until', '<=', engine.now())
        .returningAll()
        .returning(engine.now().as('now'))
        .execute()
      // `returning` promises no order.
      return readable(
        rows.toSorted((one, other) => one.asked_at - other.asked_at),
        log,
      )
    },

    async placed(workspaceId, id, card) {
      await db
        .updateTable('approvals')
        .set({ card: JSON.stringify(card) })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async told({ asker, id, version }, whom) {
      const mark = whom === 'asker' ? 'is_asker_told' : 'is_approver_told'
      const { numUpdatedRows } = await db
        .updateTable('approvals')
        .set({ [mark]: 1 })
        .where('workspace_id', '=', asker.workspaceId)
        .where('id', '=', id)
        .where('version', '=', version)
        .where(mark, '=', 0)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async done({ asker, id, version }) {
      await db
        .updateTable('approvals')
        .set({ is_owed: 0 })
        .where('workspace_id', '=', asker.workspaceId)
        .where('id', '=', id)
        .where('version', '=', version)
        .execute()
    },

    async putOff({ asker, id, version }, ms) {
      await db
        .updateTable('approvals')
        .set({ claim_until: fromNow(engine, ms) })
        .where('workspace_id', '=', asker.workspaceId)
        .where('id', '=', id)
        .where('version', '=', version)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('approvals').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('approvals').where('asked_at', '<', before).where('is_open', '=', 0).execute()
    },
  }

  function read() {
    return db.selectFrom('approvals').selectAll().select(engine.now().as('now'))
  }

  async function find(workspaceId: string, id: string): Promise<Approval | undefined> {
    const row = await read().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
    return row && approvalOf(row)
  }

  async function openFor(workspaceId: string, wishId: string): Promise<Approval | undefined> {
    const row = await read()
      .where('workspace_id', '=', workspaceId)
      .where('wish_id', '=', wishId)
      .where('is_open', '=', yes)
      .executeTakeFirst()
    return row && approvalOf(row)
  }
}

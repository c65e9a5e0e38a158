// Requests for approval in the database: asking, deciding across all processes, what is read, and what is owed.
//
// Each step of a decision is one statement that finds the request in the state it starts from, or changes nothing.
import { type Kysely, sql } from 'kysely'
import type { Approval, ApprovalEnding, Approvals, Barred } from '../../approval/approvals.ts'
import type { Log } from '../../log/log.ts'
import { didChange, type Engine, fromNow, mostLooks } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { approvalOf, cardColumn, endingColumn, readable, rowOf } from './approval-rows.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const yes = sql.lit(1 as const)
const open = sql.lit('open' as const)
const granting = sql.lit('granting' as const)

const nobodyBarred: Barred = { asker: undefined, recipientIds: [], recipients: [] }

export function approvalsIn(db: Kysely<Tables>, engine: Engine, log?: Log): Approvals {
  return {
    async ask(approval, { ttlMs, claimMs, remindBeforeMs }) {
      const { workspaceId } = approval.asker
      for (let look = 0; look < mostLooks; look++) {
        const row = await db
          .insertInto('approvals')
          .values({
            ...rowOf(approval),
            asked_at: engine.now(),
            until: fromNow(engine, ttlMs),
            remind_at: remindBeforeMs === undefined ? null : fromNow(engine, ttlMs - remindBeforeMs),
            claim_until: fromNow(engine, claimMs),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .returning(engine.now().as('now'))
          .executeTakeFirst()
        if (row !== undefined) return { isNew: true, approval: approvalOf(row) }
        const known = (await find(workspaceId, approval.id)) ?? (await openFor(workspaceId, approval.wishId))
        // Its time is over, and nobody has looked since: it does not stand in the way.
        if (known?.state === 'ended' && known.id !== approval.id) await expire()
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

    async openIn(workspaceId, most) {
      const rows = await read()
        .where('workspace_id', '=', workspaceId)
        .where('is_open', '=', yes)
        .where('state', '=', open)
        .where('until', '>', engine.now())
        .orderBy('until')
        .orderBy('asked_at')
        .limit(most)
        .execute()
      return readable(rows, log)
    },

    begin: (workspaceId, id, approver, leaseMs) =>
      first(
        opened(workspaceId, id).set((update) => ({
          state: 'granting',
          attempt: update('attempt', '+', 1),
          version: update('version', '+', 1),
          approver_id: approver.userId,
          approver_name: approver.name,
          ending: null,
          lease_until: fromNow(engine, leaseMs),
        })),
      ),

    async renew(approval, leaseMs) {
      await attempted(approval)
        .set({ lease_until: fromNow(engine, leaseMs) })
        .execute()
    },

    reopen: (approval, results, claimMs) =>
      first(
        attempted(approval).set((update) => ({
          state: 'open',
          version: update('version', '+', 1),
          ending: endingColumn({ kind: 'approved', results }),
          lease_until: null,
          is_owed: 1,
          is_approver_told: 0,
          claim_until: fromNow(engine, claimMs),
        })),
      ),

    end: (approval, results, claimMs) =>
      first(
        attempted(approval).set(ended({ kind: 'approved', results }, engine.now(), fromNow(engine, claimMs))),
      ),

    correct: ({ asker, id, attempt }, results, claimMs) =>
      first(
        known(asker.workspaceId, id)
          .where('state', '=', 'ended')
          .where('attempt', '=', attempt)
          // Of two who have seen the same, one tells it.
          .where('ending', '!=', endingColumn({ kind: 'approved', results }))
          .set({
            ...ended({ kind: 'approved', results }, engine.now(), fromNow(engine, claimMs)),
            is_asker_told: 0,
          }),
      ),

    decline: (workspaceId, id, { by, reason, claimMs }) =>
      first(
        opened(workspaceId, id).set(
          ended({ kind: 'declined', by, reason }, engine.now(), fromNow(engine, claimMs)),
        ),
      ),

    withdraw: ({ workspaceId, userId }, id, claimMs) =>
      first(
        opened(workspaceId, id)
          .where('asker_id', '=', userId)
          .set(ended({ kind: 'withdrawn' }, engine.now(), fromNow(engine, claimMs))),
      ),

    postAgain: ({ workspaceId, userId }, id, claimMs) =>
      first(
        opened(workspaceId, id)
          .where('asker_id', '=', userId)
          .where('card', '=', cardColumn({ kind: 'nowhere' }))
          .set({ card: cardColumn({ kind: 'none' }), is_owed: 1, claim_until: fromNow(engine, claimMs) }),
      ),

    expire,

    async claimLapsed(leaseMs) {
      const rows = await db
        .updateTable('approvals')
        .set({ lease_until: fromNow(engine, leaseMs) })
        .where('state', '=', granting)
        .where('lease_until', '<=', engine.now())
        .returningAll()
        .returning(engine.now().as('now'))
        .execute()
      return readable(rows, log)
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

    async claimReminders() {
      const rows = await db
        .updateTable('approvals')
        .set({ remind_at: null })
        .where('state', '=', open)
        .where('remind_at', '<=', engine.now())
        .where('until', '>', engine.now())
        .returningAll()
        .returning(engine.now().as('now'))
        .execute()
      return readable(rows, log)
    },

    async remindLater({ asker, id }, ms) {
      await opened(asker.workspaceId, id)
        .set({ remind_at: fromNow(engine, ms) })
        .execute()
    },

    async keepPlace(workspaceId, id, card) {
      await known(workspaceId, id)
        .set({ card: cardColumn(card) })
        .execute()
    },

    async markTold(approval, whom) {
      const mark = `is_${whom}_told` as const
      return didChange(
        unchanged(approval)
          .where(mark, '=', 0)
          .set({ [mark]: 1 }),
      )
    },

    async clearOwed(approval) {
      await unchanged(approval).set({ is_owed: 0 }).execute()
    },

    async putOff(approval, ms) {
      await unchanged(approval)
        .set({ claim_until: fromNow(engine, ms) })
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

  async function expire(): Promise<void> {
    await db
      .updateTable('approvals')
      .set(ended({ kind: 'expired' }, sql<number>`until`, engine.now()))
      .where('state', '=', open)
      .where('until', '<=', engine.now())
      .execute()
  }

  function known(workspaceId: string, id: string) {
    return db.updateTable('approvals').where('workspace_id', '=', workspaceId).where('id', '=', id)
  }

  /** An update of a request that can be decided on. */
  function opened(workspaceId: string, id: string) {
    return known(workspaceId, id).where('state', '=', 'open').where('until', '>', engine.now())
  }

  /** An update of a request that is being granted by the very attempt that the caller knows. */
  function attempted({ asker, id, attempt }: Approval) {
    return known(asker.workspaceId, id).where('state', '=', 'granting').where('attempt', '=', attempt)
  }

  /** An update of a request that is as the caller knows it. */
  function unchanged({ asker, id, version }: Approval) {
    return known(asker.workspaceId, id).where('version', '=', version)
  }

  async function first(update: ReturnType<typeof known>): Promise<Approval | undefined> {
    const row = await update.returningAll().returning(engine.now().as('now')).executeTakeFirst()
    return row && approvalOf(row)
  }
}

/** The columns of a request that has ended. */
function ended(
  ending: ApprovalEnding,
  endedAt: ReturnType<typeof fromNow>,
  claimUntil: ReturnType<typeof fromNow>,
) {
  return {
    state: 'ended',
    is_open: 0,
    ending: endingColumn(ending),
    ended_at: endedAt,
    is_thread_told: 0,
    // Hashes of tokens are kept for as long as somebody could approve.
    barred: JSON.stringify(nobodyBarred),
    lease_until: null,
    version: sql<number>`version + 1`,
    is_owed: 1,
    claim_until: claimUntil,
    // Only who approved has results of their own to hear.
    is_approver_told: ending.kind === 'approved' ? 0 : 1,
  } as const
}

// From an open request to its end: who decides on it, across all processes.
//
// Each step is one statement that finds the request in the state it starts from, or changes nothing.
import { type Kysely, sql } from 'kysely'
import type { Approval, Approvals, Barred, Ending } from '../../approval/approvals.ts'
import type { Log } from '../../log/log.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { approvalOf, readable } from './approval-rows.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const open = sql.lit('open' as const)
const granting = sql.lit('granting' as const)

const nobodyBarred: Barred = { asker: undefined, recipientIds: [], recipients: [] }

type Deciding = Pick<
  Approvals,
  'begin' | 'renew' | 'reopen' | 'end' | 'correct' | 'decline' | 'withdraw' | 'expire' | 'claimLapsed'
>

export function decidingIn(db: Kysely<Tables>, engine: Engine, log?: Log): Deciding {
  return {
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

    reopen: (approval, outcomes, claimMs) =>
      first(
        attempted(approval).set((update) => ({
          state: 'open',
          version: update('version', '+', 1),
          ending: JSON.stringify({ kind: 'approved', outcomes } satisfies Ending),
          lease_until: null,
          is_owed: 1,
          is_approver_told: 0,
          claim_until: fromNow(engine, claimMs),
        })),
      ),

    end: (approval, outcomes, claimMs) =>
      first(attempted(approval).set(ended({ kind: 'approved', outcomes }, fromNow(engine, claimMs)))),

    correct: ({ asker, id, attempt }, outcomes, claimMs) =>
      first(
        db
          .updateTable('approvals')
          .set({ ...ended({ kind: 'approved', outcomes }, fromNow(engine, claimMs)), is_asker_told: 0 })
          .where('workspace_id', '=', asker.workspaceId)
          .where('id', '=', id)
          .where('state', '=', 'ended')
          .where('attempt', '=', attempt),
      ),

    decline: (workspaceId, id, { by, reason, claimMs }) =>
      first(opened(workspaceId, id).set(ended({ kind: 'declined', by, reason }, fromNow(engine, claimMs)))),

    withdraw: ({ workspaceId, userId }, id, claimMs) =>
      first(
        opened(workspaceId, id)
          .where('asker_id', '=', userId)
          .set(ended({ kind: 'withdrawn' }, fromNow(engine, claimMs))),
      ),

    async expire() {
      await db
        .updateTable('approvals')
        .set(ended({ kind: 'expired' }, engine.now()))
        .where('state', '=', open)
        .where('until', '<=', engine.now())
        .execute()
    },

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
  }

  /** One that can be decided on. */
  function opened(workspaceId: string, id: string) {
    return db
      .updateTable('approvals')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'open')
      .where('until', '>', engine.now())
  }

  /** One that is being granted by the very attempt that the caller knows. */
  function attempted({ asker, id, attempt }: Approval) {
    return db
      .updateTable('approvals')
      .where('workspace_id', '=', asker.workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'granting')
      .where('attempt', '=', attempt)
  }

  function ended(ending: Ending, claimUntil: ReturnType<typeof fromNow>) {
    return {
      state: 'ended',
      is_open: 0,
      ending: JSON.stringify(ending),
      // Fingerprints are kept for as long as somebody could approve.
      barred: JSON.stringify(nobodyBarred),
      lease_until: null,
      version: sql<number>`version + 1`,
      is_owed: 1,
      claim_until: claimUntil,
      // Only who approved has an outcome of their own to hear.
      is_approver_told: ending.kind === 'approved' ? 0 : 1,
    } as const
  }

  async function first(update: ReturnType<typeof opened>): Promise<Approval | undefined> {
    const row = await update.returningAll().returning(engine.now().as('now')).executeTakeFirst()
    return row && approvalOf(row)
  }
}

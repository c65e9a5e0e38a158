// Requests for approval in the database: asking, deciding across all processes, what is read, and what is owed.
//
// Each step of a decision is one statement that finds the request in the state it starts from, or changes nothing.
import { type Kysely, type Selectable, sql } from 'kysely'
import type {
  Approval,
  ApprovalEnding,
  Approvals,
  Barred,
  CardPlace,
  Named,
  NewApproval,
} from '../../approval/approvals.ts'
import { didChange, type Engine, fromNow } from '../engine.ts'
import type { ApprovalsTable, Tables } from '../tables.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const yes = sql.lit(1 as const)
const open = sql.lit('open' as const)
const granting = sql.lit('granting' as const)

const nobodyBarred: Barred = { asker: undefined, recipientIds: [], recipients: [] }

export function approvalsIn(db: Kysely<Tables>, engine: Engine): Approvals {
  return {
    async ask({ barred, ...request }, { ttlMs, claimMs }) {
      const { id, asker } = request
      const row = await db
        .insertInto('approvals')
        .values({
          workspace_id: asker.workspaceId,
          id,
          asker_id: asker.userId,
          request: JSON.stringify(request),
          barred: JSON.stringify(barred),
          state: 'open',
          is_open: 1,
          attempt: 0,
          approver: null,
          lease_until: null,
          ending: null,
          card: null,
          version: 1,
          is_owed: 1,
          is_asker_told: 0,
          is_approver_told: 0,
          ended_at: null,
          asked_at: engine.now(),
          until: fromNow(engine, ttlMs),
          claim_until: fromNow(engine, claimMs),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .returning(engine.now().as('now'))
        .executeTakeFirst()
      if (row !== undefined) return { isNew: true, approval: approvalOf(row) }
      const known = await find(asker.workspaceId, id)
      if (known === undefined) throw new Error(`request ${id} found its place neither free nor taken`)
      return { isNew: false, approval: known }
    },

    find,

    async openOf({ workspaceId, userId }) {
      const found = await rows()
        .where('workspace_id', '=', workspaceId)
        .where('asker_id', '=', userId)
        .where('is_open', '=', yes)
        .orderBy('asked_at')
        .execute()
      return found.map(approvalOf).filter(({ state }) => state !== 'ended')
    },

    async openIn(workspaceId, most) {
      const found = await rows()
        .where('workspace_id', '=', workspaceId)
        .where('is_open', '=', yes)
        .where('state', '=', open)
        .where('until', '>', engine.now())
        .orderBy('until')
        .orderBy('asked_at')
        .limit(most)
        .execute()
      return found.map(approvalOf)
    },

    begin: (workspaceId, id, approver, leaseMs) =>
      first(
        opened(workspaceId, id).set((update) => ({
          state: 'granting',
          attempt: update('attempt', '+', 1),
          version: update('version', '+', 1),
          approver: JSON.stringify(approver),
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
          ending: JSON.stringify({ kind: 'approved', results } satisfies ApprovalEnding),
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
          .where('ending', '!=', JSON.stringify({ kind: 'approved', results } satisfies ApprovalEnding))
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
      return rows.map(approvalOf)
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
      return rows.toSorted((one, other) => one.asked_at - other.asked_at).map(approvalOf)
    },

    async keepPlace(workspaceId, id, card) {
      await known(workspaceId, id)
        .set({ card: JSON.stringify(card) })
        .execute()
    },

    async forget(workspaceId, id) {
      await db.deleteFrom('approvals').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
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

  function rows() {
    return db.selectFrom('approvals').selectAll().select(engine.now().as('now'))
  }

  async function find(workspaceId: string, id: string): Promise<Approval | undefined> {
    const row = await rows().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
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
    ending: JSON.stringify(ending),
    ended_at: endedAt,
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

/** Bellhop alone writes these rows, so what stands in them is what was written. */
function read<Written>(text: string): Written {
  return JSON.parse(text)
}

/** @param row - With the time it was read at. */
function approvalOf(row: Selectable<ApprovalsTable> & { readonly now: number }): Approval {
  const isExpired = row.state === 'open' && row.until <= row.now
  const ending = row.ending === null ? undefined : read<ApprovalEnding>(row.ending)
  // While it is open, that was the end of an attempt alone.
  const isOpen = row.state === 'open' && !isExpired
  return {
    ...read<Omit<NewApproval, 'barred'>>(row.request),
    barred: read<Barred>(row.barred),
    state: isExpired ? 'ended' : row.state,
    attempt: row.attempt,
    approver: row.approver === null ? undefined : read<Named>(row.approver),
    ending: isExpired ? { kind: 'expired' } : isOpen ? undefined : ending,
    tried: isOpen && ending?.kind === 'approved' ? ending.results : undefined,
    until: row.until,
    card: row.card === null ? undefined : read<CardPlace>(row.card),
    version: row.version,
    isAskerTold: row.is_asker_told === 1,
    isApproverTold: row.is_approver_told === 1,
    endedAt: isExpired ? row.until : (row.ended_at ?? undefined),
  }
}

// Requests for approval in the database: asking, deciding across all processes, what is read, and what is owed.
//
// Each step of a decision is one statement that finds the request in the state it starts from, or changes nothing.
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type {
  Approval,
  ApprovalEnding,
  Approvals,
  Barred,
  CardPlace,
  NewApproval,
} from '../../approval/approvals.ts'
import { flags } from '../../grant/flags.ts'
import type { Wish } from '../../grant/wish.ts'
import type { Log } from '../../log/log.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { ApprovalsTable, Tables } from '../tables.ts'
import { settledSchema } from './sends.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const yes = sql.lit(1 as const)
const open = sql.lit('open' as const)
const granting = sql.lit('granting' as const)

const nobodyBarred: Barred = { asker: undefined, recipientIds: [], recipients: [] }

/** A place that is found taken and free again at each look means that something else is wrong. */
const MOST_LOOKS = 20

export function approvalsIn(db: Kysely<Tables>, engine: Engine, log?: Log): Approvals {
  return {
    async ask(approval, { ttlMs, claimMs, remindBeforeMs }) {
      const { workspaceId } = approval.asker
      for (let look = 0; look < MOST_LOOKS; look++) {
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
      const { numUpdatedRows } = await unchanged(approval)
        .where(mark, '=', 0)
        .set({ [mark]: 1 })
        .executeTakeFirst()
      return numUpdatedRows > 0n
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

  /** One that can be decided on. */
  function opened(workspaceId: string, id: string) {
    return known(workspaceId, id).where('state', '=', 'open').where('until', '>', engine.now())
  }

  /** One that is being granted by the very attempt that the caller knows. */
  function attempted({ asker, id, attempt }: Approval) {
    return known(asker.workspaceId, id).where('state', '=', 'granting').where('attempt', '=', attempt)
  }

  /** One that is as the caller knows it. */
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
    // Fingerprints are kept for as long as somebody could approve.
    barred: JSON.stringify(nobodyBarred),
    lease_until: null,
    version: sql<number>`version + 1`,
    is_owed: 1,
    claim_until: claimUntil,
    // Only who approved has results of their own to hear.
    is_approver_told: ending.kind === 'approved' ? 0 : 1,
  } as const
}

const wishSchema = z
  .object({
    containerId: z.number().int(),
    emails: z.array(z.string()).min(1),
    authProvider: z.string().optional(),
    member: z.boolean(),
    permissions: z.array(z.enum(flags)),
  })
  .transform(({ authProvider, ...wish }): Wish => ({ ...wish, authProvider }))

const barredSchema = z
  .object({
    asker: z.string().optional(),
    recipientIds: z.array(z.string()),
    recipients: z.array(z.string()),
  })
  .transform(({ asker, ...barred }): Barred => ({ ...barred, asker }))

/** The kind `by-url` stands in the column as `told`. */
const cardSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({
      kind: z.literal('posted'),
      channelId: z.string(),
      ts: z.string(),
      // Absent in rows of versions that kept nobody's.
      mentioned: z.array(z.string()).optional(),
    }),
    z.object({ kind: z.literal('told') }),
    z.object({ kind: z.literal('nowhere') }),
  ])
  .transform((card): CardPlace => (card.kind === 'told' ? { kind: 'by-url' } : card))

const notSent = z.object({ kind: z.literal('not-sent') })

/** Results stand in the column as `outcomes`. */
const endingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approved'),
    outcomes: z.array(
      z.object({
        email: z.string(),
        outcome: z.union([settledSchema, notSent]),
        wasDoubted: z.boolean().optional(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('declined'),
    by: z.object({ userId: z.string(), name: z.string() }),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('withdrawn') }),
  z.object({ kind: z.literal('expired') }),
])

function endingColumn(ending: ApprovalEnding): string {
  if (ending.kind !== 'approved') return JSON.stringify(ending)
  return JSON.stringify({ kind: ending.kind, outcomes: ending.results })
}

function endingOf(column: string): ApprovalEnding {
  const read = endingSchema.parse(JSON.parse(column))
  return read.kind === 'approved' ? { kind: read.kind, results: read.outcomes } : read
}

function cardColumn(card: CardPlace): string {
  return JSON.stringify(card.kind === 'by-url' ? { kind: 'told' } : card)
}

/** Reads the column `barred`. */
export function barredOf(column: string): Barred {
  return barredSchema.parse(JSON.parse(column))
}

/** A new row, but for its times. */
function rowOf(
  approval: NewApproval,
): Omit<Insertable<ApprovalsTable>, 'asked_at' | 'until' | 'remind_at' | 'claim_until'> {
  const { asker, wish, barred, channelId } = approval
  return {
    workspace_id: asker.workspaceId,
    id: approval.id,
    wish_id: approval.wishId,
    asker_id: asker.userId,
    asker_name: approval.askerName,
    wish: JSON.stringify(wish),
    reason: approval.reason,
    barred: JSON.stringify(barred),
    channel_id: channelId ?? null,
    thread_ts: approval.threadTs ?? null,
    state: 'open',
    is_open: 1,
    attempt: 0,
    approver_id: null,
    approver_name: null,
    lease_until: null,
    ending: null,
    card: cardColumn({ kind: 'none' }),
    version: 1,
    is_owed: 1,
    is_asker_told: 0,
    is_approver_told: 0,
    is_thread_told: 0,
    ended_at: null,
  }
}

/** Requests that can be read. One that cannot, written by another version perhaps, must not keep the others back. */
function readable(
  rows: readonly (Selectable<ApprovalsTable> & { readonly now: number })[],
  log: Log | undefined,
): readonly Approval[] {
  return rows.flatMap((row) => {
    try {
      return [approvalOf(row)]
    } catch (error) {
      log?.error({ err: error, request: row.id }, 'a request for approval cannot be read from the database')
      return []
    }
  })
}

/** @param row - With the time it was read at. */
function approvalOf(row: Selectable<ApprovalsTable> & { readonly now: number }): Approval {
  const isExpired = row.state === 'open' && row.until <= row.now
  const { approver_id: userId, approver_name: name } = row
  const ending = row.ending === null ? undefined : endingOf(row.ending)
  // While it is open, that was the end of an attempt alone.
  const isOpen = row.state === 'open' && !isExpired
  return {
    id: row.id,
    wishId: row.wish_id,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    askerName: row.asker_name,
    wish: wishSchema.parse(JSON.parse(row.wish)),
    reason: row.reason,
    barred: barredOf(row.barred),
    channelId: row.channel_id ?? undefined,
    threadTs: row.thread_ts ?? undefined,
    state: isExpired ? 'ended' : row.state,
    attempt: row.attempt,
    approver: userId === null || name === null ? undefined : { userId, name },
    ending: isExpired ? { kind: 'expired' } : isOpen ? undefined : ending,
    tried: isOpen && ending?.kind === 'approved' ? ending.results : undefined,
    until: row.until,
    card: cardSchema.parse(JSON.parse(row.card)),
    version: row.version,
    isAskerTold: row.is_asker_told === 1,
    isApproverTold: row.is_approver_told === 1,
    isThreadTold: row.is_thread_told === 1,
    endedAt: isExpired ? row.until : (row.ended_at ?? undefined),
  }
}

// Reads requests for approval back from their rows, and writes them.
import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import type { Approval, ApprovalEnding, Barred, CardPlace, NewApproval } from '../../approval/approvals.ts'
import { flags } from '../../grant/flags.ts'
import type { Wish } from '../../grant/wish.ts'
import type { Log } from '../../log/log.ts'
import type { ApprovalsTable } from '../tables.ts'
import { settledSchema, settledToKeep } from './send/columns.ts'

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

/** Writes the column `ending`. */
export function endingColumn(ending: ApprovalEnding): string {
  if (ending.kind !== 'approved') return JSON.stringify(ending)
  const outcomes = ending.results.map((result) => ({ ...result, outcome: settledToKeep(result.outcome) }))
  return JSON.stringify({ kind: ending.kind, outcomes })
}

function endingOf(column: string): ApprovalEnding {
  const read = endingSchema.parse(JSON.parse(column))
  return read.kind === 'approved' ? { kind: read.kind, results: read.outcomes } : read
}

/** Writes the column `card`. */
export function cardColumn(card: CardPlace): string {
  return JSON.stringify(card.kind === 'by-url' ? { kind: 'told' } : card)
}

/** Reads the column `barred`. */
function barredOf(column: string): Barred {
  return barredSchema.parse(JSON.parse(column))
}

/** A new row, but for its times. */
export function rowOf(
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
    container: approval.container ?? null,
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
export function readable(
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
export function approvalOf(row: Selectable<ApprovalsTable> & { readonly now: number }): Approval {
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
    container: row.container ?? undefined,
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

// Rows of requests for approval: how one is written and read back.
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Approval, Barred, Card, Ending, NewApproval } from '../../approval/approvals.ts'
import { flags } from '../../grant/flags.ts'
import type { Wish } from '../../grant/wish.ts'
import type { Log } from '../../log/log.ts'
import type { ApprovalsTable } from '../tables.ts'
import { settledSchema } from './sends.ts'

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

const cardSchema: z.ZodType<Card> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('posted'), channelId: z.string(), ts: z.string() }),
  z.object({ kind: z.literal('told') }),
  z.object({ kind: z.literal('nowhere') }),
])

const notSent = z.object({ kind: z.literal('not-sent') })

const endingSchema: z.ZodType<Ending> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approved'),
    outcomes: z.array(z.object({ email: z.string(), outcome: z.union([settledSchema, notSent]) })),
  }),
  z.object({
    kind: z.literal('declined'),
    by: z.object({ userId: z.string(), name: z.string() }),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('withdrawn') }),
  z.object({ kind: z.literal('expired') }),
])

/** Reads the column `barred`. */
export function barredOf(column: string): Barred {
  return barredSchema.parse(JSON.parse(column))
}

/** A new row, but for its times. */
export function rowOf(approval: NewApproval): Omit<ApprovalsTable, 'asked_at' | 'until' | 'claim_until'> {
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
    card: JSON.stringify({ kind: 'none' } satisfies Card),
    version: 1,
    is_owed: 1,
    is_asker_told: 0,
    is_approver_told: 0,
  }
}

/** Those that can be read. One that cannot, written by another version perhaps, must not keep the others back. */
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
  const ending = row.ending === null ? undefined : endingSchema.parse(JSON.parse(row.ending))
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
    tried: isOpen && ending?.kind === 'approved' ? ending.outcomes : undefined,
    until: row.until,
    card: cardSchema.parse(JSON.parse(row.card)),
    version: row.version,
    isAskerTold: row.is_asker_told === 1,
    isApproverTold: row.is_approver_told === 1,
  }
}

// Somebody presses a button about a request, and what the audit trail hears of requests.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Told } from '../grant/wishes.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { From } from '../slack/requests.ts'
import type { Approval } from './approvals.ts'

export interface Act extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
}

/** An `Act`'s part that survives a modal: `private_metadata` holds it beside the request's id. */
export const actState = z.object({
  id: z.string(),
  isCard: z.boolean(),
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: z.string().optional(),
})

export function stateOf(id: string, { place, isCard }: Act): string {
  const { channelId, responseUrl, isDirect, pressedTs } = place
  const state: z.input<typeof actState> = { id, isCard, isDirect }
  return JSON.stringify({ ...state, channelId, responseUrl, pressedTs })
}

export function readState(
  privateMetadata: string,
  asker: From['asker'],
): { readonly id: string; readonly act: Act } {
  const { id, isCard, channelId, responseUrl, isDirect, pressedTs } = actState.parse(
    JSON.parse(privateMetadata),
  )
  const place = { userId: asker.userId, channelId, responseUrl, isDirect, pressedTs }
  return { id, act: { asker, place, isCard } }
}

/** One step in the life of a request, for the audit trail. */
export interface ApprovalRecord {
  /** Equal for the same step, however often it is recorded. */
  readonly key: string
  readonly act: 'ask' | 'approve' | 'decline' | 'withdraw' | 'expire'
  /** Who did it; of `expire`, who asked. */
  readonly who: SlackUser
  readonly approval: Approval
  /** Of `approve`, whether it ended the request or left it open. */
  readonly outcomes: readonly Told[]
  /** Somebody tried who may not. */
  readonly isRefused?: true
}

/** May be called again for the same step, after a crash for instance. */
export type RecordApproval = (record: ApprovalRecord) => Promise<void>

/** The step that brought a request to where it is; undefined while it is being granted, or open once more. */
export function lastStep(approval: Approval): ApprovalRecord | undefined {
  const { id, asker, attempt, state, ending } = approval
  const none = { approval, outcomes: [] }
  if (state === 'open' && attempt === 0) return { ...none, key: `${id}:ask`, act: 'ask', who: asker }
  switch (ending?.kind) {
    case 'approved':
      return approveStep(approval, ending.outcomes)
    case 'declined':
      return { ...none, key: `${id}:decline`, act: 'decline', who: { ...asker, userId: ending.by.userId } }
    case 'withdrawn':
      return { ...none, key: `${id}:withdraw`, act: 'withdraw', who: asker }
    case 'expired':
      return { ...none, key: `${id}:expire`, act: 'expire', who: asker }
    case undefined:
      return undefined
    default:
      return ending satisfies never
  }
}

/** Somebody approved, whatever came of it. */
export function approveStep(approval: Approval, outcomes: readonly Told[]): ApprovalRecord {
  const { id, asker, approver, attempt } = approval
  const who = { ...asker, userId: approver?.userId ?? asker.userId }
  return { key: `${id}:approve:${attempt}`, act: 'approve', who, approval, outcomes }
}

/** Somebody pressed *Approve* who may not: each press is a step of its own. */
export function refusedStep(approval: Approval, { workspaceId, userId }: SlackUser): ApprovalRecord {
  const key = `${approval.id}:refused:${randomUUID()}`
  return { key, act: 'approve', who: { workspaceId, userId }, approval, outcomes: [], isRefused: true }
}

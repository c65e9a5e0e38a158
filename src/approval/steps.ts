// The steps in the life of a request, as the audit trail hears of them.
import type { Result } from '../grant/wish.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Approval } from './approvals.ts'
import type { NotLetThrough } from './four-eyes.ts'

/** One step in the life of a request, for the audit trail. */
export interface ApprovalRecord {
  /** Equal for the same step, however often it is recorded. */
  readonly key: string
  readonly act: 'ask' | 'approve' | 'decline' | 'withdraw' | 'expire'
  /** Who did it; of `expire`, who asked. */
  readonly who: SlackUser
  readonly approval: Approval
  /** Of `approve`, whether it ended the request or left it open. */
  readonly outcomes: readonly Result[]
  /** Why somebody who pressed *Approve* was not let through. */
  readonly refusedFor?: NotLetThrough
}

/** May be called again for the same step, after a crash for instance. */
export type RecordApproval = (record: ApprovalRecord) => Promise<void>

/** The step that brought a request to where it is; undefined while it is being granted. */
export function lastStep(approval: Approval): ApprovalRecord | undefined {
  const { id, asker, attempt, state, ending, tried } = approval
  const none = { approval, outcomes: [] }
  if (state === 'open' && attempt === 0) return { ...none, key: `${id}:ask`, act: 'ask', who: asker }
  if (tried !== undefined) return approveStep(approval, tried)
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

/** Somebody approved, whatever came of it. What comes to light after a doubt is another step: both were told. */
function approveStep(approval: Approval, outcomes: readonly Result[]): ApprovalRecord {
  const { id, asker, approver, attempt } = approval
  const who = { ...asker, userId: approver?.userId ?? asker.userId }
  const isDoubt = outcomes.some(({ outcome }) => outcome.kind === 'uncertain' && outcome.doubt === 'stopped')
  const key = `${id}:approve:${attempt}${isDoubt ? ':doubt' : ''}`
  return { key, act: 'approve', who, approval, outcomes }
}

/** Somebody pressed *Approve* who may not: once for each person and reason, however often they press. */
export function refusedStep(
  approval: Approval,
  { workspaceId, userId }: SlackUser,
  refusedFor: NotLetThrough,
): ApprovalRecord {
  const key = `${approval.id}:refused:${userId}:${refusedFor}`
  return { key, act: 'approve', who: { workspaceId, userId }, approval, outcomes: [], refusedFor }
}

// Records of a request in the audit trail: each step of its life once, for each of its people.
import { auditOutcome } from '../grant/record.ts'
import type { Result } from '../grant/wish.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Approval } from './approvals.ts'
import type { WhyBarred } from './four-eyes.ts'
import type { ApprovalRoom } from './room.ts'

interface Step {
  /** Equal for the same step, however often it is recorded. */
  readonly key: string
  readonly act: 'ask' | 'approve' | 'decline' | 'withdraw' | 'expire'
  /** The person who did it; a request expires by itself. */
  readonly userId: string | undefined
  /** Those of `approve`, whether it ended the request or left it open. */
  readonly results?: readonly Result[]
}

/**
 * Records the step that brought a request to where it is; nothing while it is being granted. To be called as often as
 * somebody comes by, after a crash for instance.
 */
export async function recordLastStep(
  { audit }: Pick<ApprovalRoom, 'audit'>,
  approval: Approval,
): Promise<void> {
  const step = lastStep(approval)
  if (step === undefined) return
  const { results = [], ...taken } = step
  for (const [index, email] of approval.wish.emails.entries()) {
    const result = results.find((one) => one.email === email)
    // Asking, declining and such are done with the step itself.
    const outcome = result === undefined ? 'done' : auditOutcome(result.outcome)
    // What a later look has shown is a step of its own: both were told.
    const corrected = result?.wasDoubted ? `:${outcome}` : ''
    const key = `${step.key}:${index + 1}${corrected}`
    await audit.record({ ...about(approval), ...taken, key, email, outcome })
  }
}

/** Records that somebody pressed *Approve* who may not: once for each person and reason, however often they press. */
export async function recordBarred(
  { audit }: Pick<ApprovalRoom, 'audit'>,
  approval: Approval,
  { userId }: SlackUser,
  why: WhyBarred,
): Promise<void> {
  const key = `${approval.id}:refused:${userId}:${why}`
  // One record, whoever the request is for: nothing was tried for any of them.
  await audit.record({ ...about(approval), act: 'approve', userId, key, outcome: `not-done:${why}` })
}

function about({ id, asker, wish }: Approval) {
  const { containerId, permissions, member, authProvider } = wish
  return {
    ...{ workspaceId: asker.workspaceId, askerId: asker.userId, reference: id },
    ...{ containerId, permissions, member, authProvider },
  }
}

function lastStep(approval: Approval): Step | undefined {
  const { id, asker, attempt, state, ending, tried } = approval
  if (state === 'open' && attempt === 0) return { key: `${id}:ask`, act: 'ask', userId: asker.userId }
  if (tried !== undefined) return approveStep(approval, tried)
  switch (ending?.kind) {
    case 'approved':
      return approveStep(approval, ending.results)
    case 'declined':
      return { key: `${id}:decline`, act: 'decline', userId: ending.by.userId }
    case 'withdrawn':
      return { key: `${id}:withdraw`, act: 'withdraw', userId: asker.userId }
    case 'expired':
      return { key: `${id}:expire`, act: 'expire', userId: undefined }
    case undefined:
      return undefined
    default:
      return ending satisfies never
  }
}

/** Somebody approved, whatever came of it. What comes to light after a doubt is another step: both were told. */
function approveStep({ id, asker, approver, attempt }: Approval, results: readonly Result[]): Step {
  const isDoubt = results.some(({ outcome }) => outcome.kind === 'uncertain' && outcome.doubt === 'stopped')
  const key = `${id}:approve:${attempt}${isDoubt ? ':doubt' : ''}`
  return { key, act: 'approve', userId: approver?.userId ?? asker.userId, results }
}

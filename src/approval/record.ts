// Records of requests in the audit trail: each step of a request, and presses of those who may not approve.
import type { Result } from '../grant/access.ts'
import { auditOutcome } from '../grant/follow-ups.ts'
import type { House } from '../house.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Approval } from './approvals.ts'
import type { WhyBarred } from './four-eyes.ts'

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
export async function recordLastStep({ audit }: House, approval: Approval): Promise<void> {
  const step = lastStep(approval)
  if (step === undefined) return
  const { results = [], ...taken } = step
  for (const [index, email] of approval.access.emails.entries()) {
    const result = results.find((one) => one.email === email)
    // Asking, declining and such are done with the step itself.
    const outcome = result === undefined ? 'done' : auditOutcome(result.outcome)
    // What a look has shown since is a record of its own.
    const key = `${step.key}:${index + 1}:${outcome}`
    await audit.record({ ...about(approval), ...taken, key, email, outcome })
  }
}

/** Records that somebody pressed *Approve* who may not: once for each person and reason, however often they press. */
export async function recordBarred(
  { audit }: House,
  approval: Approval,
  { userId }: SlackUser,
  why: WhyBarred,
): Promise<void> {
  const key = `${approval.id}:refused:${userId}:${why}`
  // One record, whoever the request is for: nothing was tried for any of them.
  await audit.record({ ...about(approval), act: 'approve', userId, key, outcome: `not-done:${why}` })
}

function about({ id, asker, access }: Approval) {
  const { containerId, permissions, member, authProvider } = access
  return {
    ...{ workspaceId: asker.workspaceId, askerId: asker.userId, reference: id },
    ...{ containerId, permissions, member, authProvider },
  }
}

function lastStep(approval: Approval): Step | undefined {
  const { id, asker, attempt, state, ending, tried } = approval
  if (state === 'requested' && attempt === 0) return { key: `${id}:ask`, act: 'ask', userId: asker.userId }
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

/** Somebody approved, whatever came of it. What comes to light after a crash is another step. */
function approveStep({ id, asker, approver, attempt }: Approval, results: readonly Result[]): Step {
  const isStopped = results.some(({ outcome }) => outcome.kind === 'uncertain' && outcome.cause === 'stopped')
  const key = `${id}:approve:${attempt}${isStopped ? ':stopped' : ''}`
  return { key, act: 'approve', userId: approver?.userId ?? asker.userId, results }
}

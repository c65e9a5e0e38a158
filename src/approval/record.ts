// Records of requests in the audit trail: each step of a request, and presses of those who may not approve.
import { accessOf, resultsOf } from '../grant/access.ts'
import type { House } from '../house.ts'
import { calledBy } from '../send/outcome.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Approval } from './approvals.ts'
import type { WhyBarred } from './four-eyes.ts'

interface Step {
  readonly act: 'ask' | 'approve' | 'decline' | 'withdraw' | 'expire'
  /** Equal for the same step, however often it is recorded. */
  readonly key: string
  readonly userId: string | undefined
}

/**
 * Records the step that brought a request to where it is; nothing while it is being granted. To be called as often as
 * somebody comes by, after a crash for instance.
 */
export async function recordLastStep({ audit }: House, approval: Approval): Promise<void> {
  const step = lastStep(approval)
  if (step === undefined) return
  const results = step.act === 'approve' ? resultsOf(approval) : undefined
  for (const [index, email] of accessOf(approval).emails.entries()) {
    const result = results?.[index]
    // Asking, declining and such are done with the step itself.
    const outcome = result === undefined ? 'done' : calledBy(result.outcome)
    // What a look has shown since is a record of its own.
    const key = `${step.key}:${index + 1}:${outcome}`
    await audit.record({ ...about(approval), ...step, key, email, outcome })
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

function about(approval: Approval) {
  const { workspaceId, id: reference, askerId } = approval
  const { containerId, permissions, member, authProvider } = accessOf(approval)
  return { workspaceId, askerId, reference, containerId, permissions, member, authProvider }
}

function lastStep({ id, askerId, attempt, state, end, approval }: Approval): Step | undefined {
  const { approver, declined } = approval
  const step = (act: Step['act'], userId: string | undefined): Step => ({ key: `${id}:${act}`, act, userId })
  switch (end ?? state) {
    case 'requested':
    case 'sent':
      if (attempt === 0) return step('ask', askerId)
      return { ...step('approve', approver?.userId), key: `${id}:approve:${attempt}` }
    case 'declined':
      return step('decline', declined?.by.userId)
    case 'withdrawn':
      return step('withdraw', askerId)
    case 'expired':
      return step('expire', undefined)
    default:
      return undefined
  }
}

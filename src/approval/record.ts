// What the audit trail keeps of a request for approval: each step once, for each of its people.
import type { Audit } from '../audit/audit.ts'
import type { Outcome } from '../audit/entry.ts'
import { auditOutcome } from '../grant/record.ts'
import type { Result } from '../grant/wish.ts'
import type { RecordApproval } from './steps.ts'

export function createRecord(audit: Pick<Audit, 'record'>): RecordApproval {
  return async ({ key, act, who, approval, outcomes, refusedFor }) => {
    const { asker, wish, id } = approval
    const { emails, containerId, permissions, member, authProvider } = wish
    const common = {
      workspaceId: asker.workspaceId,
      act,
      // A request expires by itself.
      userId: act === 'expire' ? undefined : who.userId,
      askerId: asker.userId,
      reference: id,
      ...{ containerId, permissions, member, authProvider },
    }
    if (refusedFor !== undefined) {
      // One record, whoever the request is for: nothing was tried for any of them.
      return audit.record({ ...common, key, outcome: `not-done:${refusedFor}` })
    }
    for (const [index, email] of emails.entries()) {
      const outcome = outcomeFor(outcomes.find((one) => one.email === email))
      await audit.record({ ...common, key: `${key}:${index + 1}`, email, outcome })
    }
  }
}

/** Asking, declining and such are done with the step itself. */
function outcomeFor(result: Result | undefined): Outcome {
  return result === undefined ? 'done' : auditOutcome(result.outcome)
}

// What the audit trail keeps of a request for approval: each step once, for each of its people.
import type { Audit } from '../audit/audit.ts'
import type { Outcome } from '../audit/entry.ts'
import { wordsFor } from '../grant/audit-entry.ts'
import type { Told } from '../grant/wishes.ts'
import type { RecordApproval } from './steps.ts'

export function createRecord(audit: Pick<Audit, 'record'>): RecordApproval {
  return async ({ key, act, who, approval, outcomes, refusedFor }) => {
    const { asker, wish, id } = approval
    const { emails, containerId, permissions, member, authProvider } = wish
    const { workspaceId } = asker
    // A request expires by itself.
    const userId = act === 'expire' ? undefined : who.userId
    if (refusedFor !== undefined) {
      // One record, whoever the request is for: nothing was tried for any of them.
      await audit.record({
        ...{
          workspaceId,
          userId,
          act,
          outcome: `not-done:${refusedFor}`,
          reference: id,
          askerId: asker.userId,
        },
        ...{ key, containerId, permissions, member, authProvider },
      })
      return
    }
    for (const [index, email] of emails.entries()) {
      const outcome = outcomeFor(outcomes.find((one) => one.email === email))
      await audit.record({
        ...{ workspaceId, userId, act, outcome, reference: id, askerId: asker.userId },
        key: `${key}:${index + 1}`,
        ...{ email, containerId, permissions, member, authProvider },
      })
    }
  }
}

/** Asking, declining and such are done with the step itself. */
function outcomeFor(told: Told | undefined): Outcome {
  if (told === undefined) return 'done'
  return told.outcome.kind === 'not-sent' ? 'not-done:not-sent' : wordsFor(told.outcome)
}

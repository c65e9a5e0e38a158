// What the audit trail keeps of a grant.
import type { Entry, Outcome } from '../audit/entry.ts'
import type { Grant, GrantOutcome } from './grants.ts'

/**
 * A sender that comes back after it was taken for dead brings a second outcome, which is another entry: both were told.
 * @param askerId - Who has asked for it, when it was approved and made by another.
 */
export function auditEntry({ id, asker, request }: Grant, outcome: GrantOutcome, askerId?: string): Entry {
  const { containerId, email, permissions, member, authProvider } = request
  const became = wordsFor(outcome)
  return {
    ...asker,
    ...(askerId === undefined ? {} : { userId: askerId, approverId: asker.userId }),
    key: `grant:${id}:${became}`,
    act: 'grant',
    outcome: became,
    ...{ containerId, email, permissions, member, authProvider },
    reference: id,
  }
}

export function wordsFor(outcome: GrantOutcome): Outcome {
  switch (outcome.kind) {
    case 'granted':
      return 'done'
    case 'not-granted':
      return `not-done:${outcome.code}`
    case 'uncertain':
      return `uncertain:${outcome.doubt}`
    default:
      return outcome satisfies never
  }
}

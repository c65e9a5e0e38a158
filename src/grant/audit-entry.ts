// What the audit trail keeps of a grant.
import type { Entry, Outcome } from '../audit/entry.ts'
import type { Grant, GrantOutcome, NewGrant } from './grants.ts'

/**
 * A sender that comes back after it was taken for dead brings a second outcome, which is another entry: both were told.
 * @param askerId - Who has asked for it, when it was approved and made by another.
 */
export function auditEntry(grant: Grant, outcome: GrantOutcome, askerId?: string): Entry {
  const approved = askerId === undefined ? {} : { userId: askerId, approverId: grant.asker.userId }
  return { ...entryOf(grant, wordsFor(outcome)), ...approved }
}

/** A grant that is not sent before a colleague has approved it. */
export function heldEntry(grant: NewGrant): Entry {
  return entryOf(grant, 'not-done:needs-approval')
}

function entryOf({ id, asker, request }: NewGrant, outcome: Outcome): Entry {
  const { containerId, email, permissions, member, authProvider } = request
  const what = { containerId, email, permissions, member, authProvider }
  return { ...asker, ...what, key: `grant:${id}:${outcome}`, act: 'grant', outcome, reference: id }
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

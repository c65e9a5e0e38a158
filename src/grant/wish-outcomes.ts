// What became of a wish for each of its people, as the store knows it. Sends nothing.
import type { Audit } from '../audit/audit.ts'
import type { SlackUser } from '../slack/ids.ts'
import { auditEntry } from './audit-entry.ts'
import type { Grant, Grants } from './grants.ts'
import { grantsOf, type PersonOutcome, type Told, type Wish } from './wishes.ts'

export interface WishOutcomes {
  /** @returns Undefined while something of it is under way, or may still be sent. */
  find(sender: SlackUser, id: string, wish: Wish): Promise<readonly Told[] | undefined>
  /**
   * Ends a wish whose sender is gone: what was not sent by now is never sent.
   * @returns Undefined while something is under way still; then it is to be asked again.
   */
  conclude(sender: SlackUser, id: string, wish: Wish): Promise<readonly Told[] | undefined>
  /**
   * Writes down what became of everybody, for a sender that may have died before it could.
   * @param askerId - Who has asked for it, when the sender made it for another.
   */
  record(sender: SlackUser, id: string, wish: Wish, askerId?: string): Promise<void>
}

export function createWishOutcomes({
  grants,
  audit,
}: {
  readonly grants: Grants
  readonly audit: Pick<Audit, 'record'>
}): WishOutcomes {
  const find: WishOutcomes['find'] = async (sender, id, wish) => {
    const told: Told[] = []
    for (const { id: grantId, request } of grantsOf(id, wish, { asker: sender, channelId: undefined })) {
      const grant = await grants.find(sender.workspaceId, grantId)
      const outcome = outcomeIn(grant)
      if (outcome === undefined) return undefined
      told.push({ email: request.email, outcome, ...(grant?.wasDoubted ? { wasDoubted: true } : {}) })
    }
    return told
  }

  return {
    find,
    async conclude(sender, id, wish) {
      const people = grantsOf(id, wish, { asker: sender, channelId: undefined })
      // Kept, so that they can be given up: a sender that comes back finds them taken.
      await grants.askAll(people)
      await grants.cancelAll(
        sender,
        people.map((grant) => grant.id),
      )
      await grants.lapse()
      return find(sender, id, wish)
    },
    async record(sender, id, wish, askerId) {
      for (const { id: grantId } of grantsOf(id, wish, { asker: sender, channelId: undefined })) {
        const grant = await grants.find(sender.workspaceId, grantId)
        if (grant?.outcome !== undefined) await audit.record(auditEntry(grant, grant.outcome, askerId))
      }
    },
  }
}

function outcomeIn(grant: Grant | undefined): PersonOutcome | undefined {
  return grant?.state === 'cancelled' ? { kind: 'not-sent' } : grant?.outcome
}

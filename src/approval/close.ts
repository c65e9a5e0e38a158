// A request that is given up without a grant: declined by a colleague, or withdrawn by who asked.
import { UserError } from '../errors.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { certainName } from '../slack/workspace/people.ts'
import { leaseMs } from '../work/lease.ts'
import type { Approval, Approvals } from './approvals.ts'
import type { Approving } from './approve.ts'
import type { Owed } from './follow-ups.ts'
import type { Act } from './press.ts'
import { onlyTheAsker, refusals } from './render/refusals.ts'
import { renderDeclined, renderWithdrawn } from './render/told.ts'

export interface Closing {
  /** The request that this person may decline; undefined when they were told that it is too late. @throws UserError */
  toDecline(act: Act, id: string): Promise<Approval | undefined>
  /** @param reason - Raw. */
  decline(act: Act, id: string, reason: string): Promise<void>
  withdraw(act: Act, id: string): Promise<void>
}

export function createClosing(room: {
  readonly approvals: Approvals
  readonly owed: Owed
  readonly delivery: Delivery
  readonly approving: Pick<Approving, 'known' | 'tellTooLate'>
}): Closing {
  const { approvals, owed, delivery, approving } = room

  const toDecline: Closing['toDecline'] = async (act, id) => {
    const approval = await approving.known(act, id)
    if (approval.asker.userId === act.asker.userId) {
      throw new UserError(refusals.ownToDecline)
    }
    if (approval.state === 'open') return approval
    await approving.tellTooLate(act, approval)
    return undefined
  }

  async function finish(act: Act, id: string, closed: Approval | undefined, words: Message): Promise<void> {
    if (closed === undefined) return approving.tellTooLate(act, await approving.known(act, id))
    await owed.fulfil(closed, act)
    await delivery.privately(act.place, words, { replaces: !act.isCard })
  }

  return {
    toDecline,
    async decline(act, id, reason) {
      const approval = await toDecline(act, id)
      if (approval === undefined) return
      const { workspaceId, userId } = act.asker
      const how = { by: { userId, name: certainName(act.asker) }, reason, claimMs: leaseMs }
      const declined = await approvals.decline(workspaceId, id, how)
      await finish(act, id, declined, renderDeclined(approval))
    },
    async withdraw(act, id) {
      const { asker, askerName } = await approving.known(act, id)
      if (asker.userId !== act.asker.userId) {
        throw new UserError(onlyTheAsker(askerName))
      }
      const withdrawn = await approvals.withdraw(act.asker, id, leaseMs)
      await finish(act, id, withdrawn, renderWithdrawn())
    },
  }
}

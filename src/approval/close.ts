// Closes a request without a grant: declined by a colleague, or withdrawn by who asked.
import { UserError } from '../errors.ts'
import type { Message } from '../slack/outbound/message.ts'
import { certainName } from '../slack/workspace/people.ts'
import { leaseMs } from '../work/lease.ts'
import type { Approval } from './approvals.ts'
import { findRequest, followUp, tellTooLate } from './follow-ups.ts'
import { onlyTheAsker, whyNot } from './render/refusals.ts'
import { renderDeclined, renderWithdrawn } from './render/told.ts'
import type { ApprovalRoom, Press } from './room.ts'

/**
 * Finds the request that this person may decline; undefined when they were told that it is too late.
 * @throws UserError when it is their own.
 */
export async function findToDecline(
  room: ApprovalRoom,
  press: Press,
  id: string,
): Promise<Approval | undefined> {
  const { asker: presser } = press
  const approval = await findRequest(room, press, id)
  if (approval.asker.userId === presser.userId) throw new UserError(whyNot.ownToDecline)
  if (approval.state === 'open') return approval
  await tellTooLate(room, press, approval)
  return undefined
}

/** @param reason - Raw. */
export async function decline(room: ApprovalRoom, press: Press, id: string, reason: string): Promise<void> {
  const approval = await findToDecline(room, press, id)
  if (approval === undefined) return
  const { asker: presser } = press
  const { workspaceId, userId } = presser
  const how = { by: { userId, name: certainName(presser) }, reason, claimMs: leaseMs }
  const declined = await room.approvals.decline(workspaceId, id, how)
  await tellClosed(room, press, id, declined, renderDeclined(approval))
}

/** @throws UserError when this person has not asked for it. */
export async function withdraw(room: ApprovalRoom, press: Press, id: string): Promise<void> {
  const { asker: presser } = press
  const { asker, askerName } = await findRequest(room, press, id)
  if (asker.userId !== presser.userId) throw new UserError(onlyTheAsker(askerName))
  const withdrawn = await room.approvals.withdraw(presser, id, leaseMs)
  await tellClosed(room, press, id, withdrawn, renderWithdrawn())
}

/** @param closed - Undefined when somebody else was first. */
async function tellClosed(
  room: ApprovalRoom,
  press: Press,
  id: string,
  closed: Approval | undefined,
  words: Message,
): Promise<void> {
  if (closed === undefined) return tellTooLate(room, press, await findRequest(room, press, id))
  await followUp(room, closed, press)
  await room.delivery.privately(press.place, words, { replaces: !press.isCard })
}

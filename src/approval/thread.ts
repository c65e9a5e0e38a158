// The thread of a request's card: the details of how it ended, once, and a reminder before it expires.
import { classify } from '../slack/client/refusals.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Approval } from './approvals.ts'
import { asInChannel, isRefusedForGood } from './card.ts'
import { renderDetails, renderReminder } from './render/told.ts'
import type { ApprovalRoom } from './room.ts'

/** A reminder that Slack certainly did not take is tried again after this time. */
const remindAgainMs = 60_000

/**
 * Tells the thread why a request was not granted, or what to check, where there is something to tell.
 * @returns False where nobody will find it there: there is no thread, or Slack does not let the bot post in it.
 */
export async function tellDetails(room: ApprovalRoom, approval: Approval): Promise<boolean> {
  if (approval.card.kind !== 'posted') return false
  const details = renderDetails(await asInChannel(room, approval), room.settings)
  if (details === undefined || approval.isThreadTold) return true
  let isThere = false
  try {
    isThere = await postInThread(room, approval, details)
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    room.log.warn(
      { err: error, approval: approval.id },
      'Slack refuses the details of a request in its thread',
    )
  }
  await room.approvals.markTold(approval, 'thread')
  return isThere
}

/**
 * Mentions those who decide once more, in the thread of a request that expires soon. Never fails, and is tried again
 * only where nobody can have been mentioned.
 */
export async function remindOf(room: ApprovalRoom, approval: Approval): Promise<void> {
  const { approvals, mentionOf, settings, log } = room
  const { workspaceId } = approval.asker
  try {
    const mention = await mentionOf(workspaceId)
    if (mention.length === 0) return
    await postInThread(room, approval, renderReminder(await asInChannel(room, approval), settings, mention))
  } catch (error) {
    log.failedJob(
      'warn',
      { err: error, approval: approval.id },
      'a reminder of a request could not be posted',
    )
    if (!classify(error).mayBeDone && !isRefusedForGood(error))
      await approvals.remindLater(approval, remindAgainMs)
  }
}

/** @returns False where there is no thread, or another organisation reads in it by now. */
async function postInThread(
  { outbound, sharedChannels }: ApprovalRoom,
  { asker, card, threadTs }: Approval,
  message: Message,
): Promise<boolean> {
  if (card.kind !== 'posted') return false
  const { workspaceId } = asker
  if ((await sharedChannels.in(workspaceId).wasShared(card.channelId)) === true) return false
  // A card that is a reply itself has the thread that it stands in.
  await outbound.in(workspaceId).post(card.channelId, message, threadTs ?? card.ts)
  return true
}

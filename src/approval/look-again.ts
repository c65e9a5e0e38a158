// *Look again* on what an approver was told: reads once, with their own token, what became of those who are not certain.
// What that settles, everybody who was told the doubt hears; what else was seen, the approver alone. Never sends anything.
import { UserError } from '../errors.ts'
import { noteOutcome } from '../grant/record.ts'
import { inVain } from '../grant/render/offers.ts'
import { resultsOf } from '../grant/wish.ts'
import { lookNow } from '../send/looks.ts'
import { correctAttempt, findAttempted } from './approve.ts'
import { endForApprover } from './follow-ups.ts'
import type { Press } from './press.ts'
import { whyNot } from './render/refusals.ts'
import type { ApprovalRoom } from './room.ts'

/**
 * @param attemptId - Of the wish that the attempt is.
 * @throws UserError when it is not this person's, or nothing can be looked at.
 */
export async function lookAtAttempt(room: ApprovalRoom, press: Press, attemptId: string): Promise<void> {
  const { asker: presser, place } = press
  const found = await room.send.wishes.find(presser.workspaceId, attemptId)
  if (found?.sender.userId !== presser.userId) throw new UserError(whyNot.notKept)
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown && (await room.tokens.find(presser)) === undefined) throw new UserError(inVain.noAccount)
  const kept = isKnown ? found : await lookNow(room.send, found)
  const isTold = await correctAttempt(room, kept, press)
  const approval = await findAttempted(room, kept)
  if (approval === undefined) throw new UserError(whyNot.notKept)
  if (!isTold) {
    const lookedAt = isKnown ? undefined : Math.floor(room.send.now() / 1000)
    const message = await endForApprover(room, approval, { lookedAt })
    await room.delivery.privately(place, message, { replaces: true })
  }
  noteOutcome(resultsOf(kept) ?? [])
}

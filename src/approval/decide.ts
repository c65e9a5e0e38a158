// Decisions on a request: approved with the colleague's own token, so that the service itself decides whether they may;
// declined; or withdrawn by who asked. Its time ends it, too.
import { UserError } from '../errors.ts'
import { resultsOf } from '../grant/access.ts'
import { lookAgain } from '../grant/add.ts'
import { noteOutcome } from '../grant/follow-ups.ts'
import { reasonsByEmail } from '../grant/receipts.ts'
import { inVain } from '../grant/render/receipt.ts'
import type { House } from '../house.ts'
import { decline as declineStep, type Request, withdraw as withdrawStep } from '../send/request.ts'
import { beginKept, sendBegun } from '../send/send.ts'
import { holding } from '../send/telling.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { Person } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { personInLine } from '../slack/workspace/names.ts'
import { type Approval, approvalIn, approvedResults, type Press, triedResults } from './approvals.ts'
import {
  askForAccount,
  endForApprover,
  findOpen,
  findRequest,
  followUp,
  showRequest,
  tellTooLate,
} from './follow-ups.ts'
import { barrierTo, presserOf } from './four-eyes.ts'
import { recordBarred } from './record.ts'
import {
  connectToApprove,
  connectToDecline,
  onlyTheAsker,
  renderDeclined,
  renderWithdrawn,
  whyNot,
} from './render/messages.ts'

/** @throws UserError when this person may not approve it. */
export async function approve(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: approver, value: id } = pressed
  const press = { ...pressed, isCard: true }
  const approval = await findOpen(house, press, id)
  if (approval === undefined) return
  const token = await house.tokens.find(approver)
  const presser = await presserOf(house, approver, token, approval)
  const barrier = barrierTo(presser, approval)
  if (barrier !== undefined) {
    await recordBarred(house, approval, approver, barrier.why)
    throw new UserError(barrier.words)
  }
  if (token === undefined) return askForAccount(house, press, connectToApprove)
  const begun = await beginKept(house, approval, {
    sender: { workspaceId: approver.workspaceId, userId: approver.userId },
    approver: named(approver),
    passes(request) {
      const asIs = approvalIn(request)
      return asIs !== undefined && barrierTo(presser, asIs) === undefined
    },
  })
  if (begun === undefined) return tellTooLate(house, press, await findRequest(house, press, id))
  await grant(house, press, token, begun)
}

/** Grants what was approved, shows meanwhile that it is under way, and tells what became of it. */
async function grant(house: House, press: Press, token: string, begun: Request): Promise<void> {
  await holding(house, begun, async () => {
    const underWay = approvalIn(begun)
    // Beside the sending, and over before the end is shown.
    const show = async () => (underWay === undefined ? undefined : showRequest(house, underWay))
    const { request, isToTell, learned } = await sendBegun(house, token, begun, show)
    const approval = approvalIn(request)
    if (approval === undefined || !isToTell) return
    await followUp(house, approval, { ...press, reasons: reasonsByEmail(request, learned) })
    noteOutcome(approvedResults(approval) ?? triedResults(approval) ?? [])
  })
}

const named = (person: Person) => ({ userId: person.userId, name: personInLine(person) })

/**
 * Finds the request that this person may decline; undefined when they were told why not.
 * @throws UserError when it is their own.
 */
export async function findToDecline(house: House, press: Press, id: string): Promise<Approval | undefined> {
  const { askerId } = await findRequest(house, press, id)
  if (askerId === press.asker.userId) throw new UserError(whyNot.ownToDecline)
  const approval = await findOpen(house, press, id)
  if (approval === undefined || (await house.tokens.find(press.asker)) !== undefined) return approval
  await askForAccount(house, press, connectToDecline)
  return undefined
}

/** Closes it without a grant, for a colleague. @param reason - Raw. */
export async function decline(house: House, press: Press, id: string, reason: string): Promise<void> {
  const approval = await findToDecline(house, press, id)
  if (approval === undefined) return
  const step = declineStep(named(press.asker), reason)
  await tellClosed(
    house,
    press,
    id,
    await house.storage.requests.change(approval, step),
    renderDeclined(approval),
  )
}

/** Closes it without a grant, for who asked. @throws UserError when this person has not asked for it. */
export async function withdraw(house: House, press: Press, id: string): Promise<void> {
  const approval = await findRequest(house, press, id)
  const { askerId, approval: about } = approval
  if (askerId !== press.asker.userId) throw new UserError(onlyTheAsker(about.askerName))
  const withdrawn = await house.storage.requests.change(approval, withdrawStep(press.asker))
  await tellClosed(house, press, id, withdrawn, renderWithdrawn())
}

/** @param closed - Undefined when somebody else was first. */
async function tellClosed(
  house: House,
  press: Press,
  id: string,
  closed: Request | undefined,
  words: Message,
): Promise<void> {
  const approval = approvalIn(closed)
  if (approval === undefined) return tellTooLate(house, press, await findRequest(house, press, id))
  await followUp(house, approval, press)
  await house.slack.privately(press.place, words, { replaces: !press.isCard })
}

/**
 * *Look again*, of the approver: reads once, with their own token, what became of those who are not certain. What that
 * settles, everybody hears who was told that it is not certain; what else was seen, the approver alone. Never sends anything.
 * @throws UserError when it is not this person's, or nothing can be looked at.
 */
export async function lookAtAttempt(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: presser, place, value: id } = pressed
  const found = await house.storage.requests.find({ workspaceId: presser.workspaceId, id })
  if (found?.end !== 'sent' || found.approval?.approver?.userId !== presser.userId) {
    throw new UserError(whyNot.notKept)
  }
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown && (await house.tokens.find(presser)) === undefined) throw new UserError(inVain.noAccount)
  const kept = isKnown ? found : await lookAgain(house, found)
  const approval = approvalIn(kept)
  if (approval === undefined) throw new UserError(whyNot.notKept)
  if (kept.version === found.version) {
    const lookedAt = isKnown ? undefined : Math.floor(house.now() / 1000)
    await house.slack.privately(place, await endForApprover(house, approval, { lookedAt }), {
      replaces: true,
    })
  } else await followUp(house, approval, { ...pressed, isCard: false })
  noteOutcome(resultsOf(kept) ?? [])
}

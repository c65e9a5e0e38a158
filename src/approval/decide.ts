// Decides on a request for approval: a colleague approves it, and it is sent with their own token, so that the service
// checks what they may give; a colleague declines it; or its asker withdraws it.
import { UserError } from '../errors.ts'
import { formMemory, readFormMemory } from '../grant/form-memory.ts'
import { whoLeft } from '../grant/granting.ts'
import { byTodaysRules } from '../grant/lasting.ts'
import { lookAgain } from '../grant/write.ts'
import type { House } from '../house.ts'
import {
  type Approval,
  approvalIn,
  beginStep,
  declineStep,
  expireStep,
  isPast,
  type RequestStep,
  withdrawStep,
} from '../send/request.ts'
import { sendBegun } from '../send/send.ts'
import { holding, tellOne } from '../send/telling.ts'
import type { ActionRequest, From, Submission } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { type Person, personInLine } from '../slack/person.ts'
import {
  answerTo,
  askForAccount,
  composeForApprover,
  recordBarred,
  showRequest,
  tellNow,
} from './follow-ups.ts'
import { barriersFor } from './four-eyes.ts'
import { declineModal, noReason, reasonInput, tooLateWords, whyNot } from './render.ts'

/**
 * *Approve*, and *Approve for 1 hour* and the like.
 * @throws UserError when the presser may not approve the request.
 */
export async function approve(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: presser, value } = pressed
  const [, id = value, ms] = /^(.*) for (\d+)$/.exec(value) ?? []
  const approval = await findOpenOrTell(house, pressed, id)
  if (approval === undefined) return
  if (isPast(approval, house.now())) throw new UserError(whyNot.isOver)

  const token = await house.tokens.find(presser)
  const barrierTo = await barriersFor(house, presser, token, approval)
  const barrier = barrierTo(approval)
  if (barrier !== undefined) {
    await recordBarred(house, approval, presser)
    throw new UserError(barrier)
  }

  if (token === undefined) return askForAccount(house, pressed)

  const left = await whoLeft(house, approval)
  if (left !== undefined) {
    const step = declineStep(nobody, left)
    return concludeRequest(house, pressed, approval, step, left)
  }

  const step = beginStep({
    sender: presser,
    approver: named(presser),
    ...(ms && { forMs: Number(ms) }),
    judge: (write, now) => byTodaysRules(house.config, write, now),
    passes: (request) => barrierTo(request) === undefined,
  })
  const begun = approvalIn(await house.storage.requests.change(approval, step))
  if (begun === undefined) return tellTooLate(house, pressed, await findRequest(house, pressed, id))

  await holding(house, [begun], async () => {
    // Waits until the card says “under way”, so that these words can’t replace the outcome later.
    const [sent] = await Promise.all([sendBegun(house, token, begun), showRequest(house, begun)])
    const concluded = approvalIn(sent.request)
    if (concluded === undefined || !sent.isStillHeld) return

    await tellNow(house, concluded, { ...pressed, forSender: sent.forSender })
  })
}

/** Bellhop itself, which declines requests for people who have left Slack. */
const nobody = { userId: '', name: 'Bellhop' }

const named = (person: Person) => ({ userId: person.userId, name: personInLine(person) })

/**
 * @returns The request; undefined when the presser was told why they can’t decline: it is decided, or they have no account.
 * @throws UserError when the presser asked for it themself.
 */
async function findToDeclineOrTell(
  house: House,
  press: From,
  id: string,
): Promise<Approval | undefined> {
  const { asker: presser } = press
  const approval = await findOpenOrTell(house, press, id)
  if (approval === undefined) return undefined
  if (approval.askerId === presser.userId) throw new UserError(whyNot.ownRequest)

  const token = await house.tokens.find(presser)
  if (token !== undefined) return approval

  await askForAccount(house, press)
  return undefined
}

/** *Decline*: opens a modal that asks for the reason. */
export async function openDeclineForm(house: House, pressed: ActionRequest): Promise<void> {
  const { place, triggerId, value: id } = pressed
  const approval = await findToDeclineOrTell(house, pressed, id)
  if (approval === undefined) return
  const modal = declineModal(formMemory(id, place), approval, house.config.roles)
  await house.slack.openView(triggerId, modal)
}

export async function declineByForm(house: House, submitted: Submission): Promise<void> {
  const { asker, filled, privateMetadata, correct, ack } = submitted
  const reason = filled.text(reasonInput)
  const { id, place } = readFormMemory(privateMetadata, asker)
  if (reason === '') return correct({ [reasonInput]: noReason })

  await ack()
  const press = submitted.moveTo(place)
  const approval = await findToDeclineOrTell(house, press, id)
  if (approval === undefined) return
  const words = `Declined. I’ll send ${approval.approval.askerName} your reason.`
  await concludeRequest(house, press, approval, declineStep(named(press.asker), reason), words)
}

/** *Withdraw*. @throws UserError when the presser isn’t the asker of the request. */
export async function withdraw(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: presser, value: id } = pressed
  const approval = await findRequest(house, pressed, id)
  if (approval.askerId !== presser.userId)
    throw new UserError(`Only ${approval.approval.askerName}, who asked for this, can withdraw it.`)

  const step = withdrawStep(presser)
  await concludeRequest(house, pressed, approval, step, 'Withdrawn. Nothing was changed.')
}

/** Concludes a request by this step, and answers the press with `words`; if somebody was faster, with how it stands now. */
async function concludeRequest(
  house: House,
  press: From,
  approval: Approval,
  step: RequestStep,
  words: string,
) {
  const concluded = approvalIn(await house.storage.requests.change(approval, step))
  if (concluded === undefined)
    return tellTooLate(house, press, await findRequest(house, press, approval.id))

  await holding(house, [concluded], () => tellNow(house, concluded, press))
  await tellOne(house, answerTo(concluded, press, say(words)))
}

/**
 * The approver’s *Look again*: reads once, with the approver’s token, how writes with an uncertain outcome came out. Sends
 * nothing. Whoever heard “not certain” hears the outcome; if it is still uncertain, only the approver hears so.
 * @throws UserError when the presser didn’t approve it, or nothing can be looked at.
 */
export async function lookAgainAtApproval(house: House, pressed: ActionRequest): Promise<void> {
  const found = await findRequest(house, pressed, pressed.value)
  if (found.state !== 'sent' || found.approval.approver?.userId !== pressed.asker.userId)
    throw new UserError(whyNot.isOver)

  const { request, lookedAt } = await lookAgain(house, found)
  const approval = approvalIn(request) ?? found
  if (approval.stepNo !== found.stepNo)
    return holding(house, [approval], () => tellNow(house, approval, pressed))

  for (const one of await composeForApprover(house, approval, pressed, lookedAt))
    await tellOne(house, one)
}

/** Says how the request stands by now, on its card and to whoever pressed. */
async function tellTooLate(house: House, press: From, approval: Approval): Promise<void> {
  await showRequest(house, approval)
  const words = tooLateWords(approval, press.asker.userId)
  await tellOne(house, answerTo(approval, press, say(words)))
}

/**
 * Finds a request. If its time is over, it is first stored as expired.
 * @throws UserError when the request is no longer stored.
 */
async function findRequest({ storage: { requests } }: House, { asker: presser }: From, id: string) {
  const key = { workspaceId: presser.workspaceId, id }
  const expired = await requests.change(key, expireStep)
  const approval = approvalIn(expired ?? (await requests.find(key)))
  if (approval === undefined) throw new UserError(whyNot.isOver)
  return approval
}

/**
 * @returns The request, still to be decided; undefined when the presser was told that it is too late to decide.
 * @throws UserError when the request is no longer stored.
 */
async function findOpenOrTell(
  house: House,
  press: From,
  id: string,
): Promise<Approval | undefined> {
  const approval = await findRequest(house, press, id)
  if (approval.state === 'to-approve') return approval

  await tellTooLate(house, press, approval)
  return undefined
}

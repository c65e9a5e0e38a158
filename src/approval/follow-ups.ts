// Follows up each step of a request: its card, the audit trail, its asker and its approver. `drawRequest` posts the card,
// or edits it; `showRequest` draws it too, but never fails; `showRecordAndCompose` draws it, records the step, and composes
// notices; `tellNow` does all that, and sends the notices. In render.ts, `renderRequest` makes the card’s message, and
// `renderConclusion` the message to one person about the outcome.
import { renderConnectFirst } from '../account/render.ts'
import { renderKept } from '../ends/render.ts'
import { postAmongUs, shownTo, tellMoved } from '../ends/telling.ts'
import { accessOf, hasCode, isGranted, resultsOf } from '../grant/access.ts'
import { answerLine } from '../grant/receipts.ts'
import { grantKind } from '../grant/write.ts'
import type { House } from '../house.ts'
import { codeOf } from '../send/outcome.ts'
import { type Approval, approvalIn, giveBack, keepCardStep } from '../send/request.ts'
import type { Kind, Notice, SendResults } from '../send/send.ts'
import { tell, tellOne } from '../send/telling.ts'
import { orRefusal, unlessSlackFails } from '../slack/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { type Message, say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import {
  renderConclusion,
  renderNotPosted,
  renderRequest,
  stillOpenWords,
  type WhyNotPosted,
  whyNot,
} from './render.ts'

export const approvalKind: Kind = {
  ...grantKind,
  async showAndCompose(house, request) {
    const approval = approvalIn(request)
    return approval === undefined ? [] : showRecordAndCompose(house, approval)
  },
}

/** A press on a request. `forSender`: what the service just said to the presser’s own token, for them alone. */
export interface Press extends From {
  readonly forSender?: SendResults | undefined
}

/**
 * Shows the last step of a request, records it and tells people of it at once. Only for the process that holds the request.
 * @throws What Slack’s client throws: the background job then tells whoever hasn’t heard.
 */
export async function tellNow(house: House, approval: Approval, press: Press): Promise<void> {
  await tell(house, [approval], await showRecordAndCompose(house, approval, press), 'at_once')
}

/**
 * Draws the card of a request as it is now, and records its last step. If that step gave more time, messages that show the
 * old time are changed.
 * @returns Notices for the asker, the approver and, about more time, the giver. None if Slack refuses the card.
 */
async function showRecordAndCompose(
  house: House,
  approval: Approval,
  press?: Press,
): Promise<readonly Notice[]> {
  if (!(await drawRequest(house, approval, press?.place))) return []

  await recordLastStep(house, approval)
  const { state, concludedAt, askerId } = approval
  const notices: Notice[] = []
  if (concludedAt !== undefined && state !== 'withdrawn') {
    const message = renderConclusion(approval, house.config.roles, await linkOf(house, approval))
    notices.push({ userId: askerId, message })
    if (state === 'sent') await tellThread(house, approval, message)
  }

  if (state === 'sent' || isOpenAgain(approval)) {
    const own = await composeForApprover(house, approval, press)
    notices.push(...own)
  }
  const more = await showAndComposeMoreTime(house, approval)
  return [...notices, ...more]
}

/**
 * Posts the outcome in the alert’s thread, if the access is for an alert and the request’s card isn’t in that thread. Also
 * edits the line of the thread in which somebody asked for the access.
 */
async function tellThread(house: House, approval: Approval, outcome: Message): Promise<void> {
  const { about, approval: details } = approval
  if (!about?.isForAll) return

  const { channelId, threadTs } = about
  if (threadTs !== details.threadTs) await postAmongUs(house, channelId, outcome, threadTs)
  if (details.approver) await unlessSlackFails(answerLine(house, details.approver, approval))
}

/**
 * If a request gave more time, changes the messages that show the old time.
 * @returns A notice for whoever gave the access, whose account still takes it back; none if they know already.
 */
async function showAndComposeMoreTime(
  house: House,
  approval: Approval,
): Promise<readonly Notice[]> {
  const { workspaceId, askerId, approval: details } = approval
  const { kind, endId = '' } = accessOf(approval)
  if (kind !== 'extend' || !resultsOf(approval).some(isGranted)) return []

  const end = await house.storage.ends.find({ workspaceId, id: endId })
  if (end === undefined) return []

  await tellMoved(house, end, end.endsAt)
  const { giverId } = end
  const knowsIt = giverId === askerId || giverId === details.approver?.userId
  if (knowsIt) return []

  const shown = shownTo(house, end, giverId)
  const message = renderKept(shown, end.endsAt, house.config.roles)
  return [{ userId: giverId, message }]
}

/** True if the request is to be approved again: somebody approved it, but nobody got anything. */
const isOpenAgain = ({ state, attempt }: Approval) => state === 'to-approve' && attempt > 0

/**
 * Notices for the approver: the outcome, or why their token granted nothing.
 * @param lookedAt - Time of the approver’s look, in Unix seconds.
 */
export async function composeForApprover(
  house: House,
  approval: Approval,
  press: Press | undefined,
  lookedAt?: number,
): Promise<readonly Notice[]> {
  const userId = approval.approval.approver?.userId
  if (userId === undefined) return []

  const results = resultsOf(approval, press?.forSender)
  const words = stillOpenWords(approval, results)
  const isToConnect = press !== undefined && hasCode(results, 'refused')
  const open = isToConnect ? renderConnectFirst(words) : say(words)
  const message = isOpenAgain(approval)
    ? open
    : renderConclusion(approval, house.config.roles, await linkOf(house, approval), {
        results,
        lookedAt,
      })
  return [press === undefined ? { userId, message } : answerTo(approval, press, message)]
}

/** Answers a press on the card with a new message, and any other press in place of the message with the pressed button. */
export function answerTo(
  { approval: { card } }: Approval,
  { asker: { userId }, place, forSender }: Press,
  message: Message,
): Notice {
  // *Approve* is a button of cards alone. An answer to one person never replaces a card, which everybody reads: not even a
  // second card, if Slack has posted the card twice.
  const isApproving = forSender !== undefined
  // Until Bellhop has stored where the card is, the message with the pressed button is taken for the card.
  const isOnCard = card === undefined || place.pressedTs === card.ts || isApproving
  return { userId, place, message, replaces: place.pressedTs !== undefined && !isOnCard }
}

/** The address of a request’s card in Slack; undefined if Slack gives none. */
async function linkOf({ slack }: House, { approval }: Approval): Promise<string | undefined> {
  const { card, threadTs } = approval
  return card && (await slack.linkOf({ ...card, threadTs }))
}

export async function askForAccount(house: House, { place }: From): Promise<void> {
  await house.slack.privately(place, renderConnectFirst(whyNot.noAccount))
}

/**
 * Posts or redraws the card, and redraws it for as long as the request has changed meanwhile: the slower of two processes
 * must not leave an older state.
 * @returns False if Slack doesn’t let the card be posted: the asker has heard why, and the request is deleted.
 */
async function drawRequest(house: House, approval: Approval, place?: Place): Promise<boolean> {
  let drawn = approval
  for (;;) {
    const { card } = drawn.approval
    if (card !== undefined) {
      const message = renderRequest(drawn, house.config.roles)
      const refusal = await orRefusal(house.slack.update(card, message))
      if (refusal)
        house.log.warn({ err: refusal, approval: drawn.id }, 'Slack refuses a request’s card')
    } else if (drawn.state === 'to-approve') {
      const isPosted = await postRequest(house, drawn, place)
      if (!isPosted) return false
    }

    const now = approvalIn(await house.storage.requests.find(approval))
    if (now === undefined || now.stepNo === drawn.stepNo) return true
    drawn = now
  }
}

/** Posts the card of a new request. If it can’t be posted, tells the asker why, and deletes the request. @returns False then. */
async function postRequest(house: House, approval: Approval, place?: Place): Promise<boolean> {
  const { slack, storage, config, log } = house
  const { channelId, threadTs } = approval.approval
  const outsiders = await slack.channels.outsiders(channelId, true)
  let why: WhyNotPosted = outsiders === 'some' ? 'shared' : 'not-invited'
  if (outsiders === 'none') {
    const message = renderRequest(approval, config.roles, config.approval.mention)
    const posted = await orRefusal(slack.post(channelId, message, threadTs))
    if ('ts' in posted) {
      await storage.requests.change(approval, keepCardStep(posted))
      return true
    }

    if (!posted.isInviteNeeded) why = 'refused'
  }

  log.warn({ channel: channelId, why }, 'a request for approval can’t be posted')
  const message = renderNotPosted(channelId, why)
  await tellOne(house, { userId: approval.askerId, place, message })

  await storage.requests.drop(approval)
  // Gives back the grant whose message had *Ask for approval*: its id is the request’s without `:ask` (`planRequest`).
  await storage.requests.change({ ...approval, id: approval.id.replace(/:ask$/, '') }, giveBack)
  return false
}

export async function showRequest(house: House, approval: Approval): Promise<void> {
  await drawRequest(house, approval).catch((error: unknown) =>
    house.log.failedJob(
      'warn',
      { err: error, approval: approval.id },
      'a request’s card could not be drawn',
    ),
  )
}

/** Records a request’s last step, unless it is being sent. Safe to repeat, as after a crash: each step has one key. */
async function recordLastStep({ audit }: House, approval: Approval): Promise<void> {
  const step = lastStep(approval)
  if (step === undefined) return

  const { act, userId } = step
  const results = act === 'approve' ? resultsOf(approval) : []
  for (const [index, { email }] of accessOf(approval).people.entries()) {
    const result = results[index]
    // Asking, declining and other steps that send nothing have no result: they are done.
    const outcome = result === undefined ? 'done' : codeOf(result.outcome)
    // With the outcome in the key, a later look that finds another outcome makes a record of its own.
    const key = `${approval.id}:${act}:${approval.attempt}:${index + 1}:${outcome}`
    await audit.record({ ...about(approval), act, userId, key, email, outcome })
  }
}

/** Records that somebody who may not approve the request pressed *Approve*: once for each such person. */
export async function recordBarred(
  { audit }: House,
  approval: Approval,
  { userId }: SlackUser,
): Promise<void> {
  const key = `${approval.id}:refused:${userId}`
  // One record, whoever the request is for: nothing was tried for any of them.
  await audit.record({
    ...about(approval),
    act: 'approve',
    userId,
    key,
    outcome: 'not-done:four-eyes',
  })
}

function about(approval: Approval) {
  const { workspaceId, id: reference, askerId } = approval
  const { kind, people: _, ...what } = accessOf(approval)
  return { workspaceId, askerId, reference, ...what, ...(kind !== 'add-user' && { kind }) }
}

/** The act for the audit trail that has brought a request into its state, and who did it; undefined while it is being sent. */
function lastStep({ askerId, attempt, state, approval: { approver, declined } }: Approval) {
  switch (state) {
    case 'to-approve':
    case 'sent':
      if (attempt === 0) return { act: 'ask', userId: askerId } as const
      return { act: 'approve', userId: approver?.userId } as const
    case 'declined':
      return { act: 'decline', userId: declined?.by.userId || undefined } as const
    case 'withdrawn':
      return { act: 'withdraw', userId: askerId } as const
    case 'expired':
      return { act: 'expire', userId: undefined } as const
    default:
      return undefined
  }
}

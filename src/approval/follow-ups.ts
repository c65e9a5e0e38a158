// Follow-ups of a step in the life of a request: its card, a record, and the end of it to who asked and who approved.
import { renderConnectFirst } from '../account/render.ts'
import { accessOf, hasCode, resultsOf } from '../grant/access.ts'
import { grantKind } from '../grant/add.ts'
import type { House } from '../house.ts'
import { calledBy } from '../send/outcome.ts'
import { type Approval, approvalIn, giveBack, keepCardStep } from '../send/request.ts'
import type { Kind, Notice, SendResults } from '../send/send.ts'
import { tell, tellOne } from '../send/telling.ts'
import { orRefusal } from '../slack/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { type Message, say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import type { WhyBarred } from './four-eyes.ts'
import { renderRequest } from './render/card.ts'
import { renderEnd, renderNotPosted, stillOpenWords, type WhyNotPosted } from './render/messages.ts'

export const approvalKind: Kind = {
  ...grantKind,
  async news(house, request) {
    const approval = approvalIn(request)
    return approval === undefined ? [] : showAndRecord(house, approval)
  },
}

/** A press by whoever acts on a request, and what the service has just said to their own token, for them alone. */
export interface Press extends From {
  readonly learned?: SendResults | undefined
}

/** For whoever holds the request. @throws What Slack’s client throws: others tell who has not heard then. */
export async function tellNow(house: House, approval: Approval, press: Press): Promise<void> {
  await tell(house, approval, await showAndRecord(house, approval, press), 'at_once')
}

/** Shows a request as it is, and records the step that brought it there. @returns What who asked and who approved hear. */
async function showAndRecord(house: House, approval: Approval, press?: Press): Promise<readonly Notice[]> {
  if (!(await drawCard(house, approval, press?.place))) return []
  await recordLastStep(house, approval)
  const { state, end, askerId } = approval
  const news: Notice[] = []
  if (state === 'ended' && end !== 'withdrawn') {
    const message = renderEnd(approval, house.config.roles, await linkOf(house, approval))
    news.push({ userId: askerId, message })
  }
  if (end === 'sent' || isOpenAgain(approval)) news.push(...(await newsForApprover(house, approval, press)))
  return news
}

/** Somebody approved it, and nobody got anything. */
const isOpenAgain = ({ state, attempt }: Approval) => state === 'requested' && attempt > 0

/**
 * To whoever approved: how the request has ended, or what their own token kept from being granted.
 * @param lookedAt - When they had it looked at once more, in Unix seconds.
 */
export async function newsForApprover(
  house: House,
  approval: Approval,
  press: Press | undefined,
  lookedAt?: number,
): Promise<readonly Notice[]> {
  const userId = approval.approval.approver?.userId
  if (userId === undefined) return []
  const results = resultsOf(approval, press?.learned)
  const words = stillOpenWords(approval, results)
  const open = press && hasCode(results, 'refused') ? renderConnectFirst(words) : say(words)
  const message = isOpenAgain(approval)
    ? open
    : renderEnd(approval, house.config.roles, await linkOf(house, approval), { results, lookedAt })
  return [press === undefined ? { userId, message } : answerTo(approval, press, message)]
}

/** An answer to a press: on the card a message of its own, else in place of the one whose button it was. */
export function answerTo(
  { approval: { card } }: Approval,
  { asker: { userId }, place, learned }: Press,
  message: Message,
): Notice {
  // Pressed before it was kept where the card stands, it is the card. What was learned comes from *Approve*, which stands on
  // cards alone: should Slack have posted two, everybody reads both.
  const isOnCard = card === undefined || place.pressedTs === card.ts || learned !== undefined
  return { userId, place, message, replaces: place.pressedTs !== undefined && !isOnCard }
}

async function linkOf({ slack }: House, { approval }: Approval): Promise<string | undefined> {
  const { card, threadTs } = approval
  return card && (await slack.linkOf({ ...card, threadTs }))
}

export async function askForAccount(house: House, { place }: From, text: string): Promise<void> {
  await house.slack.privately(place, renderConnectFirst(text))
}

/**
 * Posts the card, or draws it where it stands, until nobody has changed the request meanwhile: of two who draw, the
 * slower must not leave the older state.
 * @param place - Of whoever acted just now.
 * @returns False where Slack doesn’t let it be posted: its asker is told why, and nothing is kept of the request.
 */
async function drawCard(house: House, approval: Approval, place?: Place): Promise<boolean> {
  let drawn = approval
  for (;;) {
    const { card } = drawn.approval
    if (card !== undefined) {
      const message = renderRequest(drawn, house.config.roles)
      const refusal = await orRefusal(house.slack.update(card, message))
      if (refusal) house.log.warn({ err: refusal, approval: drawn.id }, 'Slack refuses a request’s card')
    } else if (drawn.state === 'requested' && !(await postCard(house, drawn, place))) return false
    const now = approvalIn(await house.storage.requests.find(approval))
    if (now === undefined || now.version === drawn.version) return true
    drawn = now
  }
}

async function postCard(house: House, approval: Approval, place?: Place): Promise<boolean> {
  const { slack, storage, config, log } = house
  const { channelId, threadTs } = approval.approval
  let why: WhyNotPosted = 'shared'
  if ((await slack.channels.isShared(channelId)) !== true) {
    const message = renderRequest(approval, config.roles, config.approval.mention)
    const posted = await orRefusal(slack.post(channelId, message, threadTs))
    if ('ts' in posted) {
      await storage.requests.change(approval, keepCardStep(posted))
      return true
    }
    why = posted.isInviteNeeded ? 'not-invited' : 'refused'
  }
  log.warn({ channel: channelId, why }, 'a request for approval can’t be posted')
  await tellOne(house, { userId: approval.askerId, place, message: renderNotPosted(channelId, why) })
  await storage.requests.drop(approval)
  await storage.requests.change({ ...approval, id: approval.id.replace(/:ask$/, '') }, giveBack)
  return false
}

export async function showRequest(house: House, approval: Approval): Promise<void> {
  await drawCard(house, approval).catch((error: unknown) =>
    house.log.failedJob('warn', { err: error, approval: approval.id }, 'a request’s card could not be drawn'),
  )
}

/**
 * Records the step that brought a request to where it is; nothing while it is being granted. To be called as often as
 * somebody comes by, after a crash for instance: the same step has the same key.
 */
async function recordLastStep({ audit }: House, approval: Approval): Promise<void> {
  const step = lastStep(approval)
  if (step === undefined) return
  const { act, userId } = step
  const n = act === 'approve' ? `:${approval.attempt}` : ''
  const results = act === 'approve' ? resultsOf(approval) : []
  for (const [index, email] of accessOf(approval).emails.entries()) {
    // Asking, declining and such are done with the step itself.
    const result = results[index]
    const outcome = result === undefined ? 'done' : calledBy(result.outcome)
    // What a look has shown since is a record of its own.
    const key = `${approval.id}:${act}${n}:${index + 1}:${outcome}`
    await audit.record({ ...about(approval), act, userId, key, email, outcome })
  }
}

/** Records that somebody pressed *Approve* who may not: once for each person and reason, however often they press. */
export async function recordBarred(
  { audit }: House,
  approval: Approval,
  { userId }: SlackUser,
  why: WhyBarred,
): Promise<void> {
  const key = `${approval.id}:refused:${userId}:${why}`
  // One record, whoever the request is for: nothing was tried for any of them.
  await audit.record({ ...about(approval), act: 'approve', userId, key, outcome: `not-done:${why}` })
}

function about(approval: Approval) {
  const { workspaceId, id: reference, askerId } = approval
  const { containerId, permissions, member, authProvider } = accessOf(approval)
  return { workspaceId, askerId, reference, containerId, permissions, member, authProvider }
}

function lastStep({ askerId, attempt, state, end, approval: { approver, declined } }: Approval) {
  switch (end ?? state) {
    case 'requested':
    case 'sent':
      if (attempt === 0) return { act: 'ask', userId: askerId } as const
      return { act: 'approve', userId: approver?.userId } as const
    case 'declined':
      return { act: 'decline', userId: declined?.by.userId } as const
    case 'withdrawn':
      return { act: 'withdraw', userId: askerId } as const
    case 'expired':
      return { act: 'expire', userId: undefined } as const
    default:
      return undefined
  }
}

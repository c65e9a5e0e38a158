// The card of a request: posted where it goes, and drawn as the request stands.
import type { House } from '../house.ts'
import { keepCard } from '../send/request.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import { nowhere, type Place } from '../slack/outbound/delivery.ts'
import { type Approval, approvalIn } from './approvals.ts'
import { renderCard } from './render/card.ts'
import { renderNotPosted, type WhyNotPosted } from './render/messages.ts'

/**
 * Posts the card, or draws it where it stands, until nobody has changed the request meanwhile: of two who draw, the
 * slower must not leave the older state.
 * @param place - Of whoever acted just now.
 * @returns False where Slack doesn’t let it be posted: its asker is told why, and nothing is kept of the request.
 */
export async function drawCard(house: House, approval: Approval, place?: Place): Promise<boolean> {
  let drawn = approval
  for (;;) {
    const { card } = drawn.approval
    if (card !== undefined) {
      const message = renderCard(drawn, house.config.roles)
      await unlessRefused(house, drawn, () => house.slack.update(card, message))
    }
    if (card === undefined && drawn.state === 'requested' && !(await postCard(house, drawn, place)))
      return false
    const now = approvalIn(await house.storage.requests.find(approval))
    if (now === undefined || now.version === drawn.version) return true
    drawn = now
  }
}

async function postCard(
  house: House,
  approval: Approval,
  place: Place = nowhere({ ...approval, userId: approval.askerId }),
): Promise<boolean> {
  const { slack, storage, config } = house
  const { mention, channelId: approvalChannel } = config.approval
  const { channelId, threadTs } = approval.approval
  if ((await slack.channels.isShared(channelId)) === true) {
    return giveUp(house, approval, place, channelId === approvalChannel ? 'shared-approval' : 'shared')
  }
  const message = renderCard(approval, config.roles, mention)
  try {
    const posted = await slack.post(channelId, message, threadTs)
    await storage.requests.change(approval, keepCard(posted))
    return true
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    return giveUp(house, approval, place, error.isInviteNeeded ? 'not-invited' : 'refused')
  }
}

async function giveUp(house: House, approval: Approval, place: Place, why: WhyNotPosted): Promise<false> {
  const { channelId } = approval.approval
  house.log.warn({ channel: channelId, why }, 'a request for approval can’t be posted')
  await unlessRefused(house, approval, () => house.slack.privately(place, renderNotPosted(channelId, why)))
  await house.storage.requests.drop(approval)
  return false
}

/**
 * Sends something about a request, and gives it up where Slack refuses it: asked again at once, it would refuse again.
 * Throws where it may be tried again.
 */
export async function unlessRefused(
  { log }: House,
  { id }: Approval,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    log.warn({ err: error, approval: id }, 'Slack refuses a message about a request for approval')
  }
}

/**
 * Certainly not posted, and not tried again by itself. With a token of the bot's that is refused, nothing works until the
 * operator mends it, and then all of it does; somebody who has left does not come back.
 */
function isRefusedForGood(error: unknown): error is SlackError {
  if (!(error instanceof SlackError) || error.mayBeDone || error.waitSeconds !== undefined) return false
  return error.isPersonLost || !(error.isOfToken || error.word === 'ratelimited')
}

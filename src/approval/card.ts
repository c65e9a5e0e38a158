// The card of a request: posted where it goes, and drawn as the request stands.
import type { House } from '../house.ts'
import { type Approval, approvalIn, keepCard } from '../send/request.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import { nowhere, type Place } from '../slack/outbound/delivery.ts'
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
    } else if (drawn.state === 'requested' && !(await postCard(house, drawn, place))) return false
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
  const { slack, storage, config, log } = house
  const { channelId, threadTs } = approval.approval
  let why: WhyNotPosted = 'shared'
  if ((await slack.channels.isShared(channelId)) !== true) {
    try {
      const message = renderCard(approval, config.roles, config.approval.mention)
      const posted = await slack.post(channelId, message, threadTs)
      await storage.requests.change(approval, keepCard(posted))
      return true
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
      why = error.isInviteNeeded ? 'not-invited' : 'refused'
    }
  }
  log.warn({ channel: channelId, why }, 'a request for approval can’t be posted')
  await unlessRefused(house, approval, () => slack.privately(place, renderNotPosted(channelId, why)))
  await storage.requests.drop(approval)
  return false
}

/** Shows a request as it is now, beside what others hear. Never rejects. */
export async function showRequest(house: House, approval: Approval): Promise<void> {
  await drawCard(house, approval).catch((error: unknown) =>
    house.log.failedJob('warn', { err: error, approval: approval.id }, 'a request’s card could not be drawn'),
  )
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

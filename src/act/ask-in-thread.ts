// *Ask in thread*, on a verdict that names a flag that somebody's token lacks: one line in the thread of the alert's card, for
// whoever can grant it. It tells their name, what they wanted to do, and the flag: nothing that anybody's token has read.
import { cardTheySee } from '../alert/cards.ts'
import { moreAction } from '../alert/render/card-buttons.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { describe, type Message, menu, say } from '../slack/outbound/message.ts'
import { plain } from '../slack/text/mrkdwn.ts'
import { acts } from './acts.ts'
import { whereOthersSee } from './follow.ts'
import { findToldAct } from './record.ts'

/** Whether it is offered; what Slack says of a channel may be some minutes old. */
export async function canAskInThread(
  house: House,
  asker: SlackUser,
  write: AlertWrite,
  outcome: SendOutcome,
): Promise<boolean> {
  if (!isRefusedFor(outcome, ['forbidden'])) return false
  const card = await cardTheySee(house, asker, write.cardId)
  const parent = card && whereOthersSee(card)
  return parent !== undefined && (await house.slack.channels.wasShared(parent.channelId)) === false
}

/** Once for each person and card. @throws UserError where nobody may be asked there. */
export async function askInThread(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  const { slack, storage } = house
  const [id = '', unread] = value.split(' ')
  const told = await findToldAct(house, asker, id)
  if (told === undefined || !isRefusedFor(told.outcome, ['forbidden'])) return
  const { workspaceId, userId, name } = asker
  const { write } = told
  const card = await cardTheySee(house, asker, write.cardId)
  const parent = card && whereOthersSee(card)
  if (card === undefined || parent === undefined) throw new UserError(noThread)
  // Where nobody knows whether others read along, they may.
  if ((await slack.channels.isShared(parent.channelId)) !== false) throw new UserError(othersRead)
  const key = `asked-in-thread ${userId} ${card.id}`
  if (!(await storage.once.claim(workspaceId, key))) return slack.privately(place, say(askedBefore))
  try {
    const message = renderAsked(name, write.kind, card.id, unread !== undefined)
    await slack.post(parent.channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await storage.once.release(workspaceId, key)
    throw error
  }
  await slack.privately(place, say('Asked in the alert’s thread.'))
}

const askedBefore = 'You already asked in that alert’s thread.'
const noThread = 'That card has no thread where I could ask. Ask a colleague directly.'
const othersRead =
  'People of another organisation may read in that channel, so I don’t ask there. Ask a colleague directly.'

/** @param name - Of whoever asks, raw; they are not mentioned. @param mayLackApi - Their token reads nothing there. */
function renderAsked(name: string, kind: AlertWrite['kind'], cardId: string, mayLackApi: boolean): Message {
  const { flag, verb } = acts[kind]
  const flags = mayLackApi ? `API and ${flag}` : flag
  return describe({
    lines: [
      `${name} needs ${flags} on this alert’s container to ${verb} the alert. Somebody with CONTAINER_ACCESS there can grant that.`,
    ],
    buttons: menu(moreAction, [{ text: plain('Grant access'), value: `grant ${cardId}` }]),
  })
}

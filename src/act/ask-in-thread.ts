// Asks in the thread of a card for the flag that somebody’s token lacks, because they pressed for it. It tells others
// their name, what they wanted to do, and the flag: nothing that anybody’s token has read.
import { type Card, cardTheySee } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import { isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId, type SlackUser } from '../slack/ids.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { type Posted, say } from '../slack/outbound/message.ts'
import { isQuiet } from '../slack/workspace/channels.ts'
import { findToldAct } from './record.ts'
import { renderAskInThread } from './render/to-others.ts'
import { askWords, readAskInThread } from './render/ways-on.ts'
import type { ActRoom } from './room.ts'

/** *Ask in thread* on a verdict: once for each person and card. @throws UserError where nobody may be asked there. */
export async function askInThread(room: ActRoom, { asker, place }: From, value: string): Promise<void> {
  const { alert, delivery, sharedChannels } = room
  const { id, mayLackApi } = readAskInThread(value)
  const told = await findToldAct(room, asker, id)
  if (told === undefined || !isRefusedFor(told.outcome, ['forbidden'])) return
  const { workspaceId, userId, name } = asker
  const { write } = told
  const card = await cardTheySee(alert, asker, write.cardId)
  const parent = card && threadOf(card)
  if (card === undefined || parent === undefined) throw new UserError(askWords.noThread)
  const { channelId } = parent
  // Where nobody knows whether others read along, they may.
  if ((await sharedChannels.in(workspaceId).isShared(channelId)) !== false)
    throw new UserError(askWords.othersRead)
  if (await isQuiet(alert.channelStyles, { asker, place: { ...place, channelId, isDirect: false } })) {
    throw new UserError(askWords.quietHere)
  }
  const key = `asked-in-thread ${userId} ${card.id}`
  if (!(await alert.once.claim(workspaceId, key))) return delivery.privately(place, say(askWords.askedBefore))
  try {
    const message = renderAskInThread(name, write.kind, { cardId: card.id, mayLackApi })
    await alert.outbound.in(workspaceId).post(channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await alert.once.release(workspaceId, key)
    throw error
  }
  await delivery.privately(place, say(askWords.asked))
}

/** Whether the button is offered; what Slack says of a channel may be some minutes old. */
export async function canAskInThread(
  room: ActRoom,
  asker: SlackUser,
  write: AlertWrite,
  outcome: SendOutcome,
): Promise<boolean> {
  if (!isRefusedFor(outcome, ['forbidden'])) return false
  const card = await cardTheySee(room.alert, asker, write.cardId)
  const parent = card && threadOf(card)
  if (parent === undefined) return false
  return (await room.sharedChannels.in(asker.workspaceId).wasShared(parent.channelId)) === false
}

/** Undefined where nobody else sees the card, or Bellhop does not know where it stands. */
function threadOf({ isPrivate, posted }: Card): Posted | undefined {
  return isPrivate || posted === undefined || isDirectId(posted.channelId) ? undefined : posted
}

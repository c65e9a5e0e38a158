// Receipts for everybody: in the thread of what access was granted for, or by *Share in channel*.
import { UserError } from '../errors.ts'
import type { KeptReason } from '../send/wishes.ts'
import type { From } from '../slack/guard/requests.ts'
import { isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { isQuiet } from '../slack/workspace/channels.ts'
import type { GrantRoom } from './room.ts'

type Room = Pick<GrantRoom, 'channelStyles' | 'delivery'>

/** A receipt that everybody reads stands once: whoever sets the mark first posts it. */
export interface ShareMark {
  /** False when it was set before. */
  set(): Promise<boolean>
  /** It could not be posted after all. */
  take(): Promise<void>
}

/** `not-told`: it is for nothing there, or nobody could be told. */
export type StoryTold = 'told' | 'told-before' | 'not-told'

/** For the asker alone, what follows from a receipt in a thread stands under it. */
export function besideStory(place: Place, story: StoryTold): Place {
  return story === 'not-told' ? place : { ...place, isThreadNew: false }
}

const sharedBefore = 'This is already shared in the channel.'
const quietNow = 'That channel is now quiet, so this receipt can’t be shared there.'

/** Tells everybody in the thread of what it is for. */
export async function inThread(
  room: Room,
  { asker, place }: From,
  about: KeptReason | undefined,
  message: Message,
  mark: ShareMark,
): Promise<StoryTold> {
  const { isForAll = false, channelId, threadTs, isDirect = false } = about ?? {}
  if (!isForAll || channelId === undefined) return 'not-told'
  // What the button's own response_url leads to may be another conversation.
  const responseUrl = place.channelId === channelId ? place.responseUrl : undefined
  const { workspaceId, userId } = place
  const there: Place = { workspaceId, userId, channelId, responseUrl, isDirect, threadTs }
  if (await isQuiet(room.channelStyles, { asker, place: there })) return 'not-told'
  if (!(await mark.set())) return 'told-before'
  try {
    await announce(room, there, channelId, message, mark)
    return 'told'
  } catch (error) {
    if (isCertainlyNotShared(error)) return 'not-told'
    throw error
  }
}

/** *Share in channel*. @throws UserError when the channel wants nothing shared, or it is shared already. */
export async function inChannel(
  room: Room,
  from: From,
  channelId: string,
  message: Message,
  mark: ShareMark,
): Promise<void> {
  if (!(await isOpenToShare(room, from, channelId))) throw new UserError(quietNow)
  if (!(await mark.set())) throw new UserError(sharedBefore)
  await announce(room, from.place, channelId, message, mark)
}

/** Whether a receipt may be shared in the channel it was asked in. */
export async function isOpenToShare(
  { channelStyles }: Pick<Room, 'channelStyles'>,
  { asker, place }: From,
  channelId: string | undefined,
): Promise<boolean> {
  if (channelId === undefined) return false
  return !(await isQuiet(channelStyles, { asker, place: { ...place, channelId, isDirect: false } }))
}

async function announce(
  { delivery }: Pick<Room, 'delivery'>,
  place: Place,
  channelId: string,
  message: Message,
  mark: ShareMark,
): Promise<void> {
  try {
    await delivery.announce(place, channelId, message)
  } catch (error) {
    if (isCertainlyNotShared(error)) await mark.take()
    throw error
  }
}

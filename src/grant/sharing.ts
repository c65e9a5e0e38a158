// What of a grant is for everybody: its receipt in the thread of what it was granted for, and what may be shared.
import { UserError } from '../errors.ts'
import type { From } from '../slack/guard/requests.ts'
import { type Delivery, isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { type ChannelStyles, isQuiet } from '../slack/workspace/channels.ts'
import type { KeptAbout } from './about.ts'

/** A receipt that everybody reads stands once: whoever sets the mark first posts it. */
export interface ShareMark {
  /** False when it was set before. */
  set(): Promise<boolean>
  /** It could not be posted after all. */
  take(): Promise<void>
}

/** `not-told`: it is for nothing there, or nobody could be told. */
export type StoryTold = 'told' | 'told-before' | 'not-told'

export interface Sharing {
  /** Tells everybody in the thread of what it is for. */
  inThread(from: From, about: KeptAbout | undefined, message: Message, mark: ShareMark): Promise<StoryTold>
  /** *Share in channel*. @throws UserError when the channel wants nothing shared, or it is shared already. */
  inChannel(from: From, channelId: string, message: Message, mark: ShareMark): Promise<void>
  /** Whether a receipt may be shared in the channel it was asked in. */
  isOpen(from: From, channelId: string | undefined): Promise<boolean>
}

/** For the asker alone, what follows from a receipt in a thread stands under it. */
export function besideStory(place: Place, story: StoryTold): Place {
  return story === 'not-told' ? place : { ...place, isThreadNew: false }
}

const sharedBefore = 'This is shared in the channel already.'
const quietNow = 'This channel is set to quiet, so nothing is shared there.'

export function createSharing(room: {
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly delivery: Pick<Delivery, 'announce'>
}): Sharing {
  const { channelStyles, delivery } = room

  async function announce(place: Place, channelId: string, message: Message, mark: ShareMark): Promise<void> {
    try {
      await delivery.announce(place, channelId, message)
    } catch (error) {
      if (isCertainlyNotShared(error)) await mark.take()
      throw error
    }
  }

  const isOpen: Sharing['isOpen'] = async ({ asker, place }, channelId) =>
    channelId !== undefined &&
    !(await isQuiet(channelStyles, { asker, place: { ...place, channelId, isDirect: false } }))

  return {
    isOpen,
    async inThread({ asker, place }, about, message, mark) {
      const { isForAll = false, channelId, threadTs, isDirect = false } = about ?? {}
      if (!isForAll || channelId === undefined) return 'not-told'
      // What the button's own response_url leads to may be another conversation.
      const responseUrl = place.channelId === channelId ? place.responseUrl : undefined
      const { workspaceId, userId } = place
      const there: Place = { workspaceId, userId, channelId, responseUrl, isDirect, threadTs }
      if (await isQuiet(channelStyles, { asker, place: there })) return 'not-told'
      if (!(await mark.set())) return 'told-before'
      try {
        await announce(there, channelId, message, mark)
        return 'told'
      } catch (error) {
        if (isCertainlyNotShared(error)) return 'not-told'
        throw error
      }
    },
    async inChannel(from, channelId, message, mark) {
      if (!(await isOpen(from, channelId))) throw new UserError(quietNow)
      if (!(await mark.set())) throw new UserError(sharedBefore)
      await announce(from.place, channelId, message, mark)
    },
  }
}

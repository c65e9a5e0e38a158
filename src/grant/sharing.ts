// What of a grant is for everybody: its receipt in the thread of what it was granted for, and what may be shared.
import { type ChannelStyles, isQuiet } from '../slack/channel-style.ts'
import type { Message } from '../slack/message.ts'
import { type Delivery, isCertainlyNotShared } from '../slack/place.ts'
import type { From } from '../slack/requests.ts'
import type { About } from './granting-steps.ts'

export interface Sharing {
  /** Tells everybody in the thread of what it is for. False when it is for nothing there, or nobody could be told. */
  inThread(from: From, about: About | undefined, message: Message): Promise<boolean>
  /** Whether a receipt may be shared in the channel it was asked in. */
  isOpen(from: From, channelId: string | undefined): Promise<boolean>
}

export function createSharing(room: {
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly delivery: Pick<Delivery, 'announce'>
}): Sharing {
  const { channelStyles, delivery } = room

  const isOpen: Sharing['isOpen'] = async ({ asker, place }, channelId) =>
    channelId !== undefined &&
    !(await isQuiet(channelStyles, { asker, place: { ...place, channelId, isDirect: false } }))

  return {
    isOpen,
    async inThread(from, about, message) {
      const { place } = from
      const { channelId } = place
      if (!about?.isForAll || channelId === undefined || (await isQuiet(channelStyles, from))) return false
      try {
        await delivery.announce(place, channelId, message)
        return true
      } catch (error) {
        if (isCertainlyNotShared(error)) return false
        throw error
      }
    },
  }
}

// `/alert style`: how loud this channel wants the bot.
import { UserError } from '../errors.ts'
import type { Asking } from '../slack/guard/requests.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import type { Style } from '../slack/workspace/channels.ts'
import { renderStyle, renderStyleSet } from './render/help.ts'
import type { AlertRoom } from './room.ts'

const noChannel = 'Only channels have a style. Type /alert style in a channel.'
const untold =
  'Nothing was changed: Bellhop can’t post in this channel to announce it. Invite it with /invite @Bellhop, then set the style again.'

/** @param style - Undefined asks which it is. */
export async function setStyle(
  { channelStyles, delivery }: AlertRoom,
  { asker, place, answer }: Asking,
  style: Style | undefined,
): Promise<void> {
  const { workspaceId, name } = asker
  const { channelId, isDirect } = place
  if (channelId === undefined || isDirect) throw new UserError(noChannel)
  const before = await channelStyles.of(workspaceId, channelId)
  if (style === undefined) return answer(renderStyle(before))
  if ((before?.style ?? 'thread') === style) {
    throw new UserError(`This channel’s style is already ${style}.`)
  }
  await channelStyles.set(workspaceId, channelId, style, name)
  try {
    // Not in the thread where it may have been written: it is for the whole channel.
    await delivery.announce({ ...place, threadTs: undefined }, channelId, renderStyleSet(name, style))
  } catch (error) {
    // What nobody was told must not hold.
    const { style: old = 'thread', setBy = name } = before ?? {}
    await channelStyles.set(workspaceId, channelId, old, setBy)
    throw isCertainlyNotShared(error) ? new UserError(untold) : error
  }
}

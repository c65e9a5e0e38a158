// A follow ends, or loses its carrier: the channel hears so, and nobody else's token is used.
import { randomUUID } from 'node:crypto'
import type { House } from '../house.ts'
import { poked } from '../live/live-cards.ts'
import { endWatches } from '../live/watching.ts'
import { SlackError } from '../slack/client.ts'
import { type Message, type Posted, say } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import type { Happened } from '../slack/routes.ts'
import { type Follow, type Lost, lostBy } from './follows.ts'
import { renderFollow, renderLost } from './render.ts'

/** Somebody stops it. */
export function stopFollow(house: House, follow: Follow, { name, userId }: Person): Promise<undefined> {
  return endFollow(house, follow, `${name} stopped following ${follow.container} here.`, userId)
}

/** People of another organisation may read in its channel now, so that it names nothing. */
export function endShared(house: House, follow: Follow): Promise<undefined> {
  const words =
    'I no longer follow a container here: people of another organisation may read in this channel now.'
  return endFollow(house, follow, words)
}

/**
 * @param words - Its last ones in the channel, raw. They are said first: twice after a crash is better than never. Undefined
 * where the channel is out of reach.
 * @param userId - Who stopped it.
 */
export async function endFollow(
  house: House,
  follow: Follow,
  words?: string,
  userId?: string,
): Promise<undefined> {
  const { storage, poller } = house
  const isHeard = words !== undefined && (await tell(house, follow, say(words)))
  if (!(await storage.follows.drop(follow))) return
  await recordFollow(house, follow, 'unfollow', userId)
  // Its cards find out at their next look.
  for (const live of await storage.liveCards.list({ workspaceId: follow.workspaceId }))
    if (live.followId === follow.id)
      await storage.liveCards.change(live, ({ followId: _, ...one }, now) => poked(one, now))
  poller.wake()
  if (isHeard) await redraw(house, follow.posted, say(`This channel followed ${follow.container}.`))
}

/** Nobody reads any more, until somebody takes it over. */
export async function loseCarrier(house: House, follow: Follow, why: Lost): Promise<undefined> {
  const { storage, config } = house
  if (!(await tell(house, follow, renderLost(follow, why)))) return endFollow(house, follow)
  const lost = await storage.follows.change(follow, (one, at) => lostBy(one, follow, at))
  if (lost === undefined) return
  await recordFollow(house, follow, 'follow', follow.carrier.userId, `not-done:${why}`)
  await redraw(house, lost.posted, renderFollow(config, lost))
}

/** Has the audit trail say what became of it. @param userId - Whose doing that is, or whose account it is about. */
export function recordFollow(
  { audit }: House,
  { workspaceId, containerId, channelId: reference }: Follow,
  act: 'follow' | 'unfollow' | 'take-over',
  userId: string | undefined,
  outcome: 'done' | `not-done:${Lost}` = 'done',
): Promise<void> {
  const key = `${act}:${randomUUID()}`
  return audit.record({ workspaceId, userId, containerId, reference, act, outcome, key })
}

/** @returns False where the channel is out of reach. */
async function tell({ slack }: House, { channelId }: Follow, message: Message): Promise<boolean> {
  try {
    await slack.post(channelId, message)
    return true
  } catch (error) {
    if (!(error instanceof SlackError) || !error.isMessageLost) throw error
    return false
  }
}

/**
 * @param isAwaited - False where nobody waits for it: it is drawn if Slack takes it now.
 * @returns False where it is not drawn: Slack does not take it, or somebody deleted it.
 */
export async function redraw(
  { slack, updates, log }: House,
  posted: Posted,
  message: Message,
  isAwaited = true,
): Promise<boolean> {
  try {
    if (!isAwaited) return await updates.run(() => slack.updateOnce(posted, message))
    await slack.update(posted, message)
    return true
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    log.info({ err: error }, 'a message of a followed container could not be drawn again')
    return false
  }
}

/** Somebody has no account any more: what they carry is looked at, and says so. */
export async function lookAtFollowsOf(house: House, { workspaceId, userId }: SlackUser): Promise<void> {
  const { storage, poller } = house
  for (const follow of await storage.follows.list({ workspaceId, ownerId: userId }))
    await storage.follows.change(follow, poked)
  poller.wake()
}

/** A channel is shared with somebody else now: where that is another organisation, or Slack does not say, all ends there. */
export async function channelShared(house: House, happened: Happened<'channel_shared'>): Promise<void> {
  const { workspaceId, event } = happened
  // Among workspaces of one organisation as well, where nobody else reads.
  if ((await house.slack.channels.isShared(event.channel)) === false) return
  await endWatches(house, { workspaceId, channelId: event.channel }, 'shared')
  for (const follow of await house.storage.follows.list({ workspaceId, ref: event.channel }))
    await endShared(house, follow)
}

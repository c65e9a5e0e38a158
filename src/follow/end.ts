// Ends a follow (a channel that gets a container’s new alerts), or stops its reading once its carrier’s token can’t read.
// The channel is told, and nobody else’s token is used until somebody takes the follow over.
import { randomUUID } from 'node:crypto'
import type { House } from '../house.ts'
import { endWatches } from '../live/watching.ts'
import { orRefusal, SlackError, unlessSlackFails } from '../slack/client.ts'
import { calling, say } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import type { EventRequest } from '../slack/routes.ts'
import { poked } from '../work/lease.ts'
import { lastMention } from './calls.ts'
import { type Follow, type Lost, lostBy, outBy } from './follows.ts'
import { tellCarrier } from './posting.ts'
import { renderFollow, renderGap, renderLost, renderYouLost } from './render.ts'

/** Ends a follow for the person who stops it. If a look at the follow is under way, waits for its end. */
export function stopInTurn(
  house: House,
  follow: Follow,
  { name, userId }: Person,
): Promise<undefined> {
  const words = `${name} stopped following ${follow.container} here.`
  return house.turns(`follow ${follow.id}`, () => endFollow(house, follow, words, userId))
}

/**
 * Ends a follow in a channel that another organisation may read now. The last message there doesn’t name the container.
 */
export function endShared(house: House, follow: Follow): Promise<undefined> {
  const why = 'people of another organisation may read in this channel now'
  return endFollow(house, follow, `I no longer follow a container here: ${why}.`)
}

/**
 * Stops reading until the bot is back in the channel. The carrier is told before this is stored, so after a crash, they
 * may be told twice.
 */
export async function goOut(house: House, follow: Follow): Promise<undefined> {
  const { config, storage, now } = house
  const out = { ...follow, lostAt: now(), isOut: true }
  const isTold = await tellCarrier(house, follow, renderFollow(config, out, false))
  // If the carrier can’t be told now, nothing is stored: the next look finds the bot missing, too, and tells them.
  if (isTold) await storage.follows.change(follow, (one, at) => outBy(one, follow, at))
}

/**
 * @param words - Last words in the channel, raw.
 * @param userId - The person who stopped the follow; undefined if Bellhop ends it.
 */
async function endFollow(
  house: House,
  follow: Follow,
  words: string,
  userId?: string,
): Promise<undefined> {
  const { storage, poller, slack } = house
  await unlessSlackFails(slack.post(follow.channelId, say(words)))
  if (!(await storage.follows.drop(follow))) return
  await recordFollow(house, follow, 'unfollow', userId)

  // Each card of the follow is made due for one more look. Its link to the follow is removed, as no follow keeps it up
  // to date.
  const { workspaceId, id: ownerId } = follow
  const cards = await storage.liveCards.list({ workspaceId, ownerId })
  for (const live of cards)
    await storage.liveCards.change(live, ({ followId: _, ...one }, now) => poked(one, now))
  poller.wake()

  const over = say(`This channel followed ${follow.container}.`)
  await unlessSlackFails(slack.update(follow.ownMessage.posted, over))
  await answerStanding(house, follow)
}

/** Stops reading until somebody takes over, and tells the channel and the carrier. */
export async function loseCarrier(house: House, follow: Follow, why: Lost): Promise<undefined> {
  const { storage, config, slack } = house
  if (await slack.channels.isSharedLately(follow.channelId)) return endShared(house, follow)

  const warning = calling(renderLost(follow, why), await lastMention(house, follow))
  const told = await orRefusal(slack.post(follow.channelId, warning))
  const isRefused = told instanceof SlackError
  if (isRefused && told.isChannelLost) return goOut(house, follow)

  await tellCarrier(house, follow, renderYouLost(follow, why))
  await answerStanding(house, follow)
  const posted = isRefused ? undefined : told
  const lost = await storage.follows.change(follow, (one, at) => lostBy(one, follow, posted, at))
  if (lost === undefined) return

  await recordFollow(house, follow, 'follow', follow.carrier.userId, `not-done:${why}`)
  await unlessSlackFails(slack.update(lost.ownMessage.posted, renderFollow(config, lost)))
}

/**
 * Rewrites the channel’s old warnings (that looks fail, or that nobody reads): now they say from when to when new alerts
 * couldn’t appear.
 */
export async function answerStanding(house: House, follow: Follow): Promise<void> {
  const { failMessage, lostMessage, lostAt, readAt } = follow
  const over = renderGap(follow, lostAt ?? readAt, house.now())
  for (const warning of [failMessage, lostMessage]) {
    if (warning) await unlessSlackFails(house.slack.update(warning, over))
  }
}

/** @param userId - The person who did it; for a loss, the carrier; undefined if Bellhop did it. */
export function recordFollow(
  { audit }: House,
  follow: Pick<Follow, 'workspaceId' | 'containerId' | 'channelId'>,
  act: 'follow' | 'unfollow' | 'take-over',
  userId: string | undefined,
  outcome: 'done' | `not-done:${Lost}` = 'done',
): Promise<void> {
  const { workspaceId, containerId, channelId: reference } = follow
  const key = `${act}:${randomUUID()}`
  return audit.record({ workspaceId, userId, containerId, reference, act, outcome, key })
}

/**
 * Makes the follows of a carrier due, after the carrier has disconnected their account: the next looks tell the channels.
 * @returns The follows that were read with this account until now.
 */
export async function lookAtFollowsOf(
  { storage, poller }: House,
  { workspaceId, userId }: SlackUser,
) {
  const follows = await storage.follows.list({ workspaceId, ownerId: userId })
  for (const follow of follows) await storage.follows.change(follow, poked)

  poller.wake()
  return follows.filter(({ lostAt }) => lostAt === undefined)
}

/** Ends all watches and follows in a channel that another organisation may read now, or if Slack can’t tell. */
export async function channelShared(
  house: House,
  happened: EventRequest<'channel_shared'>,
): Promise<void> {
  const { workspaceId, event } = happened
  // Slack also sends this event if only workspaces of one organisation share the channel: then nothing ends.
  const { channel } = event
  if ((await house.slack.channels.outsiders(channel, true)) === 'none') return

  await endWatches(house, { workspaceId, channelId: channel }, 'shared')
  const follows = await house.storage.follows.list({ workspaceId, ref: channel })
  for (const follow of follows) await endShared(house, follow)
}

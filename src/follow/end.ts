// Ends a follow, or takes its carrier away: the channel hears so, and nobody else's token is used.
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

/** Waits for a look that is under way. */
export function stopInTurn(
  house: House,
  follow: Follow,
  { name, userId }: Person,
): Promise<undefined> {
  const words = `${name} stopped following ${follow.container} here.`
  return house.turns(`follow ${follow.id}`, () => endFollow(house, follow, words, userId))
}

/** Ends a follow in a channel that another organisation may read now: the last words name nothing. */
export function endShared(house: House, follow: Follow): Promise<undefined> {
  const why = 'people of another organisation may read in this channel now'
  return endFollow(house, follow, `I no longer follow a container here: ${why}.`)
}

/** Stops reading until the bot is back, and tells the carrier: twice after a crash is better than never. */
export async function goOut(house: House, follow: Follow): Promise<undefined> {
  const { config, storage, now } = house
  const out = { ...follow, lostAt: now(), isOut: true }
  const isTold = await tellCarrier(house, follow, renderFollow(config, out, false))
  // Otherwise the next look, once the lease is over, finds it out again.
  if (isTold) await storage.follows.change(follow, (one, at) => outBy(one, follow, at))
}

/**
 * @param words - Last words in the channel, raw.
 * @param userId - Who stopped it.
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

  // Cards of the follow find out at their next look.
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

/** Rewrites the warnings that nobody looks or reads: they now say until when that was. */
export async function answerStanding(house: House, follow: Follow): Promise<void> {
  const { failMessage, lostMessage, lostAt, readAt } = follow
  const over = renderGap(follow, lostAt ?? readAt, house.now())
  for (const warning of [failMessage, lostMessage]) {
    if (warning) await unlessSlackFails(house.slack.update(warning, over))
  }
}

/** @param userId - Who did it, or whose account it is about. */
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
 * Has the follows of somebody without an account looked at: they then say so.
 * @returns Those carried until now.
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

/** Ends everything in a channel that is shared with another organisation now, or where Slack doesn’t say. */
export async function channelShared(
  house: House,
  happened: EventRequest<'channel_shared'>,
): Promise<void> {
  const { workspaceId, event } = happened
  // Slack also sends this for workspaces of one organisation, where nobody else reads.
  const { channel } = event
  if ((await house.slack.channels.outsiders(channel, true)) === 'none') return

  await endWatches(house, { workspaceId, channelId: channel }, 'shared')
  const follows = await house.storage.follows.list({ workspaceId, ref: channel })
  for (const follow of follows) await endShared(house, follow)
}

// A follow ends, or loses its carrier: the channel hears so, and nobody else's token is used.
import { randomUUID } from 'node:crypto'
import type { House } from '../house.ts'
import { endWatches } from '../live/watching.ts'
import { orRefusal, type Refusal, SlackError, unlessSlackFails } from '../slack/client.ts'
import { type Message, type Posted, say } from '../slack/outbound/message.ts'
import type { Person, SlackUser } from '../slack/person.ts'
import type { EventRequest } from '../slack/routes.ts'
import { poked } from '../work/lease.ts'
import { type Follow, type Lost, lostBy } from './follows.ts'
import { renderFollow, renderGap, renderLost, renderLostBefore, renderOut, renderYouLost } from './render.ts'

/** What a look says just now comes before that. */
export function stopFollow(house: House, follow: Follow, { name, userId }: Person): Promise<undefined> {
  const words = `${name} stopped following ${follow.container} here.`
  return house.turns(`follow ${follow.id}`, () => endFollow(house, follow, words, userId))
}

/** People of another organisation may read in its channel now, so that it names nothing. */
export function endShared(house: House, follow: Follow): Promise<undefined> {
  const why = 'people of another organisation may read in this channel now'
  return endFollow(house, follow, `I no longer follow a container here: ${why}.`)
}

/** The bot is not in its channel any more: its carrier hears so, directly. Twice after a crash is better than never. */
export async function endOut(house: House, follow: Follow): Promise<undefined> {
  await tellCarrier(house, follow, renderOut(follow))
  return endFollow(house, follow)
}

/**
 * @param words - Its last ones in the channel, raw, said first. Undefined where the channel is out of reach.
 * @param userId - Who stopped it.
 */
async function endFollow(house: House, follow: Follow, words?: string, userId?: string): Promise<undefined> {
  const { storage, poller, slack } = house
  if (words !== undefined) await unlessSlackFails(slack.post(follow.channelId, say(words)))
  if (!(await storage.follows.drop(follow))) return
  await recordFollow(house, follow, 'unfollow', userId)
  // Its cards find out at their next look.
  for (const live of await storage.liveCards.list({ workspaceId: follow.workspaceId }))
    if (live.followId === follow.id)
      await storage.liveCards.change(live, ({ followId: _, ...one }, now) => poked(one, now))
  poller.wake()
  if (words === undefined) return
  await redraw(house, follow.own.posted, say(`This channel followed ${follow.container}.`))
  await answerStanding(house, follow)
}

/** Nobody reads any more, until somebody takes it over. The channel and the carrier hear so. */
export async function loseCarrier(house: House, follow: Follow, why: Lost): Promise<undefined> {
  const { storage, config, slack } = house
  if (await slack.channels.isSharedLately(follow.channelId)) return endShared(house, follow)
  const told = await orRefusal(slack.post(follow.channelId, renderLost(follow, why)))
  const posted = 'ts' in told ? told : undefined
  await tellCarrier(house, follow, renderYouLost(follow, why))
  if (!('ts' in told) && told.isPlaceLost) return endFollow(house, follow)
  await answerStanding(house, follow)
  const lost = await storage.follows.change(follow, (one, at) => lostBy(one, follow, posted, at))
  if (lost === undefined) return
  await recordFollow(house, follow, 'follow', follow.carrier.userId, `not-done:${why}`)
  await redraw(house, lost.own.posted, renderFollow(config, lost))
}

/** What said that nobody looks, or reads, says until when that was, once that is over or nobody is to. */
export async function answerStanding(house: House, follow: Follow): Promise<void> {
  const { silence, lost, readAt } = follow
  if (silence) await redraw(house, silence, renderGap(follow, 'look at', readAt, house.now()))
  if (lost) await redraw(house, lost, renderLostBefore(follow, house.now()))
}

/** @returns False where it is worth another try. */
export async function tellCarrier(house: House, { carrier }: Follow, message: Message): Promise<boolean> {
  const { userId } = carrier
  try {
    await house.slack.post(userId, message)
    return true
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    house.log.failedJob('warn', { err: error, user: userId }, 'a carrier could not be told of their follow')
    return error.isForGood
  }
}

/** @param userId - Whose doing that is, or whose account it is about. */
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

/** @param isAwaited - False where nobody waits for it: it is drawn if Slack takes it now. @returns What Slack said of it. */
export async function redraw(
  { slack, updates, log }: House,
  posted: Posted,
  message: Message,
  isAwaited = true,
): Promise<Refusal | 'drawn'> {
  try {
    if (isAwaited) await slack.update(posted, message)
    else if (!(await updates.run(() => slack.updateOnce(posted, message)))) return 'wait'
    return 'drawn'
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    log.info({ err: error }, 'a message of a followed container could not be drawn again')
    return error.meaning
  }
}

/** Somebody has no account any more: what they carry is looked at, and says so. @returns What they carried until now. */
export async function lookAtFollowsOf(house: House, { workspaceId, userId }: SlackUser) {
  const { storage, poller } = house
  const follows = await storage.follows.list({ workspaceId, ownerId: userId })
  for (const follow of follows) await storage.follows.change(follow, poked)
  poller.wake()
  return follows.filter(({ lostAt }) => lostAt === undefined)
}

/** A channel is shared with somebody else now: where that is another organisation, or Slack does not say, all ends there. */
export async function channelShared(house: House, happened: EventRequest<'channel_shared'>): Promise<void> {
  const { workspaceId, event } = happened
  // Among workspaces of one organisation as well, where nobody else reads.
  if ((await house.slack.channels.isShared(event.channel)) === false) return
  await endWatches(house, { workspaceId, channelId: event.channel }, 'shared')
  for (const follow of await house.storage.follows.list({ workspaceId, ref: event.channel }))
    await endShared(house, follow)
}

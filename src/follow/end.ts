// A follow ends, or loses its carrier: the channel hears so, and nobody else's token is used.
import { randomUUID } from 'node:crypto'
import type { House } from '../house.ts'
import { poked } from '../live/lease.ts'
import { withoutFollow } from '../live/live-cards.ts'
import { endWhereShared } from '../live/watching.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Happened } from '../slack/routes.ts'
import type { DocKey } from '../storage/docs.ts'
import { type Follow, type Lost, lostBy } from './follows.ts'
import {
  type Ended,
  renderEnded,
  renderFollow,
  renderLost,
  renderLostToCarrier,
  renderStopped,
} from './render.ts'

/** It is said first: twice after a crash is better than never. Where its channel can’t hear it, its carrier does. */
export async function endFollow(house: House, follow: Follow, why: Ended): Promise<undefined> {
  const { storage, slack, audit } = house
  const { workspaceId, id, channelId, containerId } = follow
  if (why.kind === 'gone') await toCarrier(house, follow, renderEnded(follow, why))
  else
    try {
      await slack.post(channelId, renderEnded(follow, why))
    } catch (error) {
      if (!(error instanceof SlackError) || !error.isMessageLost) throw error
      return endFollow(house, follow, { kind: 'gone' })
    }
  if (!(await storage.follows.drop(follow))) return
  const userId = why.kind === 'stopped' ? why.by.userId : undefined
  const what = { workspaceId, userId, containerId, reference: channelId }
  await audit.record({ ...what, act: 'unfollow', outcome: 'done', key: `unfollow:${id}` })
  await letCardsGo(house, follow)
  if (why.kind !== 'gone') await draw(house, follow, renderStopped(follow))
}

/** Its cards are live no more, unless somebody watches them. */
export async function letCardsGo({ storage, poller }: House, { workspaceId, id }: DocKey): Promise<void> {
  for (const live of await storage.liveCards.list({ workspaceId }))
    if (live.watchers.some(({ followId }) => followId === id))
      await storage.liveCards.change(live, withoutFollow)
  poller.wake()
}

/** Nobody reads any more, until somebody takes it over. */
export async function loseCarrier(house: House, follow: Follow, why: Lost): Promise<undefined> {
  const { storage, slack, audit, config, now } = house
  const { workspaceId, id, channelId, containerId, carrier } = follow
  await slack.post(channelId, renderLost(follow, why))
  await toCarrier(house, follow, renderLostToCarrier(follow, why))
  const lost = await storage.follows.change(follow, (one, at) => lostBy(one, follow, why, at))
  if (lost === undefined) return
  const what = { workspaceId, userId: carrier.userId, containerId, reference: channelId }
  const key = `follow-lost:${id}:${randomUUID()}`
  await audit.record({ ...what, act: 'follow', outcome: `not-done:${why}`, key })
  await draw(house, lost, renderFollow(config, lost, now()))
}

/** They may have left. */
async function toCarrier({ slack, log }: House, { carrier }: Follow, message: Message): Promise<void> {
  await slack.post(carrier.userId, message).catch((error: unknown) => {
    if (!(error instanceof SlackError)) throw error
    log.info({ err: error, user: carrier.userId }, 'a carrier could not be told what became of a follow')
  })
}

/** Somebody may have deleted it. */
async function draw({ slack, log }: House, { posted }: Follow, message: Message): Promise<void> {
  await slack.update(posted, message).catch((error: unknown) => {
    if (!(error instanceof SlackError)) throw error
    log.info({ err: error }, 'a message of a followed container could not be drawn again')
  })
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
  await endWhereShared(house, { workspaceId, channelId: event.channel })
  for (const follow of await house.storage.follows.list({ workspaceId, ref: event.channel }))
    await endFollow(house, follow, { kind: 'shared' })
}

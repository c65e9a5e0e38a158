// What Slack tells of channels that follow something, or have live cards.
import type { House } from '../house.ts'
import { endWhereShared } from '../live/watching.ts'
import type { Happened } from '../slack/routes.ts'
import { endFollow } from './end.ts'

/** A channel is shared with somebody else now: where that is another organisation, or Slack does not say, all ends there. */
export async function channelShared(house: House, happened: Happened<'channel_shared'>): Promise<void> {
  await endWhereShared(house, happened)
  const { workspaceId, event } = happened
  const follows = await house.storage.follows.list({ workspaceId, ref: event.channel })
  if (follows.length === 0 || (await house.slack.channels.isShared(event.channel)) === false) return
  for (const follow of follows) await endFollow(house, follow, { kind: 'shared' })
}

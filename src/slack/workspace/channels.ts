// Channels, as Slack describes them: whether another organisation shares one, and who is in it. Asked for once in a while.
import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { unlessSlackFails } from '../client/slack-error.ts'
import { type Clock, isDirectId } from '../ids.ts'

/**
 * What Slack said counts for so long: it answers 50 such questions a minute, and each channel with a live card costs one.
 * Slack tells one process alone that a channel has become shared; others notice after this time.
 */
const sharedKeptMs = 10 * 60_000
const membersKeptMs = 5 * 60_000
const mostChannels = 1_000
/** As many as Slack lists at once: of a channel with more members, nobody is known. */
const mostMembers = 999

export function createChannels(web: WebClient, now: Clock) {
  // `ttlResolution`: the clock is asked each time.
  const kept = { max: mostChannels, ttlResolution: 0, perf: { now } }
  const shared = new LRUCache<string, boolean>({
    ...kept,
    ttl: sharedKeptMs,
    async fetchMethod(channel) {
      const found = await unlessSlackFails(web.conversations.info({ channel }))
      return found && (found.channel?.is_ext_shared ?? false)
    },
  })
  const members = new LRUCache<string, ReadonlySet<string>>({
    ...kept,
    ttl: membersKeptMs,
    async fetchMethod(channel) {
      const listed = await unlessSlackFails(web.conversations.members({ channel, limit: mostMembers }))
      return new Set(listed?.response_metadata?.next_cursor ? [] : listed?.members)
    },
  })

  /** Nobody comes into a direct message, and the scopes say nothing of them. */
  async function isShared(channelId: string, forceRefresh: boolean): Promise<boolean | undefined> {
    return isDirectId(channelId) ? false : shared.fetch(channelId, { forceRefresh })
  }

  return {
    /** Whether other organisations read there. Undefined when Slack does not say, as without the scopes to ask. */
    isShared: (channelId: string) => isShared(channelId, true),
    /** As `isShared`, as Slack said it not long ago. */
    wasShared: (channelId: string) => isShared(channelId, false),
    /**
     * Whether somebody is in a channel, as Slack said it not long ago. False too where it does not say, as of a private
     * channel that the bot is not in, and where there are more members than are read.
     */
    isMember: async (channelId: string, userId: string): Promise<boolean> =>
      (await members.fetch(channelId))?.has(userId) ?? false,
  }
}

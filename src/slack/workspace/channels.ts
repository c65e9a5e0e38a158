// Channels, as Slack describes them: whether another organisation shares one, and who is in it. Asked for once in a while.
import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { unlessSlackFails } from '../client/slack-error.ts'
import { type Clock, isDirectId } from '../ids.ts'
import type { Scopes } from './scopes.ts'

/**
 * What Slack said counts for so long: it answers 50 such questions a minute, and each channel with a live card costs one.
 * Slack tells one process alone that a channel has become shared; others notice after this time.
 */
const sharedKeptMs = 10 * 60_000
const membersKeptMs = 5 * 60_000
const mostChannels = 1_000
/** As many as Slack lists at once: of a channel with more members, nobody is known. */
const mostMembers = 999

export function createChannels(slack: {
  readonly web: WebClient
  readonly scopes: Pick<Scopes, 'isOn'>
  readonly now: Clock
}) {
  const { web, scopes, now } = slack
  // `ttlResolution`: the clock is asked each time.
  const kept = { max: mostChannels, ttlResolution: 0, perf: { now } }
  const shared = new LRUCache<string, boolean>({
    ...kept,
    ttl: sharedKeptMs,
    fetchMethod: (channel) =>
      ask(async () => (await web.conversations.info({ channel })).channel?.is_ext_shared ?? false),
  })
  const members = new LRUCache<string, ReadonlySet<string> | 'not said'>({
    ...kept,
    ttl: membersKeptMs,
    async fetchMethod(channel) {
      const listed = await ask(() => web.conversations.members({ channel, limit: mostMembers }))
      if (listed?.members === undefined || listed.response_metadata?.next_cursor) return 'not said'
      return new Set(listed.members)
    },
  })

  /** Undefined where Slack does not say. */
  async function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    return (await scopes.isOn('channelFacts')) ? unlessSlackFails(question()) : undefined
  }

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
     * Whether somebody is in a channel, as Slack said it not long ago. Undefined where nobody can tell: Slack does not
     * say, as of a private channel that the bot is not in, or there are more members than are read.
     */
    async isMember(channelId: string, userId: string): Promise<boolean | undefined> {
      const ids = await members.fetch(channelId)
      return ids === undefined || ids === 'not said' ? undefined : ids.has(userId)
    },
  }
}

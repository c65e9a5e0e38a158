// Channels, as Slack describes them: whether another organisation shares one, and who is in it. Asked for once in a while.
import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { singleFlights } from '../../work/turns.ts'
import { SlackError } from '../client/slack-error.ts'
import { type Clock, isDirectId } from '../ids.ts'
import type { Scopes } from './scopes.ts'

export interface Channels {
  /**
   * Whether other organisations read there. Undefined when Slack does not say, as without the scopes to ask; a channel
   * that was shared stays so until Slack says otherwise.
   */
  isShared(channelId: string): Promise<boolean | undefined>
  /** As `isShared`, as Slack said it not long ago. */
  wasShared(channelId: string): Promise<boolean | undefined>
  /**
   * Whether somebody is in a channel, as Slack said it not long ago. Undefined where nobody can tell: Slack does not say,
   * as of a private channel that the bot is not in, or there are more members than are read.
   */
  isMember(channelId: string, userId: string): Promise<boolean | undefined>
}

/**
 * What Slack said counts for so long: it answers 50 such questions a minute, and each channel with a live card costs one.
 * Slack tells one process alone that a channel has become shared; others notice after this time.
 */
const sharedKeptMs = 10 * 60_000
const membersKeptMs = 5 * 60_000
/** After this, Slack is asked again for what it did not say. */
const unsaidMs = 60_000
const mostChannels = 5_000
/** Of all channels together. */
const mostIds = 100_000
/** As Slack recommends. Source: docs.slack.dev/apis/web-api/pagination. */
const pageSize = 200
/** Of a channel with more than 2,000 members nobody is known: reading on would use up what Slack allows in a minute. */
const mostPages = 10

export function createChannels(slack: {
  readonly web: WebClient
  readonly scopes: Pick<Scopes, 'isOn'>
  readonly now: Clock
}): Channels {
  const { web, scopes, now } = slack
  // `max` would take room for all of them at the start. `ttlResolution`: the clock is asked each time.
  const kept = { sizeCalculation: () => 1, ttlResolution: 0, noDeleteOnStaleGet: true, perf: { now } }
  const shared = new LRUCache<string, { readonly isShared: boolean | undefined }>({
    ...kept,
    maxSize: mostChannels,
    ttl: sharedKeptMs,
  })
  const members = new LRUCache<string, { readonly ids: ReadonlySet<string> | undefined }>({
    ...kept,
    maxSize: mostIds,
    sizeCalculation: ({ ids }) => (ids?.size ?? 0) + 1,
    ttl: membersKeptMs,
  })
  /** Several who want to know at the same moment ask Slack once. */
  const askOnce = singleFlights<ReadonlySet<string> | undefined>()

  /** Undefined where Slack does not say. */
  async function ask<T>(channelId: string, question: () => Promise<T>): Promise<T | undefined> {
    // The scopes say nothing of direct messages.
    if (isDirectId(channelId) || !(await scopes.isOn('channelFacts'))) return undefined
    return question().catch((error: unknown) => {
      if (error instanceof SlackError) return undefined
      throw error
    })
  }

  async function isShared(channelId: string): Promise<boolean | undefined> {
    // Nobody comes into a direct message.
    if (isDirectId(channelId)) return false
    const said = await ask(
      channelId,
      async () => (await web.conversations.info({ channel: channelId })).channel?.is_ext_shared ?? false,
    )
    const known = shared.get(channelId, { allowStale: true })?.isShared
    if (said !== undefined) shared.set(channelId, { isShared: said })
    else if (known !== false) shared.set(channelId, { isShared: known }, { ttl: unsaidMs })
    return said ?? (known || undefined)
  }

  async function readMembers(channel: string): Promise<ReadonlySet<string> | undefined> {
    const ids = new Set<string>()
    let cursor: string | undefined
    for (let pages = 0; pages < mostPages; pages += 1) {
      const more = cursor === undefined ? {} : { cursor }
      const page = await web.conversations.members({ channel, limit: pageSize, ...more })
      for (const id of page.members ?? []) ids.add(id)
      cursor = page.response_metadata?.next_cursor || undefined
      if (cursor === undefined) return ids
    }
    return undefined
  }

  return {
    isShared,
    async wasShared(channelId) {
      const known = shared.get(channelId)
      return known === undefined ? isShared(channelId) : known.isShared
    },
    async isMember(channelId, userId) {
      const known = members.get(channelId)
      const ids = known
        ? known.ids
        : await askOnce(channelId, async () => {
            const read = await ask(channelId, () => readMembers(channelId))
            members.set(channelId, { ids: read }, read === undefined ? { ttl: unsaidMs } : {})
            return read
          })
      return ids?.has(userId)
    },
  }
}

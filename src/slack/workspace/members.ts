// Members of channels, as Slack says; asked for once in a while.
import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { classify } from '../client/refusals.ts'
import { type Clock, isDirectId } from '../ids.ts'
import type { Scopes } from './scopes.ts'

export interface ChannelMembers {
  /**
   * Whether somebody is in a channel, as Slack said it not long ago. Undefined where nobody can tell: Slack does not say,
   * as of a private channel that the bot is not in, or there are more members than are read.
   */
  isMember(channelId: string, userId: string): Promise<boolean | undefined>
}

/** `ids`: undefined where nobody can tell. */
interface Known {
  readonly ids: ReadonlySet<string> | undefined
}

/** What Slack said, for as long as it counts, and what it is asked just now. */
export interface MembersKept {
  readonly said: LRUCache<string, Known>
  readonly asked: Map<string, Promise<Known>>
}

const keptMs = 5 * 60_000
/** After this, Slack is asked again for what it did not say. */
const unsaidMs = 60_000
/** Of all channels together. */
const mostIdsKept = 100_000
/** As Slack recommends. Source: docs.slack.dev/apis/web-api/pagination. */
const pageSize = 200
/** Of a channel with more than 2,000 members nobody is known: reading on would use up what Slack allows in a minute. */
const mostPages = 10

export function createMembersKept(now: Clock): MembersKept {
  return {
    asked: new Map(),
    said: new LRUCache({
      maxSize: mostIdsKept,
      sizeCalculation: ({ ids }) => (ids?.size ?? 0) + 1,
      ttl: keptMs,
      ttlResolution: 0, // ask the clock each time
      perf: { now },
    }),
  }
}

export function createChannelMembers(slack: {
  readonly workspaceId: string
  readonly web: () => Promise<WebClient>
  readonly scopes: Pick<Scopes, 'isOn'>
  readonly kept: MembersKept
}): ChannelMembers {
  const { workspaceId, web, scopes, kept } = slack

  async function read(channelId: string): Promise<ReadonlySet<string> | undefined> {
    const { conversations } = await web()
    const ids = new Set<string>()
    let cursor: string | undefined
    for (let pages = 0; pages < mostPages; pages += 1) {
      const more = cursor === undefined ? {} : { cursor }
      const page = await conversations.members({ channel: channelId, limit: pageSize, ...more })
      for (const id of page.members ?? []) ids.add(id)
      cursor = page.response_metadata?.next_cursor || undefined
      if (cursor === undefined) return ids
    }
    return undefined
  }

  async function ask(key: string, channelId: string): Promise<Known> {
    try {
      const known = { ids: await read(channelId) }
      kept.said.set(key, known)
      return known
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      const unknown = { ids: undefined }
      kept.said.set(key, unknown, { ttl: unsaidMs })
      return unknown
    }
  }

  /** Several who want to know at the same moment ask Slack once. */
  function askOnce(key: string, channelId: string): Promise<Known> {
    const under = kept.asked.get(key)
    if (under !== undefined) return under
    const asking = ask(key, channelId).finally(() => kept.asked.delete(key))
    kept.asked.set(key, asking)
    return asking
  }

  return {
    async isMember(channelId, userId) {
      // The scopes say nothing of direct messages.
      if (isDirectId(channelId) || !(await scopes.isOn('channelFacts'))) return undefined
      const key = JSON.stringify([workspaceId, channelId])
      const { ids } = kept.said.get(key) ?? (await askOnce(key, channelId))
      return ids?.has(userId)
    },
  }
}

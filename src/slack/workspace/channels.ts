// Channels: those that are chosen for a whole workspace or organisation, and what Slack says of one: whether another
// organisation shares it, who is in it.

import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { singleFlights } from '../../work/turns.ts'
import { classify } from '../client/refusals.ts'
import { type Clock, isDirectId, type PerWorkspace } from '../ids.ts'
import type { Scopes } from './scopes.ts'

/** Channels that the operator has chosen, by their ids. */
export interface Channels {
  /** Where grants and approvals are told. */
  readonly audit: string | undefined
  /** Where requests for approval are posted; else in the channel of the command. */
  readonly approval: string | undefined
}

/** Whether a channel is shared with another organisation, as Slack says; asked for once in a while. */
export interface SharedChannels {
  /**
   * Whether other organisations read there. Undefined when Slack does not say, as without the scopes to ask; a channel
   * that was shared stays so until Slack says otherwise.
   */
  isShared(channelId: string): Promise<boolean | undefined>
  /** As `isShared`, as Slack said it not long ago. */
  wasShared(channelId: string): Promise<boolean | undefined>
}

const mostChannelsKept = 5_000
/**
 * What Slack said counts for so long: it answers 50 such questions a minute, and each channel with a live card costs one.
 * Slack tells one process alone that a channel has become shared; others notice after this time.
 */
const sharedKeptMs = 10 * 60_000

/** After this, Slack is asked again for what it did not say. */
const unsaidMs = 60_000

/** `isShared`: undefined where Slack has not said. */
interface KnownSharing {
  readonly isShared: boolean | undefined
  /** When Slack is to be asked again; in milliseconds since 1970. */
  readonly until: number
}

interface ChannelsRoom {
  readonly clientOf: (workspaceId: string) => Promise<WebClient>
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly now: Clock
}

export function createSharedChannels(room: ChannelsRoom): PerWorkspace<SharedChannels> {
  const { clientOf, scopes, now } = room
  const kept = new LRUCache<string, KnownSharing>({
    // `max` would take room for all of them at the start.
    maxSize: mostChannelsKept,
    sizeCalculation: () => 1,
  })

  async function ask(workspaceId: string, channelId: string): Promise<boolean | undefined> {
    // Nobody comes into a direct message.
    if (isDirectId(channelId)) return false
    if (!(await scopes.in(workspaceId).isOn('channelFacts'))) return undefined
    try {
      const { channel } = await (await clientOf(workspaceId)).conversations.info({ channel: channelId })
      return channel?.is_ext_shared ?? false
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      return undefined
    }
  }

  function keep(key: string, isShared: boolean | undefined, forMs: number): boolean | undefined {
    kept.set(key, { isShared, until: now() + forMs })
    return isShared
  }

  async function askAndKeep(workspaceId: string, channelId: string): Promise<boolean | undefined> {
    const key = keyOf(workspaceId, channelId)
    const isShared = await ask(workspaceId, channelId)
    if (isShared !== undefined) return keep(key, isShared, sharedKeptMs)
    const before = kept.get(key)
    if (before?.isShared) return keep(key, true, unsaidMs)
    if (before === undefined || before.until <= now()) keep(key, undefined, unsaidMs)
    return undefined
  }

  return {
    in: (workspaceId) => ({
      isShared: (channelId) => askAndKeep(workspaceId, channelId),
      async wasShared(channelId) {
        const known = kept.get(keyOf(workspaceId, channelId))
        if (known !== undefined && now() < known.until) return known.isShared
        return askAndKeep(workspaceId, channelId)
      },
    }),
  }
}

function keyOf(workspaceId: string, channelId: string): string {
  return JSON.stringify([workspaceId, channelId])
}

/** Members of channels, as Slack says; asked for once in a while. */
export interface ChannelMembers {
  /**
   * Whether somebody is in a channel, as Slack said it not long ago. Undefined where nobody can tell: Slack does not say,
   * as of a private channel that the bot is not in, or there are more members than are read.
   */
  isMember(channelId: string, userId: string): Promise<boolean | undefined>
}

/** `ids`: undefined where nobody can tell. */
interface KnownMembers {
  readonly ids: ReadonlySet<string> | undefined
}

const membersKeptMs = 5 * 60_000
/** Of all channels together. */
const mostIdsKept = 100_000
/** As Slack recommends. Source: docs.slack.dev/apis/web-api/pagination. */
const pageSize = 200
/** Of a channel with more than 2,000 members nobody is known: reading on would use up what Slack allows in a minute. */
const mostPages = 10

export function createChannelMembers({ clientOf, scopes, now }: ChannelsRoom): PerWorkspace<ChannelMembers> {
  const kept = new LRUCache<string, KnownMembers>({
    maxSize: mostIdsKept,
    sizeCalculation: ({ ids }) => (ids?.size ?? 0) + 1,
    ttl: membersKeptMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
  })
  /** Several who want to know at the same moment ask Slack once. */
  const askOnce = singleFlights<KnownMembers>()

  async function read(workspaceId: string, channelId: string): Promise<ReadonlySet<string> | undefined> {
    const { conversations } = await clientOf(workspaceId)
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

  async function ask(workspaceId: string, channelId: string): Promise<KnownMembers> {
    const key = keyOf(workspaceId, channelId)
    try {
      const known = { ids: await read(workspaceId, channelId) }
      kept.set(key, known)
      return known
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      const unknown = { ids: undefined }
      kept.set(key, unknown, { ttl: unsaidMs })
      return unknown
    }
  }

  return {
    in: (workspaceId) => ({
      async isMember(channelId, userId) {
        // The scopes say nothing of direct messages.
        if (isDirectId(channelId) || !(await scopes.in(workspaceId).isOn('channelFacts'))) return undefined
        const key = keyOf(workspaceId, channelId)
        const { ids } = kept.get(key) ?? (await askOnce(key, () => ask(workspaceId, channelId)))
        return ids?.has(userId)
      },
    }),
  }
}

// Channels: those that are chosen for a whole workspace or organisation, how loud each wants the bot, and what Slack says
// of one: whether another organisation shares it, who is in it.

import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { classify } from '../client/refusals.ts'
import { type Clock, isDirectId, type SlackUser } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import type { Scopes } from './scopes.ts'

/** By channel ids. */
export interface Channels {
  /** Where grants and approvals are told. */
  readonly audit: string | undefined
  /** Where requests for approval are posted; else in the channel of the command. */
  readonly approval: string | undefined
}

export const noChannels: Channels = { audit: undefined, approval: undefined }

/** The channels that are chosen for a whole workspace or organisation: the port of whoever keeps the choice. */
export interface ChosenChannels {
  /** The operator, by settings of the bot; or admins of each workspace, in Slack. */
  readonly by: 'operator' | 'admins'
  of(workspaceId: string): Promise<Channels>
}

/** `thread`: for everybody, with a thread. `quiet`: everything to whoever asked, alone. */
export const styles = ['thread', 'quiet'] as const
export type Style = (typeof styles)[number]

export interface ChannelStyle {
  readonly style: Style
  /** The name of who set it, raw. */
  readonly setBy: string
  /** Milliseconds since 1970. */
  readonly setAt: number
}

/** How loud each channel wants the bot: the port of the store that knows. */
export interface ChannelStyles {
  /** Undefined while nobody has set one: that is `thread`. */
  of(workspaceId: string, channelId: string): Promise<ChannelStyle | undefined>
  set(workspaceId: string, channelId: string, style: Style, setBy: string): Promise<void>
  /** Nobody has set one. */
  forget(workspaceId: string, channelId: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
}

/** Whether what is asked there is for the asker alone. */
export async function isQuiet(
  channelStyles: Pick<ChannelStyles, 'of'>,
  { asker, place: { channelId, isDirect } }: { readonly asker: SlackUser; readonly place: Place },
): Promise<boolean> {
  if (channelId === undefined || isDirect) return false
  return (await channelStyles.of(asker.workspaceId, channelId))?.style === 'quiet'
}

/** Whether a channel is shared with another organisation, as Slack says; asked for once in a while. */
export interface SharedChannels {
  /** Whether other organisations read there. Undefined when Slack does not say, as without the scopes to ask. */
  isShared(channelId: string): Promise<boolean | undefined>
  /** As `isShared`, as Slack said it not long ago. */
  wasShared(channelId: string): Promise<boolean | undefined>
}

/** What Slack said of sharing, for as long as it counts. */
export interface SharedKept {
  get(key: string): { readonly isShared: boolean | undefined } | undefined
  set(key: string, said: { readonly isShared: boolean | undefined }): unknown
}

const mostChannelsKept = 5_000
/** So long a channel that has become shared may not be noticed, where Slack tells of no events. */
const sharedKeptMs = 10 * 60_000

export function createSharedKept(now: Clock): SharedKept {
  return new LRUCache({
    // `max` would take room for all of them at the start.
    maxSize: mostChannelsKept,
    sizeCalculation: () => 1,
    ttl: sharedKeptMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now },
  })
}

export function createSharedChannels(slack: {
  readonly workspaceId: string
  readonly web: () => Promise<WebClient>
  readonly scopes: Pick<Scopes, 'isOn'>
  readonly kept: SharedKept
}): SharedChannels {
  const { workspaceId, web, scopes, kept } = slack
  const keyOf = (channelId: string) => JSON.stringify([workspaceId, channelId])

  async function ask(channelId: string): Promise<boolean | undefined> {
    // Nobody comes into a direct message.
    if (isDirectId(channelId)) return false
    if (!(await scopes.isOn('channelFacts'))) return undefined
    try {
      const { channel } = await (await web()).conversations.info({ channel: channelId })
      return channel?.is_ext_shared ?? false
    } catch (error) {
      if (classify(error).kind === 'defect') throw error
      return undefined
    }
  }

  async function isShared(channelId: string): Promise<boolean | undefined> {
    const said = { isShared: await ask(channelId) }
    kept.set(keyOf(channelId), said)
    return said.isShared
  }

  return {
    isShared,
    async wasShared(channelId) {
      const said = kept.get(keyOf(channelId))
      return said === undefined ? isShared(channelId) : said.isShared
    },
  }
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

/** What Slack said of members, for as long as it counts, and what it is asked just now. */
export interface MembersKept {
  readonly said: LRUCache<string, KnownMembers>
  readonly asked: Map<string, Promise<KnownMembers>>
}

const membersKeptMs = 5 * 60_000
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
      ttl: membersKeptMs,
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

  async function ask(key: string, channelId: string): Promise<KnownMembers> {
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
  function askOnce(key: string, channelId: string): Promise<KnownMembers> {
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

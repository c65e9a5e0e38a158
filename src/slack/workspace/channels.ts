// Channels: those that are chosen for a whole workspace or organisation, how loud each wants the bot, and whether one
// is shared with another organisation.

import type { WebClient } from '@slack/web-api'
import { classify } from '../client/refusals.ts'
import { isDirectId, type SlackUser } from '../ids.ts'
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

/** What Slack said, for as long as it counts. */
export interface SharedKept {
  get(key: string): { readonly isShared: boolean | undefined } | undefined
  set(key: string, said: { readonly isShared: boolean | undefined }): unknown
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

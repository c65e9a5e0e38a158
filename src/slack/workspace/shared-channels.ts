// Whether a channel is shared with another organisation, as Slack says; asked for once in a while.
import type { WebClient } from '@slack/web-api'
import { isSlackFailure } from '../client/refusals.ts'
import type { Scopes } from './scopes.ts'

export interface Sharing {
  /** Whether other organisations read there. Undefined when Slack does not say, as without the scopes to ask. */
  isShared(channelId: string): Promise<boolean | undefined>
  /** As `isShared`, as Slack said it not long ago. */
  wasShared(channelId: string): Promise<boolean | undefined>
}

/** What Slack said, for as long as it counts. */
export interface SharingKept {
  get(key: string): { readonly isShared: boolean | undefined } | undefined
  set(key: string, said: { readonly isShared: boolean | undefined }): unknown
}

export function createSharing(slack: {
  readonly workspaceId: string
  readonly web: () => Promise<WebClient>
  readonly scopes: Pick<Scopes, 'isOn'>
  readonly kept: SharingKept
}): Sharing {
  const { workspaceId, web, scopes, kept } = slack
  const keyOf = (channelId: string) => JSON.stringify([workspaceId, channelId])

  async function ask(channelId: string): Promise<boolean | undefined> {
    // Nobody comes into a direct message.
    if (channelId.startsWith('D')) return false
    if (!(await scopes.isOn('channelFacts'))) return undefined
    try {
      const { channel } = await (await web()).conversations.info({ channel: channelId })
      return channel?.is_ext_shared ?? false
    } catch (error) {
      if (!isSlackFailure(error)) throw error
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

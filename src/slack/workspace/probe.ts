// Questions to Slack about the bot itself: its token, its channels, a socket. One attempt each; all throw `SlackError`.
import type { WebClient } from '@slack/web-api'
import type { HttpsProxy } from '../../http/agent.ts'
import type { Log } from '../../log/log.ts'
import { tokenWords, unlessSlackFails, wordOf } from '../client/slack-error.ts'
import { connectToSlack, SlackClient } from '../client/web-client.ts'

/**
 * @property presence - `hidden`: a private channel that the bot is not in, or none at all. `unknown`: the scope to ask
 * is missing.
 * @property isShared - Whether another organisation reads there.
 */
export interface ChannelSeen {
  readonly presence: 'member' | 'not-member' | 'hidden' | 'unknown'
  readonly isShared: boolean
}

export type SlackProbe = ReturnType<typeof createSlackProbe>

export function createSlackProbe(web: WebClient) {
  return {
    /** Whether Slack takes the bot token still. Throws where it does not say. */
    isTokenGood: async () => (await unlessSlackFails(web.auth.test(), tokenWords)) !== undefined,
    /** What the bot token may do, as Slack says it now; undefined when it does not say: a proxy may drop the header. */
    async scopes(): Promise<ReadonlySet<string> | undefined> {
      const { response_metadata } = await web.auth.test()
      return response_metadata?.scopes && new Set(response_metadata.scopes)
    },
    async see(channelId: string): Promise<ChannelSeen> {
      try {
        const { channel } = await web.conversations.info({ channel: channelId })
        const presence = channel?.is_member ? 'member' : 'not-member'
        return { presence, isShared: channel?.is_ext_shared ?? false }
      } catch (error) {
        const word = wordOf(error)
        if (word === 'channel_not_found') return { presence: 'hidden', isShared: false }
        if (word === 'missing_scope') return { presence: 'unknown', isShared: false }
        throw error
      }
    },
  }
}

/** Asks Slack about the bot where no bot runs. @param slack.apiUrl - Ends with a slash. */
export function openSlackProbe(slack: {
  readonly botToken: string | undefined
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}) {
  const { options } = connectToSlack(slack)
  return {
    ...createSlackProbe(new SlackClient(slack.botToken, options, slack.log)),
    /** Asks for a socket and opens none. @param appToken - Of the app, not of the bot. */
    async offersSocket(appToken: string): Promise<void> {
      // Given as an argument, the token would be a field of the form as well, and Slack refuses that
      // (slackapi/node-slack-sdk#1498).
      await new SlackClient(appToken, options, slack.log).apps.connections.open()
    },
  }
}

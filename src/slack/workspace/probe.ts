// Questions to Slack about the bot itself: its token, its channels, a socket. One attempt each; all throw `SlackError`.
import type { WebClient } from '@slack/web-api'
import type { HttpsProxy } from '../../http/agent.ts'
import type { Log } from '../../log/log.ts'
import { SlackError, wordOf } from '../client/slack-error.ts'
import { createTransport } from '../client/transport.ts'
import { clientOptionsFor, SlackClient } from '../client/web-client.ts'
import { scopesIn } from './installation.ts'

/**
 * @property presence - `hidden`: a private channel that the bot is not in, or none at all. `unknown`: the scope to ask
 * is missing.
 * @property isShared - Whether another organisation reads there.
 */
export interface ChannelSeen {
  readonly presence: 'member' | 'not-member' | 'hidden' | 'unknown'
  readonly isShared: boolean
}

export interface SlackProbe {
  /** What the bot token may do, as Slack says it now; undefined when it does not say. */
  scopes(): Promise<ReadonlySet<string> | undefined>
  see(channelId: string): Promise<ChannelSeen>
}

/** @param onScopes - Told what Slack says of them. */
export function createSlackProbe(
  web: WebClient,
  onScopes: (granted: ReadonlySet<string> | undefined) => void = () => undefined,
): SlackProbe {
  return {
    async scopes() {
      const granted = scopesIn(await web.auth.test())
      onScopes(granted)
      return granted
    },
    async see(channelId) {
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

/** Whether Slack takes the bot's token still. Throws where it does not say. */
export async function isTokenGood(probe: Pick<SlackProbe, 'scopes'>): Promise<boolean> {
  try {
    await probe.scopes()
    return true
  } catch (error) {
    if (!(error instanceof SlackError && error.isOfToken)) throw error
    return false
  }
}

export interface OpenProbe extends SlackProbe {
  /** Asks for a socket and opens none. @param appToken - Of the app, not of the bot. */
  offersSocket(appToken: string): Promise<void>
}

/** Asks Slack about the bot where no bot runs. @param slack.apiUrl - Ends with a slash. */
export function openSlackProbe(slack: {
  readonly botToken: string | undefined
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}): OpenProbe {
  const options = clientOptionsFor(slack.apiUrl, createTransport(slack).fetch, slack.log)
  return {
    ...createSlackProbe(new SlackClient(slack.botToken, options)),
    async offersSocket(appToken) {
      // Given as an argument, the token would be a field of the form as well, and Slack refuses that
      // (slackapi/node-slack-sdk#1498).
      await new SlackClient(appToken, options).apps.connections.open()
    },
  }
}

// Slack, as operations use it: everything that knows how Slack is talked to, put together. And questions to Slack about the
// bot itself, with or without a bot that runs.
import type { WebClient } from '@slack/web-api'
import type { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { createWork } from '../work/under-way.ts'
import {
  connectToSlack,
  createPatience,
  SlackClient,
  tokenWords,
  unlessSlackFails,
  wordOf,
} from './client.ts'
import { createLimit } from './guard/guard.ts'
import { createDelivery } from './outbound/delivery.ts'
import { createOutbound } from './outbound/outbound.ts'
import type { Clock } from './person.ts'
import { learnBot } from './workspace/bot.ts'
import { createChannels, createPeople } from './workspace/people.ts'

/** It is for the one workspace, or organisation, that the bot token is of. */
export type Slack = ReturnType<typeof openSlack>

/** @param slack.apiUrl - Ends with a slash. `proxy`: undefined where Slack is reached directly. */
export function openSlack(slack: {
  readonly botToken: string
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  /** What a person may ask for; 0 sets no limit. */
  readonly perMinute: number
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Told when Slack refuses the token for good. */
  readonly onRefused: (error: ConfigError) => void
}) {
  const { perMinute, log, now, wait } = slack
  const connection = connectToSlack(slack)
  const bot = learnBot({ ...slack, connection })
  const { web, learned, isKnown, refusal, linkOf } = bot
  const patiently = createPatience(wait)
  const outbound = createOutbound(web, connection, patiently, log)
  return {
    ...outbound,
    ...createDelivery(outbound),
    ...{ learned, isKnown, refusal, linkOf, patiently },
    people: createPeople(web, learned, patiently, now),
    channels: createChannels(web, now),
    probe: createSlackProbe(web),
    /** What one person may ask for. */
    limit: createLimit(perMinute, now),
    /** What is under way; a stop waits for it. */
    work: createWork(),
    connection,
    /** Asks Slack no more, and closes what is open. */
    async close(): Promise<void> {
      bot.stop()
      await connection.destroy()
    },
  }
}

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

function createSlackProbe(web: WebClient) {
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
  const connection = connectToSlack(slack)
  return {
    ...createSlackProbe(new SlackClient(slack.botToken, connection)),
    /** Asks for a socket and opens none. @param appToken - Of the app, not of the bot. */
    async offersSocket(appToken: string): Promise<void> {
      await new SlackClient(appToken, connection).apps.connections.open()
    },
  }
}

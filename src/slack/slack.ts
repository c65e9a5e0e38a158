// Slack, as operations use it, put together. And questions to Slack about the bot itself, with or without a bot that runs.
import type { WebClient } from '@slack/web-api'
import { createWork } from '../work/under-way.ts'
import {
  connectToSlack,
  type SlackAddress,
  SlackClient,
  tokenWords,
  unlessSlackFails,
  wordOf,
} from './client.ts'
import { createDelivery } from './outbound/delivery.ts'
import { createOutbound } from './outbound/outbound.ts'
import { createLimit, createPatience } from './pace.ts'
import { type BotOptions, learnBot } from './workspace/bot.ts'
import { createChannels, createPeople } from './workspace/people.ts'

export type Slack = ReturnType<typeof openSlack>

export function openSlack(options: SlackAddress & BotOptions, perMinute: number) {
  const { log, now, wait } = options
  const connection = connectToSlack(options)
  const { web, learned, ...bot } = learnBot(options, connection)
  const patiently = createPatience(wait)
  const outbound = createOutbound(web, connection, patiently, log)
  return {
    ...outbound,
    ...createDelivery(outbound),
    ...bot,
    ...{ learned, patiently },
    people: createPeople(web, learned, patiently, now),
    channels: createChannels(web, now),
    probe: createSlackProbe(web),
    charge: createLimit(perMinute, now),
    /** What is under way; a stop waits for it. */
    work: createWork(),
    connection,
  }
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
    /** `hidden`: a private channel that the bot is not in, or none at all. `unknown`: the scope to ask is missing. */
    async see(channelId: string) {
      try {
        const { channel } = await web.conversations.info({ channel: channelId })
        const presence = channel?.is_member ? ('member' as const) : ('not-member' as const)
        return { presence, isShared: channel?.is_ext_shared ?? false }
      } catch (error) {
        const word = wordOf(error)
        if (word !== 'channel_not_found' && word !== 'missing_scope') throw error
        const presence = word === 'missing_scope' ? ('unknown' as const) : ('hidden' as const)
        return { presence, isShared: false }
      }
    },
  }
}

/** Asks Slack about the bot where no bot runs. */
export function openSlackProbe(address: SlackAddress, botToken: string | undefined) {
  const connection = connectToSlack(address)
  return {
    ...createSlackProbe(new SlackClient(botToken, connection)),
    /** Asks for a socket and opens none. @param appToken - Of the app, not of the bot. */
    async offersSocket(appToken: string): Promise<void> {
      await new SlackClient(appToken, connection).apps.connections.open()
    },
  }
}

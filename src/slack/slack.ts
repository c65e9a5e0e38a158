// Puts Slack's parts together for operations; and asks Slack about the bot, whether or not it runs.
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
  const { log, now, wait, stopping } = options
  const connection = connectToSlack(options)
  const { web, learned, ...bot } = learnBot(options, connection)
  const patiently = createPatience(wait, stopping)
  const outbound = createOutbound(web, connection, patiently, log)
  return {
    ...outbound,
    ...createDelivery(outbound),
    ...bot,
    learned,
    patiently,
    people: createPeople(web, learned, patiently, now),
    channels: createChannels(web, now),
    probe: createSlackProbe(web),
    charge: createLimit(perMinute, now),
    /** Work under way, which a stop waits for. */
    work: createWork(),
    connection,
  }
}

export type SlackProbe = ReturnType<typeof createSlackProbe>

function createSlackProbe(web: WebClient) {
  return {
    /** Whether Slack still takes the bot token. @throws SlackError when Slack does not say. */
    isTokenGood: async () => (await unlessSlackFails(web.auth.test(), tokenWords)) !== undefined,
    /** Scopes of the bot token now. Undefined when Slack does not say: a proxy may drop the header. */
    async scopes(): Promise<ReadonlySet<string> | undefined> {
      const { response_metadata } = await web.auth.test()
      return response_metadata?.scopes && new Set(response_metadata.scopes)
    },
    /**
     * The bot's presence in a channel. `hidden`: the channel is private, or there is none. Undefined: the bot lacks the
     * scope to ask.
     */
    async see(channelId: string) {
      try {
        const { channel } = await web.conversations.info({ channel: channelId })
        const presence = channel?.is_member ? 'member' : 'not-member'
        return { presence, isShared: channel?.is_ext_shared ?? false } as const
      } catch (error) {
        const word = wordOf(error)
        if (word === 'missing_scope') return undefined
        if (word !== 'channel_not_found') throw error
        return { presence: 'hidden', isShared: false } as const
      }
    },
  }
}

/** Asks Slack about the bot while no bot runs, for doctor in the terminal. */
export function openSlackProbe(address: SlackAddress, botToken: string | undefined) {
  const connection = connectToSlack(address)
  return {
    ...createSlackProbe(new SlackClient(botToken, connection)),
    /** Asks for a socket and opens none. @throws SlackError when Slack offers none. */
    async offersSocket(appToken: string) {
      await new SlackClient(appToken, connection).apps.connections.open()
    },
  }
}

// Events of conversations: mentions, direct words, edits, and what the bot is not told.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { type BareBot, object, startBareBot } from './slack-bot.ts'

const scopes = ['chat:write', 'app_mentions:read', 'im:history', 'channels:history']
const events = ['app_mention', 'message.im', 'app_home_opened']
let bot: BareBot

async function start(options: SlackOptions = {}): Promise<void> {
  bot = await startBareBot({ botScopes: scopes, botEvents: events, ...options })
}

beforeEach(() => start())
afterEach(() => bot.stop())

async function people() {
  const alice = bot.slack.addPerson({ name: 'alice' })
  const general = bot.slack.addChannel({ name: 'general', members: [alice], botIsMember: true })
  return { alice, general }
}

describe('a mention', () => {
  it('is told as Slack tells it', async () => {
    const { alice, general } = await people()
    const { message, deliveries } = await alice.writes('@Bellhop alert 5HkX & more', general)

    expect(message.text).toBe(`<@${bot.slack.bot.userId}> alert 5HkX &amp; more`)
    expect(message.plain).toBe('@bellhop alert 5HkX & more')
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0]?.payload).toMatchObject({
      type: 'event_callback',
      team_id: bot.slack.teamId,
      is_ext_shared_channel: false,
      event: {
        ...{ type: 'app_mention', user: alice.id, text: message.text, team: bot.slack.teamId },
        ...{ ts: message.ts, event_ts: message.ts, channel: general.id },
        client_msg_id: expect.any(String),
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'user', user_id: bot.slack.bot.userId },
                  { type: 'text', text: ' alert 5HkX & more' },
                ],
              },
            ],
          },
        ],
      },
    })
    expect(object(deliveries[0]?.payload.event)).not.toHaveProperty('channel_type')
  })

  it.each([
    ['the scope', { botScopes: ['chat:write'] }],
    ['the subscription', { botEvents: ['message.im'] }],
  ])('is not told without %s', async (_what, options) => {
    await bot.stop()
    await start(options)
    const { alice, general } = await people()

    const { deliveries } = await alice.writes('@bellhop help', general)

    expect(deliveries).toEqual([])
  })
})

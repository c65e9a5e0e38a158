// Events of conversations: what the bot is not told.
import { expect, it } from 'vitest'
import { startBareBot } from './slack-bot.ts'

it.each([
  ['the scope', { botScopes: ['chat:write'] }],
  ['the subscription', { botEvents: ['message.im'] }],
])('a mention is not told without %s', async (_what, options) => {
  const botScopes = ['chat:write', 'app_mentions:read']
  const bot = await startBareBot({ botScopes, botEvents: ['app_mention'], ...options })
  const alice = bot.slack.addPerson({ name: 'alice' })
  const general = bot.slack.addChannel({ name: 'general', members: [alice], botIsMember: true })

  const { deliveries } = await alice.writes('@bellhop help', general)

  expect(deliveries).toEqual([])
  await bot.stop()
})

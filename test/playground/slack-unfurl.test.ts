// Links that the app is told of, and what it may hang beneath them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { modal, section } from './pieces.ts'
import { type BareBot, startBareBot } from './slack-bot.ts'

const link = 'https://monitor.example.com/alert/5HkX'
let bot: BareBot

async function start(options: SlackOptions = {}): Promise<void> {
  bot = await startBareBot({
    botScopes: ['chat:write', 'links:read', 'links:write'],
    unfurlDomains: ['example.com'],
    ...options,
  })
}

beforeEach(() => start())
afterEach(() => bot.stop())

/** Alice posts in #ops, where the bot is not. */
async function aliceWrites(text = `look: ${link}.`) {
  const alice = bot.slack.addPerson({ name: 'alice' })
  const ops = bot.slack.addChannel({ name: 'ops', isPrivate: true })
  const { message, deliveries } = await alice.writes(text, ops)
  return { message, deliveries, at: { channel: ops.id, ts: message.ts } }
}

const unfurls = (...blocks: unknown[]) => ({ [link]: { blocks } })

describe('a link that is shared', () => {
  it.each([
    ['of another domain', 'https://example.org/alert/5HkX'],
    ['that only ends alike', 'https://badexample.com/alert/5HkX'],
    ['without a protocol', 'monitor.example.com/alert/5HkX'],
  ])('is not told when it is one %s', async (_what, text) => {
    expect((await aliceWrites(text)).deliveries).toEqual([])
  })
})

describe('chat.unfurl', () => {
  it('says what is missing, and what is not there', async () => {
    const { at } = await aliceWrites()
    const error = async (args: Record<string, unknown>) =>
      (await bot.call('chat.unfurl', { unfurls: unfurls(section('x')), ...args })).error

    expect(await error({})).toBe('missing_channel')
    expect(await error({ channel: at.channel })).toBe('missing_ts')
    expect(await error({ source: 'composer', unfurl_id: 'x' })).toBe('invalid_unfurl_id')
    expect(await error({ ...at, channel: 'C404' })).toBe('cannot_find_channel')
    expect(await error({ ...at, ts: '1.0' })).toBe('cannot_find_message')
    expect(await error({ ...at, unfurls: undefined })).toBe('missing_unfurls')
    expect(await error({ ...at, unfurls: [] })).toBe('invalid_unfurls_format')
    expect(await error({ ...at, unfurls: { [link]: {} } })).toBe('cannot_parse_attachment')
  })

  const option = { text: { type: 'plain_text', text: 'One' }, value: '1' }
  const menu = { type: 'overflow', action_id: 'more', options: [option] }
  const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }
  it.each([
    ['rich text', rich],
    ['an overflow menu', { type: 'actions', elements: [menu] }],
    ['a menu beside text', { ...section('x'), accessory: menu }],
    ['an input', modal().blocks[0]],
    ['a text that is too long', section('x'.repeat(3_001))],
  ])('refuses the whole of it for %s', async (_what, block) => {
    const { message, at } = await aliceWrites()
    const answer = await bot.call('chat.unfurl', {
      ...at,
      unfurls: unfurls(section('fine'), block),
    })

    expect(answer).toMatchObject({ ok: false, error: 'invalid_blocks' })
    expect(JSON.stringify(answer.errors)).toContain(`/unfurls/${link}/blocks/1`)
    expect(message.unfurls).toEqual([])
  })
})

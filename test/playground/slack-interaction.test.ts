// Commands, modals and their short-lived tickets, with a bot that only answers: what Slack refuses.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { modal, section } from './pieces.ts'
import { type BareBot, object, startBareBot } from './slack-bot.ts'

const START = 1_700_000_000_000
let now = START
let bot: BareBot

async function start(options: SlackOptions = {}): Promise<void> {
  now = START
  bot = await startBareBot({ clock: () => now, ...options })
}

beforeEach(() => start())
afterEach(() => bot.stop())

/** Alice in #general, with a command typed; its fields. */
async function aliceTypes(line = '/alert x') {
  const alice = bot.slack.addPerson({ name: 'alice' })
  const general = bot.slack.addChannel({ name: 'general' })
  const delivery = await alice.types(line, general)
  return { alice, general, delivery, fields: delivery.payload }
}

const label = (text: string) => ({ type: 'plain_text', text })
describe('a command', () => {
  it('carries what people type the way Slack escapes it', async () => {
    const dave = bot.slack.addPerson({ name: 'dave' })
    const general = bot.slack.addChannel({ name: 'general' })
    const line = '/grant a<b & @dave @nobody #general d@example.com https://a.example/x?y=1&z'

    const escaped = await dave.types(line, general)
    const raw = await dave.types(line, general, { raw: true })

    expect(escaped.payload.text).toBe(
      `a&lt;b &amp; <@${dave.id}|dave> @nobody <#${general.id}|general> ` +
        '<mailto:d@example.com|d@example.com> <https://a.example/x?y=1&amp;z>',
    )
    expect(raw.payload.text).toBe(line.replace('/grant ', ''))
  })

  it.each([
    ['an error status', () => ({ status: 500 }), 'dispatch_failed'],
    ['no answer in time', () => undefined, 'operation_timeout'],
    [
      'blocks that are wrong',
      () => ({ body: { blocks: [section('')] } }),
      'invalid_command_response',
    ],
  ])('tells the asker about %s', async (_name, answer, error) => {
    await bot.stop()
    await start(error === 'operation_timeout' ? { ackMs: 50 } : {})
    bot.answers(answer)
    const { alice, general, delivery } = await aliceTypes()
    await alice.sees(`/alert failed with the error "${error}"`, general)
    expect(delivery.problems).not.toEqual([])
  })
})

describe('a trigger id', () => {
  it('opens one modal, within three seconds', async () => {
    const { alice, general, fields } = await aliceTypes()
    const open = (trigger_id: unknown) => bot.call('views.open', { trigger_id, view: modal() })

    expect(await open('1.2.x')).toMatchObject({ error: 'invalid_trigger_id' })
    expect(await open(fields.trigger_id)).toMatchObject({ ok: true })
    expect(await open(fields.trigger_id)).toMatchObject({ error: 'exchanged_trigger_id' })
    const later = await alice.types('/alert', general)
    now += 3_001
    expect(await open(later.payload.trigger_id)).toMatchObject({ error: 'expired_trigger_id' })
  })
})

describe('a response_url', () => {
  it('works five times, without the bot in the channel', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const secret = bot.slack.addChannel({ name: 'secret', isPrivate: true })
    const url = (await alice.types('/alert', secret)).payload.response_url
    for (const text of ['1', '2', '3', '4', '5']) {
      expect(await bot.respond(url, { text, response_type: 'in_channel' })).toEqual({
        status: 200,
        body: { ok: true },
      })
    }
    expect(await bot.respond(url, { text: '6' })).toEqual({
      status: 404,
      body: { ok: false, error: 'used_url' },
    })
    expect(bot.slack.messagesIn(secret)).toHaveLength(5)
  })
})

describe('a modal', () => {
  const picker = {
    type: 'conversations_select',
    action_id: 'to',
    response_url_enabled: true,
    default_to_current_conversation: true,
  }
  const form = (title = 'Form', more: unknown[] = []) => ({
    ...modal(),
    title: label(title),
    blocks: [
      {
        type: 'input',
        block_id: 'name',
        label: label('Name'),
        element: { type: 'plain_text_input', action_id: 'typed', max_length: 5 },
      },
      { type: 'input', block_id: 'post', label: label('Post to'), element: picker },
      ...more,
    ],
  })

  async function aliceOpens(view: unknown) {
    const typed = await aliceTypes()
    const opened = await bot.call('views.open', { trigger_id: typed.fields.trigger_id, view })
    expect(opened).toMatchObject({ ok: true })
    return { ...typed, view: object(opened.view) }
  }

  it('is not sent before Slack itself is content with the values', async () => {
    const { alice } = await aliceOpens(form())
    await expect(alice.submits()).rejects.toThrow(
      'Not sent: Name: Please complete this required field.',
    )
    await expect(alice.submits({ fields: { Name: 'abcdef' } })).rejects.toThrow('no more than 5')
    expect(bot.heard).toHaveLength(1)
  })

  it('keeps what was typed when it is updated, and minds the hash', async () => {
    const { alice, view } = await aliceOpens(form('Before'))
    await alice.fillsIn({ Name: 'abc' })
    const update = (more: Record<string, unknown>) =>
      bot.call('views.update', { view: form('After'), ...more })

    expect(await update({ view_id: 'V404' })).toMatchObject({ error: 'not_found' })
    expect(await update({ view_id: view.id, hash: 'x' })).toMatchObject({ error: 'hash_conflict' })
    expect(await update({ view_id: view.id, hash: view.hash })).toMatchObject({ ok: true })
    expect((await alice.seesModal('After')).values.Name).toBe('abc')
  })
})

describe('events', () => {
  it('come again, with the same id, until they are taken', async () => {
    bot.answers(({ headers }) => (headers['x-slack-retry-num'] === '2' ? {} : { status: 500 }))
    const delivery = await bot.slack.event({ type: 'app_uninstalled' })

    expect(delivery.outcome).toBe('acked')
    expect(bot.heard.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([
      undefined,
      '1',
      '2',
    ])
    expect(new Set(bot.heard.map(({ fields }) => fields.event_id)).size).toBe(1)
  })
})

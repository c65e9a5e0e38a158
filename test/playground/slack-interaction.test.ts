// Commands, buttons, modals and their short-lived tickets, with a bot that only answers.
import { createHmac } from 'node:crypto'
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
const button = (text: string, more = {}) => ({
  type: 'button',
  text: label(text),
  action_id: text,
  value: 'v',
  ...more,
})
const actions = (...elements: unknown[]) => ({ type: 'actions', block_id: 'acts', elements })

describe('a command', () => {
  it('is signed, and complete', async () => {
    const { alice, general, delivery } = await aliceTypes()
    const { headers = {}, body } = delivery.request ?? {}
    const base = `v0:${headers['x-slack-request-timestamp']}:${body}`
    const hash = createHmac('sha256', bot.slack.signingSecret).update(base).digest('hex')

    expect(headers['x-slack-signature']).toBe(`v0=${hash}`)
    expect(bot.heard[0]?.fields).toMatchObject({
      ...{ team_id: bot.slack.teamId, team_domain: 'playground', is_enterprise_install: 'false' },
      ...{ channel_id: general.id, channel_name: 'general', user_id: alice.id, user_name: 'alice' },
      ...{ command: '/alert', text: 'x' },
    })
    expect(bot.heard[0]?.fields).not.toHaveProperty('enterprise_id')
  })

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
    ['blocks that are wrong', () => ({ body: { blocks: [section('')] } }), 'invalid_command_response'],
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

  it('of a button replaces, deletes, and answers in the thread', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const general = bot.slack.addChannel({ name: 'general' })
    const blocks = [section('Card'), actions(button('Refresh'))]
    await bot.call('chat.postMessage', { channel: general.id, text: 'Card', blocks })
    const card = await alice.sees('Card', general)
    const { response_url: url, message, container } = (await alice.presses('Refresh', card)).payload

    const thread = { text: 'Story', response_type: 'in_channel', replace_original: false, thread_ts: card.ts }
    await bot.respond(url, thread)
    await bot.respond(url, { text: 'New', replace_original: true })

    expect(object(message)).toMatchObject({ ts: card.ts, text: 'Card' })
    expect(container).toMatchObject({ message_ts: card.ts, is_ephemeral: false })
    expect(card.plain).toBe('New')
    expect(card.thread.map(({ plain }) => plain)).toEqual(['Story'])
    await bot.respond(url, { delete_original: true })
    expect(card.isDeleted).toBe(true)
  })
})

describe('buttons', () => {
  it('ask for confirmation before anything is sent', async () => {
    const confirm = {
      title: label('Sure?'),
      text: label('It is sensitive'),
      confirm: label('Yes'),
      deny: label('No'),
    }
    bot.answers(({ fields }) =>
      fields.command ? { body: { text: 'x', blocks: [actions(button('Grant', { confirm }))] } } : {},
    )
    const { alice, general } = await aliceTypes()
    const asked = alice.messages(general)[0]

    expect(asked?.confirmationOf('Grant')).toMatchObject({ title: 'Sure?', text: 'It is sensitive' })
    await expect(alice.presses('Grant', asked)).rejects.toThrow('asks for confirmation')
    alice.declines('Grant', asked)
    expect(bot.heard).toHaveLength(1)
    const { payload } = await alice.presses('Grant', asked, { confirm: true })
    expect(payload.actions).toMatchObject([{ action_id: 'Grant', block_id: 'acts', value: 'v' }])
    expect(payload).not.toHaveProperty('message')
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
    await expect(alice.submits()).rejects.toThrow('Not sent: Name: Please complete this required field.')
    await expect(alice.submits({ fields: { Name: 'abcdef' } })).rejects.toThrow('no more than 5')
    expect(bot.heard).toHaveLength(1)
  })

  it('brings a response_url for the conversation that was chosen', async () => {
    const { alice, general } = await aliceOpens(form())
    const secret = bot.slack.addChannel({ name: 'secret', isPrivate: true })
    expect(alice.modal?.values).toEqual({ Name: '', 'Post to': '#general' })

    const { payload } = await alice.submits({ fields: { Name: 'abc', 'Post to': secret } })
    const [chosen] = Array.isArray(payload.response_urls) ? payload.response_urls : []
    await bot.respond(object(chosen).response_url, { text: 'Here', response_type: 'in_channel' })

    expect(chosen).toMatchObject({ block_id: 'post', action_id: 'to', channel_id: secret.id })
    await alice.sees('Here', secret)
    await alice.doesNotSee('Here', general)
    await alice.seesNoModal()
  })

  it.each([
    [{ nowhere: 'x' }, 'invalid_errors: no input block nowhere'],
    [{ name: '' }, 'invalid_errors: name says nothing'],
    [{}, 'invalid_errors: no errors given'],
  ])('refuses errors that stand nowhere or say nothing: %o', async (errors, complaint) => {
    const { alice } = await aliceOpens(form())
    bot.answers(() => ({ body: { response_action: 'errors', errors } }))
    const { problems } = await alice.submits({ fields: { Name: 'abc' } })
    expect(problems).toEqual([complaint])
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
    expect(bot.heard.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([undefined, '1', '2'])
    expect(new Set(bot.heard.map(({ fields }) => fields.event_id)).size).toBe(1)
  })

  it('open the Home tab', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    await alice.opensHome()
    await bot.call('views.publish', {
      user_id: alice.id,
      view: { type: 'home', blocks: [section('Welcome'), actions(button('Connect account'))] },
    })
    const home = await alice.seesHome('Welcome')
    expect((await alice.presses('Connect account', home)).payload.view).toMatchObject({ type: 'home' })
  })
})

// Messages of other tools and mails, and answering in the thread of what somebody points at.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BareBot, object, startBareBot } from './slack-bot.ts'

let bot: BareBot

beforeEach(async () => {
  bot = await startBareBot()
})
afterEach(() => bot.stop())

const alertLink = 'https://monitor.example.com/alert/5HkX'
const attachment = {
  ...{ color: '#c00', pretext: 'From the probe', fallback: 'Disk full' },
  ...{ title: 'Disk full', title_link: alertLink, text: 'db-03 is at *99 %*', footer: 'probe 7' },
  fields: [{ title: 'Severity', value: 'CRITICAL', short: true }],
}

describe('a webhook', () => {
  it('is read with all that hangs on it', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const general = bot.slack.addChannel({ name: 'general' })
    bot.slack.webhook(general, { text: 'Trouble', username: 'Probe', attachments: [attachment] })

    const seen = await alice.sees('Disk full', general)

    expect(seen.author).toBe('Probe')
    expect(seen.plain).toBe(
      'Trouble\nFrom the probe\nDisk full\ndb-03 is at 99 %\nSeverity: CRITICAL\nprobe 7',
    )
  })

  it('comes to a message shortcut in full, and belongs to another app', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const general = bot.slack.addChannel({ name: 'general' })
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Trouble' } }]
    const first = bot.slack.webhook(general, { blocks, username: 'Probe', attachments: [attachment] })
    const second = bot.slack.webhook(general, { text: 'again', username: 'Probe' })

    const { payload } = await alice.usesShortcut('look-up', await alice.sees('Trouble', general))

    const message = object(payload.message)
    expect(message).toMatchObject({
      ...{ type: 'message', subtype: 'bot_message', username: 'Probe', text: '' },
      ...{ blocks, attachments: [{ id: 1, ...attachment }] },
    })
    expect(message).not.toHaveProperty('user')
    expect(message.bot_id).not.toBe(bot.slack.bot.botId)
    expect(second.app).toEqual(first.app)
  })
})

describe('a mail', () => {
  it('is a file with its subject and how it begins; a shortcut gets all of it', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const general = bot.slack.addChannel({ name: 'general' })
    const body = `Disk full on db-03\n${'.'.repeat(300)}\n${alertLink}`
    bot.slack.mail(general, { subject: 'CRITICAL', text: body, from: 'Probe <probe@example.com>' })

    const seen = await alice.sees('CRITICAL', general)
    const { payload } = await alice.usesShortcut('look-up', seen)

    expect(seen.plain).not.toContain(alertLink)
    expect(payload.message).toMatchObject({
      ...{ subtype: 'file_share', user: 'USLACKBOT' },
      files: [
        {
          ...{ mode: 'email', filetype: 'email', subject: 'CRITICAL', plain_text: body, has_more: true },
          ...{
            preview_plain_text: body.slice(0, 256),
            from: [{ address: 'probe@example.com', name: 'Probe' }],
          },
        },
      ],
    })
  })
})

describe('the response_url of a message shortcut', () => {
  it('answers in the thread of the message, where the bot is not', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const secret = bot.slack.addChannel({ name: 'secret', isPrivate: true })
    const parent = alice.says('Disk full', secret)
    const reply = alice.says('who looks?', parent)

    const { response_url: url, message } = (await alice.usesShortcut('look-up', reply)).payload
    const answer = { text: 'Here', response_type: 'in_channel', replace_original: false }
    const wrong = await bot.respond(url, { ...answer, thread_ts: reply.ts })
    const right = await bot.respond(url, { ...answer, thread_ts: object(message).thread_ts })

    expect(wrong).toMatchObject({ status: 400, body: { error: 'cannot_reply_to_message' } })
    expect(right).toMatchObject({ status: 200 })
    await alice.sees('Here', parent)
  })

  it('cannot replace or delete what somebody else wrote', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const general = bot.slack.addChannel({ name: 'general' })
    const hers = alice.says('Disk full', general)
    const { response_url: url } = (await alice.usesShortcut('look-up', hers)).payload

    expect(await bot.respond(url, { text: 'mine', replace_original: true })).toMatchObject({ status: 404 })
    expect(await bot.respond(url, { delete_original: true })).toMatchObject({ status: 404 })
    expect(hers.plain).toBe('Disk full')
  })
})

describe('an ephemeral reply', () => {
  it('is shown in a thread that is there, and lost where none is yet', async () => {
    const alice = bot.slack.addPerson({ name: 'alice' })
    const bob = bot.slack.addPerson({ name: 'bob' })
    const general = bot.slack.addChannel({ name: 'general', botIsMember: true })
    const parent = alice.says('Disk full', general)
    const whisper = (text: string) =>
      bot.call('chat.postEphemeral', { channel: general.id, user: alice.id, text, thread_ts: parent.ts })

    expect(await whisper('too soon')).toMatchObject({ ok: true })
    alice.says('who looks?', parent)
    expect(await whisper('you do')).toMatchObject({ ok: true })

    await alice.sees('you do', parent)
    await alice.doesNotSee('too soon', parent)
    await bob.doesNotSee('you do', await bob.sees('Disk full', general))
  })
})

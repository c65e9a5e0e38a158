// Answering in the thread of what somebody points at.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BareBot, object, startBareBot } from './slack-bot.ts'

let bot: BareBot

beforeEach(async () => {
  bot = await startBareBot()
})
afterEach(() => bot.stop())

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

// Refusals of the Web API, in Slack's words. Called with Slack's own client.
import { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { type Slack, startSlack } from '../../playground/slack/simulator.ts'
import { createLog } from '../../src/log/log.ts'
import { slackLogger } from '../../src/slack/client.ts'
import { section } from './pieces.ts'

let slack: Slack
let client: WebClient

async function start(options: SlackOptions = {}): Promise<void> {
  slack = await startSlack(options)
  client = clientWith(slack.botToken)
}

function clientWith(token: string | undefined): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: slackLogger(createLog({ level: 'silent' })),
    rejectRateLimitedCalls: true,
  })
}

beforeEach(() => start())
afterEach(() => slack.stop())

/** The error word of a call that must fail. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  await expect(call).rejects.toThrow()
  return slack.calls.at(-1)?.answer.error
}

describe('who may call', () => {
  it('knows no other methods', async () => {
    expect(await refusal(client.apiCall('chat.postMesage'))).toBe('unknown_method')
  })

  it('wants a token, and the right one', async () => {
    expect(await refusal(clientWith(undefined).auth.test())).toBe('not_authed')
    expect(await refusal(clientWith('xoxb-other').auth.test())).toBe('invalid_auth')
    expect(await refusal(clientWith(slack.appToken).auth.test())).toBe('not_allowed_token_type')
  })

  it('names the scope that is missing', async () => {
    await slack.stop()
    await start({ botScopes: ['commands'] })
    const alice = slack.addPerson({ name: 'alice' })

    expect(await refusal(client.users.info({ user: alice.id }))).toBe('missing_scope')
    expect(slack.calls.at(-1)?.answer).toMatchObject({ needed: 'users:read', provided: 'commands' })
  })
})

describe('where the bot may post', () => {
  const text = 'hello'

  it('refuses public channels without the scope', async () => {
    await slack.stop()
    await start({ botScopes: ['chat:write'] })
    const general = slack.addChannel({ name: 'general' })
    expect(await refusal(client.chat.postMessage({ channel: general.id, text }))).toBe(
      'not_in_channel',
    )
  })

  it('cannot see private channels and conversations that it is not in', async () => {
    const [alice, bob] = [slack.addPerson({ name: 'alice' }), slack.addPerson({ name: 'bob' })]
    const secret = slack.addChannel({ name: 'secret', isPrivate: true })
    for (const channel of [secret.id, slack.directMessage(alice, bob).id, 'C404']) {
      expect(await refusal(client.chat.postMessage({ channel, text }))).toBe('channel_not_found')
    }
  })

  it('replies in threads of messages that exist and are no replies', async () => {
    const channel = slack.addChannel({ name: 'general' }).id
    const parent = await client.chat.postMessage({ channel, text })
    const thread_ts = parent.ts ?? ''
    const reply = await client.chat.postMessage({ channel, text, thread_ts })
    const post = (ts: string) => client.chat.postMessage({ channel, text, thread_ts: ts })

    expect(await refusal(post('1.000100'))).toBe('thread_not_found')
    expect(await refusal(post(reply.ts ?? ''))).toBe('cannot_reply_to_message')
  })
})

describe('what a message may hold', () => {
  it('wants something to show, not too long', async () => {
    const channel = slack.addChannel({ name: 'general' }).id
    expect(await refusal(client.apiCall('chat.postMessage', { channel }))).toBe('no_text')
    expect(await refusal(client.chat.postMessage({ channel, text: 'x'.repeat(40_001) }))).toBe(
      'msg_too_long',
    )
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'x' })
    expect(await refusal(client.chat.update({ channel, ts, text: 'x'.repeat(4_001) }))).toBe(
      'msg_too_long',
    )
  })

  it('says where blocks are wrong', async () => {
    const channel = slack.addChannel({ name: 'general' }).id
    const blocks = [section('')]

    expect(await refusal(client.chat.postMessage({ channel, text: 'x', blocks }))).toBe(
      'invalid_blocks',
    )
    expect(slack.calls.at(-1)?.answer).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: ['must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
      response_metadata: {
        messages: ['[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
      },
    })
  })
})

describe('messages that exist', () => {
  it('updates only what the bot wrote', async () => {
    const alice = slack.addPerson({ name: 'alice' })
    const general = slack.addChannel({ name: 'general' })
    const hers = alice.says('mine', general)
    const channel = general.id

    expect(await refusal(client.chat.update({ channel, ts: hers.ts, text: 'x' }))).toBe(
      'cant_update_message',
    )
    expect(await refusal(client.chat.update({ channel, ts: '1.0', text: 'x' }))).toBe(
      'message_not_found',
    )
  })
})

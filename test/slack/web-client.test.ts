// The short way for messages throws what the SDK's client throws, and takes no message for refused that Slack has taken.
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/http/exchange.ts'
import { SlackClient } from '../../src/slack/client/web-client.ts'

function clientOf(answer: Partial<Answer> | Error) {
  const sent: { to: object; headers: object; body: string }[] = []
  const options = { slackApiUrl: 'https://slack.com/api/', retryConfig: { retries: 0 } }
  const client = new SlackClient('xoxb-1', options, async (to, headers, body) => {
    sent.push({ to, headers, body })
    if (answer instanceof Error) throw answer
    return { status: 200, statusText: '', headers: {}, text: '', ...answer }
  })
  return { sent, post: () => client.chat.postMessage({ channel: 'C1', text: 'Disk full' }) }
}

describe('a message', () => {
  it('goes out as JSON, with the token in its head', async () => {
    const { sent, post } = clientOf({ text: '{"ok":true,"ts":"1.2"}' })

    expect((await post()).ts).toBe('1.2')

    const [{ to, headers, body } = { to: {}, headers: {}, body: '' }] = sent
    expect(to).toEqual({ origin: 'https://slack.com', path: '/api/chat.postMessage' })
    expect(headers).toMatchObject({ authorization: 'Bearer xoxb-1' })
    expect(JSON.parse(body)).toEqual({ channel: 'C1', text: 'Disk full' })
  })

  it.each(['{"ok":true,"response_metadata":null}', '{"ok":true,"response_metadata":{"messages":"odd"}}'])(
    'that Slack has taken is taken, whatever else it says: %s',
    async (text) => {
      expect((await clientOf({ text }).post()).ok).toBe(true)
    },
  )

  it('that is refused is told with Slack’s word', async () => {
    const { post } = clientOf({ text: '{"ok":false,"error":"channel_not_found"}' })
    const error = await post().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WebAPIPlatformError)
    expect(error).toMatchObject({ data: { error: 'channel_not_found' } })
  })

  it.each([
    ['asks to wait', { status: 429, headers: { 'retry-after': '7' } }, WebAPIRateLimitedError],
    ['asks to wait, and does not say how long', { status: 429 }, WebAPIHTTPError],
    ['has a fault', { status: 503 }, WebAPIHTTPError],
    ['does not answer', new Error('ECONNRESET'), WebAPIRequestError],
  ])('for which Slack %s fails as the SDK says it', async (_, answer, expected) => {
    await expect(clientOf(answer).post()).rejects.toBeInstanceOf(expected)
  })
})

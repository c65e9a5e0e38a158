// Refusals of Slack: each of its words, and whatever its client throws, as one error.
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { asSlackError, SlackError } from '../../src/slack/client.ts'

const thrown = (error: unknown) => asSlackError('chat.postMessage', error)
const said = (word: string) => thrown(new WebAPIPlatformError({ ok: false, error: word }))

const no = { isOfToken: false, isInviteNeeded: false, isMessageLost: false, isPersonLost: false }

describe('a word of Slack’s', () => {
  it.each([
    ['token_revoked', { isOfToken: true }],
    ['account_inactive', { isOfToken: true, isPersonLost: true }],
    ['channel_not_found', { isInviteNeeded: true, isMessageLost: true, isPersonLost: true }],
    ['not_in_channel', { isInviteNeeded: true, isMessageLost: true }],
    ['message_not_found', { isMessageLost: true }],
    ['user_disabled', { isPersonLost: true }],
    ['missing_scope', {}],
    ['constructor', {}],
  ])('says what was certainly not done, and what is lost with it: %s', (word, facts) => {
    expect(said(word)).toMatchObject({ word, mayBeDone: false, ...no, ...facts })
  })

  it.each(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout'])(
    'for a fault of its own leaves open whether it was done: %s',
    (word) => {
      expect(said(word)).toMatchObject({ word, mayBeDone: true, ...no })
    },
  )
})

describe('what Slack’s client throws', () => {
  it.each([
    [new WebAPIRateLimitedError(7), { waitSeconds: 7, mayBeDone: false }],
    [new WebAPIHTTPError(503, '', {}, ''), { status: 503, mayBeDone: true }],
    [new WebAPIRequestError(new Error('reset')), { mayBeDone: true }],
  ])('is that error, and names the method: %s', (error, facts) => {
    expect(thrown(error)).toBeInstanceOf(SlackError)
    expect(thrown(error)).toMatchObject({ method: 'chat.postMessage', word: undefined, ...facts })
  })

  it('of an answer without a word, as a gateway gives, leaves open whether it was done', () => {
    const answer = Object.assign({ ok: false, error: '' }, { error: { code: 502 } })
    expect(thrown(new WebAPIPlatformError(answer))).toMatchObject({ word: undefined, mayBeDone: true })
  })
})

// Refusals of Slack: each of its words, and answers without one, as one error.
import { describe, expect, it } from 'vitest'
import { SlackError } from '../../src/slack/client.ts'

const said = (word: string) => new SlackError('chat.postMessage', { word })

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

it.each([
  [{ waitSeconds: 7, status: 429 }, false],
  [{ status: 503 }, true],
  [{}, true],
])(
  'an answer without a word leaves open whether it was done, unless Slack asks to wait: %j',
  (facts, mayBeDone) => {
    expect(new SlackError('chat.postMessage', facts)).toMatchObject({ ...facts, word: undefined, mayBeDone })
  },
)

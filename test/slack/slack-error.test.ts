// Refusals of Slack: each of its words, and answers without one, as one error.
import { describe, expect, it } from 'vitest'
import { SlackError } from '../../src/slack/client.ts'

const said = (word: string) => new SlackError('chat.postMessage', { word })

describe('a refusal', () => {
  it.each([
    ['ratelimited', 'wait'],
    ['fatal_error', 'not-now'],
    ['service_unavailable', 'not-now'],
    ['request_timeout', 'not-now'],
    ['account_inactive', 'not-now'],
    ['msg_too_long', 'message'],
    ['constructor', 'message'],
    ['message_not_found', 'gone'],
    ['thread_not_found', 'gone'],
    ['cant_update_message', 'fixed'],
    ['edit_window_closed', 'fixed'],
    ['restricted_action_read_only_channel', 'closed'],
    ['missing_scope', 'closed'],
    ['is_archived', 'closed'],
    ['user_disabled', 'closed'],
  ] as const)('by its word means what is to be done next: %s is %s', (word, meaning) => {
    expect(said(word)).toMatchObject({
      meaning,
      isForGood: meaning !== 'wait' && meaning !== 'not-now',
    })
  })

  it.each([
    ['token_revoked', { isOfToken: true }],
    ['channel_not_found', { isInviteNeeded: true, isChannelLost: true }],
    ['not_in_channel', { isInviteNeeded: true, isChannelLost: true }],
    ['is_archived', { isChannelLost: true }],
    ['restricted_action', {}],
  ])('says what would mend it: %s', (word, facts) => {
    const no = { isOfToken: false, isInviteNeeded: false, isChannelLost: false }
    expect(said(word)).toMatchObject({ mayBeDone: false, ...no, ...facts })
  })

  it.each(['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout'])(
    'for a fault of Slack’s own leaves open whether it was done: %s',
    (word) => expect(said(word)).toMatchObject({ word, mayBeDone: true }),
  )
})

it.each([
  [{ waitSeconds: 7, status: 429 }, false],
  [{ status: 503 }, true],
  [{}, true],
])(
  'an answer without a word leaves open whether it was done, unless Slack asks to wait: %j',
  (facts, mayBeDone) => {
    expect(new SlackError('chat.postMessage', facts)).toMatchObject({
      ...facts,
      word: undefined,
      mayBeDone,
    })
  },
)

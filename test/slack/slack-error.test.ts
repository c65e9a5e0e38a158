// Refusals of Slack: each of its words, and answers without one, as one error.
import { expect, it } from 'vitest'
import { SlackError } from '../../src/slack/client.ts'

type Facts = Partial<SlackError>
const no = { isOfToken: false, isInviteNeeded: false, isChannelLost: false, mayBeDone: false }
const [mayBeDone, isChannelLost] = [true, true]
const isLost = { isInviteNeeded: true, isChannelLost }

it.each<[string, SlackError['meaning'], Facts?]>([
  ['ratelimited', 'wait'],
  ['fatal_error', 'not-now', { mayBeDone }],
  ['internal_error', 'not-now', { mayBeDone }],
  ['service_unavailable', 'not-now', { mayBeDone }],
  ['request_timeout', 'not-now', { mayBeDone }],
  ['account_inactive', 'not-now', { isOfToken: true }],
  ['token_revoked', 'not-now', { isOfToken: true }],
  ['msg_too_long', 'message'],
  ['constructor', 'message'],
  ['message_not_found', 'gone'],
  ['thread_not_found', 'gone'],
  ['cant_update_message', 'fixed'],
  ['edit_window_closed', 'fixed'],
  ['restricted_action_read_only_channel', 'closed'],
  ['missing_scope', 'closed'],
  ['is_archived', 'closed', { isChannelLost }],
  ['user_disabled', 'closed'],
  ['channel_not_found', 'closed', isLost],
  ['not_in_channel', 'closed', isLost],
])(
  'the refusal %s means what is to be done next, %s, and says what would mend it',
  (word, meaning, facts) => {
    const isForGood = meaning !== 'wait' && meaning !== 'not-now'
    expect(new SlackError('chat.postMessage', { word })).toMatchObject({
      meaning,
      isForGood,
      ...no,
      ...facts,
    })
  },
)

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

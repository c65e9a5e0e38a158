// Slack's word for why it refused, found in its answer and sorted into few kinds. Pure.
// Source: docs.slack.dev/reference/methods, errors of the methods that Bellhop calls.
import { finalForTokens } from './refusals.ts'

/**
 * `token`: of the token itself, which the operator mends. `place`: the bot is not there, or may not post there. `gone`:
 * what it was about is not there any more, or never was. `scope`: a permission of the app is missing. `input`: Slack does
 * not take what was sent as it is.
 */
export const refusalKinds = ['token', 'place', 'gone', 'scope', 'input', 'other'] as const
export type RefusalKind = (typeof refusalKinds)[number]

const places = new Set([
  'not_in_channel',
  'user_not_in_channel',
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'messages_tab_disabled',
  'channel_is_limited_access',
  'cannot_reply_to_message',
  'ekm_access_denied',
  'team_access_not_granted',
  'access_denied',
  'cannot_dm_bot',
])

const gones = new Set([
  'message_not_found',
  'thread_not_found',
  'cannot_find_message',
  'cannot_unfurl_message',
  'cant_update_message',
  'edit_window_closed',
  'expired_trigger_id',
  'exchanged_trigger_id',
  'invalid_trigger_id',
  'trigger_expired',
  'trigger_exchanged',
  'expired_url',
  'used_url',
  'not_found',
  'hash_conflict',
  'user_not_found',
  'users_not_found',
  'user_disabled',
])

const scopes = new Set(['missing_scope', 'no_permission'])

const inputs = new Set([
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'too_many_attachments',
  'metadata_too_large',
  'metadata_must_be_sent_from_app',
  'view_too_large',
  'push_limit_reached',
  'json_not_object',
])

/** @param word - As Slack writes it. */
export function kindOfRefusal(word: string): RefusalKind {
  if (finalForTokens.has(word)) return 'token'
  if (places.has(word) || word.startsWith('restricted_action')) return 'place'
  if (gones.has(word)) return 'gone'
  if (scopes.has(word)) return 'scope'
  return inputs.has(word) || /^(?:invalid|missing|duplicate)_/.test(word) ? 'input' : 'other'
}

/** Slack's word in an answer that is not `ok`: of JSON that names an error, or a response URL's plain one. */
export function refusalIn(text: string): string | undefined {
  const match = /"error"\s*:\s*"([a-z_]+)"/.exec(text)
  if (match) return match[1]
  return /^[a-z]+(_[a-z]+)+$/.test(text.trim()) ? text.trim() : undefined
}

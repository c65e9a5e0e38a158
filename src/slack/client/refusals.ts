// Errors of Slack's client, and Slack's words for why it refused, sorted by what can be done about them.
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api'
import { z } from 'zod'

/** Slack refused a message or view: its own word for why, e.g. `channel_not_found` or `used_url`. */
export class ResponseUrlError extends Error {
  override readonly name = 'ResponseUrlError'
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`response_url: ${reason}`, options)
    this.reason = reason
  }
}

/** Slack asks to wait. */
export class SlackBusyError extends Error {
  override readonly name = 'SlackBusyError'
  readonly retryAfterSeconds: number
  /** Slack counts each method by itself: this one waits, and no other. Undefined where it does not matter. */
  readonly method: string | undefined

  constructor(retryAfterSeconds: number, method?: string) {
    super(`Slack asks to wait ${retryAfterSeconds} s`)
    this.retryAfterSeconds = retryAfterSeconds
    this.method = method
  }
}

/** The bot is not installed in this workspace, or not any more: nothing was asked of Slack. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'

  constructor(workspaceId: string) {
    super(`not installed in ${workspaceId}`)
  }
}

const notInstalled = 'not_installed'

/** Slack's word for why it refused, or undefined when it did not refuse but fail. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof WebAPIPlatformError) return error.data.error
  if (error instanceof ResponseUrlError) return error.reason
  // Slack would say as much of the token that was.
  if (error instanceof NotInstalledError) return notInstalled
  return undefined
}

const detailed = z.object({ response_metadata: z.object({ messages: z.array(z.string()) }) })

/** What Slack finds wrong with blocks or arguments, line by line, each with a pointer; empty when it does not say. */
export function complaintsOf(error: unknown): readonly string[] {
  const read = error instanceof WebAPIPlatformError ? detailed.safeParse(error.data) : undefined
  return (read?.data?.response_metadata.messages ?? []).map((said) => said.replace(/^\[ERROR\] /, ''))
}

// Not among them: a workspace under migration, a network that is not allowed, a fault of Slack's. Those may pass.
// Source: docs.slack.dev/reference/methods, errors of auth.test and apps.connections.open.
export const finalForTokens: ReadonlySet<string> = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
])

/** When Slack answered with no more than a status, as it does when it has a fault. */
export function httpStatusOf(error: unknown): number | undefined {
  return error instanceof WebAPIHTTPError ? error.statusCode : undefined
}

/** Slack's word when it refuses the token itself, so that only the operator can mend it. */
export function tokenRefusalOf(error: unknown): string | undefined {
  const refusal = refusalOf(error)
  return refusal !== undefined && finalForTokens.has(refusal) ? refusal : undefined
}

/** True when the bot would have to be invited first. */
export function isForWantOfMembership(error: unknown): boolean {
  const refusal = refusalOf(error)
  return refusal === 'channel_not_found' || refusal === 'not_in_channel'
}

// Slack's words for a fault of its own, after which it may or may not have done what was asked.
const faults = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'no_answer',
])

/** True when what was sent was certainly not posted. */
export function isCertainlyNotPosted(error: unknown): boolean {
  const refusal = refusalOf(error)
  if (refusal !== undefined) return !faults.has(refusal) && !/^status_5/.test(refusal)
  return waitAskedFor(error) !== undefined
}

// Slack's words for a message that can be changed no more: it, its thread or its channel is gone, or the bot is out.
// Source: docs.slack.dev/reference/methods, errors of chat.update and chat.postMessage.
const gone = new Set([
  'message_not_found',
  'thread_not_found',
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'is_inactive',
  'cant_update_message',
  'edit_window_closed',
  'messages_tab_disabled',
  notInstalled,
])

/** True when a message, or the thread below it, is out of the bot's reach for good. */
export function isGone(error: unknown): boolean {
  return gone.has(refusalOf(error) ?? '')
}

const unreachable = new Set([
  'user_not_found',
  'user_disabled',
  'account_inactive',
  'channel_not_found',
  notInstalled,
])

/** True when a person gets no messages any more: nobody is left to tell. */
export function isUnreachable(error: unknown): boolean {
  return unreachable.has(refusalOf(error) ?? '')
}

/** True for everything that says something about Slack rather than about our code. */
export function isSlackFailure(error: unknown): boolean {
  return (
    refusalOf(error) !== undefined ||
    error instanceof SlackBusyError ||
    error instanceof WebAPIHTTPError ||
    error instanceof WebAPIRateLimitedError ||
    error instanceof WebAPIRequestError
  )
}

/** Says which method Slack asks to wait with, where it does. */
export async function ofMethod<T>(method: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const seconds = waitAskedFor(error)
    throw seconds === undefined ? error : new SlackBusyError(seconds, method)
  }
}

/** Seconds that Slack asks to wait, or undefined. */
export function waitAskedFor(error: unknown): number | undefined {
  if (error instanceof WebAPIRateLimitedError) return error.retryAfter
  if (error instanceof SlackBusyError) return error.retryAfterSeconds
  return undefined
}

/**
 * Kinds of Slack's words for a refusal. `token`: of the token itself, which the operator mends. `place`: the bot is
 * not there, or may not post there. `gone`: what it was about is not there any more, or never was. `scope`: a
 * permission of the app is missing. `input`: Slack does not take what was sent as it is.
 * Source: docs.slack.dev/reference/methods, errors of the methods that Bellhop calls.
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

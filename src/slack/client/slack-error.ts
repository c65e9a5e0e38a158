// The one error of Slack: it did not do what was asked, or nobody knows whether it did.
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api'

interface Facts {
  /** Slack's own word, `channel_not_found` for instance, where it has said one. */
  readonly word?: string | undefined
  /** How long Slack asks to wait. */
  readonly waitSeconds?: number | undefined
  /** When Slack answered with no more than a status, as it does when it has a fault. */
  readonly status?: number | undefined
}

export class SlackError extends Error {
  override readonly name = 'SlackError'
  /** Slack counts each method by itself. */
  readonly method: string
  readonly word: string | undefined
  readonly waitSeconds: number | undefined
  readonly status: number | undefined

  constructor(method: string, facts: Facts, options?: ErrorOptions) {
    const { word, waitSeconds, status } = facts
    const why = waitSeconds === undefined ? (word ?? status ?? 'no answer') : `wait ${waitSeconds} s`
    super(`${method}: ${why}`, options)
    this.method = method
    // For a channel that is read-only, takes replies alone, or has no threads, Slack says more behind it.
    this.word = word?.startsWith('restricted_action') ? 'restricted_action' : word
    this.waitSeconds = waitSeconds
    this.status = status
  }

  /** False when what was asked was certainly not done: nothing is posted. */
  get mayBeDone(): boolean {
    return this.waitSeconds === undefined && (this.word === undefined || faults.test(this.word))
  }

  /** The bot would have to be invited first. */
  get isInviteNeeded(): boolean {
    return this.word === 'not_in_channel' || this.word === 'channel_not_found'
  }

  /** The operator has to mend it. */
  get isOfToken(): boolean {
    return tokenWords.includes(this.word ?? '')
  }

  /** Out of the bot's reach for good: the message, with the thread below it. */
  get isMessageLost(): boolean {
    return words.messageLost.has(this.word ?? '')
  }

  /** Out of the bot's reach for good: the person, who gets nothing any more. */
  get isPersonLost(): boolean {
    return words.personLost.has(this.word ?? '')
  }
}

/** Slack's words for a token that it does not take. */
export const tokenWords = [
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
  'not_allowed_token_type',
]

/** Slack's words for a fault of its own, after which it may or may not have done what was asked. */
const faults = /^(?:fatal|internal)_error$|_unavailable$|_timeout$/

/** Source: docs.slack.dev/reference/methods, errors of the methods that Bellhop calls. */
const words = {
  messageLost: new Set([
    ...['not_in_channel', 'channel_not_found', 'is_archived', 'is_inactive', 'messages_tab_disabled'],
    ...['message_not_found', 'thread_not_found', 'cant_update_message', 'edit_window_closed'],
  ]),
  personLost: new Set(['account_inactive', 'channel_not_found', 'user_not_found', 'user_disabled']),
}

/** Slack's own word for why it did not do it; undefined where it has said none, or the error is none of Slack's. */
export function wordOf(error: unknown): string | undefined {
  return error instanceof SlackError ? error.word : undefined
}

/** How long Slack asks to wait. */
export function waitSecondsOf(error: unknown): number | undefined {
  return error instanceof SlackError ? error.waitSeconds : undefined
}

/** False when what was asked of Slack was certainly not done. */
export function mayBeDone(error: unknown): boolean {
  return !(error instanceof SlackError) || error.mayBeDone
}

/** Undefined where Slack does not do it. @param words - Only where it says one of these. @throws What else fails. */
export async function unlessSlackFails<T>(
  asked: Promise<T>,
  words?: readonly string[],
): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof SlackError) || words?.includes(error.word ?? '') === false) throw error
    return undefined
  }
}

/** What Slack's client has thrown, as an error of ours; other errors as they are. */
export function asSlackError(method: string, error: unknown): unknown {
  if (error instanceof WebAPIPlatformError) {
    const { error: said, response_metadata } = error.data
    // What Slack finds wrong with blocks or arguments, each with a pointer: for the log.
    const complaints = response_metadata?.messages?.join('; ')
    const cause = complaints ? new Error(complaints, { cause: error }) : error
    return new SlackError(method, { word: typeof said === 'string' ? said : undefined }, { cause })
  }
  const cause = { cause: error }
  if (error instanceof WebAPIRateLimitedError)
    return new SlackError(method, { waitSeconds: error.retryAfter }, cause)
  if (error instanceof WebAPIHTTPError) return new SlackError(method, { status: error.statusCode }, cause)
  return error instanceof WebAPIRequestError ? new SlackError(method, {}, cause) : error
}

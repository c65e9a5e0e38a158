// Failures of Slack: the errors of its client and its words for why it refused, sorted by what can be done about them.
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

/** The bot is of another workspace: nothing was asked of Slack. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'

  constructor(workspaceId: string) {
    super(`not installed in ${workspaceId}`)
  }
}

/**
 * Kinds of Slack's words for a refusal. `token`: of the token itself, which the operator mends. `place`: the bot is
 * not there, or may not post there. `gone`: what it was about is not there any more, or never was. `scope`: a
 * permission of the app is missing. `input`: Slack does not take what was sent as it is. `passing`: nothing is wrong with
 * it, and later Slack may take it.
 */
export const refusalKinds = ['token', 'place', 'gone', 'scope', 'input', 'passing', 'other'] as const
export type RefusalKind = (typeof refusalKinds)[number]

/** A failure, as `classify` sorts it. What its kind does not have is undefined, so that it can be asked for at once. */
export type SlackFailure =
  /** Slack asks to wait. */
  | (Facts & {
      readonly kind: 'busy'
      readonly waitSeconds: number
      /** Slack counts each method by itself; undefined where it is not known, or does not matter. */
      readonly method: string | undefined
      readonly mayBeDone: false
    })
  /** Slack says no. */
  | (Facts & { readonly kind: RefusalKind; readonly word: string; readonly mayBeDone: false })
  /** A fault of Slack's, by its word or its HTTP status, or no answer: nobody knows whether it was done. */
  | (Facts & { readonly kind: 'unsure'; readonly mayBeDone: true })
  /** Nothing of Slack's: a defect of ours, or somebody else's error. */
  | (Facts & { readonly kind: 'defect'; readonly mayBeDone: true })

interface Facts {
  /** How long Slack asks to wait. */
  readonly waitSeconds?: number | undefined
  /** Slack's own word, `channel_not_found` for instance, where it has said one. */
  readonly word?: string | undefined
  /** When Slack answered with no more than a status, as it does when it has a fault. */
  readonly status?: number | undefined
  /** False when what was asked was certainly not done: nothing is posted. */
  readonly mayBeDone: boolean
  /** Out of the bot's reach for good: the message with the thread below it, the person, who gets nothing any more. */
  readonly lost: Readonly<Record<'message' | 'person', boolean>>
  /** The bot would have to be invited first. */
  readonly isInviteNeeded: boolean
}

/** Sorts what a call to Slack has thrown. */
export function classify(error: unknown): SlackFailure {
  if (error instanceof WebAPIPlatformError) return ofAnswer(error.data.error)
  if (error instanceof ResponseUrlError) return ofWord(error.reason)
  if (error instanceof NotInstalledError) return ofWord(notInstalled)
  if (error instanceof WebAPIRateLimitedError) return busy(error.retryAfter, undefined)
  if (error instanceof SlackBusyError) return busy(error.retryAfterSeconds, error.method)
  if (error instanceof WebAPIHTTPError)
    return { ...nothingLost, kind: 'unsure', status: error.statusCode, mayBeDone: true }
  if (error instanceof WebAPIRequestError) return { ...nothingLost, kind: 'unsure', mayBeDone: true }
  return { ...nothingLost, kind: 'defect', mayBeDone: true }
}

const nothingLost = { lost: { message: false, person: false }, isInviteNeeded: false }

function busy(waitSeconds: number, method: string | undefined): SlackFailure {
  return { ...nothingLost, kind: 'busy', waitSeconds, method, mayBeDone: false }
}

/** @param word - Typed as a string, though whatever stands between may answer in Slack's place, with no word or more. */
function ofAnswer(word: unknown): SlackFailure {
  if (word === undefined) return { ...nothingLost, kind: 'defect', mayBeDone: true }
  return ofWord(typeof word === 'string' ? word : 'unknown_error')
}

function ofWord(word: string): SlackFailure {
  if (faults.has(word) || /^status_5/.test(word))
    return { ...nothingLost, kind: 'unsure', word, mayBeDone: true }
  const { loses = [], isInviteNeeded = false } = words.get(word) ?? {}
  const lost = { message: loses.includes('message'), person: loses.includes('person') }
  return { kind: kindOfRefusal(word), word, lost, isInviteNeeded, mayBeDone: false }
}

/** @param word - As Slack writes it. */
export function kindOfRefusal(word: string): RefusalKind {
  const known = words.get(word)
  if (known !== undefined) return known.kind
  if (word.startsWith('restricted_action')) return 'place'
  return /^(?:invalid|missing|duplicate)_/.test(word) ? 'input' : 'other'
}

/** Slack would say as much of the token that was. */
const notInstalled = 'not_installed'

/** Slack's words for a fault of its own, after which it may or may not have done what was asked. */
const faults: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'no_answer',
])

/**
 * Slack's words, each with what it is about, and what is lost with it. A workspace under migration or a network that is
 * not allowed is no trouble of the token, and may pass.
 * Source: docs.slack.dev/reference/methods, errors of the methods that Bellhop calls.
 */
const words: ReadonlyMap<string, Sorted> = new Map(
  Object.entries<Sorted>({
    not_authed: { kind: 'token' },
    invalid_auth: { kind: 'token' },
    account_inactive: { kind: 'token', loses: ['person'] },
    token_revoked: { kind: 'token' },
    token_expired: { kind: 'token' },
    not_allowed_token_type: { kind: 'token' },

    not_in_channel: { kind: 'place', loses: ['message'], isInviteNeeded: true },
    user_not_in_channel: { kind: 'place' },
    channel_not_found: { kind: 'place', loses: ['message', 'person'], isInviteNeeded: true },
    is_archived: { kind: 'place', loses: ['message'] },
    is_inactive: { kind: 'place', loses: ['message'] },
    messages_tab_disabled: { kind: 'place', loses: ['message'] },
    channel_is_limited_access: { kind: 'place' },
    cannot_reply_to_message: { kind: 'place' },
    ekm_access_denied: { kind: 'place' },
    team_access_not_granted: { kind: 'place' },
    access_denied: { kind: 'place' },
    cannot_dm_bot: { kind: 'place' },

    message_not_found: { kind: 'gone', loses: ['message'] },
    thread_not_found: { kind: 'gone', loses: ['message'] },
    cannot_find_message: { kind: 'gone' },
    cannot_unfurl_message: { kind: 'gone' },
    cant_update_message: { kind: 'gone', loses: ['message'] },
    edit_window_closed: { kind: 'gone', loses: ['message'] },
    expired_trigger_id: { kind: 'gone' },
    exchanged_trigger_id: { kind: 'gone' },
    invalid_trigger_id: { kind: 'gone' },
    trigger_expired: { kind: 'gone' },
    trigger_exchanged: { kind: 'gone' },
    expired_url: { kind: 'gone' },
    used_url: { kind: 'gone' },
    not_found: { kind: 'gone' },
    hash_conflict: { kind: 'gone' },
    user_not_found: { kind: 'gone', loses: ['person'] },
    users_not_found: { kind: 'gone' },
    user_disabled: { kind: 'gone', loses: ['person'] },

    missing_scope: { kind: 'scope' },
    no_permission: { kind: 'scope' },

    msg_too_long: { kind: 'input' },
    msg_blocks_too_long: { kind: 'input' },
    no_text: { kind: 'input' },
    too_many_attachments: { kind: 'input' },
    metadata_too_large: { kind: 'input' },
    metadata_must_be_sent_from_app: { kind: 'input' },
    view_too_large: { kind: 'input' },
    push_limit_reached: { kind: 'input' },
    json_not_object: { kind: 'input' },

    team_added_to_org: { kind: 'passing' },
    org_login_required: { kind: 'passing' },
    accesslimited: { kind: 'passing' },
    ratelimited: { kind: 'passing' },
    rate_limited: { kind: 'passing' },

    [notInstalled]: { kind: 'other', loses: ['message', 'person'] },
  }),
)

interface Sorted {
  readonly kind: RefusalKind
  readonly loses?: readonly ('message' | 'person')[]
  readonly isInviteNeeded?: true
}

const detailed = z.object({ response_metadata: z.object({ messages: z.array(z.string()) }) })

/** What Slack finds wrong with blocks or arguments, line by line, each with a pointer; empty when it does not say. */
export function complaintsOf(error: unknown): readonly string[] {
  const read = error instanceof WebAPIPlatformError ? detailed.safeParse(error.data) : undefined
  return (read?.data?.response_metadata.messages ?? []).map((said) => said.replace(/^\[ERROR\] /, ''))
}

/** Says which method Slack asks to wait with, where it does. */
export async function ofMethod<T>(method: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const seconds = classify(error).waitSeconds
    throw seconds === undefined ? error : new SlackBusyError(seconds, method)
  }
}

/** Slack's word in an answer that is not `ok`: of JSON that names an error, or a response URL's plain one. */
export function refusalIn(text: string): string | undefined {
  const match = /"error"\s*:\s*"([a-z_]+)"/.exec(text)
  if (match) return match[1]
  return /^[a-z]+(_[a-z]+)+$/.test(text.trim()) ? text.trim() : undefined
}

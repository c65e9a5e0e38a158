// Slack's Web API: its methods as Slack's own client names them, sent over our connections, with one kind of error.
import { type Logger, LogLevel } from '@slack/bolt'
import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api'
import { fetch } from 'undici'
import { version } from '../config/version.ts'
import { type Answer, createAgent, exchange, type HttpsProxy, parseJson } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { slackRefusalsTotal, slackSeconds } from '../metrics/metrics.ts'

export class SlackError extends Error {
  override readonly name = 'SlackError'
  /** Slack's own, `channel_not_found` for instance, where it has said one. */
  readonly word: string | undefined
  readonly waitSeconds: number | undefined
  readonly status: number | undefined

  constructor(method: string, how: Partial<Pick<SlackError, 'word' | 'waitSeconds' | 'status' | 'cause'>>) {
    const { word, waitSeconds, status, cause } = how
    const why = waitSeconds === undefined ? (word ?? status ?? 'no answer') : `wait ${waitSeconds} s`
    super(`${method}: ${why}`, { cause })
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

  /** What it means for whatever was to be said: every room decides by this what to do next. */
  get meaning(): Refusal {
    const word = this.word ?? ''
    if (this.waitSeconds !== undefined || word === 'ratelimited') return 'wait'
    if (this.mayBeDone || this.isOfToken) return 'not-now'
    return meanings.find(([, words]) => words.has(word))?.[0] ?? 'message'
  }

  /** It will never be taken as it is: asked again, Slack says the same. */
  get isForGood(): boolean {
    return this.meaning !== 'wait' && this.meaning !== 'not-now'
  }

  /** The bot is out of the place, or the place is no more: nothing in it can be said or changed until somebody acts. */
  get isPlaceLost(): boolean {
    return lostPlaces.has(this.word ?? '')
  }
}

/**
 * What a refusal means. `wait`: Slack says for how long. `not-now`: a fault of its own, no answer, or the bot's token, which
 * the operator has to mend. `message`: this one is not taken as it is. `gone`: somebody deleted what it belongs to. `fixed`:
 * that can't be changed, though its thread takes replies. `closed`: the place, or the person, is closed to the bot.
 */
export type Refusal = 'wait' | 'not-now' | 'message' | 'gone' | 'fixed' | 'closed'

/** Slack's words for a token that it does not take. */
export const tokenWords = [
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked'],
  ...['token_expired', 'not_allowed_token_type'],
]

/** Slack's words for a fault of its own, after which it may or may not have done what was asked. */
const faults = /^(?:fatal|internal)_error$|_unavailable$|_timeout$/

const lostPlaces = new Set(['not_in_channel', 'channel_not_found', 'is_archived', 'is_inactive'])

/** Source: docs.slack.dev/reference/methods, errors of the methods that Bellhop calls. */
const meanings: readonly [Refusal, ReadonlySet<string>][] = [
  ['gone', new Set(['message_not_found', 'thread_not_found'])],
  ['fixed', new Set(['cant_update_message', 'edit_window_closed'])],
  [
    'closed',
    new Set([
      ...[...lostPlaces, 'restricted_action', 'no_permission', 'missing_scope', 'team_access_not_granted'],
      ...['ekm_access_denied', 'messages_tab_disabled', 'user_not_found', 'user_disabled'],
    ]),
  ],
]

export function wordOf(error: unknown): string | undefined {
  return error instanceof SlackError ? error.word : undefined
}

export function waitSecondsOf(error: unknown): number | undefined {
  return error instanceof SlackError ? error.waitSeconds : undefined
}

/** What Slack answers, or why it never will: asked again, it says the same. @throws Where it may be tried later. */
export function orRefusal<T>(asked: Promise<T>): Promise<T | SlackError> {
  return asked.catch((error: unknown) => {
    if (error instanceof SlackError && error.isForGood) return error
    throw error
  })
}

/** Undefined where Slack does not do it. @param words - Only where it says one of these. @throws What else fails. */
export async function unlessSlackFails<T>(asked: Promise<T>, words?: readonly string[]) {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof SlackError) || words?.includes(error.word ?? '') === false) throw error
    return undefined
  }
}

const timeoutMs = 10_000
const totalMs = 15_000
const mostBytes = 16 * 1024 * 1024

export type SlackConnection = ReturnType<typeof connectToSlack>

export interface SlackAddress {
  /** Ends with a slash. */
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}

/** Redirects are answers, not followed, so that a token never travels on. */
export function connectToSlack({ apiUrl, proxy, log }: SlackAddress) {
  const agent = createAgent({ proxy, connectMs: timeoutMs, answerMs: timeoutMs, mostBytes })

  return {
    apiUrl,
    options: {
      ...{ slackApiUrl: apiUrl, logger: slackLogger(log), rejectRateLimitedCalls: true, timeout: totalMs },
      fetch: (url, { body, ...init } = {}) => fetch(url, { ...init, body: String(body), dispatcher: agent }),
    } satisfies WebClientOptions,
    /** Posts, once; counts and times it. @param read - Throws SlackError for a refusal. @throws SlackError */
    async post<T>(
      method: string,
      url: string,
      { headers, body }: { readonly headers: Record<string, string>; readonly body: string },
      read: (answer: Answer) => T,
    ): Promise<T> {
      const { origin, pathname, search } = new URL(url)
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const
      const from = performance.now()
      const note = (status: string, refusal?: string) => {
        const ms = performance.now() - from
        slackSeconds.observe({ method, status }, ms / 1000)
        if (refusal !== undefined) slackRefusalsTotal.inc({ word: refusal })
        log.debug({ method, status, refusal, ms: Math.round(ms) }, 'Slack was called')
      }
      try {
        const answer = await exchange(agent, request, { totalMs }).catch((cause: unknown) => {
          throw new SlackError(method, { cause })
        })
        const { status, headers } = answer
        const waitSeconds = Number(headers['retry-after']) || 1
        if (status === 429) throw new SlackError(method, { status, waitSeconds })
        const said = read(answer)
        note('ok')
        return said
      } catch (error) {
        note(error instanceof SlackError ? statusOf(error) : 'none', wordOf(error))
        throw error
      }
    },
    destroy: () => agent.destroy(),
  }
}

/** `refused`: Slack says so in its answer. `none`: there was none. */
function statusOf({ word, status }: SlackError): string {
  return word === undefined ? String(status ?? 'none') : 'refused'
}

/**
 * Lets Slack's SDKs, Bolt and the Web API's client, log through ours, never below info: at debug they print raw payloads,
 * with what was typed into a modal. Of what they hand over, only words and errors are written.
 */
export function slackLogger(log: Log): Logger {
  const nothing = () => undefined
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: readonly unknown[]) => {
      const words = parts.map(textOf).join(' ')
      // Whoever called says so, and a socket that is not open is tried again every second.
      if (words.startsWith('http request failed')) return
      const err = parts.find((part) => part instanceof Error)
      log[level]({ from: 'slack', ...(err && { err }) }, words)
    }
  const levels = { debug: nothing, info: write('info'), warn: write('warn'), error: write('error') }
  return { ...levels, setLevel: nothing, getLevel: () => LogLevel.INFO, setName: nothing }
}

function textOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'object' || typeof part === 'function' ? '[not shown]' : String(part)
}

function isAnswer(said: unknown): said is WebAPICallResult & { readonly error?: string } {
  return typeof said === 'object' && said !== null && 'ok' in said
}

/** Slack's client by its methods and types alone: its queue, tries and log cost more than a request. */
export class SlackClient extends WebClient {
  readonly #connection: SlackConnection
  readonly #headers: Record<string, string>
  readonly #hear: (refused?: SlackError) => void

  /** @param hear - Told when Slack has done what was asked, and when it has refused it for the token's sake. */
  constructor(
    token: string | undefined,
    connection: SlackConnection,
    hear: (refused?: SlackError) => void = () => undefined,
  ) {
    super()
    this.#connection = connection
    this.#headers = {
      ...{ accept: 'application/json', 'user-agent': `bellhop/${version}` },
      // Slack takes JSON for some methods, and a form for each.
      'content-type': 'application/x-www-form-urlencoded',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    this.#hear = hear
  }

  /** @throws SlackError */
  override apiCall(method: string, args: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    const { apiUrl, post } = this.#connection
    const request = { headers: this.#headers, body: formOf(args) }
    return post(method, apiUrl + method, request, (answer) => this.#read(method, answer))
  }

  #read(method: string, { status, headers, text }: Answer): WebAPICallResult {
    const parsed = status === 200 ? parseJson(text) : undefined
    const said = isAnswer(parsed) ? parsed : { ok: false }
    if (said.ok) {
      this.#hear()
      const scopes = headers['x-oauth-scopes']?.toString().split(/\s*,\s*/)
      return { ...said, response_metadata: { ...said.response_metadata, ...(scopes && { scopes }) } }
    }
    const { error: word, response_metadata: more } = said
    // What Slack finds wrong with blocks or arguments, each with a pointer: for the log.
    const cause = more?.messages && new Error(more.messages.join('; '))
    const refused = new SlackError(method, { word, status, cause })
    if (refused.isOfToken) this.#hear(refused)
    throw refused
  }
}

/** A third of what `URLSearchParams` takes. */
function formOf(args: Record<string, unknown>): string {
  const field = ([name, value]: [string, unknown]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return value === undefined ? [] : `${name}=${encodeURIComponent(text.toWellFormed())}`
  }
  return Object.entries(args).flatMap(field).join('&')
}

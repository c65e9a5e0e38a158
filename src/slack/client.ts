// Slack's Web API: methods as Slack's own client names them, over our connections, with one kind of error.
import { type Logger, LogLevel } from '@slack/bolt'
import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api'
import { fetch } from 'undici'
import { version } from '../config/version.ts'
import { type Answer, createAgent, exchange, type HttpsProxy, parseJson } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { slackRefusalsTotal, slackSeconds } from '../metrics/metrics.ts'

export class SlackError extends Error {
  override readonly name = 'SlackError'
  /** Slack's own word, such as `channel_not_found`, if it said one. */
  readonly word: string | undefined
  readonly waitSeconds: number | undefined
  readonly status: number | undefined

  constructor(
    method: string,
    {
      word,
      waitSeconds,
      status,
      cause,
    }: Partial<Pick<SlackError, 'word' | 'waitSeconds' | 'status' | 'cause'>>,
  ) {
    const why =
      waitSeconds === undefined ? (word ?? status ?? 'no answer') : `wait ${waitSeconds} s`
    super(`${method}: ${why}`, { cause })
    // Slack makes this word longer for a channel that is read-only, takes only replies, or has no threads.
    this.word = word?.startsWith('restricted_action') ? 'restricted_action' : word
    this.waitSeconds = waitSeconds
    this.status = status
  }

  /** True when Slack may have done what was asked: no answer came, or a fault of Slack's own. */
  get mayBeDone(): boolean {
    return this.waitSeconds === undefined && (this.word === undefined || faults.test(this.word))
  }

  get isInviteNeeded(): boolean {
    return this.word === 'not_in_channel' || this.word === 'channel_not_found'
  }

  /** True when Slack refuses the token, which only the operator can fix. */
  get isOfToken(): boolean {
    return tokenWords.includes(this.word ?? '')
  }

  get meaning(): Refusal {
    const word = this.word ?? ''
    if (this.waitSeconds !== undefined || word === 'ratelimited') return 'wait'
    if (this.mayBeDone || this.isOfToken) return 'not-now'
    return meanings.find(([, words]) => words.has(word))?.[0] ?? 'message'
  }

  /** True when Slack would refuse the same request again. */
  get isForGood(): boolean {
    return this.meaning !== 'wait' && this.meaning !== 'not-now'
  }

  /**
   * True when the bot is not in the channel, or the channel is archived or gone: nothing works there until somebody acts.
   */
  get isChannelLost(): boolean {
    return lostChannels.has(this.word ?? '')
  }
}

/**
 * Meanings of a refusal, by which a feature decides what to do next. `wait`: Slack is rate limiting. `not-now`: a fault of
 * Slack's, no answer, or the bot's token, which the operator has to fix. `message`: Slack does not take this message.
 * `gone`: somebody deleted the message or thread. `fixed`: the message can't be changed, though its thread takes replies.
 * `closed`: the place, or the person, is closed to the bot.
 */
export type Refusal = 'wait' | 'not-now' | 'message' | 'gone' | 'fixed' | 'closed'

export const tokenWords = [
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
]

/** Faults of Slack's own, after which Slack may or may not have done what was asked. */
const faults = /^(?:fatal|internal)_error$|_unavailable$|_timeout$/

const lostChannels = new Set(['not_in_channel', 'channel_not_found', 'is_archived', 'is_inactive'])

/** Slack's words for each meaning. Source: docs.slack.dev/reference/methods, errors of the methods that Bellhop calls. */
const meanings: readonly [Refusal, ReadonlySet<string>][] = [
  ['gone', new Set(['message_not_found', 'thread_not_found'])],
  ['fixed', new Set(['cant_update_message', 'edit_window_closed'])],
  [
    'closed',
    new Set([
      ...lostChannels,
      'restricted_action',
      'no_permission',
      'missing_scope',
      'team_access_not_granted',
      'ekm_access_denied',
      'messages_tab_disabled',
      'user_not_found',
      'user_disabled',
    ]),
  ],
]

export function wordOf(error: unknown): string | undefined {
  return error instanceof SlackError ? error.word : undefined
}

export function waitSecondsOf(error: unknown): number | undefined {
  return error instanceof SlackError ? error.waitSeconds : undefined
}

/** Resolves to Slack’s answer, or to a refusal that Slack would repeat. @throws A failure that may be over at a later try. */
export function orRefusal<T>(asked: Promise<T>): Promise<T | SlackError> {
  return asked.catch((error: unknown) => {
    if (error instanceof SlackError && error.isForGood) return error
    throw error
  })
}

/**
 * The answer; undefined when Slack fails with one of `words` (its names for errors), or, without `words`, at all.
 * @throws Any other failure.
 */
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
  /** With a slash at its end. */
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}

/** Redirects are not followed, so that a token never travels on to another address. */
export function connectToSlack({ apiUrl, proxy, log }: SlackAddress) {
  const agent = createAgent({ proxy, connectMs: timeoutMs, answerMs: timeoutMs, mostBytes })

  return {
    apiUrl,
    options: {
      slackApiUrl: apiUrl,
      logger: slackLogger(log),
      rejectRateLimitedCalls: true,
      timeout: totalMs,
      fetch: (url, { body, ...init } = {}) =>
        fetch(url, { ...init, body: String(body), dispatcher: agent }),
    } satisfies WebClientOptions,
    /** Posts once, with metrics. @param read - Throws SlackError for a refusal. @throws SlackError */
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

/** The label for figures: `refused` if Slack's answer is a refusal, `none` if no answer came, else the HTTP status. */
function statusOf({ word, status }: SlackError): string {
  return word === undefined ? String(status ?? 'none') : 'refused'
}

/**
 * Logger for Slack's SDKs, never below info: at debug they print raw payloads, with what was typed into a modal. The
 * logger writes only words and errors.
 */
export function slackLogger(log: Log): Logger {
  const nothing = () => undefined
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: readonly unknown[]) => {
      const words = parts.map(textOf).join(' ')
      // Such lines are left out: callers report these failures, and a closed socket would repeat the line every second.
      if (words.startsWith('http request failed')) return
      const err = parts.find((part) => part instanceof Error)
      log[level]({ from: 'slack', ...(err && { err }) }, words)
    }
  return {
    debug: nothing,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: nothing,
    getLevel: () => LogLevel.INFO,
    setName: nothing,
  }
}

function textOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'object' || typeof part === 'function' ? '[not shown]' : String(part)
}

function isAnswer(said: unknown): said is WebAPICallResult & { readonly error?: string } {
  return typeof said === 'object' && said !== null && 'ok' in said
}

/** Slack's client, used for its methods and types alone: its own queue, retries and log take longer than a request. */
export class SlackClient extends WebClient {
  readonly #connection: SlackConnection
  readonly #headers: Record<string, string>
  readonly #hear: (refused?: SlackError) => void

  /** @param hear - Called for each success, and with the error when Slack refuses the token. */
  constructor(
    token: string | undefined,
    connection: SlackConnection,
    hear: (refused?: SlackError) => void = () => undefined,
  ) {
    super()
    this.#connection = connection
    this.#headers = {
      accept: 'application/json',
      'user-agent': `bellhop/${version}`,
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
      return {
        ...said,
        response_metadata: { ...said.response_metadata, ...(scopes && { scopes }) },
      }
    }
    const { error: word, response_metadata: more } = said
    // For the log: what Slack finds wrong with blocks or arguments, each with a pointer.
    const cause = more?.messages && new Error(more.messages.join('; '))
    const refused = new SlackError(method, { word, status, cause })
    if (refused.isOfToken) this.#hear(refused)
    throw refused
  }
}

/** Encodes by hand, in a third of the time that `URLSearchParams` takes. */
function formOf(args: Record<string, unknown>): string {
  const field = ([name, value]: [string, unknown]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return value === undefined ? [] : `${name}=${encodeURIComponent(text.toWellFormed())}`
  }
  return Object.entries(args).flatMap(field).join('&')
}

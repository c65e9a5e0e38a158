// Slack's own Web API client, for its methods and their types; what it asks goes out here, in one attempt, and errors are one.
import { type Logger, LogLevel } from '@slack/bolt'
import { type WebAPICallResult, WebClient } from '@slack/web-api'
import { type Answer, createAgent, exchange, type HttpsProxy, parseJson } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import { slackRefusalsTotal, slackSeconds } from '../metrics/metrics.ts'
import { retry } from '../work/retry.ts'

interface Facts {
  /** Slack's own word, `channel_not_found` for instance, where it has said one. */
  readonly word?: string | undefined
  /** How long Slack asks to wait. */
  readonly waitSeconds?: number | undefined
  /** Of its answer, where there is one. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

export class SlackError extends Error {
  override readonly name = 'SlackError'
  readonly word: string | undefined
  readonly waitSeconds: number | undefined
  readonly status: number | undefined

  constructor(method: string, { word, waitSeconds, status, cause }: Facts) {
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

const timeoutMs = 10_000
/** With the whole body. */
const totalMs = 15_000
const mostBytes = 16 * 1024 * 1024

/** What Slack is asked over. */
export type SlackConnection = ReturnType<typeof connectToSlack>

/** Where Slack is. */
export interface SlackAddress {
  /** Ends with a slash. */
  readonly apiUrl: string
  /** Undefined where Slack is reached directly. */
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}

export function connectToSlack({ apiUrl, proxy, log }: SlackAddress) {
  const agent = createAgent({ proxy, connectMs: timeoutMs, answerMs: timeoutMs, mostBytes })

  return {
    apiUrl,
    /**
     * Posts, counts and times it. Redirects are answers, not followed, so that a token never travels on.
     * @param method - Of Slack's, or `response_url`.
     * @throws SlackError
     */
    async post(method: string, address: string, headers: Headers, body: string): Promise<Result> {
      const from = performance.now()
      const { origin, pathname, search } = new URL(address)
      // Some firewalls let nothing out that does not say who asks.
      const named = { 'user-agent': 'Bellhop', ...headers }
      const request = { method: 'POST', origin, path: pathname + search, headers: named, body } as const
      const result = await exchange(agent, request, { totalMs }).then(
        (answer) => resultOf(method, answer),
        (cause) => new SlackError(method, { cause }),
      )
      const ms = performance.now() - from
      const status = result instanceof SlackError ? statusOf(result) : 'ok'
      const refusal = wordOf(result)
      slackSeconds.observe({ method, status }, ms / 1000)
      if (refusal !== undefined) slackRefusalsTotal.inc({ word: refusal })
      log.debug({ method, status, refusal, ms: Math.round(ms) }, 'Slack was called')
      if (result instanceof SlackError) throw result
      return result
    },
    /** Ends every request, answered or not. */
    destroy: () => agent.destroy(),
  }
}

/** `refused`: Slack says so in its answer. `none`: there was none. */
function statusOf({ word, status }: SlackError): string {
  return word === undefined ? String(status ?? 'none') : 'refused'
}

type Headers = Readonly<Record<string, string>>
type Result = WebAPICallResult & { readonly error?: string }

/** With the scopes of the token, which a header names. */
function resultOf(method: string, { status, headers, text }: Answer): Result | SlackError {
  const { 'retry-after': wait = 1, 'x-oauth-scopes': scopes } = headers
  if (status === 429) return new SlackError(method, { status, waitSeconds: Number(wait) })
  const said = readResult(text)
  const more = said.response_metadata
  if (status === 200 && said.ok)
    return scopes === undefined
      ? said
      : { ...said, response_metadata: { ...more, scopes: String(scopes).split(/[,\s]+/) } }
  // What Slack finds wrong with blocks or arguments, each with a pointer: for the log.
  const cause = more?.messages && new Error(more.messages.join('; '))
  return new SlackError(method, { word: said.error, status, cause })
}

/** Of a method, JSON; at a response URL, Slack may say no more than a word. */
function readResult(text: string): Result {
  const said = parseJson(text)
  if (isResult(said)) return said
  const [word] = /^[a-z]+(?:_[a-z]+)+$/.exec(text.trim()) ?? []
  return { ok: text.trim() === 'ok', ...(word && { error: word }) }
}

function isResult(said: unknown): said is Result {
  return typeof said === 'object' && said !== null && 'ok' in said && typeof said.ok === 'boolean'
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

/** Slack's client, whose errors are ours. */
export class SlackClient extends WebClient {
  readonly #connection: SlackConnection
  readonly #hear: (refused?: SlackError) => void

  /** @param hear - Told when Slack has done what was asked, and when it has refused it for the token's sake. */
  constructor(
    token: string | undefined,
    connection: SlackConnection,
    hear: (refused?: SlackError) => void = () => undefined,
  ) {
    super(token)
    this.#connection = connection
    this.#hear = hear
  }

  /** @throws SlackError */
  override async apiCall(method: string, options: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    const { apiUrl, post } = this.#connection
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries(options)) {
      if (value !== undefined)
        fields.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    }
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    try {
      const answer = await post(method, apiUrl + method, headers, fields.toString())
      this.#hear()
      return answer
    } catch (error) {
      if (error instanceof SlackError && error.isOfToken) this.#hear(error)
      throw error
    }
  }
}

/** Sends, and sends again after the time that Slack asks to wait. What it asks for longer is thrown. */
export type Patiently = <T>(send: () => Promise<T>) => Promise<T>

const longestWaitSeconds = 60
const attempts = 3

export function createPatience(wait: (ms: number) => Promise<void>): Patiently {
  return (send) =>
    retry(send, {
      wait,
      pauseAfter(error, tries) {
        const seconds = waitSecondsOf(error) ?? Number.POSITIVE_INFINITY
        return seconds > longestWaitSeconds || tries === attempts ? undefined : seconds * 1000
      },
    })
}

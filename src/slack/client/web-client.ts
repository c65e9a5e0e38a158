// Slack's client on undici's connections: its errors are ours, its calls are counted and timed, and whoever asks may wait
// for as long as Slack asks to.
// Measured, CPU for one request (Node 24): 18 µs, 186 by the global fetch.
import { type Logger, LogLevel } from '@slack/bolt'
import { type FetchFunction, type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api'
import { createAgent, type HttpsProxy } from '../../http/agent.ts'
import { type Answer, exchange } from '../../http/exchange.ts'
import type { Log } from '../../log/log.ts'
import { slackRefusalsTotal, slackSeconds } from '../../metrics/metrics.ts'
import { retry } from '../../work/retry.ts'
import { asSlackError, SlackError, waitSecondsOf } from './slack-error.ts'

const timeoutMs = 10_000
/** With the whole body. */
const totalMs = 15_000
const mostBytes = 16 * 1024 * 1024

/**
 * What Slack's clients are made with, and response URLs are answered by. Redirects are answers, not followed, so that a
 * token never travels on; `fetch` throws undici's own errors.
 * @param slack.apiUrl - Ends with a slash. `proxy`: undefined where Slack is reached directly.
 */
export function connectToSlack(slack: {
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}) {
  const agent = createAgent({ proxy: slack.proxy, connectMs: timeoutMs, answerMs: timeoutMs, mostBytes })

  const fetch: FetchFunction = async (url, { method, headers = {}, body = null, signal = null } = {}) => {
    if (body !== null && typeof body !== 'string')
      throw new TypeError('files are not sent over this transport')
    const { origin, pathname, search } = new URL(url)
    const verb = method === 'POST' ? 'POST' : 'GET'
    const sent = { origin, path: pathname + search, headers, body, method: verb } as const
    return responseOf(String(url), await exchange(agent, sent, { totalMs, signal }))
  }

  const options = {
    slackApiUrl: slack.apiUrl,
    fetch,
    // Retries are outbound's: the client's own would pause every channel for one, and post twice.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: totalMs,
    logger: slackLogger(slack.log),
  } satisfies WebClientOptions

  /** Ends every request, answered or not. */
  return { options, destroy: () => agent.destroy() }
}

export type ClientOptions = ReturnType<typeof connectToSlack>['options']

/** Node's own Response would load a second undici, at the first answer. */
function responseOf(
  url: string,
  { status, statusText, headers, text }: Answer,
): Awaited<ReturnType<FetchFunction>> {
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    url,
    headers: {
      get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
      entries: () => Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    },
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
    json: async () => JSON.parse(text),
    text: async () => text,
  }
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
      const words = parts.map(wordOf).join(' ')
      // Whoever called says so, and a socket that is not open is tried again every second.
      if (words.startsWith('http request failed')) return
      const err = parts.find((part) => part instanceof Error)
      log[level]({ from: 'slack', ...(err && { err }) }, words)
    }
  const levels = { debug: nothing, info: write('info'), warn: write('warn'), error: write('error') }
  return { ...levels, setLevel: nothing, getLevel: () => LogLevel.INFO, setName: nothing }
}

function wordOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'object' || typeof part === 'function' ? '[not shown]' : String(part)
}

/** Counts and times a call. @param call - Throws SlackError. */
export async function counted<T>(method: string, log: Log, call: () => Promise<T>): Promise<T> {
  const from = performance.now()
  let status = 'none'
  let refusal: string | undefined
  try {
    const answer = await call()
    status = 'ok'
    return answer
  } catch (error) {
    if (error instanceof SlackError) {
      status = statusOf(error)
      refusal = error.word
    }
    throw error
  } finally {
    const ms = performance.now() - from
    slackSeconds.observe({ method, status }, ms / 1000)
    if (refusal !== undefined) slackRefusalsTotal.inc({ word: refusal })
    log.debug({ method, status, refusal, ms: Math.round(ms) }, 'Slack was called')
  }
}

/** `refused`: Slack says so in its answer. `none`: there was none. */
function statusOf({ word, waitSeconds, status }: SlackError): string {
  if (waitSeconds !== undefined) return '429'
  if (word !== undefined) return 'refused'
  if (status === undefined) return 'none'
  return status >= 500 ? '5xx' : 'other'
}

/** Slack's client, whose errors are ours. */
export class SlackClient extends WebClient {
  readonly #log: Log
  readonly #hear: (refused?: SlackError) => void

  /** @param hear - Told when Slack has done what was asked, and when it has refused it for the token's sake. */
  constructor(
    token: string | undefined,
    options: WebClientOptions,
    log: Log,
    hear: (refused?: SlackError) => void = () => undefined,
  ) {
    super(token, options)
    this.#log = log
    this.#hear = hear
  }

  /** @throws SlackError */
  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const answered = await counted(method, this.#log, () =>
      super.apiCall(method, options).catch((error: unknown) => {
        const said = asSlackError(method, error)
        if (said instanceof SlackError && said.isOfToken) this.#hear(said)
        throw said
      }),
    )
    this.#hear()
    return answered
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

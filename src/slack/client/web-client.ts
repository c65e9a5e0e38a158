// Slack's client: its options, wherever one is made, its logger, its patience, and a short way for messages.
import type { Logger } from '@slack/bolt'
import {
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import { z } from 'zod'
import type { Answer } from '../../http/exchange.ts'
import { parseJson } from '../../http/read-body.ts'
import type { Log } from '../../log/log.ts'
import { retry } from '../../work/retry.ts'
import { LogLevel } from './bolt.ts'
import { classify } from './refusals.ts'
import { type Address, addressOf, type Exchange, type Transport } from './transport.ts'

/** @param apiUrl - Ends with a slash. */
export function clientOptionsFor(apiUrl: string, fetch: Transport['fetch'], log: Log) {
  return {
    slackApiUrl: apiUrl,
    fetch,
    // Retries are outbound's: the client's own would pause every channel for one, and post twice.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 15_000,
    logger: slackLogger(log),
  } satisfies WebClientOptions
}

const levels: readonly LogLevel[] = [LogLevel.INFO, LogLevel.WARN, LogLevel.ERROR]

/**
 * Lets Slack's SDKs, Bolt and the Web API's client, log through ours, never below info, whatever is asked of it: at
 * debug they print raw payloads, with what was typed into a modal. Of what they hand over, only words and errors are
 * written.
 */
export function slackLogger(log: Log): Logger {
  let level = LogLevel.INFO
  const passes = (asked: LogLevel) => levels.indexOf(asked) >= levels.indexOf(level)

  return {
    debug: () => undefined,
    info: (...parts) => {
      if (passes(LogLevel.INFO)) log.info(fieldsOf(parts), sentenceOf(parts))
    },
    warn: (...parts) => {
      if (passes(LogLevel.WARN)) log.warn(fieldsOf(parts), sentenceOf(parts))
    },
    error: (...parts) => log.error(fieldsOf(parts), sentenceOf(parts)),
    setLevel: (asked) => {
      level = levels.includes(asked) ? asked : LogLevel.INFO
    },
    getLevel: () => level,
    setName: () => undefined,
  }
}

function fieldsOf(parts: readonly unknown[]): { readonly from: 'slack'; readonly err?: Error } {
  const err = parts.find((part) => part instanceof Error)
  return err === undefined ? { from: 'slack' } : { from: 'slack', err }
}

function sentenceOf(parts: readonly unknown[]): string {
  return parts.map(wordOf).join(' ')
}

function wordOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'object' || typeof part === 'function' ? '[not shown]' : String(part)
}

/** Those that take JSON, and are called often. Source: docs.slack.dev/apis/web-api, “POST bodies”. */
const short: ReadonlySet<string> = new Set(['chat.postMessage', 'chat.update', 'chat.postEphemeral'])

/** Whether it was done is all that counts: what is odd beside that makes no refusal of it. */
const resultSchema = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional().catch(undefined),
  response_metadata: z.looseObject({ messages: z.array(z.string()).catch([]) }).catch({ messages: [] }),
})

type Result = z.infer<typeof resultSchema>

/**
 * A client with a short way for messages. The SDK's own takes each call through a queue and a retry that are not used
 * here, and copies all of it several times for a log that is not written: more work than the message itself. Measured,
 * CPU for one card (Node 24): 28 µs, 78 by the SDK's own way, 256 by that over the global fetch. Throws what the SDK's
 * client throws.
 */
export class SlackClient extends WebClient {
  readonly #send: Exchange
  readonly #api: Address
  readonly #logger: WebClientOptions['logger']
  readonly #headers: Readonly<Record<string, string>>
  readonly #onTokenRefused: (method: string) => void

  /** @param onTokenRefused - Told of each call that Slack refuses for the token's sake. */
  constructor(
    token: string,
    options: WebClientOptions & { readonly slackApiUrl: string },
    send: Exchange,
    onTokenRefused: (method: string) => void = () => undefined,
  ) {
    super(token, options)
    this.#send = send
    this.#api = addressOf(options.slackApiUrl)
    this.#logger = options.logger
    this.#onTokenRefused = onTokenRefused
    this.#headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'bellhop',
    }
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      return short.has(method)
        ? this.#resultOf(await this.#sendShort(method, options))
        : await super.apiCall(method, options)
    } catch (error) {
      if (classify(error).kind === 'token') this.#onTokenRefused(method)
      throw error
    }
  }

  #sendShort(method: string, options?: Record<string, unknown>): Promise<Answer> {
    const to = { origin: this.#api.origin, path: this.#api.path + method }
    return this.#send(to, this.#headers, JSON.stringify(options)).catch((error: unknown) => {
      throw new WebAPIRequestError(error instanceof Error ? error : new Error(String(error)))
    })
  }

  #resultOf(answer: Answer): WebAPICallResult {
    const result = resultOf(answer)
    // Which block it could not read, and why.
    for (const message of result.response_metadata.messages) {
      if (message.includes('[ERROR]')) this.#logger?.error(message)
      else this.#logger?.warn(message)
    }
    if (!result.ok) throw new WebAPIPlatformError({ ...result, error: result.error ?? 'unknown_error' })
    return result
  }
}

function resultOf({ status, statusText, headers, text }: Answer): Result {
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN)
  if (status === 429 && !Number.isNaN(retryAfter)) throw new WebAPIRateLimitedError(retryAfter)
  if (status !== 200) throw new WebAPIHTTPError(status, statusText, {}, text)
  const read = resultSchema.safeParse(parseJson(text))
  return read.success ? read.data : { ok: false, error: text, response_metadata: { messages: [] } }
}

/** Sends, and sends again after the time that Slack asks to wait. @param longestSeconds - A longer wait is thrown. */
export type Patiently = <T>(send: () => Promise<T>, longestSeconds?: number) => Promise<T>

const longestWaitSeconds = 60
const attempts = 3

export function createPatience(wait: (ms: number) => Promise<void>): Patiently {
  return (send, longestSeconds = longestWaitSeconds) =>
    retry(send, {
      wait,
      pauseAfter(error, tries) {
        const { waitSeconds } = classify(error)
        if (waitSeconds === undefined || waitSeconds > longestSeconds || tries === attempts) return undefined
        return waitSeconds * 1000
      },
    })
}

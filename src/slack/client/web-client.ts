// Slack's client: its options, wherever one is made, its logger and its patience.
import type { Logger } from '@slack/bolt'
import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api'
import type { Log } from '../../log/log.ts'
import { retry } from '../../work/retry.ts'
import { LogLevel } from './bolt.ts'
import { asSlackError, SlackError, waitSecondsOf } from './slack-error.ts'
import type { Transport } from './transport.ts'

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

/**
 * Lets Slack's SDKs, Bolt and the Web API's client, log through ours, never below info: at debug they print raw payloads,
 * with what was typed into a modal. Of what they hand over, only words and errors are written.
 */
export function slackLogger(log: Log): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: readonly unknown[]) => {
      const words = parts.map(wordOf).join(' ')
      // Whoever called says so, and a socket that is not open is tried again every second.
      if (words.startsWith('http request failed')) return
      const err = parts.find((part) => part instanceof Error)
      log[level]({ from: 'slack', ...(err && { err }) }, words)
    }
  return {
    debug: () => undefined,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  }
}

function wordOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'object' || typeof part === 'function' ? '[not shown]' : String(part)
}

/** Slack's client, whose errors are ours. */
export class SlackClient extends WebClient {
  readonly #onTokenRefused: (method: string) => void

  /** @param onTokenRefused - Told of each call that Slack refuses for the token's sake. */
  constructor(
    token: string | undefined,
    options: WebClientOptions,
    onTokenRefused: (method: string) => void = () => undefined,
  ) {
    super(token, options)
    this.#onTokenRefused = onTokenRefused
  }

  /** @throws SlackError */
  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      return await super.apiCall(method, options)
    } catch (thrown) {
      const error = asSlackError(method, thrown)
      if (error instanceof SlackError && error.isOfToken) this.#onTokenRefused(method)
      throw error
    }
  }
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
        const waitSeconds = waitSecondsOf(error)
        if (waitSeconds === undefined || waitSeconds > longestSeconds || tries === attempts) return undefined
        return waitSeconds * 1000
      },
    })
}

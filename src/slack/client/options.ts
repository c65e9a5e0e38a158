// How Slack's client is set up, wherever one is made.
import type { WebClientOptions } from '@slack/web-api'
import type { Log } from '../../log/log.ts'
import { slackLogger } from './logger.ts'
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

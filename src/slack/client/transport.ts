// Connections to Slack, on undici's pool: counted and timed. Measured, CPU for one request (Node 24): 18 µs, 186 by the
// global fetch.
import type { FetchFunction } from '@slack/web-api'
import { createAgent, type HttpsProxy } from '../../http/agent.ts'
import { type Answer, exchange } from '../../http/exchange.ts'
import type { Log } from '../../log/log.ts'
import { slackRefusalsTotal, slackSeconds } from '../../metrics/metrics.ts'

export interface Transport {
  /**
   * For Slack's client, and for response URLs. Redirects are answers, not followed, so that a token never travels on.
   * Throws undici's own errors.
   */
  readonly fetch: FetchFunction
  /** Ends every request, answered or not. */
  destroy(): Promise<void>
}

const timeoutMs = 10_000
const limits = {
  mostBytes: 16 * 1024 * 1024,
  /** With the whole body. */
  totalMs: 15_000,
}

/** @param slack.apiUrl - Ends with a slash. `proxy`: undefined where Slack is reached directly. */
export function createTransport(slack: {
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}): Transport {
  const { apiUrl, proxy, log } = slack
  const agent = createAgent({ proxy, connectMs: timeoutMs, answerMs: timeoutMs })

  return {
    async fetch(url, { method, headers = {}, body = null, signal = null } = {}) {
      if (body !== null && typeof body !== 'string')
        throw new TypeError('files are not sent over this transport')
      const { origin, pathname, search } = new URL(url)
      const called = methodIn(String(url), apiUrl)
      const from = performance.now()
      const tell = (status: string, refusal?: string) => {
        const ms = performance.now() - from
        slackSeconds.observe({ method: called, status }, ms / 1000)
        if (refusal !== undefined) slackRefusalsTotal.inc({ word: refusal })
        log.debug({ method: called, status, refusal, ms: Math.round(ms) }, 'Slack was called')
      }
      try {
        const sent = {
          origin,
          path: pathname + search,
          headers,
          body,
          method: method === 'POST' ? 'POST' : 'GET',
        } as const
        const answer = await exchange(agent, sent, { ...limits, signal })
        tell(statusOf(answer), refusalIn(answer))
        return responseOf(String(url), answer)
      } catch (error) {
        tell('none')
        throw error
      }
    },
    destroy: () => agent.destroy(),
  }
}

type Response = Awaited<ReturnType<FetchFunction>>

function responseOf(url: string, { status, statusText, headers, text }: Answer): Response {
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

/** Named by the method alone: where a response URL leads is a secret. */
function methodIn(url: string, apiUrl: string): string {
  const method = url.startsWith(apiUrl) ? /^[a-zA-Z\d.]+/.exec(url.slice(apiUrl.length)) : undefined
  return method?.[0] ?? 'response_url'
}

/** `ok`, `refused`: Slack's answer says so. */
function statusOf({ status, text }: Answer): string {
  if (status === 200) return /^\s*\{\s*"ok"\s*:\s*false/.test(text) ? 'refused' : 'ok'
  if (status === 429) return '429'
  return status >= 500 ? '5xx' : 'other'
}

/** Slack's word in an answer that is not `ok`: of JSON that names an error, or a response URL's plain one. */
export function refusalIn({ status, text }: Pick<Answer, 'status' | 'text'>): string | undefined {
  const named = /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1]
  if (status === 200) return named
  return named ?? /^[a-z]+(?:_[a-z]+)+$/.exec(text.trim())?.[0]
}

// Connections to Slack, on undici's pool. Measured, CPU for one request (Node 24): 18 µs, 186 by the global fetch.
import type { FetchFunction } from '@slack/web-api'
import { createAgent, type HttpsProxy } from '../../http/agent.ts'
import { type Answer, exchange } from '../../http/exchange.ts'
import { refusalIn } from './refusals.ts'

/**
 * `ok`, `refused`: Slack's answer says so. A status stands for itself; `none` when there was no answer.
 */
export type CallStatus = 'ok' | 'refused' | '429' | '5xx' | 'other' | 'none'

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
/** With the whole body. */
const totalMs = 15_000
const mostBytes = 16 * 1024 * 1024

export interface Counting {
  /** Ends with a slash. */
  readonly apiUrl: string
  /**
   * Told of each call once its answer is read, or when there is none.
   * @param refusal - Slack's word, where it refuses.
   */
  readonly onCall: (method: string, status: CallStatus, ms: number, refusal: string | undefined) => void
}

/**
 * @param proxy - Undefined where Slack is reached directly.
 * @param counting - Nobody counts when not given.
 */
export function createTransport(proxy: HttpsProxy | undefined, counting?: Counting): Transport {
  const agent = createAgent({ proxy, connectMs: timeoutMs, answerMs: timeoutMs })
  const limits = { mostBytes, totalMs }

  return {
    async fetch(url, { method, headers = {}, body = null, signal = null } = {}) {
      if (body !== null && typeof body !== 'string')
        throw new TypeError('files are not sent over this transport')
      const { origin, pathname, search } = new URL(url)
      const request = { origin, path: pathname + search, headers, body } as const
      const from = performance.now()
      const tell = (status: CallStatus, refusal?: string) =>
        counting?.onCall(methodIn(String(url), counting.apiUrl), status, performance.now() - from, refusal)
      try {
        const sent = { ...request, method: method === 'POST' ? 'POST' : 'GET' } as const
        const answer = await exchange(agent, sent, { ...limits, signal })
        const status = statusOf(answer)
        tell(status, status === 'refused' || status === 'other' ? refusalIn(answer.text) : undefined)
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

function statusOf({ status, text }: Answer): CallStatus {
  if (status === 200) return /^\s*\{\s*"ok"\s*:\s*false/.test(text) ? 'refused' : 'ok'
  if (status === 429) return '429'
  return status >= 500 ? '5xx' : 'other'
}

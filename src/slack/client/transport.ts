// Connections to Slack, on undici's pool. Measured, CPU for one request (Node 24): 18 µs, 186 by the global fetch.
import type { Socket } from 'node:net'
import type { FetchFunction } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { createAgent, type HttpsProxy } from '../../http/agent.ts'
import { type Answer, exchange } from '../../http/exchange.ts'
import type { CallStatus } from '../observer.ts'
import { refusalIn } from './refusals.ts'

/** Where a request goes. */
export interface Address {
  readonly origin: string
  /** With the query. */
  readonly path: string
}

/**
 * Redirects are answers, not followed, so a token never travels on. Throws undici's own errors.
 * @param headers - The body's type among them.
 */
export type Exchange = (
  to: Address,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<Answer>

/** @throws TypeError when it is none. */
export function addressOf(url: string): Address {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

export interface Transport {
  /** POSTs. */
  readonly send: Exchange
  /** The same for Slack's client. */
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
  const timed = counting && createTimed(counting)

  function ask(
    to: Address,
    request: {
      readonly method: 'GET' | 'POST'
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | null
    },
    signal?: AbortSignal | null,
  ): Promise<Answer> {
    const done = timed?.(to)
    const limits = { mostBytes, totalMs, signal: signal ?? null }
    return exchange(agent, { ...to, ...request }, limits).then(
      (answer) => {
        done?.(statusOf(answer), answer)
        return answer
      },
      (error: unknown) => {
        done?.('none')
        throw error
      },
    )
  }

  return {
    send: (to, headers, body) => ask(to, { method: 'POST', headers, body }),
    async fetch(url, { method, headers, body, signal } = {}) {
      const href = String(url)
      if (body !== undefined && typeof body !== 'string') {
        throw new TypeError('files are not sent over this transport')
      }
      const request = {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: headers ?? {},
        body: body ?? null,
      } as const
      return responseOf(href, await ask(addressOf(href), request, signal))
    },
    destroy: () => agent.destroy(),
  }
}

/** What a WebSocket connects by. */
export interface SocketDialer {
  readonly dispatcher: Dispatcher
  /** Ends the connection that was made, whatever the other side does. */
  cut(): void
}

/** Dials for one WebSocket, and keeps its connection at hand: the WebSocket hides it, and leaves it open when Slack does. */
export function createSocketDialer(proxy: HttpsProxy | undefined): SocketDialer {
  let made: Socket | undefined
  const dispatcher = createAgent({
    proxy,
    connectMs: timeoutMs,
    answerMs: 0,
    around: (connect) => (options, callback) =>
      connect(options, (...result) => {
        made = result[1] ?? undefined
        callback(...result)
      }),
  })
  return {
    dispatcher,
    cut() {
      made?.destroy()
      void dispatcher.destroy()
    },
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

type Timed = (status: CallStatus, answer?: Answer) => void

/** Named by the method alone: where a response_url leads is a secret. */
function createTimed({ apiUrl, onCall }: Counting): (to: Address) => Timed {
  const api = addressOf(apiUrl)
  return ({ origin, path }) => {
    const from = performance.now()
    const isApi = origin === api.origin && path.startsWith(api.path)
    const method = isApi ? /^[a-zA-Z\d.]+/.exec(path.slice(api.path.length))?.[0] : undefined
    return (status, answer) => {
      const isRefused = status === 'refused' || status === 'other'
      const refusal = isRefused && answer !== undefined ? refusalIn(answer.text) : undefined
      onCall(method ?? 'response_url', status, performance.now() - from, refusal)
    }
  }
}

function statusOf({ status, text }: Answer): CallStatus {
  if (status === 200) return /^\s*\{\s*"ok"\s*:\s*false/.test(text) ? 'refused' : 'ok'
  if (status === 429) return '429'
  return status >= 500 ? '5xx' : 'other'
}

// How requests to Slack travel: a `fetch` for Slack's client on undici's connection pool,
// which costs less than half of what the global fetch does per call.
import type { FetchFunction } from '@slack/web-api'
import { Agent } from 'undici'

export interface Transport {
  readonly fetch: FetchFunction
  /** Ends every request, answered or not. */
  destroy(): Promise<void>
}

const timeoutMs = 10_000

/** Redirects are answered, not followed, so a token never travels on. Throws undici's own errors. */
export function createTransport(): Transport {
  const agent = new Agent({
    keepAliveTimeout: 30_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: timeoutMs,
  })
  return {
    async fetch(url, init = {}) {
      const { origin, pathname, search, href } = new URL(url)
      if (init.body !== undefined && typeof init.body !== 'string') {
        throw new TypeError('files are not sent over this transport')
      }
      const { statusCode, statusText, headers, body } = await agent.request({
        origin,
        path: pathname + search,
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: init.headers ?? {},
        body: init.body ?? null,
        signal: init.signal ?? null,
      })
      return {
        ok: statusCode >= 200 && statusCode < 300,
        status: statusCode,
        statusText,
        url: href,
        headers: {
          get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
          entries: () =>
            Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        },
        arrayBuffer: () => body.arrayBuffer(),
        json: () => body.json(),
        text: () => body.text(),
      }
    },
    destroy: () => agent.destroy(),
  }
}

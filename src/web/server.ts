// The one HTTP server: probes, figures, the page for tokens and, without Socket Mode, Slack’s requests.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { version } from '../config/version.ts'
import { ConfigError, errorCode } from '../errors.ts'
import { singleFlights } from '../work/under-way.ts'

// An import would make Node load its global fetch too: 30 ms and 14 MB for something nobody uses here.
const { createServer } = process.getBuiltinModule('node:http')

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * Maps method and path to a handler, as in `GET /healthz`, which answers HEAD as well. A path that ends with `/*` stands
 * for every last part without a handler of its own.
 */
export type Routes = ReadonlyMap<string, Handler>

/** A request has five seconds to arrive; whoever stops sending it is let go. */
const timeouts = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Longer than any load balancer keeps a connection, so that the bot never closes first.
  keepAliveTimeout: 75_000,
}

export function createWebServer(routes: Routes) {
  let isClosing = false

  const server = createServer(timeouts, (request, response) => {
    if (isClosing) return answer(response, 503, 'stopping')
    const handler = handlerOf(routes, request)
    if (handler === undefined) return answer(response, 404, 'not found')
    void handler(request, response)
  })

  /** Refuses, and ends the connection: nobody who has business with this server gets this answer. */
  function answer(response: ServerResponse, status: number, text: string) {
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
  }

  return {
    /** Resolves to the port. @throws ConfigError when the address cannot be listened on. */
    async listen(host: string, port: number): Promise<number> {
      server.listen(port, host)
      await once(server, 'listening').catch((error: unknown) => {
        throw new ConfigError([
          `PORT: Bellhop can’t listen on ${host}, port ${port} (${errorCode(error)}). Stop the program that uses it, or set another PORT (above 1023) or HOST (of this machine).`,
        ])
      })
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    /** Takes no more requests; resolves when those under way are answered and every connection has ended. */
    async close() {
      isClosing = true
      // `close` ends connections that are idle now; one that becomes idle later would stay for its whole 75 s.
      const timer = setInterval(() => server.closeIdleConnections(), 100)
      await new Promise<void>((resolve) => server.close(() => resolve()))
      clearInterval(timer)
    },
    cut: () => server.closeAllConnections(),
  }
}

function handlerOf(routes: Routes, { method, url = '/' }: IncomingMessage): Handler | undefined {
  const [path = ''] = url.split('?', 1)
  // Node leaves out the body of an answer to HEAD.
  const verb = method === 'HEAD' ? 'GET' : method
  return (
    routes.get(`${verb} ${path}`) ?? routes.get(`${verb} ${path.slice(0, path.lastIndexOf('/'))}/*`)
  )
}

export const alive: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`ok ${version}`)
}

/**
 * Answers in the text format of Prometheus. Requests at the same time share one text: making it takes time, and anybody
 * may ask.
 */
export function figures(metrics: {
  readonly contentType: string
  text(): Promise<string>
}): Handler {
  const underWay = singleFlights<string>()
  return async (_request, response) => {
    const text = await underWay('figures', metrics.text)
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  }
}

/** Says in a few words, without a host or a secret, why something isn't ready; undefined if it is. Never rejects. */
export type ReadyCheck = () => string | undefined | Promise<string | undefined>

/** Answers with each check and its reason, a line each, and status 503; `ok` when all is ready. */
export function readiness(checks: Readonly<Record<string, ReadyCheck>>): Handler {
  return async (_request, response) => {
    const ask = async ([name, check]: [string, ReadyCheck]) => ({ name, reason: await check() })
    const results = await Promise.all(Object.entries(checks).map(ask))
    const isReady = results.every(({ reason }) => reason === undefined)
    const lines = [
      'not ready',
      ...results.map(({ name, reason }) => `${name}: ${reason ?? 'ready'}`),
    ]
    response.writeHead(isReady ? 200 : 503, { 'content-type': 'text/plain' })
    response.end(isReady ? 'ok' : lines.join('\n'))
  }
}

/** Words of /readyz for why the bot isn’t ready. Operators match them, so no host and no file is in them. */
export const readyWords = {
  away: 'cannot be reached',
  locked: 'cannot be reached',
  moved: 'the database file was removed or replaced',
  full: 'the disk is full, or the system refuses to write',
  'read-only': 'it can only be read',
  silent: 'has not answered yet',
  noSocket: 'the socket is not connected',
} as const

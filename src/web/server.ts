// The one HTTP server: probes, and Slack's requests when they come over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConfigError } from '../errors.ts'
import { createConnections } from './connections.ts'

// An import would make Node load its global fetch too: 30 ms and 14 MB for something nobody uses here.
const { createServer } = process.getBuiltinModule('node:http')

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * Maps method and path to a handler, as in `GET /healthz`, which answers HEAD as well. A path that ends with `/*` stands
 * for every last part without a handler of its own.
 */
export type Routes = ReadonlyMap<string, Handler>

export interface WebServer {
  /** Resolves to the port. @throws ConfigError when the address cannot be listened on. */
  listen(host: string, port: number): Promise<number>
  /** Makes each answer end its connection, so that clients make a new one and may find another server. */
  wean(): void
  /**
   * Takes no more requests; resolves when those under way are answered and every connection has ended.
   * Gives up half-sent requests soon.
   */
  close(): Promise<void>
  /** Ends every connection, answered or not. */
  cut(): void
}

const timeouts = {
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  // Node looks for overdue requests this often, by default every 30 s.
  connectionsCheckingInterval: 2_000,
  // Longer than any load balancer keeps a connection, so that the bot never closes first.
  keepAliveTimeout: 75_000,
}

/** Slack and a proxy keep some dozens; each may send a body of a megabyte. */
const mostAtOnce = 1_000

/** When the server closes, the rest of a half-sent request has this long to arrive. */
const halfSentMs = 500

/** @param bounds - For tests: fewer connections. */
export function createWebServer(
  routes: Routes,
  bounds: { readonly mostConnections?: number | undefined } = {},
): WebServer {
  const connections = createConnections(bounds.mostConnections ?? mostAtOnce)
  let isWeaning = false
  let isClosing = false

  const server = createServer(timeouts, (request, response) => {
    if (isClosing) return answer(response, 503, 'stopping')
    if (isWeaning) response.setHeader('connection', 'close')
    connections.begin(response, () => {
      if (isClosing) request.socket.destroySoon()
    })
    const handler = handlerOf(routes, request)
    if (handler === undefined) return answer(response, 404, 'not found')
    void handler(request, response)
  })
  // Node's own limit would reset every new connection.
  server.on('connection', connections.add)

  /** Ends the connection: nobody with business here asks for this. */
  function answer(response: ServerResponse, status: number, text: string): void {
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text)
  }

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        const refuse = (error: NodeJS.ErrnoException) => reject(cannotListen(host, port, error))
        server.once('error', refuse)
        server.listen(port, host, () => {
          server.off('error', refuse)
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      }),
    wean() {
      isWeaning = true
    },
    async close() {
      isClosing = true
      for (const response of connections.responses()) {
        if (!response.headersSent) response.setHeader('connection', 'close')
      }
      const timer = setTimeout(connections.endHalfSent, halfSentMs)
      // Ends idle connections at once; calls back when the last one has ended.
      await new Promise<void>((resolve) => server.close(() => resolve()))
      clearTimeout(timer)
    },
    cut: () => server.closeAllConnections(),
  }
}

function handlerOf(routes: Routes, { method, url = '/' }: IncomingMessage): Handler | undefined {
  const [path = ''] = url.split('?', 1)
  // Node leaves out the body of an answer to HEAD.
  const verb = method === 'HEAD' ? 'GET' : method
  return routes.get(`${verb} ${path}`) ?? routes.get(`${verb} ${path.slice(0, path.lastIndexOf('/'))}/*`)
}

function cannotListen(host: string, port: number, { code }: NodeJS.ErrnoException): ConfigError {
  if (code === 'EADDRINUSE')
    return new ConfigError([`PORT: ${port} is in use. Stop the program that uses it, or set another port.`])
  if (code === 'EACCES')
    return new ConfigError([`PORT: this user isn’t allowed to use ${port}. Set a port above 1023.`])
  return new ConfigError([`HOST: Bellhop can’t listen on ${host} (${code}). Use an address of this machine.`])
}

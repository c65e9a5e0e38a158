// The one HTTP server, for Slack's requests when they come over HTTP, and its probes, which tell whether the bot is alive,
// and whether it is ready to work.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { version } from '../config/version.ts'
import { ConfigError } from '../errors.ts'
import { inTime } from '../work/under-way.ts'

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
  let isClosing = false

  const server = createServer(timeouts, (request, response) => {
    if (isClosing) return answer(response, 503, 'stopping')
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

/** At most so many, and which one ends when the server is full and another comes. */
interface Connections {
  /**
   * Takes in a new one. If that is one too many, it ends the one that has kept the bot waiting longest: for a request,
   * for the rest of one, or for an answer to be taken. If the bot is working for all of them, the new one ends.
   */
  add(socket: Socket): void
  /** Notes a request with complete headers. @param onEnd - Called when its answer is sent or the connection ends. */
  begin(response: ServerResponse, onEnd: () => void): void
  /** Answers under way. */
  responses(): readonly ServerResponse[]
  /** Ends all without a complete request that is still to be answered. */
  endHalfSent(): void
}

function createConnections(most: number): Connections {
  // With their answers under way, in the order of their last beginning or end. All that wait for the other side are in
  // one queue. If idle ones ended before half-sent requests, a stranger could hold all others with such requests: each
  // new connection, idle until its request comes, would be ended by the next.
  const connections = new Map<Socket, Set<ServerResponse>>()

  function putLast(socket: Socket, responses: Set<ServerResponse>): void {
    connections.delete(socket)
    connections.set(socket, responses)
  }

  function longestWaiting(): Socket | undefined {
    for (const [socket, responses] of connections) if (!isAtWork(responses)) return socket
    return undefined
  }

  function letGo(socket: Socket): void {
    connections.delete(socket)
    socket.destroy()
  }

  return {
    add(socket) {
      if (connections.size >= most) {
        const longest = longestWaiting()
        if (longest === undefined) return void socket.destroy()
        letGo(longest)
      }
      putLast(socket, new Set())
      socket.once('close', () => connections.delete(socket))
    },
    begin(response, onEnd) {
      const { socket } = response.req
      const responses = connections.get(socket)
      if (responses !== undefined) putLast(socket, responses.add(response))
      response.once('close', () => {
        if (responses?.delete(response) && connections.has(socket)) putLast(socket, responses)
        onEnd()
      })
    },
    responses: () => [...connections.values()].flatMap((responses) => [...responses]),
    endHalfSent() {
      for (const [socket, responses] of [...connections]) if (!isWhole(responses)) letGo(socket)
    },
  }
}

/** Whether a complete request waits for its answer. An answer that nobody takes doesn't count. */
function isAtWork(responses: Iterable<ServerResponse>): boolean {
  for (const { req, writableEnded } of responses) if (req.complete && !writableEnded) return true
  return false
}

/** Whether a complete request waits for its answer to be sent. */
function isWhole(responses: Iterable<ServerResponse>): boolean {
  for (const { req } of responses) if (req.complete) return true
  return false
}

/** `ok`, and which version answers. */
export const alive: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`ok ${version}`)
}

/** In the text format of Prometheus. */
export function figures(metrics: { readonly contentType: string; text(): Promise<string> }): Handler {
  return async (_request, response) => {
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  }
}

/** Says in a few words, without a host or a secret, why something isn't ready; undefined if it is. */
export type ReadyCheck = () => string | undefined | Promise<string | undefined>

/** Those who ask have little time, and ask again. */
const checkedWithinMs = 2_500

type Checks = Readonly<Record<string, ReadyCheck>>

/** Answers with what `readinessOf` says. */
export function readiness(checks: Checks): Handler {
  return async (_request, response) => {
    const { status, text } = await readinessOf(checks)
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
  }
}

/** Each check with its reason, a line each, and status 503; `ok` when all is ready. */
export async function readinessOf(
  checks: Checks,
): Promise<{ readonly status: 200 | 503; readonly text: string }> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, reason: await reasonOf(check) })),
  )
  if (results.every(({ reason }) => reason === undefined)) return { status: 200, text: 'ok' }
  const lines = results.map(({ name, reason }) => `${name}: ${reason ?? 'ready'}`)
  return { status: 503, text: ['not ready', ...lines].join('\n') }
}

async function reasonOf(check: ReadyCheck): Promise<string | undefined> {
  const ask = async () => ({ reason: await check() })
  try {
    const found = await inTime(ask(), checkedWithinMs)
    return found === undefined ? 'does not answer in time' : found.reason
  } catch {
    return 'could not be checked'
  }
}

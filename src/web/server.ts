// The one HTTP server: probes, and Slack's requests when they come over HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ConfigError } from '../errors.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Method and path to handler, as in `GET /healthz`. */
export type Routes = ReadonlyMap<string, Handler>

export interface WebServer {
  /** Resolves to the port. @throws ConfigError when the address cannot be listened on. */
  listen(host: string, port: number): Promise<number>
  /** Takes no further request; resolves when those under way are answered. */
  close(): Promise<void>
  cut(): void
}

export function createWebServer(routes: Routes): WebServer {
  const server: Server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/'
    const handler = routes.get(`${request.method} ${path}`)
    if (handler === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      return
    }
    void handler(request, response)
  })
  server.requestTimeout = 10_000
  server.headersTimeout = 10_000
  // Longer than any load balancer keeps a connection, so that it is never the bot that closes first.
  server.keepAliveTimeout = 75_000
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
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

function cannotListen(host: string, port: number, { code }: NodeJS.ErrnoException): ConfigError {
  if (code === 'EADDRINUSE')
    return new ConfigError([`PORT: ${port} is in use. Stop what uses it, or set another.`])
  if (code === 'EACCES')
    return new ConfigError([`PORT: ${port} is not allowed to this user. Set one above 1023.`])
  return new ConfigError([
    `HOST: it is not possible to listen on ${host} (${code}). Use an address of this machine.`,
  ])
}

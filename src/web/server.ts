// The one HTTP server: probes, and Slack's requests when they come over HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Method and path to handler, as in `GET /healthz`. */
export type Routes = ReadonlyMap<string, Handler>

export interface WebServer {
  /** Resolves to the port. Throws what `node:http` throws, such as EADDRINUSE. */
  listen(host: string, port: number): Promise<number>
  /** Takes no further request; resolves when those under way are answered. */
  close(): Promise<void>
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
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

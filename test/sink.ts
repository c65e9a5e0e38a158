// A server that takes whatever is sent there, and remembers what was asked.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** @returns Where it listens, and each request as `GET /path`. */
export async function openSink() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    request.resume()
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, heard, stop }
}

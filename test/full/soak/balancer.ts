// A load balancer in front of the bots, without any health check: each request goes to one of them at random, and to
// one that is dead it gets lost. It can also drop connections, once the bot has the whole request.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { Random } from './random.ts'

/** One life of a bot, as the balancer sees it. */
export interface Target {
  readonly url: string
  readonly isUp: boolean
}

export interface Balancer<Life extends Target> {
  readonly url: string
  /** Which bot got the request with this signature. */
  takerOf(signature: string): Life | undefined
  /** Drops the connection of the next request, after it was handed on. */
  dropNext(): void
  close(): void
}

/** @param targets - One for each bot; undefined while it is down. */
export async function startBalancer<Life extends Target>(
  targets: () => readonly (Life | undefined)[],
  random: Random,
): Promise<Balancer<Life>> {
  const takers = new Map<string, Life>()
  let drops = 0

  const server = createServer((request, response) => {
    const life = random.pick(targets())
    void bodyOf(request).then((body) => {
      if (life === undefined || !life.isUp) return response.writeHead(503).end()
      takers.set(String(request.headers['x-slack-signature']), life)
      const { host: _host, connection: _connection, ...headers } = request.headers
      const options = { method: 'POST', headers: { ...headers, 'content-length': body.length }, agent: false }
      const onward = send(`${life.url}${request.url}`, options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      onward.on('error', () => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end()
      })
      onward.end(body, () => {
        if (drops === 0) return
        drops -= 1
        request.socket.destroy()
      })
      return undefined
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}`,
    takerOf: (signature) => takers.get(signature),
    dropNext() {
      drops += 1
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

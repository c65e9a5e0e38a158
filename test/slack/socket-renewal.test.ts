// Connections that follow one another, against a server whose every word the test chooses.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createTransport } from '../../src/slack/client/transport.ts'
import { clientOptionsFor } from '../../src/slack/client/web-client.ts'
import { createPauses, createSocket } from '../../src/slack/inbound/socket.ts'
import { keepLog } from '../keep-log.ts'

/**
 * @param how.greet - What each connection hears first; the first is number 1. Default: hello.
 * @param how.answer - To each question for an address.
 */
async function open(how: {
  readonly greet?: (connection: WebSocket, number: number) => void
  readonly answer?: object
}) {
  const { greet = hello, answer } = how
  const server = createServer((_, response) => {
    asked += 1
    response.end(JSON.stringify(answer ?? { ok: true, url: `ws://127.0.0.1:${port}/link` }))
  })
  const sockets = new WebSocketServer({ noServer: true })
  const connections: WebSocket[] = []
  const heard: string[] = []
  let asked = 0
  server.on('upgrade', (request, stream, head) =>
    sockets.handleUpgrade(request, stream, head, (connection) => {
      connections.push(connection)
      connection.on('message', (data) => heard.push(String(data)))
      greet(connection, connections.length)
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { log } = keepLog()
  const transport = createTransport(undefined)
  const clientOptions = clientOptionsFor(`http://127.0.0.1:${port}/api/`, transport.fetch, log)
  const stay = Promise.withResolvers<void>()
  const refused: string[] = []
  const socket = createSocket({
    ...{ appToken: 'xapp-1', clientOptions, logger: clientOptions.logger, proxy: undefined, log },
    ...{ now: Date.now, wait: () => stay.promise, onRefused: ({ message }) => refused.push(message) },
    intake: {
      ...{ init: () => {}, note: () => {}, lastEventAt: () => undefined, heldBackAt: () => undefined },
      async take({ ack }) {
        await ack('taken')
        return 'handled'
      },
    },
  })
  onTestFinished(async () => {
    stay.resolve()
    await socket.close()
    for (const connection of connections) connection.terminate()
    server.close()
    server.closeAllConnections()
    await transport.destroy()
  })
  socket.open()
  return { socket, connections, heard, refused, stay, asked: () => asked }
}

function hello(connection: WebSocket): void {
  connection.send('{"type":"hello"}')
}

const leaves = '{"type":"disconnect","reason":"refresh_requested"}'

describe('a connection that is followed by another', () => {
  it('is listened to until Slack has had time to send no more on it', async () => {
    const { connections, heard, stay } = await open({})
    await expect.poll(() => connections.length).toBe(1)
    const [first] = connections
    first?.send(leaves)
    await expect.poll(() => connections.length, { timeout: 30_000 }).toBe(2)

    first?.send('{"type":"slash_commands","envelope_id":"late","payload":{"command":"/alert"}}')

    await expect.poll(() => heard).toEqual(['{"envelope_id":"late","payload":{"text":"taken"}}'])
    stay.resolve()
    await expect.poll(() => first?.readyState).toBe(first?.CLOSED)
  })

  it('may have been about to end as soon as it was open', async () => {
    const { connections, socket } = await open({
      greet(connection, number) {
        hello(connection)
        if (number === 1) connection.send(leaves)
      },
    })

    await expect.poll(() => connections.length, { timeout: 30_000 }).toBe(2)
    await expect.poll(() => socket.isConnected()).toBe(true)
  })
})

describe('the pause before another connection', () => {
  it('grows while connections do not last, and is short again after one that did', () => {
    const lived = [0, 0, 10_000, 60_000, 0, 0, 0, 0, 0, 0, 0, 0]
    const pauseAfter = createPauses()

    const doubled = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
    expect(lived.map(pauseAfter)).toEqual([250, 500, 1_000, 250, ...doubled])
  })
})

describe('an app-level token without the scope for sockets', () => {
  it('is refused for good, in words for the operator', async () => {
    const { refused, asked } = await open({ answer: { ok: false, error: 'missing_scope' } })

    await expect.poll(() => refused).toHaveLength(1)
    expect(refused[0]).toContain('Slack refuses it (missing_scope)')
    expect(asked()).toBe(1)
  })
})

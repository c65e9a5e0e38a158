// One connection by itself, against the stand-in and against a server that keeps silent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { startSlack } from '../../playground/slack/simulator.ts'
import { createTransport } from '../../src/slack/client/transport.ts'
import { clientOptionsFor } from '../../src/slack/client/web-client.ts'
import type { Incoming, Intake, IntakeResult } from '../../src/slack/inbound/intake.ts'
import { createSocketConnection } from '../../src/slack/inbound/socket.ts'
import { keepLog } from '../keep-log.ts'

function connectionTo(
  { apiUrl, appToken }: { readonly apiUrl: string; readonly appToken: string },
  take: (incoming: Incoming) => Promise<IntakeResult>,
  helloMs?: number,
) {
  const { log } = keepLog()
  const transport = createTransport(undefined)
  onTestFinished(() => transport.destroy())
  const clientOptions = clientOptionsFor(apiUrl, transport.fetch, log)
  const intake: Intake = {
    ...{ init: () => {}, note: () => {}, lastEventAt: () => undefined, heldBackAt: () => undefined },
    take,
  }
  return createSocketConnection({
    ...{ appToken, clientOptions, logger: clientOptions.logger, intake, proxy: undefined },
    ...{ onLeaving: () => {}, onLost: () => {}, helloMs },
  })
}

describe('a connection that ends', () => {
  it('acks first what came on it', async () => {
    const slack = await startSlack()
    onTestFinished(() => slack.stop())
    const came = Promise.withResolvers<void>()
    const mayAck = Promise.withResolvers<void>()
    const connection = connectionTo(slack, async ({ ack }) => {
      came.resolve()
      await mayAck.promise
      await ack({ response_action: 'clear' })
      return 'handled'
    })
    await connection.open()

    const answered = slack.socket.send('interactive', { type: 'view_submission' }, 2_000)
    await came.promise
    const ended = connection.end()
    mayAck.resolve()

    expect(await answered).toMatchObject({ outcome: 'acked', body: '{"response_action":"clear"}' })
    await ended
    await expect.poll(() => slack.socket.held).toBe(0)
  })
})

describe('a connection on which Slack never says hello', () => {
  it('is given up, and leaves nothing open', async () => {
    const silent = new WebSocketServer({ noServer: true })
    const server = createServer((_, response) => {
      const { port } = server.address() as AddressInfo
      response.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link` }))
    })
    server.on('upgrade', (request, stream, head) => silent.handleUpgrade(request, stream, head, () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const connection = connectionTo(
      { apiUrl: `http://127.0.0.1:${port}/api/`, appToken: 'xapp-1' },
      async () => 'handled',
      20,
    )

    await expect(connection.open()).rejects.toBeUndefined()

    await expect.poll(() => silent.clients.size).toBe(0)
  })
})

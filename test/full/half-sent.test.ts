import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createWebServer } from '../../src/web/server.ts'

it('a request whose header never ends is cut off after ten seconds, and soon after them', async () => {
  const server = createWebServer(new Map())
  const port = await server.listen('127.0.0.1', 0)
  onTestFinished(() => server.cut())
  const begun = performance.now()
  const socket = connect(port, '127.0.0.1').resume()
  socket.write('POST /slack/events HTTP/1.1\r\nhost:')

  await once(socket, 'close')

  expect(performance.now() - begun).toBeGreaterThan(9_000)
}, 40_000)

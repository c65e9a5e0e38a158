// Requests that never end: Node lets go of them by itself, after five seconds and one to notice.
import { expect, it, onTestFinished } from 'vitest'
import { createWebServer } from '../../src/web/server.ts'
import { openBareConnection } from '../bare-connection.ts'

it.each([
  ['header', 'POST /slack/events HTTP/1.1\r\nhost:'],
  ['body', 'POST /read HTTP/1.1\r\nhost: bellhop\r\ncontent-length: 8\r\n\r\nhalf'],
])(
  'a request whose %s never ends is cut off',
  async (_, half) => {
    const server = createWebServer(new Map([['POST /read', (request) => void request.resume()]]))
    const port = await server.listen('127.0.0.1', 0)
    onTestFinished(() => server.cut())
    const connection = openBareConnection(port)
    connection.write(half)

    expect(await connection.closed).toContain('HTTP/1.1 408')
  },
  300_000,
)

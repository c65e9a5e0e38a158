// A proxy that fails: nothing is asked over and over, no grant is in doubt, and no error holds the password.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HttpsProxy } from '../../src/http/http.ts'
import { createLog } from '../../src/log/log.ts'
import { createMonitor } from '../../src/monitor/client.ts'
import { connectToSlack, SlackClient } from '../../src/slack/client.ts'

const dave = {
  email: 'dave@example.com',
  authProvider: undefined,
  member: false,
  permissions: ['READ'],
}

/** @param answer - To each CONNECT. */
async function startFailing(answer: (socket: Socket) => void) {
  const asked: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    socket.once('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '')
      answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const proxy: HttpsProxy = { url: `http://bellhop:sesame@127.0.0.1:${port}`, except: '' }
  return { proxy, asked, open }
}

function monitorThrough(proxy: HttpsProxy) {
  const monitor = createMonitor({
    apiUrl: 'https://monitor.test',
    budgetMs: 500,
    retryDelayMs: 1,
    proxy,
  })
  onTestFinished(() => monitor.close())
  return monitor
}

const says = (head: string) => (socket: Socket) => void socket.write(`HTTP/1.1 ${head}\r\n\r\n`)
const answers: readonly (readonly [what: string, answer: (socket: Socket) => void])[] = [
  ['hangs up', (socket) => void socket.end()],
  ['breaks off', (socket) => void socket.destroy()],
  ['keeps silent', () => {}],
  ['is no proxy', (socket) => void socket.write('SSH-2.0-x\r\n\r\n')],
  ['asks for another password', says('407 Proxy Authentication Required')],
  ['sends elsewhere', says('302 Found\r\nlocation: http://127.0.0.1:1/')],
  ['agrees, and keeps silent', says('200 Connection Established')],
  ['agrees, and talks nonsense', says('200 Connection Established\r\n\r\nnonsense')],
]

describe('a proxy that', () => {
  it.each(answers)('%s lets no grant out, and keeps no connection', async (_what, answer) => {
    const { proxy, asked, open } = await startFailing(answer)

    const result = await monitorThrough(proxy).addUser('token', 12, dave)

    expect(result).toEqual({ kind: 'not-done', code: 'unreachable' })
    expect(asked).toEqual(['CONNECT monitor.test:443 HTTP/1.1'])
    await expect.poll(() => open.size, { timeout: 30_000 }).toBe(0)
  })

  it('hangs up is asked once by a request to Slack, which fails and does not name the password', async () => {
    const { proxy, asked } = await startFailing((socket) => void socket.end())
    const apiUrl = 'https://slack.test/api/'
    const connection = connectToSlack({ apiUrl, proxy, log: createLog({ level: 'silent' }) })
    onTestFinished(connection.destroy)

    const sent = await new SlackClient('xoxb-1', connection).auth
      .test()
      .catch((error: unknown) => error)

    expect(sent).toBeInstanceOf(Error)
    expect(asked).toHaveLength(1)
    const password = ['sesame', Buffer.from('bellhop:sesame').toString('base64')]
    expect(
      password.filter((one) => inspect(sent, { depth: 10, showHidden: true }).includes(one)),
    ).toEqual([])
  })
})

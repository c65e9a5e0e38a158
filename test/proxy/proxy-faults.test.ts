// A proxy that fails: nothing is asked over and over, no grant is in doubt, and no error holds the password.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createConnector, type HttpsProxy } from '../../src/http/proxy.ts'
import { createMonitor } from '../../src/monitor/client.ts'
import { createTransport } from '../../src/slack/client/transport.ts'

const dave = { email: 'dave@example.com', authProvider: undefined, member: false, permissions: ['READ'] }

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
  const proxy: HttpsProxy = { url: `http://bellhop:sesame@127.0.0.1:${port}`, except: [] }
  return { proxy, asked, open }
}

function monitorThrough(proxy: HttpsProxy, baseUrl = 'https://monitor.test') {
  const monitor = createMonitor({ baseUrl, budgetMs: 500, retryDelayMs: 1, proxy })
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
    const transport = createTransport(proxy)
    onTestFinished(() => transport.destroy())

    const sent = await transport
      .send({ origin: 'https://slack.test', path: '/api/auth.test' }, {}, '')
      .catch((error: unknown) => error)

    expect(sent).toMatchObject({ code: 'PROXY_CLOSED' })
    expect(asked).toHaveLength(1)
    const password = ['sesame', Buffer.from('bellhop:sesame').toString('base64')]
    expect(password.filter((one) => inspect(sent, { depth: 10, showHidden: true }).includes(one))).toEqual([])
  })

  it('hangs up is asked once for each try of a read', async () => {
    const { proxy, asked } = await startFailing((socket) => void socket.end())

    await expect(monitorThrough(proxy).readAlert('token', '5HkX', 2)).rejects.toMatchObject({
      code: 'unreachable',
    })

    expect(asked).toHaveLength(2)
  })

  it('is not there is told apart from a service that is not there', async () => {
    const connect = createConnector({ url: 'http://127.0.0.1:1', except: [] }, 500)
    const to = { hostname: 'monitor.test', host: 'monitor.test', protocol: 'https:', port: '' }

    const error = await new Promise((resolve) => connect(to, (...[failed]) => resolve(failed)))

    expect(error).toMatchObject({ code: 'PROXY_ECONNREFUSED' })
  })
})

describe('a service at an IPv6 address', () => {
  it('is asked for in brackets', async () => {
    const { proxy, asked } = await startFailing(says('502 Bad Gateway'))

    await monitorThrough(proxy, 'https://[2001:db8::1]').addUser('token', 12, dave)

    expect(asked).toEqual(['CONNECT [2001:db8::1]:443 HTTP/1.1'])
  })

  it.each([
    ['that NO_PROXY names', 'https://[2001:db8::1]', ['[2001:db8::1]']],
    ['of this machine', 'https://[::1]:1', []],
  ])('%s is reached without the proxy', async (_which, baseUrl, except) => {
    const { proxy, asked } = await startFailing(says('502 Bad Gateway'))

    await monitorThrough({ ...proxy, except }, baseUrl).addUser('token', 12, dave)

    expect(asked).toEqual([])
  })
})

// A firewall's proxy: tunnels by CONNECT to hosts of its own making, each of which speaks TLS for a server without.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'

/** Signs for `slack.test` and `monitor.test`; for NODE_EXTRA_CA_CERTS. Of no use anywhere else. */
export const certificatePath = fileURLToPath(new URL('./certificate.pem', import.meta.url))
const cert = readFileSync(certificatePath)
const key = readFileSync(new URL('./key.pem', import.meta.url))

export interface Proxy {
  /** With the user and the password that it asks for. */
  readonly url: string
  /** `host:port` of each tunnel that was asked for, in order. */
  readonly tunnels: readonly string[]
  stop(): Promise<void>
}

/** @param hosts - By name, where the server without TLS is: `http://127.0.0.1:40123`. */
export async function startProxy(hosts: Readonly<Record<string, string>>): Promise<Proxy> {
  const tunnels: string[] = []
  const open = new Set<{ destroy(): unknown }>()
  const allowed = `Basic ${Buffer.from('bellhop:open sesame').toString('base64')}`
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', ({ url = '', headers }, socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    if (headers['proxy-authorization'] !== allowed) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
      return
    }
    tunnels.push(url)
    const target = hosts[url.replace(/:443$/, '')]
    if (target === undefined) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
      return
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const secured = new TLSSocket(socket, { isServer: true, cert, key })
    const plain = connect(Number(new URL(target).port), '127.0.0.1')
    open.add(plain)
    for (const [one, other] of [
      [secured, plain],
      [plain, secured],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://bellhop:open%20sesame@127.0.0.1:${port}`,
    tunnels,
    stop() {
      for (const one of open) one.destroy()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

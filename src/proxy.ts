// How connections to the outside are made: directly, or through the operator's proxy.
import { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'

/** Makes one connection, TLS included. Its errors hold no address and no password of the proxy. */
export type Connector = buildConnector.connector

/** What HTTPS_PROXY and NO_PROXY say. */
export interface HttpsProxy {
  /** http or https; may hold a user and a password. A secret. */
  readonly url: string
  /** Hosts that are reached directly, as NO_PROXY names them: `host`, `host:port`, `.domain`, `*.domain`, `*`. */
  readonly except: readonly string[]
}

/** The proxy refuses a connection, or cannot make it. `code` is for logs: `PROXY_407`. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'
  readonly code: string

  constructor(status: number) {
    super(`the proxy of HTTPS_PROXY answered ${status}`)
    this.code = `PROXY_${status}`
  }
}

/**
 * Connections speak HTTP/1.1. What is not https goes directly: only this machine is reached so.
 *
 * undici's own agent for proxies does not say whether a connection was made, and of a grant that has to be known.
 *
 * @param timeoutMs - For all of it: to the proxy, through it, and TLS each.
 */
export function createConnector(proxy: HttpsProxy | undefined, timeoutMs: number): Connector {
  const connect = buildConnector({ allowH2: false, timeout: timeoutMs })
  if (proxy === undefined) return connect
  return (options, callback) => {
    const { hostname, protocol, port } = options
    if (protocol !== 'https:' || isDirect(proxy.except, hostname, Number(port || 443))) {
      connect(options, callback)
      return
    }
    openTunnel(new URL(proxy.url), `${hostname}:${port || 443}`, timeoutMs).then(
      (httpSocket) => connect({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    )
  }
}

/** Source: RFC 9110, 9.3.6. */
async function openTunnel(proxy: URL, authority: string, timeoutMs: number): Promise<Socket> {
  const client = new Client(proxy.origin, { allowH2: false, connectTimeout: timeoutMs })
  try {
    const { statusCode, socket } = await client.connect({
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (statusCode === 200 && socket instanceof Socket) return socket
    socket.on('error', () => {}).destroy()
    throw new ProxyRefused(statusCode)
  } finally {
    void client.close().catch(() => {})
  }
}

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Whether NO_PROXY names a host; this machine is never reached through a proxy.
 * A name stands for its subdomains as well; with a star or a dot before it, for those alone.
 *
 * @param hostname - As in a URL: in lower case, IPv6 in brackets.
 */
export function isDirect(except: readonly string[], hostname: string, port: number): boolean {
  if (loopback.test(hostname)) return true
  return except.some((entry) => {
    const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (only !== undefined && Number(only) !== port) return false
    const domain = name.replace(/^\*?\./, '')
    const isExact = domain === name && hostname === name
    return name === '*' || isExact || hostname.endsWith(`.${domain}`)
  })
}

// Connections to the outside: made directly, or through the operator's proxy.
import { isIPv6, Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { buildConnector, Client, errors } from 'undici'

/** Makes one connection, TLS included. Its errors hold no address and no password of the proxy. */
type Connector = buildConnector.connector

/** What HTTPS_PROXY and NO_PROXY say. */
export interface HttpsProxy {
  /** http or https; may hold a user and a password. A secret. */
  readonly url: string
  /** Hosts that are reached directly, as NO_PROXY names them: `host`, `host:port`, `.domain`, `*.domain`, `*`. */
  readonly except: readonly string[]
}

/**
 * The proxy makes no connection. `code` is for logs and doctor: `PROXY_407` and the like when it says so, `PROXY_CLOSED`
 * when it hangs up, `PROXY_TIMEOUT`, and `PROXY_ECONNREFUSED` and the like when it cannot be reached itself.
 */
class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: string

  constructor(why: string) {
    super(`the proxy of HTTPS_PROXY makes no connection (${why})`)
    this.code = `PROXY_${why}`
  }
}

/** The code of what the proxy did, where that is why something failed. */
export function proxyCodeOf(error: unknown): string | undefined {
  if (error instanceof ProxyError) return error.code
  return error instanceof Error ? proxyCodeOf(error.cause) : undefined
}

/**
 * Trust in some authorities beside all that Node trusts by itself, NODE_EXTRA_CA_CERTS included. It takes milliseconds
 * to make and may serve any number of connections.
 * @param authorities - Certificates as PEM.
 */
export function trustIn(authorities: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ...authorities] })
}

/**
 * Connections speak HTTP/1.1. What is not https goes directly: only this machine is reached so.
 *
 * undici's own agent for proxies does not say whether a connection was made, and of a grant that has to be known.
 *
 * @param timeoutMs - For all of it: to the proxy, through it, and TLS each.
 * @param trust - What hosts are trusted by, and not the proxy; default: what Node trusts.
 */
export function createConnector(
  proxy: HttpsProxy | undefined,
  timeoutMs: number,
  trust?: SecureContext,
): Connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    ...(trust === undefined ? {} : { secureContext: trust }),
  })
  if (proxy === undefined) return connect
  return (options, callback) => {
    const { protocol, port } = options
    // undici takes the brackets off.
    const hostname = options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname
    if (protocol !== 'https:' || goesDirectly(proxy.except, hostname, Number(port || 443))) {
      connect(options, callback)
      return
    }
    openTunnel(new URL(proxy.url), `${hostname}:${port || 443}`, timeoutMs).then(
      (httpSocket) => connect({ ...options, httpSocket }, callback),
      (error: unknown) => callback(proxyErrorOf(error), null),
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
    if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket
    socket.on('error', () => {}).destroy()
    throw new ProxyError(String(statusCode))
  } finally {
    void client.close().catch(() => {})
  }
}

/** No error of undici's own comes out of here: it would take some for a reason to connect again at once, for ever. */
function proxyErrorOf(error: unknown): ProxyError {
  if (error instanceof ProxyError) return error
  if (error instanceof errors.ConnectTimeoutError || isTimeout(error)) return new ProxyError('TIMEOUT')
  if (error instanceof errors.HTTPParserError) return new ProxyError('NOT_HTTP')
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isSystems = typeof code === 'string' && /^(?!UND_)[A-Z][A-Z_]{2,40}$/.test(code)
  return new ProxyError(isSystems ? code : 'CLOSED')
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
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
export function goesDirectly(except: readonly string[], hostname: string, port: number): boolean {
  if (loopback.test(hostname)) return true
  return except.some((entry) => {
    const { name, only } = readEntry(entry.toLowerCase())
    if (only !== undefined && only !== port) return false
    const domain = name.replace(/^\*?\./, '')
    const isExact = domain === name && hostname === name
    return name === '*' || isExact || hostname.endsWith(`.${domain}`)
  })
}

/** An IPv6 address may stand without its brackets where it has no port. */
function readEntry(entry: string): { readonly name: string; readonly only?: number } {
  if (isIPv6(entry)) return { name: `[${entry}]` }
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return port === undefined ? { name } : { name, only: Number(port) }
}

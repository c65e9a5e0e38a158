// Connections to the outside: made directly, or through the operator's proxy.
import { createSecureContext, getCACertificates } from 'node:tls'
import { buildConnector, EnvHttpProxyAgent, Pool } from 'undici'

export type Connector = buildConnector.connector

/** What HTTPS_PROXY and NO_PROXY say. What is not https goes directly: only this machine is reached so. */
export interface HttpsProxy {
  /** http or https; may hold a user and a password. A secret. */
  readonly url: string
  /** Hosts that are reached directly, separated by commas. */
  readonly except: string
}

const thisMachine = 'localhost,127.0.0.1,::1'

/**
 * Keeps connections, and speaks HTTP/1.1 on them.
 * @param how.connectMs - For each step of a connection: to the proxy, through it, and TLS.
 * @param how.authorities - Certificates as PEM, trusted beside all that Node trusts by itself.
 * @param how.around - Gets the way to connect, and may stand around it.
 */
export function createAgent(how: {
  readonly proxy?: HttpsProxy | undefined
  readonly connectMs: number
  /** From when it is asked until an answer begins, and between its parts; 0: as long as it takes. */
  readonly answerMs: number
  /** Of an answer; a larger one fails. Default: any. */
  readonly mostBytes?: number
  readonly authorities?: readonly string[] | undefined
  readonly around?: (connect: Connector) => Connector
}): EnvHttpProxyAgent {
  const { proxy, connectMs, answerMs, mostBytes = -1, authorities, around = (connect) => connect } = how
  const trust = authorities && {
    secureContext: createSecureContext({ ca: [...getCACertificates('default'), ...authorities] }),
  }
  const tls = { allowH2: false, timeout: connectMs, ...trust }
  const connectDirectly = buildConnector(tls)
  return new EnvHttpProxyAgent({
    // Not by the environment: that was read, and its mistakes told.
    httpProxy: '',
    httpsProxy: proxy?.url ?? '',
    noProxy: `${thisMachine},${proxy?.except ?? ''}`,
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: mostBytes,
    keepAliveTimeout: 30_000,
    connectTimeout: connectMs,
    requestTls: tls,
    // To the proxy itself.
    clientFactory: (origin, options: Pool.Options) =>
      new Pool(origin, { ...options, headersTimeout: connectMs }),
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, {
        ...options,
        connect: around(typeof options.connect === 'function' ? options.connect : connectDirectly),
      }),
  })
}

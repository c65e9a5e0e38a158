// Requests over HTTP: the connections they go out on, and one request with its answer.
import type { IncomingMessage } from 'node:http'
import { createSecureContext, getCACertificates } from 'node:tls'
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, errors, Pool } from 'undici'

export type Connector = buildConnector.connector

/** The settings HTTPS_PROXY and NO_PROXY. Requests over plain http skip the proxy: they only go to this machine. */
export interface HttpsProxy {
  /** Address of the proxy, http or https. A secret, as it may hold a user and a password. */
  readonly url: string
  /** Hosts that are reached without the proxy, separated by commas or spaces; `.example.com` is every host under it. */
  readonly except: string
}

const thisMachine = 'localhost,127.0.0.1,::1'

/**
 * Keeps connections, and speaks HTTP/1.1 on them.
 * @param how.connectMs - Milliseconds for each step of a connection: to the proxy, through it, and TLS.
 * @param how.authorities - Certificates as PEM, trusted beside all that Node trusts by itself.
 * @param how.around - Gets the function that connects, and returns one to use in its place.
 */
export function createAgent({
  proxy,
  connectMs,
  answerMs,
  mostBytes = -1,
  authorities,
  around = (connect) => connect,
}: {
  readonly proxy?: HttpsProxy | undefined
  readonly connectMs: number
  /** Most milliseconds until an answer begins, and between two of its parts; 0: no limit. */
  readonly answerMs: number
  /** The most bytes of an answer; a larger one fails. Default: any number. */
  readonly mostBytes?: number
  readonly authorities?: readonly string[] | undefined
  readonly around?: (connect: Connector) => Connector
}): Dispatcher {
  const trust = authorities && {
    secureContext: createSecureContext({ ca: [...getCACertificates('default'), ...authorities] }),
  }
  const tls = { allowH2: false, timeout: connectMs, ...trust }
  const connectDirectly = buildConnector(tls)
  return new EnvHttpProxyAgent({
    // Set even if empty: without these, undici would read the environment by itself.
    httpProxy: '',
    httpsProxy: proxy?.url ?? '',
    noProxy: `${thisMachine},${proxy?.except ?? ''}`,
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: mostBytes,
    keepAliveTimeout: 30_000,
    connectTimeout: connectMs,
    requestTls: tls,
    // Connections to the proxy itself.
    clientFactory: (origin, options: Pool.Options) =>
      new Pool(origin, { ...options, headersTimeout: connectMs }),
    factory: (origin, options: Pool.Options) =>
      new Pool(origin, {
        ...options,
        connect: around(typeof options.connect === 'function' ? options.connect : connectDirectly),
      }),
  })
}

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body; empty if it was not wanted. */
  readonly text: string
}

interface Limits {
  /** Milliseconds from now until the whole answer is there; connecting counts. */
  readonly totalMs: number
  /** True for statuses whose body is read; an answer with any other status is complete with its head. Default: all. */
  readonly wantsBody?: (status: number) => boolean
  /** Milliseconds for a body that is wanted, once the head is there. Default: what is left of `totalMs`. */
  readonly bodyMs?: number
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof errors.ResponseExceededMaxSizeError
}

/** Limits for a body that isn’t wanted: up to these, it is read, so that the connection stays; beyond, it is cut off. */
const unwantedMs = 1_000
const unwantedBytes = 16_384

/** Leaves out the byte order mark, which some servers put first. */
const utf8 = new TextDecoder()

/**
 * Sends a request once, and resolves to its answer. Redirects are answers.
 * @throws TimeoutError; undici's own errors, which may hold addresses and raw answers.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { totalMs, wantsBody = () => true, bodyMs }: Limits,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let answer: Answer = { status: 0, headers: {}, text: '' }
  let isWanted = true
  let bytes = 0
  const pieces: Buffer[] = []
  let sending: Dispatcher.DispatchController | undefined
  let late: DOMException | undefined
  function end() {
    late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    // Rejects at once: while undici connects, the request can't be aborted.
    reject(late)
    sending?.abort(late)
  }
  let timer = setTimeout(end, totalMs)

  // A handler in place of undici’s `request`, whose streams and signals would take a tenth of a command’s time.
  dispatcher.dispatch(request, {
    onRequestStart(controller) {
      sending = controller
      // The request was given up while it waited for a connection, so it must not be sent any more.
      if (late !== undefined) controller.abort(late)
    },
    onResponseStart(_, status, headers) {
      // Statuses such as 103 only announce the answer.
      if (status < 200) return
      answer = { status, headers, text: '' }
      isWanted = wantsBody(status)
      if (!isWanted) resolve(answer)
      const restMs = isWanted ? bodyMs : unwantedMs
      if (restMs === undefined) return
      clearTimeout(timer)
      timer = setTimeout(end, restMs)
    },
    onResponseData(_, piece) {
      bytes += piece.length
      if (isWanted) pieces.push(piece)
      else if (bytes > unwantedBytes) end()
    },
    onResponseEnd() {
      clearTimeout(timer)
      resolve({ ...answer, text: utf8.decode(Buffer.concat(pieces)) })
    },
    onResponseError(_, error) {
      clearTimeout(timer)
      reject(error)
    },
  })
  return promise
}

/** The most pieces of a body. Each piece takes 670 bytes besides its content: a body sent byte by byte would fill memory. */
const mostPieces = 1_000

/**
 * Reads a request’s body; undefined once it has more than `mostBytes`, or too many pieces. The answer must then end the
 * connection, as a part of the body is unread. Rejects when the connection breaks.
 */
export async function readBody(
  request: IncomingMessage,
  mostBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > mostBytes) return undefined
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    request.on('data', function take(piece: Buffer) {
      bytes += piece.length
      pieces.push(piece)
      if (bytes <= mostBytes && pieces.length <= mostPieces) return
      request.off('data', take).pause()
      resolve(undefined)
    })
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was cut off'))
    })
  })
}

/** The value; undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

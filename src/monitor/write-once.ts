// One write that is sent at most once, on a connection of its own, and what certainly became of it.
// Asking again is never decided here.
import { type buildConnector, Client } from 'undici'
import { startDeadline, TimeUp } from './call.ts'
import { type Calls, isNotHttp, reasonOf, silence } from './failures.ts'
import { type MonitorObserver, timed, type WriteOperation } from './operations.ts'
import { longestBody, reasonIn } from './reason.ts'

/**
 * `done`: 204. `not-done`: the service said so, or nothing was sent. `uncertain`: it was sent, or part of it,
 * and the answer does not tell.
 */
export type WriteResult =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'not-done'
      /** `no-operation`: the service does not have it. */
      readonly code:
        | 'bad-request'
        | 'refused'
        | 'forbidden'
        | 'not-found'
        | 'busy'
        | 'unreachable'
        | 'no-operation'
      /** Why, in the service's own words: one line, raw, for the owner of the token alone. Never stored or logged. */
      readonly reason?: string
    }
  | {
      readonly kind: 'uncertain'
      readonly doubt: 'server-error' | 'odd-answer' | 'connection-lost' | 'timed-out'
    }

export interface OneWrite {
  readonly operation: WriteOperation
  readonly method: 'POST' | 'PUT'
  readonly token: string
  readonly origin: string
  readonly connect: buildConnector.connector
  readonly budgetMs: number
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly observer: MonitorObserver
  readonly outage: Calls
}

/** Never throws for anything that the network or the service does. */
export async function writeOnce(write: OneWrite): Promise<WriteResult> {
  const line = singleUse(write.connect)
  // A client of its own: a kept connection may have gone stale, which would make the outcome uncertain.
  // HTTP/1.1 only, as HTTP/2 sends again by itself what a GOAWAY left out.
  const client = new Client(write.origin, {
    connect: line.connect,
    allowH2: false,
    headersTimeout: 0, // the deadline ends it
    bodyTimeout: 0,
  })
  const deadline = startDeadline(write.budgetMs)
  const done = timed(write.observer, write.operation)
  try {
    const { statusCode, body } = await deadline.race(
      client.request({
        method: write.method,
        path: write.path,
        headers: { ...write.headers, 'content-type': 'application/json' },
        body: write.body,
        reset: true,
      }),
    )
    done(statusCode)
    if (statusCode < 500) write.outage.answered()
    else write.outage.failed({ cause: 'fault', code: String(statusCode) })
    const result = judge(statusCode, write.operation)
    const isExplained = statusCode === 400 || statusCode === 403
    if (!isExplained || result.kind !== 'not-done') return result
    const reason = await reasonOfBody(body, Math.min(deadline.leftMs(), longestReadMs), write.token)
    return reason === undefined ? result : { ...result, reason }
  } catch (error) {
    done()
    write.outage.failed(silence(reasonOf(error)))
    if (!line.close().wasMade) return { kind: 'not-done', code: 'unreachable' }
    if (error instanceof TimeUp) return { kind: 'uncertain', doubt: 'timed-out' }
    return { kind: 'uncertain', doubt: isNotHttp(error) ? 'odd-answer' : 'connection-lost' }
  } finally {
    deadline.clear()
    // The status decides: what is left of the body is dropped unread.
    client.destroy().catch(() => {})
  }
}

/** A reason is worth no longer wait: the outcome is certain without it. */
const longestReadMs = 1_000

/** Never throws, and changes nothing of what is certain: a body that is late, long or broken gives no reason. */
async function reasonOfBody(
  body: AsyncIterable<unknown>,
  budgetMs: number,
  token: string,
): Promise<string | undefined> {
  const deadline = startDeadline(budgetMs)
  try {
    const text = await deadline.race(readShort(body))
    return text === undefined ? undefined : reasonIn(text, token)
  } catch {
    return undefined
  } finally {
    deadline.clear()
  }
}

/** Undefined for what is too long. */
async function readShort(body: AsyncIterable<unknown>): Promise<string | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) return undefined
    bytes += part.length
    if (bytes > longestBody) return undefined
    parts.push(Buffer.from(part))
  }
  // What is no text, as what is compressed, gives no reason.
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
}

/**
 * A connector that connects once and knows whether it did. Error codes cannot tell: a reset during
 * the TLS handshake (nothing sent) and one after the request are both ECONNRESET.
 */
function singleUse(connect: buildConnector.connector) {
  let isUsed = false
  let isClosed = false
  let wasMade = false
  const once: buildConnector.connector = (options, callback) => {
    if (isUsed) return callback(new Error('A write is sent on one connection only.'), null)
    isUsed = true
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      if (isClosed) {
        // Judged as not sent already, so it must not be sent any more.
        socket.on('error', () => {}).destroy()
        return callback(new Error('Connected too late.'), null)
      }
      wasMade = true
      callback(null, socket)
    })
  }
  return {
    connect: once,
    /** From here on no connection will be made. */
    close() {
      isClosed = true
      return { wasMade }
    },
  }
}

/** Source: the API document of the service, “Errors”; 405 and 429 are not in it and say that nothing was done. */
function judge(status: number, operation: WriteOperation): WriteResult {
  switch (status) {
    case 204:
      return { kind: 'done' }
    case 400:
      return { kind: 'not-done', code: 'bad-request' }
    case 401:
      return { kind: 'not-done', code: 'refused' }
    case 403:
      return { kind: 'not-done', code: 'forbidden' }
    case 404:
      return { kind: 'not-done', code: 'not-found' }
    case 405:
      // Every service’s contract has adding somebody: a 405 there is outside it, and proves nothing.
      return operation === 'add_user'
        ? { kind: 'uncertain', doubt: 'odd-answer' }
        : { kind: 'not-done', code: 'no-operation' }
    case 429:
      return { kind: 'not-done', code: 'busy' }
    default:
      return { kind: 'uncertain', doubt: status >= 500 ? 'server-error' : 'odd-answer' }
  }
}

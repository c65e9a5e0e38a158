// Writes to the service: adds somebody to a container, assigns an alert, comments on it, closes it. Each is one request,
// sent at most once, on a connection of its own, so that what certainly became of it is known.
// Source: the API document of the service, “Add user to container”; of alerts, its documentation.
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import type { Connector } from '../http/agent.ts'
import { redact } from '../log/line.ts'
import {
  alertPath,
  type BaseAddress,
  containerUserPath,
  headersFor,
  type MonitorRoom,
  startDeadline,
} from './call.ts'
import { isNotHttp, reasonOf, silence, TimeUp } from './failures.ts'
import { timed, type WriteOperation } from './operations.ts'

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

/** The contract's container user. */
export interface ContainerUser {
  readonly email: string
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** Flag names of the contract; may be empty. */
  readonly permissions: readonly string[]
}

/**
 * None is ever repeated, and none throws for anything that the network or the service does. A 204 of those about an
 * alert says nothing: the service gives it for alerts that are closed, or that there are none of, as well. Of these,
 * `no-operation` also says that they are not asked for.
 */
export interface ServiceWrites {
  /** Adds an existing user to a container. */
  addUser(token: string, containerId: number, user: ContainerUser): Promise<WriteResult>
  /**
   * Gives an alert to a member of its container; `not-found`: they are none.
   * @param how.message - At most 240 characters; may be empty.
   */
  assignAlert(
    token: string,
    ks: string,
    how: { readonly userId: number; readonly message: string },
  ): Promise<WriteResult>
  /** Adds a comment; twice adds two. @param message - At most 240 characters. */
  commentOnAlert(token: string, ks: string, message: string): Promise<WriteResult>
  /** @param how.message - At most 2,000 characters; may be empty, unless it is the solution. */
  closeAlert(
    token: string,
    ks: string,
    how: { readonly message: string; readonly isSolution: boolean },
  ): Promise<WriteResult>
}

export async function addUser(
  room: MonitorRoom,
  token: string,
  containerId: number,
  user: ContainerUser,
): Promise<WriteResult> {
  if (!Number.isSafeInteger(containerId)) return { kind: 'not-done', code: 'bad-request' }
  const path = containerUserPath(room.address, containerId)
  return writeOnce(room, token, { operation: 'add_user', method: 'POST', path }, bodyOf(user))
}

export function assignAlert(
  room: MonitorRoom,
  token: string,
  ks: string,
  { userId, message }: Parameters<ServiceWrites['assignAlert']>[2],
): Promise<WriteResult> {
  const body = { userId, ...(message && { message }) }
  return writeToAlert(room, token, 'assign_alert', { ks, last: 'assign' }, body)
}

export function commentOnAlert(
  room: MonitorRoom,
  token: string,
  ks: string,
  message: string,
): Promise<WriteResult> {
  return writeToAlert(room, token, 'comment_alert', { ks, last: 'message' }, { message })
}

export function closeAlert(
  room: MonitorRoom,
  token: string,
  ks: string,
  { message, isSolution }: Parameters<ServiceWrites['closeAlert']>[2],
): Promise<WriteResult> {
  const body = { ...(message && { message }), ...(isSolution && { isSolution }) }
  return writeToAlert(room, token, 'close_alert', { ks, last: 'close' }, body)
}

async function writeToAlert(
  room: MonitorRoom,
  token: string,
  operation: 'assign_alert' | 'comment_alert' | 'close_alert',
  { ks, last }: { readonly ks: string; readonly last: string },
  body: object,
): Promise<WriteResult> {
  if (room.basic) return { kind: 'not-done', code: 'no-operation' }
  const path = pathTo(room.address, ks, last)
  if (path === undefined) return { kind: 'not-done', code: 'bad-request' }
  return writeOnce(room, token, { operation, method: 'PUT', path }, body)
}

/** Undefined for a key that cannot be sent. */
function pathTo(address: BaseAddress, ks: string, last: string): string | undefined {
  try {
    return alertPath(address, ks, `/${last}`)
  } catch (error) {
    if (error instanceof MonitorError) return undefined
    throw error
  }
}

/** Exactly the fields that the contract names; `member` is false unless sent. */
function bodyOf({ email, authProvider, member, permissions }: ContainerUser): object {
  return {
    email,
    ...(authProvider === undefined ? {} : { authProvider }),
    ...(member ? { member: true } : {}),
    permissions,
  }
}

/** One request. Never throws for anything that the network or the service does; asking again is never decided here. */
async function writeOnce(
  { address, agentOfOne, budgetMs, log, outage }: MonitorRoom,
  token: string,
  to: { readonly operation: WriteOperation; readonly method: 'POST' | 'PUT'; readonly path: string },
  what: object,
): Promise<WriteResult> {
  const { operation, method, path } = to
  const headers = headersFor(token)
  if (headers === undefined) return { kind: 'not-done', code: 'refused' }
  // A connection of its own: a kept one may have gone stale, which would make the outcome uncertain.
  const line = singleUse()
  const agent = agentOfOne(line.around)
  const deadline = startDeadline(budgetMs)
  const done = timed(operation, log)
  try {
    const { statusCode, body } = await deadline.race(
      agent.request({
        origin: address.origin,
        method,
        path,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(what),
        reset: true,
      }),
    )
    done(statusCode)
    if (statusCode < 500) outage.answered()
    else outage.failed({ cause: 'fault', code: String(statusCode) })
    const result = judge(statusCode, operation)
    const isExplained = statusCode === 400 || statusCode === 403
    if (!isExplained || result.kind !== 'not-done') return result
    const reason = await reasonOfBody(body, Math.min(deadline.leftMs(), longestReadMs), token)
    return reason === undefined ? result : { ...result, reason }
  } catch (error) {
    done()
    outage.failed(silence(reasonOf(error)))
    if (!line.close().wasMade) return { kind: 'not-done', code: 'unreachable' }
    if (error instanceof TimeUp) return { kind: 'uncertain', doubt: 'timed-out' }
    return { kind: 'uncertain', doubt: isNotHttp(error) ? 'odd-answer' : 'connection-lost' }
  } finally {
    deadline.clear()
    // The status decides: what is left of the body is dropped unread.
    agent.destroy().catch(() => {})
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
function singleUse() {
  let isUsed = false
  let isClosed = false
  let wasMade = false
  const around =
    (connect: Connector): Connector =>
    (options, callback) => {
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
    around,
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

/** Longer bodies explain nothing to a person. */
const longestBody = 4096

/** Where services are used to say why, in this order. */
const reasonNames = ['reason', 'error_msg', 'error', 'message', 'detail'] as const
const said = z.string().optional().catch(undefined)
const refusalSchema = z.object({ reason: said, error_msg: said, error: said, message: said, detail: said })

const hidden = '[redacted]'
/** Tokens as the service makes them, wherever in a text. */
const anyToken = /[0-9a-f]{32,}/gi

/** Says no more than the status does. */
const saysNothing =
  /^(?:(?:http|error|status|code|[45]\d\d|bad|invalid|request|forbidden|insufficient|permissions?|denied|access|unauthori[sz]ed|null|failed)(?:\W+|$))*$/i

/**
 * Reads why the service refused something: one line of raw text, for the owner of the token alone.
 * @param token - That the request carried. A service may repeat it.
 * @returns Undefined where the body says nothing that a person could use.
 */
export function reasonIn(body: string, token: string): string | undefined {
  const line = reasonsIn(body)
    .map((text) => text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim())
    .find((text) => !saysNothing.test(text))
  if (line === undefined) return undefined
  const withoutOwn = token === '' ? line : line.replaceAll(token, hidden)
  return redact(withoutOwn.replaceAll(anyToken, hidden))
}

/** Of text, the text; what begins like a page or JSON, and is none, says nothing. */
function reasonsIn(body: string): readonly string[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return /^\s*[[{<]/.test(body) ? [] : [body]
  }
  if (typeof parsed === 'string') return [parsed]
  const { data = {} } = refusalSchema.safeParse(parsed)
  return reasonNames.flatMap((name) => data[name] ?? [])
}

// Writes to the service: adds somebody to a container or changes them there, assigns an alert, comments on it, closes it. Each is one request,
// sent at most once, on a connection of its own, so that what certainly became of it is known.
// Source: the API document of the service, “Add user to container”; of all else, its documentation.
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import type { Connector } from '../http/agent.ts'
import { exchange } from '../http/exchange.ts'
import { redact } from '../log/line.ts'
import { alertPath, containerPath, headersFor, type Service, startDeadline } from './call.ts'
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
      readonly cause: 'server-error' | 'odd-answer' | 'connection-lost' | 'timed-out'
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
   * Changes somebody who is on a container; `not-found`: they aren't.
   * @param how.permissions - All that they are to have: what is left out is taken away.
   * @param how.member - Stays as it is unless given.
   */
  changeUser(
    token: string,
    containerId: number,
    userId: number,
    how: { readonly permissions: readonly string[]; readonly member?: boolean | undefined },
  ): Promise<WriteResult>
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
  service: Service,
  token: string,
  containerId: number,
  { email, authProvider, member, permissions }: ContainerUser,
): Promise<WriteResult> {
  if (!Number.isSafeInteger(containerId)) return { kind: 'not-done', code: 'bad-request' }
  const path = containerPath(service.address, containerId, '/user')
  // Exactly the fields that the contract names; `member` is false unless sent.
  const body = { email, ...(authProvider && { authProvider }), ...(member && { member }), permissions }
  return writeOnce(service, token, { operation: 'add_user', method: 'POST', path }, body)
}

export async function changeUser(
  service: Service,
  token: string,
  containerId: number,
  userId: number,
  { permissions, member }: { readonly permissions: readonly string[]; readonly member?: boolean | undefined },
): Promise<WriteResult> {
  if (service.basic) return { kind: 'not-done', code: 'no-operation' }
  const path = containerPath(service.address, containerId, `/user/${userId}`)
  return writeOnce(service, token, { operation: 'change_user', method: 'PUT', path }, { permissions, member })
}

const alertOperations = {
  assign: 'assign_alert',
  message: 'comment_alert',
  close: 'close_alert',
} as const satisfies Record<string, WriteOperation>

/** @param what - What is done to the alert, as the path names it. */
export async function writeToAlert(
  service: Service,
  token: string,
  ks: string,
  what: keyof typeof alertOperations,
  body: object,
): Promise<WriteResult> {
  if (service.basic) return { kind: 'not-done', code: 'no-operation' }
  let path: string
  try {
    path = alertPath(service.address, ks, `/${what}`)
  } catch (error) {
    if (error instanceof MonitorError) return { kind: 'not-done', code: 'bad-request' }
    throw error
  }
  return writeOnce(service, token, { operation: alertOperations[what], method: 'PUT', path }, body)
}

/** A reason is worth no longer wait: the outcome is certain without it. */
const longestReadMs = 1_000
/** Bytes of a body that says why; longer ones explain nothing to a person. */
export const longestReason = 4096

/** One request. Never throws for anything that the network or the service does; asking again is never decided here. */
async function writeOnce(
  { address, agentOfOne, budgetMs, log, outage }: Service,
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
  const reading = new AbortController()
  const done = timed(operation, log)
  const head: { status?: number } = {}
  const body = JSON.stringify(what)
  const request = { origin: address.origin, method, path, body, reset: true } as const
  const wantsBody = (status: number) => {
    head.status = status
    setTimeout(() => reading.abort(), longestReadMs).unref()
    return status === 400 || status === 403
  }
  try {
    const sending = exchange(
      agent,
      { ...request, headers: { ...headers, 'content-type': 'application/json' } },
      { wantsBody, signal: reading.signal },
    )
    const { status, text } = await deadline.race(sending)
    const result = judge(status, operation)
    if (result.kind !== 'not-done') return result
    const reason = reasonIn(text, token)
    return { ...result, ...(reason !== undefined && { reason }) }
  } catch (error) {
    // The status decides: a body that is late, long or broken gives no reason, and changes nothing.
    if (head.status !== undefined) return judge(head.status, operation)
    outage.failed(silence(reasonOf(error)))
    if (!line.close().wasMade) return { kind: 'not-done', code: 'unreachable' }
    if (error instanceof TimeUp) return { kind: 'uncertain', cause: 'timed-out' }
    return { kind: 'uncertain', cause: isNotHttp(error) ? 'odd-answer' : 'connection-lost' }
  } finally {
    done(head.status)
    if (head.status !== undefined) outage.answered(head.status)
    deadline.clear()
    agent.destroy().catch(() => {})
  }
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
        ? { kind: 'uncertain', cause: 'odd-answer' }
        : { kind: 'not-done', code: 'no-operation' }
    case 429:
      return { kind: 'not-done', code: 'busy' }
    default:
      return { kind: 'uncertain', cause: status >= 500 ? 'server-error' : 'odd-answer' }
  }
}

/** Where services are used to say why, in this order. */
const reasonNames = ['reason', 'error_msg', 'error', 'message', 'detail'] as const

const hidden = '[redacted]'
/** Tokens as the service makes them, wherever in a text. */
const anyToken = /[0-9a-f]{32,}/gi

/** Says no more than the status does. */
const saysNothing =
  /^(?:(?:[45]\d\d|bad|invalid|request|forbidden|insufficient|permissions?|access|denied|null)(?:\W+|$))*$/i

/**
 * Reads why the service refused something: one line of raw text, for the owner of the token alone.
 * @param token - That the request carried. A service may repeat it.
 * @returns Undefined where the body says nothing that a person could use.
 */
export function reasonIn(body: string, token: string): string | undefined {
  const line = reasonsIn(body)
    .map((text) => text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim())
    // What is no text, as what is compressed, has been read as U+FFFD.
    .find((text) => !saysNothing.test(text) && !text.includes('\ufffd'))
  const withoutOwn = token === '' ? line : line?.replaceAll(token, hidden)
  return withoutOwn && redact(withoutOwn.replaceAll(anyToken, hidden))
}

/** Of text, the text; what begins like a page or JSON, and is none, says nothing. */
function reasonsIn(body: string): readonly string[] {
  if (!/^\s*[[{<"]/.test(body)) return [body]
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'string') return [parsed]
    const { data = {} } = z.record(z.string(), z.unknown()).safeParse(parsed)
    return reasonNames.flatMap((name) => (typeof data[name] === 'string' ? [data[name]] : []))
  } catch {
    return []
  }
}

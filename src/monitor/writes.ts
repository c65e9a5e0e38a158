// Writes to the service. Each is one request, sent at most once, on a connection of its own, so that its outcome is
// certain as often as it can be.
// Source: the API document of the service, “Add user to container”; of all else, its documentation.
import { z } from 'zod'
import { MonitorError, type MonitorErrorCode } from '../errors.ts'
import { type Connector, exchange, parseJson } from '../http/http.ts'
import { redact } from '../log/log.ts'
import { headersFor, type Service, timed, type WriteOperation } from './call.ts'
import { isNotHttp, isTimeUp, refusals, silence } from './failures.ts'
import type { Mode, ModeTarget } from './schema.ts'

/** `no-operation`: the service does not have this operation. */
type RefusalCode = Exclude<MonitorErrorCode, 'malformed'> | 'no-operation'

/**
 * `done`: status 204, or 201 for an invitation. `not-done`: the service said so, or nothing was sent. `uncertain`: the
 * request was sent, at least in part, and no answer tells what came of it.
 */
export type WriteResult =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'not-done'
      readonly code: RefusalCode
      /** Why, in the service's own words: one line, raw, for the owner of the token alone. Never stored or logged. */
      readonly reason?: string
    }
  | {
      readonly kind: 'uncertain'
      readonly cause: 'server-error' | 'odd-answer' | 'connection-lost' | 'timed-out'
    }

/** The user of a container, as the contract has it. */
export interface ContainerUser {
  readonly email: string
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** Flag names of the contract; may be empty. */
  readonly permissions: readonly string[]
}

/**
 * Writes. None is ever repeated, and none throws for anything that the network or the service does. For an alert, `done`
 * proves nothing: the service answers 204 also for alerts that are closed, or don’t exist. If MONITOR_OPERATIONS is
 * basic, every write but adding somebody is `no-operation`, unsent.
 */
export function createWrites(service: Service) {
  const { address } = service

  async function write(
    token: string,
    operation: WriteOperation,
    path: () => string,
    body?: object,
    method: Method = 'PUT',
  ): Promise<WriteResult> {
    if (service.basic && operation !== 'add_user') return { kind: 'not-done', code: 'no-operation' }
    try {
      const at = path()
      return await service.call(() => writeOnce(service, token, operation, method, at, body))
    } catch (error) {
      // Nothing was sent: there can be no such key, or the bot stops.
      if (!(error instanceof MonitorError) || error.code === 'malformed') throw error
      return { kind: 'not-done', code: error.code }
    }
  }

  return {
    /** Adds an existing user to a container, by exactly the fields that the contract names. */
    addUser: (token: string, containerId: number, user: ContainerUser) => {
      const { email, authProvider, member, permissions } = user
      const body = filled({ email, authProvider, member, permissions })
      return write(token, 'add_user', () => address.container(containerId, '/user'), body, 'POST')
    },
    /**
     * Changes somebody who is on a container; `not-found`: they aren't.
     * @param how.permissions - All that they are to have: what is left out is taken away.
     * @param how.member - Stays as it is unless given.
     */
    changeUser: (
      token: string,
      containerId: number,
      userId: number,
      how: Pick<ContainerUser, 'permissions'> & { readonly member?: boolean | undefined },
    ) => write(token, 'change_user', () => address.container(containerId, `/user/${userId}`), how),
    /** Takes somebody off a container; `not-found`: they aren’t on it. */
    removeUser: (token: string, containerId: number, userId: number) => {
      const path = () => address.container(containerId, `/user/${userId}`)
      return write(token, 'remove_user', path, undefined, 'DELETE')
    },
    /** Has the service mail an invitation; `bad-request` also if it knows the address already. */
    async inviteUser(
      token: string,
      containerId: number,
      user: Omit<ContainerUser, 'authProvider'>,
    ) {
      const path = () => address.container(containerId, '/invite')
      const put = await write(token, 'invite_user', path, user)
      // The documentation names PUT and POST. After a 405, nothing was done, so the other can be tried.
      const isOther = put.kind === 'not-done' && put.code === 'no-operation'
      return isOther ? write(token, 'invite_user', path, user, 'POST') : put
    },
    /** Withdraws an invitation; `done` also if there was none. */
    uninviteUser: (token: string, containerId: number, email: string) => {
      const path = () => address.container(containerId, '/invite')
      return write(token, 'uninvite_user', path, { email }, 'DELETE')
    },
    /**
     * Gives an alert to a member of its container; `not-found`: they are no member.
     * @param how.message - At most 240 characters; may be empty.
     */
    assignAlert: (
      token: string,
      ks: string,
      how: { readonly userId: number; readonly message: string },
    ) => write(token, 'assign_alert', () => address.alert(ks, '/assign'), filled(how)),
    /** Adds a comment; twice adds two. @param message - At most 240 characters. */
    commentOnAlert: (token: string, ks: string, message: string) =>
      write(token, 'comment_alert', () => address.alert(ks, '/message'), { message }),
    /** @param how.message - At most 2,000 characters; may be empty, unless it is the solution. */
    closeAlert: (
      token: string,
      ks: string,
      how: { readonly message: string; readonly isSolution: boolean },
    ) => write(token, 'close_alert', () => address.alert(ks, '/close'), filled(how)),
    /**
     * Sets the mode of a machine; without `asset`, of a whole container. `bad-request` may also mean that too many alerts are
     * open in a container: then the service doesn’t end its maintenance.
     * @param how.duration - Whole minutes, 1 to 480, after which the service ends the mode by itself.
     */
    setMode(
      token: string,
      { container, asset }: ModeTarget,
      how: { readonly mode: Mode; readonly duration?: number | undefined },
    ) {
      const isWhole = asset === undefined
      const operation = isWhole ? 'set_container_mode' : 'set_asset_mode'
      const path = () =>
        isWhole ? address.container(container, '/mode') : address.asset(`${asset}`, '/mode')
      return write(token, operation, path, filled(how), 'PATCH')
    },
  }
}

type Method = 'POST' | 'PUT' | 'DELETE' | 'PATCH'

function filled(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value))
}

/** Longest wait for the reason of a refusal: the outcome is certain without it. */
const longestReadMs = 1_000
/** The most bytes of a body that gives a reason: a longer one explains nothing to a person. */
export const longestReason = 4096

/**
 * Sends one write, once. It is certain that nothing was done if the connection broke before the request went out
 * (`line.close`); without an answer to a request that went out, the outcome is uncertain.
 */
async function writeOnce(
  { address, agentOfOne, budgetMs, log, outage }: Service,
  token: string,
  operation: WriteOperation,
  method: Method,
  path: string,
  what: object | undefined,
): Promise<WriteResult> {
  const headers = headersFor(token)
  if (headers === undefined) return { kind: 'not-done', code: 'refused' }
  // A connection of its own: a kept one may have gone stale, which would make the outcome uncertain.
  const line = singleUse()
  const agent = agentOfOne(line.around)
  const done = timed(operation, log)
  let status: number | undefined
  const wantsBody = (answered: number) => {
    status = answered
    return status === 400 || status === 403
  }
  const request = {
    origin: address.origin,
    method,
    path,
    body: what ? JSON.stringify(what) : null,
    headers: { ...headers, ...(what && { 'content-type': 'application/json' }) },
    reset: true,
  }
  try {
    const answer = await exchange(agent, request, {
      totalMs: budgetMs,
      wantsBody,
      bodyMs: longestReadMs,
    })
    const result = judge(answer.status, operation)
    if (result.kind !== 'not-done') return result
    const reason = reasonIn(answer.text, token)
    return reason === undefined ? result : { ...result, reason }
  } catch (error) {
    // The status decides: a body that is late, long or broken gives no reason, and changes nothing.
    if (status !== undefined) return judge(status, operation)
    outage.ended(silence(error))
    if (!line.close()) return { kind: 'not-done', code: 'unreachable' }
    if (isTimeUp(error)) return { kind: 'uncertain', cause: 'timed-out' }
    return { kind: 'uncertain', cause: isNotHttp(error) ? 'odd-answer' : 'connection-lost' }
  } finally {
    done(status)
    if (status !== undefined) outage.ended(status)
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
          // The write has been judged as not sent, so it must not be sent any more.
          socket.on('error', () => {}).destroy()
          return callback(new Error('Connected too late.'), null)
        }
        wasMade = true
        callback(null, socket)
      })
    }
  /** Allows no connection from now on. @returns Whether one was made before. */
  function close(): boolean {
    isClosed = true
    return wasMade
  }
  return { around, close }
}

/** Refusals by status. 405 and 429 are not in the contract, but say that nothing was done. */
const writeRefusals: Readonly<Record<number, RefusalCode>> = {
  ...refusals,
  405: 'no-operation',
  429: 'busy',
}

function judge(status: number, operation: WriteOperation): WriteResult {
  if (status === (operation === 'invite_user' ? 201 : 204)) return { kind: 'done' }
  // Every service has the operation that adds somebody: a 405 to it may come from a proxy, and proves nothing.
  const isOdd = status === 405 && operation === 'add_user'
  const isFull = status === 409 && operation === 'set_container_mode'
  const code = isFull ? 'bad-request' : !isOdd && writeRefusals[status]
  if (code) return { kind: 'not-done', code }
  return { kind: 'uncertain', cause: status >= 500 ? 'server-error' : 'odd-answer' }
}

/** Fields in which services give a reason. The first that says anything counts. */
const reasonNames = ['reason', 'error_msg', 'error', 'message', 'detail'] as const

const hidden = '[redacted]'
/** Matches tokens as the service makes them, wherever in a text. */
const anyToken = /[0-9a-f]{32,}/gi

/** Matches texts that say no more than the status does. */
const saysNothing =
  /^(?:(?:[45]\d\d|bad|invalid|request|forbidden|insufficient|permissions?|access|denied|null)(?:\W+|$))*$/i

/**
 * The reason that a refusal gives, as one line of raw text, for the owner of the token alone.
 * @param token - The token that the request carried, never empty. Hidden in the line, as a service may repeat it.
 * @returns Undefined if the body says nothing that a person could use.
 */
export function reasonIn(body: string, token: string): string | undefined {
  const line = reasonsIn(body)
    .map((text) => text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim())
    // Bytes that are no text, such as compressed ones, have been read as U+FFFD.
    .find((text) => !saysNothing.test(text) && !text.includes('\ufffd'))
  return line && redact(line.replaceAll(token, hidden).replaceAll(anyToken, hidden))
}

/** Texts of a body in which a service may give a reason; none for a page, or for JSON that can’t be read. */
function reasonsIn(body: string): readonly string[] {
  if (!/^\s*[[{<"]/.test(body)) return [body]
  const parsed = parseJson(body)
  if (typeof parsed === 'string') return [parsed]
  const { data = {} } = z.record(z.string(), z.unknown()).safeParse(parsed)
  return reasonNames.flatMap((name) => (typeof data[name] === 'string' ? [data[name]] : []))
}

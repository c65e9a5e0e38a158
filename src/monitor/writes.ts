// ServiceWrites to the service: adds somebody to a container, assigns an alert, comments on it, closes it. Each is one request.
// Source: the API document of the service, “Add user to container”; of alerts, its documentation.
import type { buildConnector } from 'undici'
import { MonitorError } from '../errors.ts'
import { alertPath, type BaseAddress, containerUserPath, headersFor } from './call.ts'
import type { Calls } from './failures.ts'
import type { Further, MonitorObserver, WriteOperation } from './operations.ts'
import { type WriteResult, writeOnce } from './write-once.ts'

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

export function createServiceWrites(room: {
  readonly address: BaseAddress
  readonly connect: buildConnector.connector
  readonly budgetMs: number
  readonly observer: MonitorObserver
  readonly outage: Calls
  readonly further: Further
}): ServiceWrites {
  const { address, connect, budgetMs, observer, outage, further } = room
  const { origin } = address

  async function write(
    token: string,
    to: { readonly operation: WriteOperation; readonly method: 'POST' | 'PUT'; readonly path: string },
    body: object,
  ): Promise<WriteResult> {
    const headers = headersFor(token)
    if (headers === undefined) return { kind: 'not-done', code: 'refused' }
    const text = JSON.stringify(body)
    return writeOnce({ ...to, token, headers, body: text, origin, connect, budgetMs, observer, outage })
  }

  async function writeToAlert(
    token: string,
    operation: 'assign_alert' | 'comment_alert' | 'close_alert',
    { ks, last }: { readonly ks: string; readonly last: string },
    body: object,
  ): Promise<WriteResult> {
    if (further.isOff(operation)) return { kind: 'not-done', code: 'no-operation' }
    const path = pathTo(ks, last)
    if (path === undefined) return { kind: 'not-done', code: 'bad-request' }
    const result = await write(token, { operation, method: 'PUT', path }, body)
    if (result.kind === 'done') further.answered(operation, 204, ks)
    if (result.kind !== 'not-done') return result
    if (result.code === 'no-operation') further.answered(operation, 405, ks)
    // To assign, 404 says that somebody is no member; of the others the documentation names none.
    if (result.code !== 'not-found' || operation === 'assign_alert') return result
    further.answered(operation, 404, ks)
    return further.isOff(operation) ? { kind: 'not-done', code: 'no-operation' } : result
  }

  /** Undefined for a key that cannot be sent. */
  function pathTo(ks: string, last: string): string | undefined {
    try {
      return alertPath(address, ks, `/${last}`)
    } catch (error) {
      if (error instanceof MonitorError) return undefined
      throw error
    }
  }

  return {
    async addUser(token, containerId, user) {
      if (!Number.isSafeInteger(containerId)) return { kind: 'not-done', code: 'bad-request' }
      const path = containerUserPath(address, containerId)
      return write(token, { operation: 'add_user', method: 'POST', path }, bodyOf(user))
    },
    assignAlert: (token, ks, { userId, message }) =>
      writeToAlert(token, 'assign_alert', { ks, last: 'assign' }, { userId, ...(message && { message }) }),
    commentOnAlert: (token, ks, message) =>
      writeToAlert(token, 'comment_alert', { ks, last: 'message' }, { message }),
    closeAlert: (token, ks, { message, isSolution }) =>
      writeToAlert(
        token,
        'close_alert',
        { ks, last: 'close' },
        { ...(message && { message }), ...(isSolution && { isSolution }) },
      ),
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

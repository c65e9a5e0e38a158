// Reads about a container: its name, its people, its open alerts, and what a token may do there. Each is an operation
// that not every service has. A container that is not there is an ordinary answer, as people type numbers.
// Source: the service's documentation of “Query container”, “Query users”, “Query alerts” and “Query permissions” of
// a container.
import { MonitorError } from '../errors.ts'
import { containerPath, type MonitorRoom, read } from './call.ts'
import { refusal } from './failures.ts'
import type { Operation } from './operations.ts'
import {
  type ContainerAlert,
  type ContainerPerson,
  containerAlertFields,
  parseContainerAlertsAnswer,
  parseContainerAnswer,
  parsePeopleAnswer,
  parsePermissionsAnswer,
  personFields,
} from './schema.ts'

/**
 * `no-container`: the service knows none with this number, or none for this token. `off`: nothing was asked, or the
 * answer says that the service has no such operation.
 */
export type NoContainer = { readonly kind: 'no-container' | 'off' }

export type ContainerPeople =
  | { readonly kind: 'listed'; readonly people: readonly ContainerPerson[] }
  | NoContainer

/** `name` is raw; empty where the container has none. */
export type FoundContainer =
  | { readonly kind: 'found'; readonly id: number; readonly name: string }
  | NoContainer

export type ContainerAlerts =
  | { readonly kind: 'listed'; readonly alerts: readonly ContainerAlert[] }
  | NoContainer

/** `unknown`: it can't be told, which says nothing of what the token may do. */
export type OwnPermissions =
  | {
      readonly kind: 'known'
      /** Flags the contract doesn't name among them. */
      readonly permissions: readonly string[]
      readonly tokenType: 'user' | 'container' | undefined
    }
  | { readonly kind: 'unknown' | 'off' }

export async function readPeople(
  room: MonitorRoom,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const path = `/users?fields=${personFields.join(',')}`
  const text = await about(room, 'container_users', token, containerId, path)
  return typeof text === 'string' ? { kind: 'listed', people: parsePeopleAnswer(text) } : text
}

export async function readContainerName(
  room: MonitorRoom,
  token: string,
  containerId: number,
): Promise<FoundContainer> {
  const text = await about(room, 'container', token, containerId, '?fields=id,name')
  if (typeof text !== 'string') return text
  const found = parseContainerAnswer(text)
  // As with alerts: a cache on the way may mix up answers.
  if (found.id !== containerId) throw new MonitorError('malformed', 'The answer is about another container.')
  return { kind: 'found', ...found }
}

export async function readContainerAlerts(
  room: MonitorRoom,
  token: string,
  containerId: number,
): Promise<ContainerAlerts> {
  const path = `/alerts?fields=${containerAlertFields.join(',')}`
  const text = await about(room, 'container_alerts', token, containerId, path)
  return typeof text === 'string' ? { kind: 'listed', alerts: parseContainerAlertsAnswer(text) } : text
}

export async function readOwnPermissions(
  room: MonitorRoom,
  token: string,
  containerId: number,
): Promise<OwnPermissions> {
  const operation = 'own_permissions'
  const { status, text } = await ask(room, operation, token, containerId, '/permissions')
  if (status === undefined || status === 405) return { kind: 'off' }
  // Whether this needs more than the flag API, the service's documentation leaves open.
  if (status === 403 || status === 404 || status === 400) return { kind: 'unknown' }
  if (status !== 200) throw refusal(status)
  return { kind: 'known', ...parsePermissionsAnswer(text) }
}

/** The body of an answer, or what stands for it. */
async function about(
  room: MonitorRoom,
  operation: Operation,
  token: string,
  containerId: number,
  path: string,
): Promise<string | NoContainer> {
  const { status, text } = await ask(room, operation, token, containerId, path)
  if (status === undefined || status === 405) return { kind: 'off' }
  if (status === 404) return { kind: 'no-container' }
  // The fields are the service's own, so that 400 is nothing that somebody has typed.
  if (status === 400) throw new MonitorError('malformed', 'The service does not take these fields (400).')
  if (status !== 200) throw refusal(status)
  return text
}

/** No status: nothing was asked. */
async function ask(
  room: MonitorRoom,
  operation: Operation,
  token: string,
  containerId: number,
  path: string,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  if (room.basic) return { status: undefined, text: '' }
  return read(room, operation, token, `${containerPath(room.address, containerId)}${path}`)
}

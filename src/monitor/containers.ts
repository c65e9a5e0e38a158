// Reads about a container: its name, its people, its open alerts, and what a token may do there; and the open alerts of an
// asset. Each is an operation that not every service has. A container that is not there is an ordinary answer, as people
// type numbers.
// Source: the service's documentation of “Query container”, “Query users”, “Query alerts” and “Query permissions” of
// a container, and of “Query alerts” of an asset.
import type { z } from 'zod'
import { MonitorError } from '../errors.ts'
import { assetPath, containerPath, read, type Service } from './call.ts'
import { refusal } from './failures.ts'
import type { Operation } from './operations.ts'
import {
  type ContainerPerson,
  containerSchema,
  type OpenAlert,
  openAlertFields,
  openAlertsSchema,
  ownPermissionsSchema,
  parseAs,
  peopleSchema,
  personFields,
} from './schema.ts'

/** Nothing was asked, or the answer says that the service has no such operation. */
type Off = { readonly kind: 'off' }

/** `no-container`: the service knows none with this number, or none for this token. */
export type NoContainer = { readonly kind: 'no-container' } | Off

export type ContainerPeople =
  | { readonly kind: 'listed'; readonly people: readonly ContainerPerson[] }
  | NoContainer

/** `name` is raw; empty where the container has none. */
export type FoundContainer =
  | { readonly kind: 'found'; readonly id: number; readonly name: string }
  | NoContainer

type ListedAlerts = { readonly kind: 'listed'; readonly alerts: readonly OpenAlert[] }
export type ContainerAlerts = ListedAlerts | NoContainer
/** `no-asset`: the service knows none with this number. */
export type AssetAlerts = ListedAlerts | { readonly kind: 'no-asset' } | Off

/** `unknown`: it can't be told, which says nothing of what the token may do. */
export type OwnPermissions =
  /** Flags the contract doesn't name among them. */
  { readonly kind: 'known'; readonly permissions: readonly string[] } | { readonly kind: 'unknown' } | Off

export async function readPeople(
  service: Service,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const path = containerPath(service.address, containerId, `/users?fields=${personFields.join(',')}`)
  const read = await ask(service, 'container_users', token, path, peopleSchema)
  return 'found' in read ? { kind: 'listed', people: read.found } : noContainer(read)
}

export async function readContainerName(
  service: Service,
  token: string,
  containerId: number,
): Promise<FoundContainer> {
  const path = containerPath(service.address, containerId, '?fields=id,name')
  const read = await ask(service, 'container', token, path, containerSchema)
  if (!('found' in read)) return noContainer(read)
  // As with alerts: a cache on the way may mix up answers.
  if (read.found.id !== containerId)
    throw new MonitorError('malformed', 'The answer is about another container.')
  return { kind: 'found', ...read.found }
}

const alertsQuery = `/alerts?fields=${openAlertFields.join(',')}`

export async function readContainerAlerts(
  service: Service,
  token: string,
  containerId: number,
): Promise<ContainerAlerts> {
  const path = containerPath(service.address, containerId, alertsQuery)
  const read = await ask(service, 'container_alerts', token, path, openAlertsSchema)
  return 'found' in read ? { kind: 'listed', alerts: read.found } : noContainer(read)
}

export async function readAssetAlerts(
  service: Service,
  token: string,
  assetId: string,
): Promise<AssetAlerts> {
  const path = assetPath(service.address, assetId, alertsQuery)
  const read = await ask(service, 'asset_alerts', token, path, openAlertsSchema)
  if ('found' in read) return { kind: 'listed', alerts: read.found }
  if (read.status === 'off') return { kind: 'off' }
  // Nothing but the number can be wrong with what was asked.
  if (read.status === 404 || read.status === 400) return { kind: 'no-asset' }
  throw refusal(read.status)
}

export async function readOwnPermissions(
  service: Service,
  token: string,
  containerId: number,
): Promise<OwnPermissions> {
  const path = containerPath(service.address, containerId, '/permissions')
  const read = await ask(service, 'own_permissions', token, path, ownPermissionsSchema)
  if ('found' in read) return { kind: 'known', ...read.found }
  if (read.status === 'off') return { kind: 'off' }
  // Whether this needs more than the flag API, the service's documentation leaves open.
  if ([400, 403, 404].includes(read.status)) return { kind: 'unknown' }
  throw refusal(read.status)
}

/** What it says instead of anything about a container. */
function noContainer({ status }: { readonly status: number | 'off' }): NoContainer {
  if (status === 'off') return { kind: 'off' }
  if (status === 404) return { kind: 'no-container' }
  // The fields are the service's own, so that 400 is nothing that somebody has typed.
  if (status === 400) throw new MonitorError('malformed', 'The service does not take these fields (400).')
  throw refusal(status)
}

async function ask<Answer>(
  service: Service,
  operation: Operation,
  token: string,
  path: string,
  schema: z.ZodType<Answer>,
): Promise<{ readonly found: Answer } | { readonly status: number | 'off' }> {
  if (service.basic) return { status: 'off' }
  const { status, text } = await read(service, operation, token, path)
  if (status === 200) return { found: parseAs(schema, text) }
  return { status: status === 405 ? 'off' : status }
}

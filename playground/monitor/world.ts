// The state of the stand-in service: tokens, alerts, containers, assets, users. No HTTP here.
import { type AlertHandle, type KnownAlert, type NewAlert, openAlert } from './alerts.ts'
import type { AuthProvider, PermissionFlag } from './contract.ts'

/** Flags everywhere, or by container id. */
export type TokenFlags = readonly PermissionFlag[] | Readonly<Record<number, readonly PermissionFlag[]>>

export interface NewToken {
  readonly token: string
  /** Whose it is, in recorded requests. */
  readonly name: string
  readonly flags: TokenFlags
}

export interface ServiceUser {
  readonly email: string
  readonly authProvider: AuthProvider
}

/** Somebody on a container, as added. */
export interface Membership extends ServiceUser {
  readonly member: boolean
  readonly permissions: readonly PermissionFlag[]
}

export interface World {
  readonly now: () => number
  /** Whether it lists the alerts of an asset. */
  hasLists: boolean
  readonly tokens: Map<string, NewToken>
  readonly alerts: Map<string, KnownAlert>
  /** Keys of alerts, by other spellings of them. */
  readonly spellings: Map<string, string>
  readonly users: ServiceUser[]
  readonly containers: Map<number, Membership[]>
  /** The container of each; undefined where it does not matter. */
  readonly assets: Map<number, number | undefined>
  /** Called after anything changed. */
  readonly changed: () => void
}

/** @param now - Milliseconds since 1970. */
export function createWorld(now: () => number, changed: () => void): World {
  return {
    now,
    changed,
    hasLists: true,
    tokens: new Map(),
    alerts: new Map(),
    spellings: new Map(),
    users: [],
    containers: new Map(),
    assets: new Map(),
  }
}

/** Takes away everything but the tokens. */
export function emptyWorld(world: World): void {
  for (const known of [world.alerts, world.spellings, world.containers, world.assets]) known.clear()
  world.users.length = 0
  world.changed()
}

/** Replaces an alert with the same key. */
export function addAlert(world: World, alert: NewAlert): AlertHandle {
  const { known, handle } = openAlert(alert, world.now, world.changed)
  world.alerts.set(alert.ks, known)
  if (alert.assetId !== undefined) world.assets.set(alert.assetId, alert.containerId)
  for (const spelling of alert.spellings ?? []) world.spellings.set(spelling, alert.ks)
  world.changed()
  return handle
}

/** Web links of the service's alerts; they hold no key. Source: its documentation of webhooks. */
export const alertUrl =
  'https://monitoring.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'

export function linkOf(world: World, ks: string): string {
  const known = world.alerts.get(ks)
  if (known?.assetId === undefined) throw new TypeError(`no web link is known of the alert ${ks}`)
  const { assetId, containerId = 12, values, link = { conditionId: 1, item: ks } } = known
  const parts = {
    container: containerId,
    asset: assetId,
    condition: link.conditionId,
    item: link.item,
    timestamp: values.timestamp,
  }
  return Object.entries(parts).reduce(
    (url, [part, value]) => url.replace(`{${part}}`, encodeURIComponent(value)),
    alertUrl,
  )
}

/** Users named only by their email sign in with a password. */
export function addContainer(world: World, id: number, users: readonly (string | ServiceUser)[]): void {
  const members: Membership[] = []
  for (const user of users) {
    const known = typeof user === 'string' ? addUser(world, { email: user }) : addUser(world, user)
    members.push({ ...known, member: false, permissions: ['READ'] })
  }
  world.containers.set(id, members)
  world.changed()
}

export function addUser(
  world: World,
  { email, authProvider = 'Password' }: { readonly email: string; readonly authProvider?: AuthProvider },
): ServiceUser {
  const known = world.users.find((user) => user.email === email && user.authProvider === authProvider)
  if (known !== undefined) return known
  const user = { email, authProvider }
  world.users.push(user)
  world.changed()
  return user
}

/**
 * @param containerId - Undefined where it does not matter: any container will do.
 */
export function hasFlags(
  { flags }: NewToken,
  containerId: number | undefined,
  needed: readonly PermissionFlag[],
): boolean {
  const granted = isList(flags)
    ? [flags]
    : containerId === undefined
      ? Object.values(flags)
      : [flags[containerId] ?? []]
  return granted.some((list) => needed.every((flag) => list.includes(flag)))
}

// Array.isArray does not narrow a readonly array.
function isList(flags: TokenFlags): flags is readonly PermissionFlag[] {
  return Array.isArray(flags)
}

// The state of the stand-in service: tokens, alerts, containers, users. No HTTP here.
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
  readonly tokens: Map<string, NewToken>
  readonly alerts: Map<string, KnownAlert>
  /** Keys of alerts, by other spellings of them. */
  readonly spellings: Map<string, string>
  readonly users: ServiceUser[]
  readonly containers: Map<number, Membership[]>
  /** Called after anything changed. */
  readonly changed: () => void
}

/** @param now - Milliseconds since 1970. */
export function createWorld(now: () => number, changed: () => void): World {
  return {
    now,
    changed,
    tokens: new Map(),
    alerts: new Map(),
    spellings: new Map(),
    users: [],
    containers: new Map(),
  }
}

/** Replaces an alert with the same key. */
export function addAlert(world: World, alert: NewAlert): AlertHandle {
  const { known, handle } = openAlert(alert, world.now, world.changed)
  world.alerts.set(alert.ks, known)
  for (const spelling of alert.spellings ?? []) world.spellings.set(spelling, alert.ks)
  world.changed()
  return handle
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

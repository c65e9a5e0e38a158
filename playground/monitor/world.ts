// The state of the stand-in service: tokens, alerts, containers, assets, users. No HTTP here.
import { type AlertHandle, type KnownAlert, type NewAlert, openAlert } from './alerts.ts'
import { type Asset, putAsset, usualContainer } from './assets.ts'
import type { PermissionFlag } from './contract.ts'
import { Later } from './later.ts'
import { Modes } from './modes.ts'
import type { Invitations, People, Seats } from './people.ts'
import type { Order } from './trouble.ts'
import { usualWays, type Ways } from './ways.ts'

/** Flags everywhere, or by container id. */
export type TokenFlags =
  | readonly PermissionFlag[]
  | Readonly<Record<number, readonly PermissionFlag[]>>

export interface NewToken {
  readonly token: string
  /** Whose it is, in recorded requests. */
  readonly name: string
  readonly flags: TokenFlags
  /** Who acts with it. Without one it is a container's token, and nobody stands in the actions that it adds. */
  readonly userId?: number
  /** Of a container's token. Default the only one that it has flags in, else the first there is. */
  readonly containerId?: number
}

/** A close that came too early. */
interface EarlyClose {
  readonly key: 'same' | 'new'
  /** Undefined: when it is told. */
  readonly reopensAt: number | undefined
}

/** An alert that closes by itself and opens again. */
interface Flap {
  readonly ks: string
  /** How often it is to be there again. */
  left: number
  readonly everyMs: number
  nextAt: number
}

/** An alert as reads show it. */
export type AlertSight = Pick<KnownAlert, 'values' | 'actions'>

export interface World {
  readonly now: () => number
  ways: Ways
  readonly tokens: Map<string, NewToken>
  readonly alerts: Map<string, KnownAlert>
  /** Keys of alerts, by other spellings of them. */
  readonly spellings: Map<string, string>
  readonly people: People
  readonly assets: Map<number, Asset>
  readonly modes: Modes
  readonly earlyCloses: Map<string, EarlyClose>
  readonly flaps: Set<Flap>
  readonly laterAlerts: Later<string, AlertSight>
  readonly laterSeats: Later<number, Seats>
  readonly laterInvitations: Later<number, Invitations>
  /** Called after anything changed. */
  readonly changed: () => void
}

/** @param now - Milliseconds since 1970. */
export function createWorld(now: () => number, changed: () => void): World {
  return {
    now,
    changed,
    ways: usualWays,
    tokens: new Map(),
    alerts: new Map(),
    spellings: new Map(),
    people: { users: new Map(), containers: new Map() },
    assets: new Map(),
    modes: new Modes(now),
    earlyCloses: new Map(),
    flaps: new Set(),
    laterAlerts: new Later(now),
    laterSeats: new Later(now),
    laterInvitations: new Later(now),
  }
}

/** Takes away everything but the tokens and the ways. */
export function emptyWorld(world: World): void {
  const { alerts, spellings, people, assets, modes, earlyCloses, flaps } = world
  const all = [
    alerts,
    spellings,
    people.users,
    people.containers,
    assets,
    modes,
    earlyCloses,
    flaps,
    world.laterAlerts,
    world.laterSeats,
    world.laterInvitations,
  ]
  for (const known of all) known.clear()
  world.changed()
}

/** Replaces an alert with the same key. */
export function addAlert(world: World, alert: NewAlert): AlertHandle {
  const known = openAlert(alert, world.now, world.changed)
  world.alerts.set(alert.ks, known)
  const { assetId, containerId } = alert
  if (assetId !== undefined)
    putAsset(world.assets, assetId, containerId === undefined ? {} : { containerId })
  for (const spelling of alert.spellings ?? []) world.spellings.set(spelling, alert.ks)
  world.changed()
  return known.handle
}

/** As checks do. @returns Undefined where a mode keeps it from being opened. */
export function detect(world: World, alert: NewAlert): AlertHandle | undefined {
  return opensAlerts(world, alert) ? addAlert(world, alert) : undefined
}

/** Checks are stopped where something is disabled. Source: the service's documentation, “Modes”. */
function opensAlerts(
  { ways, assets, modes }: World,
  { assetId, containerId }: { assetId?: number | undefined; containerId?: number | undefined },
): boolean {
  const container = containerId ?? assets.get(assetId ?? 0)?.containerId
  const found = [
    assetId === undefined ? 'normal' : modes.inForce(`asset/${assetId}`).mode,
    container === undefined ? 'normal' : modes.inForce(`container/${container}`).mode,
  ]
  if (found.includes('disabled')) return false
  return !found.includes('maintenance') || ways.alertsInMaintenance === 'opened'
}

/** Its open alerts go with it. @throws TypeError when there is no such asset, or no room for it. */
export function moveAsset(world: World, assetId: number, containerId: number): void {
  if (!world.assets.has(assetId)) throw new TypeError(`there is no asset ${assetId}`)
  putAsset(world.assets, assetId, { containerId })
  const open = [...world.alerts.values()].filter(
    (known) => known.assetId === assetId && known.values.closedTimestamp === null,
  )
  for (const known of open) {
    const moved = { ...known, containerId }
    const { ks, timestamp, ownerId } = known.values
    if (world.ways.movedAlerts === 'same-key') {
      world.alerts.set(ks, moved)
      continue
    }
    addAlert(world, { ...likeAgain(world, moved), timestamp, ownerId })
    world.alerts.delete(ks)
  }
  world.changed()
}

/** Web links of the service's alerts; they hold no key. Source: its documentation of webhooks. */
export const alertUrl =
  'https://monitoring.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'

export function linkOf(world: World, ks: string): string {
  return Object.entries(partsOf(world, ks)).reduce(
    (url, [part, value]) => url.replace(`{${part}}`, encodeURIComponent(value)),
    alertUrl,
  )
}

/** The body of a webhook as it is sent for an alert: its variables are filled in. */
export function bodyFor(world: World, ks: string, body: string): string {
  const { container, asset, condition, timestamp } = partsOf(world, ks)
  const variables = {
    ks,
    container_id: container,
    asset_id: asset,
    condition_id: condition,
    alert_timestamp: timestamp,
  }
  return Object.entries(variables).reduce(
    (filled, [name, value]) => filled.replaceAll(`{{ ${name} }}`, String(value)),
    body,
  )
}

function partsOf({ alerts }: World, ks: string) {
  const known = alerts.get(ks)
  if (known?.assetId === undefined) throw new TypeError(`no web link is known of the alert ${ks}`)
  const { link = { conditionId: 1, item: ks } } = known
  return {
    container: known.containerId ?? usualContainer,
    asset: known.assetId,
    condition: link.conditionId,
    item: link.item,
    timestamp: known.values.timestamp,
  }
}

/** The trouble of a closed alert is there again: the service opens it, and assigns it to whoever closed it. */
export function reopenAlert(world: World, ks: string, key: 'same' | 'new'): AlertHandle {
  world.earlyCloses.delete(ks)
  const known = world.alerts.get(ks)
  if (known === undefined || known.values.closedTimestamp === null)
    throw new TypeError(`there is no closed alert ${ks}`)
  const closing = known.actions.findLast(({ kind }) => kind.endsWith('Close'))
  const closer = closing?.kind === 'Close' ? closing.data?.userId : undefined
  if (key === 'same') known.handle.reopen()
  const handle = key === 'same' ? known.handle : addAlert(world, likeAgain(world, known))
  if (typeof closer === 'number') {
    const message = 'The trouble is still there.'
    handle.act({ kind: 'Assign', data: { userId: closer, ownerId: closer, message } })
  }
  return handle
}

function likeAgain(
  { alerts }: World,
  { values, containerId, assetId, link }: KnownAlert,
): NewAlert {
  const base = values.ks.slice(0, 60)
  let number = 2
  while (alerts.has(`${base}-${number}`)) number += 1
  return {
    ks: `${base}-${number}`,
    message: values.lastMessage,
    severity: values.lastSeverity,
    ...(containerId === undefined ? {} : { containerId }),
    ...(assetId === undefined ? {} : { assetId }),
    ...(link === undefined ? {} : { link }),
  }
}

/** @param everyMs - Of the clock, for each closing and opening. */
export function flap(
  world: World,
  ks: string,
  { times, everyMs }: { times: number; everyMs: number },
): Order {
  const flap = { ks, left: times, everyMs, nextAt: world.now() + everyMs }
  world.flaps.add(flap)
  return {
    get isWaiting() {
      return world.flaps.has(flap)
    },
    cancel: () => void world.flaps.delete(flap),
  }
}

/** Opens again what was closed too early and is due by now, and has what flaps go on. */
export function settle(world: World): void {
  for (const flap of [...world.flaps]) if (world.now() >= flap.nextAt) goOn(world, flap)
  for (const [ks, { key, reopensAt }] of [...world.earlyCloses]) {
    const isClosed = typeof world.alerts.get(ks)?.values.closedTimestamp === 'number'
    if (!isClosed) world.earlyCloses.delete(ks)
    else if (reopensAt !== undefined && world.now() >= reopensAt) reopenAlert(world, ks, key)
  }
}

/** Whoever closes such an alert changes nothing: its trouble comes and goes, unless a mode keeps it away. */
function goOn(world: World, flap: Flap): void {
  flap.nextAt = world.now() + flap.everyMs
  const known = world.alerts.get(flap.ks)
  if (known?.values.closedTimestamp === null) {
    known.handle.close('AutoClose')
    return
  }
  if (known !== undefined) {
    if (!opensAlerts(world, known)) return
    reopenAlert(world, flap.ks, 'same')
  }
  flap.left -= 1
  if (flap.left === 0) world.flaps.delete(flap)
}

/**
 * @param containerId - Undefined where it does not matter: any container will do.
 */
export function hasFlags(
  world: World,
  token: NewToken,
  containerId: number | undefined,
  needed: readonly PermissionFlag[],
): boolean {
  const { flags } = token
  const granted =
    !isList(flags) && containerId === undefined
      ? Object.values(flags)
      : [flagsIn(world, token, containerId ?? 0)]
  return granted.some((list) => needed.every((flag) => list.includes(flag)))
}

/** None where the user of the token was taken off, since it acts as them. */
export function flagsIn(
  { people }: World,
  { flags, userId }: NewToken,
  containerId: number,
): readonly PermissionFlag[] {
  if (userId !== undefined && people.containers.get(containerId)?.left.has(userId)) return []
  return isList(flags) ? flags : (flags[containerId] ?? [])
}

// Array.isArray does not narrow a readonly array.
function isList(flags: TokenFlags): flags is readonly PermissionFlag[] {
  return Array.isArray(flags)
}

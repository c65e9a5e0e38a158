// The ways in which the service may behave where its documentation says nothing: one reading of each gap at a time.
import type { Delay } from './later.ts'

/** A close that came too early: the trouble is still there, and the service opens the alert again for who closed it. */
export interface Reopening {
  /** The same alert again, or one with a new key that says the same. */
  readonly key: 'same' | 'new'
  /** At once, when a test says so, or once so many milliseconds of the clock have passed. */
  readonly when: 'at-once' | 'told' | { readonly afterMs: number }
}

export interface Ways {
  /** Assigning and commenting on a closed alert: 204 for nothing, 204 and recorded, or 400. Default nothing. */
  readonly onClosed: 'nothing' | 'recorded' | 'refused'
  /** Assigning an alert to its present owner: one more Assign action, or none. Default recorded. */
  readonly assignToOwner: 'recorded' | 'nothing'
  /** Default never. */
  readonly reopens: 'never' | Reopening
  /** Lists of people leave out those who are no members: nowhere, everywhere, on these containers. Default everybody. */
  readonly people: 'everybody' | 'members' | readonly number[]
  /** Addresses in lists of people: as they chose, the caller's own in any case, or none at all. Default as chosen. */
  readonly addresses: 'as-chosen' | 'and-own' | 'none'
  /** Own permissions: told to any token with API, only to one with CONTAINER_ACCESS, or 403. Default told. */
  readonly ownPermissions: 'told' | 'with-access' | 'refused'
  /** Changing or removing inherited people: 404, or as if they were on this container alone. Default refused. */
  readonly inherited: 'refused' | 'changed'
  /** The documentation names both for inviting; the other one gets 405. Default PUT. */
  readonly inviteMethod: 'PUT' | 'POST'
  /** Flags that are given to somebody, but that the caller's own token lacks: given, or a refusal. Default ignored. */
  readonly ceiling: 'ignored' | 403 | 400
  /** Assets that no token sees, though it sees their container: lists leave them out. Default none. */
  readonly hiddenAssets: readonly number[]
  /** Asking for such an asset, or for its alerts. Default 403. */
  readonly hiddenAsset: 403 | 404
  /** Open alerts of an asset that moves to another container keep their keys, or come back with new ones. Default same. */
  readonly movedAlerts: 'same-key' | 'new-key'
  /** Modes that are set: in force from then on, or 204 for nothing. Default set. */
  readonly modes: 'set' | 'ignored'
  /** Setting the mode that it has already: its duration counts from now, none is for ever, or the end stays. Default moves. */
  readonly secondDuration: 'moves' | 'stays'
  /** What checks find on an asset in maintenance, or in a container that is: alerts, or nothing. Default opened. */
  readonly alertsInMaintenance: 'opened' | 'not-opened'
  /** What was written shows at once, or only in later reads. Default at once. */
  readonly visible: 'at-once' | Delay
}

export const usualWays: Ways = {
  onClosed: 'nothing',
  assignToOwner: 'recorded',
  reopens: 'never',
  people: 'everybody',
  addresses: 'as-chosen',
  ownPermissions: 'told',
  inherited: 'refused',
  inviteMethod: 'PUT',
  ceiling: 'ignored',
  hiddenAssets: [],
  hiddenAsset: 403,
  movedAlerts: 'same-key',
  modes: 'set',
  secondDuration: 'moves',
  alertsInMaintenance: 'opened',
  visible: 'at-once',
}

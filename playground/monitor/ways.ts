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
  /** The message of a close that comes too late: gone, or one more Close action. Default lost. */
  readonly lateClose: 'lost' | 'recorded'
  /** Assigning an alert to its present owner: one more Assign action, or none. Default recorded. */
  readonly assignToOwner: 'recorded' | 'nothing'
  /** Limits of texts are in these. Default code points. */
  readonly lengthsIn: 'code-points' | 'utf-16' | 'bytes'
  /** Whether a container's property changes how long a solution has to be. Default by property. */
  readonly solutionLength: 'by-property' | 'always-60'
  /** Default never. */
  readonly reopens: 'never' | Reopening
  /** Somebody gives a flag that they lack. Default nobody looks. */
  readonly ceiling: 'none' | 400 | 403
  /** Lists of people leave out those who are no members. Default everybody. */
  readonly people: 'everybody' | 'members'
  /** Addresses in lists of people: as they chose, the caller's own in any case, or none at all. Default as chosen. */
  readonly addresses: 'as-chosen' | 'and-own' | 'none'
  /** Adding somebody who is inherited: 400, or an entry of their own. Default refused. */
  readonly addInherited: 'refused' | 'added'
  /** Own permissions: told to any token with API, only to one with CONTAINER_ACCESS, or 403. Default told. */
  readonly ownPermissions: 'told' | 'with-access' | 'refused'
  /** What was written shows at once, or only in later reads. Default at once. */
  readonly visible: 'at-once' | Delay
  /** Lists of a container's alerts hold those of its children. Default they do not. */
  readonly childAlerts: 'left-out' | 'listed'
}

export const usualWays: Ways = {
  onClosed: 'nothing',
  lateClose: 'lost',
  assignToOwner: 'recorded',
  lengthsIn: 'code-points',
  solutionLength: 'by-property',
  reopens: 'never',
  ceiling: 'none',
  people: 'everybody',
  addresses: 'as-chosen',
  addInherited: 'refused',
  ownPermissions: 'told',
  visible: 'at-once',
  childAlerts: 'left-out',
}

// Followed containers: what is kept of each, and the steps of its life. Pure.
//
// A follow               moved by                                               ends as
// due, or due later      its time, a ring of its doorbell                       held
// held (by a lease)      the process that took it; another once that is over    due later, or lost
// lost                   somebody takes it over                                 due
// any of these           *Stop following*; another organisation in its channel  gone
import { hash } from 'node:crypto'
import { dueTime, type Leased, poked } from '../live/live-cards.ts'
import { gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { Person } from '../slack/person.ts'
import type { DocKey, Facets } from '../storage/docs.ts'

/** Why nobody reads any more: the service refuses the token, shows the container no more, or has no account of theirs. */
export type Lost = 'refused' | 'forbidden' | 'no-container' | 'disconnected'

/** An alert as the last look had it. */
export interface SeenAlert {
  readonly severity: number
  /** Equal as long as the list shows nothing else of it. */
  readonly look: string
  /** It has a card of its own, rather than a line in a list. */
  readonly hasCard: boolean
}

/** Many new alerts at once, as one message. */
export interface Storm {
  readonly posted: Posted
  readonly keys: readonly string[]
  /** When the last of them came. */
  readonly at: number
}

/** Times are milliseconds since 1970. */
export interface Follow extends DocKey, Leased {
  readonly channelId: string
  readonly containerId: number
  /** As its first carrier's token showed it, raw: “Customer 1 (12)”. */
  readonly container: string
  /** Whose token reads. */
  readonly carrier: Person
  /** Alerts that are less grave are left out; 0 is the highest severity. */
  readonly least: number
  /** Its own message, and when it was drawn. */
  readonly posted: Posted
  readonly drawnAt: number
  /** By key. Undefined before the first look. */
  readonly seen?: Readonly<Record<string, SeenAlert>> | undefined
  readonly storm?: Storm | undefined
  /** When the list was last read; 0 before that. */
  readonly readAt: number
  /** The service knew no such container in the last look. */
  readonly isMissing?: boolean
  /** Looks in a row that failed. */
  readonly failures: number
  /** The channel knows that they fail. */
  readonly isSilenceTold?: boolean
  /** Since then nobody reads. */
  readonly lostAt?: number | undefined
  /** Of its doorbell's secret. */
  readonly bell?: string | undefined
}

export function claimOf({ channelId, containerId }: Pick<Follow, 'channelId' | 'containerId'>): string {
  return `${channelId} ${containerId}`
}

export function facetsOfFollow(follow: Follow): Facets {
  const { carrier, channelId } = follow
  return { ownerId: carrier.userId, ref: channelId, claim: claimOf(follow), dueAt: dueTime(follow) }
}

/** Somebody else's token reads from now on, what they have agreed to. */
export function takenOver(follow: Follow, carrier: Person, least: number, now: number): Follow {
  return poked({ ...follow, carrier, least, lostAt: undefined, failures: 0, drawnAt: 0 }, now)
}

/** Undefined where somebody has taken it over meanwhile. */
export function lostBy(follow: Follow, taken: Follow, now: number): Follow | undefined {
  if (follow.holder !== taken.holder || follow.carrier.userId !== taken.carrier.userId) return undefined
  return { ...follow, lostAt: now, dueAt: null, heldUntil: 0 }
}

/** A doorbell makes it look at most so often. */
const ringsEveryMs = 5_000

/** Somebody rang. @returns Undefined where nobody reads, or the service fails: that is asked ever later. */
export function rung(follow: Follow, now: number): Follow | undefined {
  const { lostAt, failures, heldUntil, readAt, dueAt } = follow
  if (lostAt !== undefined || failures > 0) return undefined
  const isHeld = heldUntil > now
  const soon = Math.max(now, (isHeld ? now : readAt) + ringsEveryMs)
  return { ...follow, dueAt: isHeld ? soon : Math.min(dueAt ?? soon, soon) }
}

/** What was found out while it was held. What is undefined stays. */
type Found = Pick<Follow, 'seen' | 'storm' | 'readAt' | 'drawnAt' | 'isMissing' | 'isSilenceTold'>
export type Looked = Partial<Found> & {
  readonly failures: number
  readonly inMs: number | 'never'
}

/** A follow of this severity and worse leaves nothing out. */
export const leastGrave = 7

export function isGrave({ lastSeverity }: OpenAlert, least: number): boolean {
  return least >= leastGrave || lastSeverity <= least
}

/** More than this are not told one by one. */
const mostAlerts = 2_000
/** So many that changed are read one by one in a look, and so many that are open again. */
export const mostReads = 20

/**
 * Compares what is open there with what the last look had.
 * @returns Those that are to be told, the gravest first; keys of cards to be read again, as their alert shows something
 * else or is not listed any more; and what is known once that is done, but for those that are to be told.
 */
export function planFor({ seen = {}, least }: Follow, listed: readonly OpenAlert[]) {
  // A key may be any text, `__proto__` too.
  const known = new Map(Object.entries(seen))
  const open = new Map(listed.toSorted(gravestFirst).map((alert) => [alert.ks, alert]))
  const next = new Map<string, SeenAlert>()
  const toTell: OpenAlert[] = []
  const changed: string[] = []
  const reworded: string[] = []
  for (const ks of new Set([...open.keys(), ...known.keys()])) {
    const [alert, before] = [open.get(ks), known.get(ks)]
    const hasRoom = next.size + toTell.length < mostAlerts
    const isNew = alert && before === undefined && hasRoom && isGrave(alert, least)
    // It was a line among others. Worse, it gets a card.
    const isWorse = alert && before?.hasCard === false && alert.lastSeverity < before.severity
    if (isNew || isWorse) {
      toTell.push(alert)
      continue
    }
    const after = alert && before && seenOf(alert, before.hasCard)
    if (after !== undefined) next.set(ks, after)
    if (!before?.hasCard || before.look === after?.look) continue
    // A message may change all the time: whatever is closed, worse or better comes first.
    if (after?.severity === before.severity) reworded.push(ks)
    else changed.push(ks)
  }
  changed.push(...reworded)
  // What is not read now is found in the next look.
  for (const ks of changed.splice(mostReads)) {
    const before = known.get(ks)
    if (before !== undefined) next.set(ks, before)
  }
  return { toTell, changed, seen: next }
}

export function seenOf(alert: OpenAlert, hasCard: boolean): SeenAlert {
  const { lastSeverity, lastMessage, ownerId, timestamp } = alert
  const shown = JSON.stringify([lastSeverity, lastMessage, ownerId, timestamp])
  const look = hash('sha256', shown, 'base64url').slice(0, 12)
  return { severity: lastSeverity, look, hasCard }
}

/** The card of an alert in a followed channel: one for its life. */
export function cardKeyOf({ workspaceId, id }: DocKey, ks: string): DocKey {
  return { workspaceId, id: hash('sha256', `${id} ${ks}`, 'base64url').slice(0, 22) }
}

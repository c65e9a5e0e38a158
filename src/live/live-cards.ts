// Live cards, what is kept of each, and the steps of their life. Pure.
//
// A live card            moved by                                             ends as
// due, or due later      its time, whatever happens to its alert or watchers  held
// held (by a lease)      the process that took it; another once that is over  due later, or gone where nobody watches, or
//                                                                             some time after its alert was closed
// at rest                the follow of its container, which alone keeps it    due
//
// A watch                moved by                                             ends as
// running                its watcher, for longer; its time, a refused token,  ended, with why
//                        *Stop watching*, a channel that becomes shared
// ended                  whoever holds the card, once it is told              dropped
import type { Live } from '../alert/cards.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { DocKey, Facets } from '../storage/docs.ts'
import { dueTime, type Leased, poked, returnedBy, unheld } from './lease.ts'

/** Why somebody does not watch any more. */
export type Ended =
  /** The service refuses the token, or shows the alert no more with it. */
  | { readonly kind: 'refused' | 'forbidden' }
  /** The account was disconnected, or its owner has left. */
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'lifetime' }
  /** Another organisation reads in its channel now, or may: Slack did not say. */
  | { readonly kind: 'shared' }
  /** The card is out of reach. */
  | { readonly kind: 'gone' }
  /** @property by - A name, raw. */
  | { readonly kind: 'stopped'; readonly by: string }

/** Their token may read the card, and they are mentioned when its alert gets worse, opens again or closes. */
export interface Watcher {
  readonly userId: string
  /** Raw. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** They have closed the alert on its card, and only want to know whether it opens again: the card does not name them. */
  readonly hasClosed?: true
  /** It is no person, but the follow of the alert's container: its carrier's token reads the card, when the follow says so. */
  readonly followId?: string
  /** Set when it ended and nobody has drawn the conclusions yet. */
  readonly ended?: Ended
}

/** What a live card shows, kept so that it can be drawn again when the service does not answer. */
export interface CardShown {
  /** Without its actions. */
  readonly alert: Alert
  /** Unix seconds. */
  readonly asOf: number
  /** Until when the card says that it can be trusted, in Unix seconds; undefined before it was drawn live. */
  readonly nextBy?: number | undefined
  /** Equal for cards that look the same but for the times of their check and the next. Empty: draw it, whatever it shows. */
  readonly look: string
}

/** Times are milliseconds since 1970. */
export interface LiveCard extends DocKey, Leased {
  /** Of its alert, as its card has it. */
  readonly ks: string
  /** Tells one time of being live from the next. */
  readonly since: number
  readonly posted: Posted
  /** Oldest first. */
  readonly watchers: readonly Watcher[]
  readonly shown: CardShown
  /** When the service last gave the alert. */
  readonly readAt: number
  /** Looks in a row that failed. */
  readonly failures: number
  /** So long a closed alert is looked at, as it may open again. */
  readonly restsUntil?: number | undefined
}

export function facetsOfLive(live: LiveCard): Facets {
  return { ownerId: '', ref: live.ks, claim: null, dueAt: dueTime(live) }
}

export interface NewWatch extends Pick<LiveCard, 'workspaceId' | 'id' | 'ks' | 'posted'> {
  readonly userId: string
  readonly name: string
  readonly forMs: number
  readonly hasClosed?: true
  readonly followId?: string
  /** As it was read. */
  readonly alert: Alert
  /** How its card looks, where that shows this already. */
  readonly look?: string | undefined
  /** When the first look is due. */
  readonly inMs: number
}

/** @param live - Undefined for the first who watches. */
export function withWatch(live: LiveCard | undefined, watch: NewWatch, now: number): LiveCard {
  const { userId, name, forMs, hasClosed, followId, alert, look = '', inMs, ...card } = watch
  const kind = { ...(hasClosed && { hasClosed }), ...(followId && { followId }) }
  const watcher: Watcher = { userId, name, until: now + forMs, ...kind }
  if (live === undefined) {
    const shown = { alert: { ...alert, actions: [] }, asOf: Math.floor(now / 1000), look }
    const fresh = { since: now, readAt: now, failures: 0, dueAt: now + inMs, ...unheld }
    return { ...card, ...fresh, shown, watchers: [watcher] }
  }
  const before = live.watchers.find((one) => one.userId === userId && isRunning(one, now))
  // Whoever watches already hears of it.
  if (hasClosed && before !== undefined) return live
  const watchers =
    before === undefined
      ? [...live.watchers.filter((one) => one.userId !== userId), watcher]
      : live.watchers.map((one) => (one === before ? watcher : one))
  // When nobody watches any more, and the end is only not told yet, another time of being live begins.
  const since = peopleAt(live, now).length > 0 ? live.since : now
  return poked({ ...live, watchers, since, shown: { ...live.shown, look: '' } }, now)
}

/** @param userId - Undefined for all people's. @returns Undefined where there was none. */
export function withoutWatch(
  live: LiveCard,
  userId: string | undefined,
  ended: Ended,
  now: number,
): LiveCard | undefined {
  const isMeant = (one: Watcher) =>
    one.followId === undefined && (userId === undefined || one.userId === userId) && isRunning(one, now)
  if (!live.watchers.some(isMeant)) return undefined
  return poked(
    { ...live, watchers: live.watchers.map((one) => (isMeant(one) ? { ...one, ended } : one)) },
    now,
  )
}

/** The follow that keeps it has ended. */
export function withoutFollow(live: LiveCard, now: number): LiveCard {
  return poked({ ...live, watchers: live.watchers.filter(({ followId }) => followId === undefined) }, now)
}

/** What was found out and shown while it was held. What is undefined stays. */
export interface Outcome {
  readonly shown?: CardShown | undefined
  readonly isRead?: boolean
  readonly failures?: number
  /** When to look again. Undefined leaves it as it was. */
  readonly inMs?: number | 'never'
  /** Watchers whose end is told. */
  readonly gone?: readonly Watcher[]
  readonly restsUntil?: number | undefined
  /** It need not be live any more. */
  readonly isOver?: boolean
}

/**
 * Gives it back.
 * @param taken - As it was when it was taken: of one that was poked since, nothing ends, and it is due at once.
 */
export function givenBack(
  live: LiveCard,
  taken: LiveCard,
  outcome: Outcome,
  now: number,
): LiveCard | 'gone' | undefined {
  const { shown, isRead, failures = live.failures, inMs, gone = [], isOver } = outcome
  const returned = returnedBy(live, taken, inMs, now)
  if (returned && isOver && live.pokes === taken.pokes) return 'gone'
  return (
    returned && {
      ...returned,
      watchers: live.watchers.filter((one) => !gone.some((other) => isSameWatch(one, other))),
      shown: shown ?? live.shown,
      readAt: isRead ? now : live.readAt,
      failures,
      restsUntil: 'restsUntil' in outcome ? outcome.restsUntil : live.restsUntil,
    }
  )
}

/** Nobody has watched longer meanwhile. */
export function isSameWatch(one: Watcher, other: Watcher): boolean {
  return one.userId === other.userId && one.until === other.until
}

function isRunning({ ended, until }: Watcher, now: number): boolean {
  return ended === undefined && until > now
}

export function runningAt({ watchers }: LiveCard, now: number): readonly Watcher[] {
  return watchers.filter((one) => isRunning(one, now))
}

/** Those who want it to be live. */
export function peopleAt(live: LiveCard, now: number): readonly Watcher[] {
  return runningAt(live, now).filter(isPerson)
}

/** True of somebody who wants the card to be live, not only to hear of one thing. */
export function isPerson({ hasClosed, followId }: Watcher): boolean {
  return !hasClosed && followId === undefined
}

/** True where a follow reads the card, whoever else does. */
export function isFollowed({ watchers }: LiveCard): boolean {
  return watchers.some(({ followId }) => followId !== undefined)
}

/** True where nobody but a follow wants it read: it is at rest until the follow says so. */
export function restsAt(live: LiveCard, now: number): boolean {
  return isFollowed(live) && runningAt(live, now).every(({ followId }) => followId !== undefined)
}

/** For the line on its card. */
export function lineOf(watchers: readonly Watcher[]): Live | undefined {
  const people = watchers.filter(isPerson)
  if (people.length === 0) return undefined
  return { names: people.map(({ name }) => name), until: Math.max(...people.map(({ until }) => until)) }
}

/** True once the next check that the card announces is past. */
export function isLate({ shown: { nextBy, asOf } }: LiveCard, now: number): boolean {
  return (nextBy ?? asOf + 600) * 1000 < now
}

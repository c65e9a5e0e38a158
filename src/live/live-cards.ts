// Defines live cards, which Bellhop keeps up to date: what is kept of each, and the steps of its life. Pure.
//
// A live card            moved by                                             ends as
// due, or due later      its time, whatever happens to its alert or watchers  held
// held (by a lease)      that process; another once its lease is over         due later, or gone if nobody watches, or some
//                                                                             time after its alert was closed
// at rest                the follow (a channel that gets a container's new    due
//                        alerts) that alone keeps it

import type { Live } from '../alert/cards.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { DocKey, Facets } from '../storage/docs.ts'
import { minuteMs } from '../work/durations.ts'
import { dueTime, type Leased, poked, returnedBy, unheld } from '../work/lease.ts'
import { doubling } from '../work/retry.ts'

/** The reason why somebody does not watch any more; render.ts has each in words. */
export type Ended =
  | 'refused'
  | 'forbidden'
  | 'disconnected'
  | 'lifetime'
  | 'shared'
  | 'gone'
  | 'stopped'

/** A person whose token may read the card, and who is mentioned when its alert gets worse, opens again or closes. */
export interface Watcher {
  readonly userId: string
  /** Raw. */
  readonly name: string
  /**
   * End of the watch, in milliseconds since 1970. The first look after that takes the watcher away; the thread is told if
   * nobody else watches.
   */
  readonly until: number
  /** Why the watch has ended. Default: its time is over. */
  readonly why?: Ended
  /** True of whoever closed the alert, and only wants to know whether it opens again: the card does not name them. */
  readonly hasClosed?: true
}

/** A card as it was drawn, kept so that it can be drawn again when the service does not answer. */
export interface CardShown {
  /** The alert, without its actions. */
  readonly alert: Alert
  /** Time of the reading, in Unix seconds. */
  readonly asOf: number
  /** Time by which the card says that it is checked again, in Unix seconds; undefined before it was drawn live. */
  readonly nextBy?: number | undefined
  /** A text that is equal for cards that show the same, whatever their times of the last and the next check. */
  readonly fingerprint: string
}

/** Differs from all fingerprints, so that the card is drawn, whatever it shows. */
export const noFingerprint = ''

/** Times are milliseconds since 1970. */
export interface LiveCard extends DocKey, Leased {
  readonly ks: string
  /** Time at which the card became live the last time: it may have been live before. */
  readonly since: number
  readonly posted: Posted
  /** The one who has watched longest comes first. */
  readonly watchers: readonly Watcher[]
  /**
   * Id of the follow that keeps the card, if any: the follow makes the card due, and if no watcher's token can read the
   * alert, that of the follow's carrier does.
   */
  readonly followId?: string | undefined
  readonly shown: CardShown
  readonly readAt: number
  /** Looks in a row that failed. */
  readonly failures: number
  /** Until this time, a closed alert is looked at, as it may open again. */
  readonly mayReopenUntil?: number | undefined
  /** The due time of a card whose last reading Slack hasn’t taken yet. If `dueAt` is still the same, it is only drawn then. */
  readonly waitsUntil?: number | null | undefined
}

/**
 * Name of the list of all cards that people watch. Lists of one watcher’s or one channel’s cards have that id as their name.
 */
export const watched = 'watched'

export function facetsOfLive(live: LiveCard): Facets {
  const { ks, followId = '', watchers, posted, since } = live
  const ids = watchers.map(({ userId }) => userId)
  const lists = [
    ...ids,
    ...(ids.length > 0 ? [posted.channelId] : []),
    ...(watchers.some(isPerson) ? [watched] : []),
  ]

  return {
    ownerId: followId,
    ref: ks,
    claim: null,
    dueAt: dueTime(live),
    lists: Object.fromEntries(lists.map((list) => [list, since])),
  }
}

export interface NewLiveCard
  extends Pick<LiveCard, 'workspaceId' | 'id' | 'ks' | 'posted' | 'followId'> {
  readonly alert: Alert
  /** Fingerprint of the card, if the card shows this alert already. */
  readonly fingerprint?: string | undefined
}

/** A card that nobody watches yet. It is due at once. */
export function newLiveCard(
  { alert, fingerprint = noFingerprint, ...card }: NewLiveCard,
  now: number,
): LiveCard {
  const shown = { alert: { ...alert, actions: [] }, asOf: Math.floor(now / 1000), fingerprint }
  return {
    ...card,
    ...unheld,
    since: now,
    readAt: now,
    failures: 0,
    dueAt: now,
    shown,
    watchers: [],
  }
}

/** Time from a closing to the next look at the alert: some services open it again at once. */
const reopensAfterMs = 5_000

export function withWatch(live: LiveCard, watcher: Watcher, now: number): LiveCard {
  const running = runningAt(live, now)
  const others = running.filter(({ userId }) => userId !== watcher.userId)
  if (watcher.hasClosed && others.length < running.length) return live
  // If nobody watches any more, the card becomes live anew, even if its thread doesn’t say yet that it had stopped.
  const since = peopleAt(live, now).length > 0 ? live.since : now
  const shown = { ...live.shown, fingerprint: noFingerprint }
  const next = { ...live, watchers: [...others, watcher], since, shown }

  return watcher.hasClosed ? { ...next, dueAt: now + reopensAfterMs } : poked(next, now)
}

/** Ends watches. @param userId - Undefined for everybody's. */
export function withoutWatch(
  live: LiveCard,
  userId: string | undefined,
  why: Ended,
  now: number,
): LiveCard {
  const isMeant = (one: Watcher) =>
    one.until > now && (userId === undefined || one.userId === userId)
  return {
    ...live,
    watchers: live.watchers.map((one) => (isMeant(one) ? { ...one, until: now, why } : one)),
  }
}

/** Results of a turn. A field that is undefined leaves the card's as it was. */
export interface TurnOutcome {
  readonly shown?: CardShown | undefined
  /** Set if the service gave the alert. */
  readonly read?: Pick<LiveCard, 'mayReopenUntil'> | undefined
  readonly failures?: number
  /** When to look again; undefined leaves the time as it was. */
  readonly inMs?: number | 'never'
  /** True if Slack did not take yet what was read. */
  readonly isWaiting?: boolean
  /** People who watch on. All other watchers are taken away, as the end of their watch is told. */
  readonly watchers?: readonly Watcher[] | undefined
  readonly isOver?: boolean | undefined
}

/**
 * The card after a turn; `gone` if it is no longer live, undefined if another process has it.
 * @param taken - The card as the turn took it. If it was made due (`poked`) since, nothing ends, and it is due at once.
 */
export function givenBack(
  live: LiveCard,
  taken: LiveCard,
  outcome: TurnOutcome,
  now: number,
): LiveCard | 'gone' | undefined {
  const {
    shown = live.shown,
    read,
    failures = live.failures,
    inMs,
    isWaiting,
    watchers,
    isOver,
  } = outcome
  const returned = returnedBy(live, taken, inMs, now)
  const isAsTaken = live.dueAt === taken.dueAt
  if (!returned) return undefined
  if (isOver && isAsTaken) return 'gone'

  const ends = watchers !== undefined && isAsTaken ? { watchers } : {}
  const waitsUntil = isWaiting ? returned.dueAt : undefined
  return {
    ...returned,
    ...ends,
    ...(read && { ...read, readAt: now }),
    shown,
    failures,
    waitsUntil,
  }
}

export function runningAt({ watchers }: LiveCard, now: number): readonly Watcher[] {
  return watchers.filter(({ until }) => until > now)
}

export function peopleAt(live: LiveCard, now: number): readonly Watcher[] {
  return runningAt(live, now).filter(isPerson)
}

/** True of somebody who wants the card to be live, not only to hear whether the alert opens again. */
export function isPerson({ hasClosed }: Watcher): boolean {
  return !hasClosed
}

export function watchersShown(watchers: readonly Watcher[]): Live | undefined {
  const people = watchers.filter(isPerson)
  if (people.length === 0) return undefined

  return {
    names: people.map(({ name }) => name),
    until: Math.max(...people.map(({ until }) => until)),
  }
}

/** Seconds after its reading at which a card counts as late, if it was never drawn live. */
const firstCheckSeconds = 600

export function isLate({ shown: { nextBy, asOf } }: LiveCard, now: number): boolean {
  return (nextBy ?? asOf + firstCheckSeconds) * 1000 < now
}

/**
 * Delay before a post that Slack did not confirm is made again: doubled with each try.
 * @param tries - How many have failed.
 */
export const unconfirmedMs: (tries: number) => number = doubling(2 * minuteMs, 8 * minuteMs)

// Live cards, what is kept of each, and the steps of their life. Pure.
//
// A live card            moved by                                             ends as
// due, or due later      its time, whatever happens to its alert or watchers  held
// held (by a lease)      that process; another once its lease is over         due later, or gone where nobody watches, or
//                                                                             some time after its alert was closed
// at rest                the follow of its container, which alone keeps it    due

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
  /** Milliseconds since 1970. The first look after it takes the watcher away; the thread is told if nobody else watches. */
  readonly until: number
  /** Default: the time of the watch is over. */
  readonly why?: Ended
  /** True of whoever closed the alert, and only wants to know whether it opens again: the card does not name them. */
  readonly hasClosed?: true
}

/** A card as it was drawn, kept so that it can be drawn again when the service does not answer. */
export interface CardShown {
  /** Without its actions. */
  readonly alert: Alert
  /** Unix seconds. */
  readonly asOf: number
  /** Until when the card says that it can be trusted, in Unix seconds; undefined before it was drawn live. */
  readonly nextBy?: number | undefined
  /** Equal for cards that show the same but for the times of their check and the next. */
  readonly fingerprint: string
}

/** Differs from all fingerprints, so that the card is drawn, whatever it shows. */
export const noFingerprint = ''

/** Times are milliseconds since 1970. */
export interface LiveCard extends DocKey, Leased {
  readonly ks: string
  /** Tells one time of being live from the next. */
  readonly since: number
  readonly posted: Posted
  /** Oldest first. */
  readonly watchers: readonly Watcher[]
  /** The follow of the alert's container: it makes the card due, and its carrier's token reads where no watcher's does. */
  readonly followId?: string | undefined
  readonly shown: CardShown
  readonly readAt: number
  /** Looks in a row that failed. */
  readonly failures: number
  /** A closed alert is looked at until then, as it may open again. */
  readonly mayReopenUntil?: number | undefined
  /** Set while Slack did not take yet what was read. Where `dueAt` is the same, the card only has to be drawn. */
  readonly waitsUntil?: number | null | undefined
}

/** Name of the list of all cards that people watch. Each watcher, and each channel, has a list by its id as well. */
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
  /** Fingerprint of the card, where it shows this alert already. */
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

/** Some services open an alert again at once that somebody closed. */
const reopensAfterMs = 5_000

export function withWatch(live: LiveCard, watcher: Watcher, now: number): LiveCard {
  const running = runningAt(live, now)
  const others = running.filter(({ userId }) => userId !== watcher.userId)
  if (watcher.hasClosed && others.length < running.length) return live
  // A new time of being live begins where nobody watches any more, even if the thread was not told so yet.
  const since = peopleAt(live, now).length > 0 ? live.since : now
  const shown = { ...live.shown, fingerprint: noFingerprint }
  const next = { ...live, watchers: [...others, watcher], since, shown }

  return watcher.hasClosed ? { ...next, dueAt: now + reopensAfterMs } : poked(next, now)
}

/** @param userId - Undefined for everybody. */
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

/** Results of a turn. What is undefined stays. */
export interface TurnOutcome {
  readonly shown?: CardShown | undefined
  /** The service gave the alert. */
  readonly read?: Pick<LiveCard, 'mayReopenUntil'> | undefined
  readonly failures?: number
  /** When to look again. Undefined leaves it as it was. */
  readonly inMs?: number | 'never'
  /** Slack did not take yet what was read. */
  readonly isWaiting?: boolean
  /** People who watch on. Everybody else is taken away, as their end is told. */
  readonly watchers?: readonly Watcher[] | undefined
  readonly isOver?: boolean | undefined
}

/**
 * The card after a turn; `gone` where it is live no more, undefined where another process has it.
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

/** A card that was never drawn live is late so long after its reading. */
const firstCheckSeconds = 600

export function isLate({ shown: { nextBy, asOf } }: LiveCard, now: number): boolean {
  return (nextBy ?? asOf + firstCheckSeconds) * 1000 < now
}

/** Delay before a post that Slack did not confirm is made again: doubled with each try. @param tries - So many in a row. */
export const unconfirmedMs: (tries: number) => number = doubling(2 * minuteMs, 8 * minuteMs)

// Defines maintenance that Bellhop set: what is kept of it, the steps of its life, and where it is found. Pure.
//
// state      moved by                                                        becomes
// begun      a read that shows it: its card’s thread and the follows hear    shown
//            no such read: every five minutes, until its end                 begun
// shown      somebody who ends it from Slack                                 looked at, at once
//            a minute after its end                                          looked at
// looked at  a read that shows the end of it                                 gone, once it is said where its beginning was
//            no such read, before its end                                    shown
//            no such read, until a quarter of an hour after its end          looked at again
//            no such read by then                                            late: said so, and looked at every hour
// late       a read that shows the end of it                                 gone, once it is said
//            a day after its end                                             gone
//
// The service says neither until when a mode lasts nor who set it: this document is the only record of both.

import type { ModeTarget } from '../monitor/schema.ts'
import type { ModeWrite } from '../send/outcome.ts'
import type { NamedPerson } from '../send/request.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { DocKey, Facets } from '../storage/docs.ts'
import { dayMs, hourMs, minuteMs } from '../work/durations.ts'
import { dueTime, type Leased, unheld } from '../work/lease.ts'

/** News of maintenance: it has begun, is over, isn’t over though it should be, or nobody can tell. */
export type ModeNews = 'begun' | 'over' | 'still' | 'unknown'

/** A place in Slack where news of maintenance was said. */
export interface SaidPlace extends Posted {
  /** The latest news that was said there. */
  readonly said: ModeNews
}

/** Times are milliseconds since 1970. */
export interface Maintenance extends DocKey, Leased {
  readonly target: ModeTarget
  /** The person who set it, with the name they had then, raw. */
  readonly by: NamedPerson
  readonly at: number
  readonly endsAt: number
  readonly saidIn: readonly SaidPlace[]
  /** The card on which the maintenance was set, if any. */
  readonly cardId?: string | undefined
  /** True once a read has shown the maintenance. */
  readonly isShown?: boolean | undefined
  /** True once people have been told that it should be over: it is still on, or nobody can tell. */
  readonly isLate?: boolean | undefined
}

/** Key of the machine or container in maintenance: only one document at a time has it. */
export function targetKey({ container, asset }: ModeTarget): string {
  return asset === undefined ? `container ${container}` : `asset ${asset}`
}

/** Reference by which all maintenance in one container is found. */
export const inContainer = (containerId: number) => `in ${containerId}`

/** Name of the list of maintenance with `isLate`. */
export const lateList = 'late'

export function facetsOfMaintenance(one: Maintenance): Facets {
  const { target, by, isLate, endsAt } = one

  return {
    ownerId: by.userId,
    ref: inContainer(target.container),
    claim: targetKey(target),
    dueAt: dueTime(one),
    lists: isLate ? { [lateList]: endsAt } : {},
  }
}

export function newMaintenance(
  { workspaceId, id }: DocKey,
  { target, endsAt, cardId }: ModeWrite & { readonly endsAt: number },
  by: NamedPerson,
  now: number,
): Maintenance {
  return { workspaceId, id, target, by, at: now, endsAt, cardId, saidIn: [], ...unheld, dueAt: now }
}

/** Times of looks after the end. The first is a minute later: the service counts whole minutes from when it was asked. */
const looksMs = [minuteMs, 5 * minuteMs, 15 * minuteMs]
/** So long after the end, people are told that it isn’t over, or that nobody can tell. */
const patienceMs = 15 * minuteMs

/** How often to look for maintenance that was sent and no read has shown yet. */
const unseenMs = 5 * minuteMs

/** Time of the next look. */
function nextLook({ endsAt, isShown }: Maintenance, now: number): number {
  const next = looksMs.map((ms) => endsAt + ms).find((at) => at > now) ?? now + hourMs
  return isShown || now >= endsAt ? next : Math.min(next, now + unseenMs)
}

/**
 * Notes what a look has found, and the time of the next look; a day after the end, drops the maintenance.
 * @param taken - The maintenance as it was when the look began. If somebody has ended it from Slack since, it is due at once.
 */
export const lookedStep =
  (taken: Maintenance, found: Pick<Maintenance, 'isShown' | 'isLate'>) =>
  (one: Maintenance, now: number): Maintenance | 'gone' => {
    if (now >= one.endsAt + dayMs) return 'gone'

    const looked = { ...one, ...unheld, ...found }
    const isPoked = one.dueAt !== taken.dueAt
    return isPoked ? looked : { ...looked, dueAt: nextLook(looked, now) }
  }

export function isOverdue({ endsAt }: Pick<Maintenance, 'endsAt'>, now: number): boolean {
  return now >= endsAt + patienceMs
}

/** @param said - The news that was told there just now. */
export const saidStep =
  (posted: Posted, said: ModeNews) =>
  (one: Maintenance): Maintenance => {
    const others = one.saidIn.filter(
      ({ channelId, threadTs }) => channelId !== posted.channelId || threadTs !== posted.threadTs,
    )

    return { ...one, saidIn: [...others, { ...posted, said }] }
  }

/** Longest maintenance that the service sets. */
const longestMs = 480 * minuteMs

/** Minutes that the service is asked for, up to the end that was shown; undefined if there are none, or too many. */
export function minutesUntil(endsAt: number, now: number): number | undefined {
  const minutes = Math.ceil((endsAt - now) / minuteMs)
  return minutes >= 1 && minutes * minuteMs <= longestMs ? minutes : undefined
}

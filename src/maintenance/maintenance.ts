// Defines maintenance that was set from Slack: its document, the steps of its life, and the lists that it stands in. Pure.
//
// state  looked at                                        found                    becomes
// begun  at once, then every five minutes until its end   it is on                 shown: its card’s thread and follows hear
//        after its end, as below                          it is over               gone: nobody has heard of it
// shown  at once if somebody ends it from Slack           it is over               gone: all who heard of it hear
//        1, 5 and 15 minutes after its end                it is over               gone: all who heard of it hear
//        15 minutes after its end                         it is on, or no answer   late: they and its setter hear
// late   every hour, for a day after its end              it is over               gone: they and its setter hear
//        a day after its end                              anything                 gone
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

/** Reference by which all maintenance in one container is found: that of machines, and its own. */
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

/** Pauses between the end and each look. The first is a minute, as the service counts whole minutes. */
const looksMs = [minuteMs, 5 * minuteMs, 15 * minuteMs]
/** How long after its end people are told that maintenance is still on, or that nobody can tell. */
const patienceMs = 15 * minuteMs

/** How often maintenance is looked at while no read has shown it yet. */
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

/** Notes that news was said in a place. */
export const saidStep =
  (posted: Posted, said: ModeNews) =>
  (one: Maintenance): Maintenance => {
    const others = one.saidIn.filter(
      ({ channelId, threadTs }) => channelId !== posted.channelId || threadTs !== posted.threadTs,
    )

    return { ...one, saidIn: [...others, { ...posted, said }] }
  }

/** The longest maintenance that the service sets. */
const longestMs = 480 * minuteMs

/** Minutes until an end, rounded up. Undefined if the end has passed, or is more than eight hours away. */
export function minutesUntil(endsAt: number, now: number): number | undefined {
  const minutes = Math.ceil((endsAt - now) / minuteMs)
  return minutes >= 1 && minutes * minuteMs <= longestMs ? minutes : undefined
}

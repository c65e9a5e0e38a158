// Keeps a follow’s tally: counts of alerts that it told, that closed and that opened again, of seven days at most. (A
// follow is a channel that gets a container’s new alerts.) Names nobody: people are numbers of the service. Pure.

import { type Action, closings } from '../monitor/schema.ts'
import { dayMs, minuteMs } from '../work/durations.ts'

/** Numbers of alerts, but for `again` and `unanswered`. */
export interface Counts {
  /** Alerts told as new. */
  readonly new?: number | undefined
  /** Alerts that are no longer open. */
  readonly gone?: number | undefined
  /** Alerts closed by people, by the person’s number at the service; 0 if the service names nobody. */
  readonly closedBy?: Readonly<Record<string, number>> | undefined
  /** Alerts that the service has closed. */
  readonly byItself?: number | undefined
  /** How often an alert opened again. */
  readonly again?: number | undefined
  /** Calls that nobody answered. */
  readonly unanswered?: number | undefined
}

/** The counts of five minutes. Times are milliseconds since 1970. */
interface Bucket extends Counts {
  /** The moment from which these counts are, for five minutes. */
  readonly at: number
}

/** A time without a look, in milliseconds since 1970. */
interface Gap {
  readonly from: number
  readonly to: number
}

export interface Tally {
  /** The moment from which all is counted. */
  readonly from: number
  /** The oldest first; five minutes in which nothing happened have none. */
  readonly buckets: readonly Bucket[]
  /** Times without a look: the newest twenty, the oldest of these first. */
  readonly gaps: readonly Gap[]
  /** When the last daily message was posted, which told all counts before: the next one tells only what came after. */
  readonly toldAt?: number | undefined
}

const bucketMs = 5 * minuteMs
const mostBuckets = 500
const mostGaps = 20
/** Counts that are older are dropped. */
export const countedMs = 7 * dayMs

export function newTally(now: number): Tally {
  return { from: now, buckets: [], gaps: [] }
}

const numbers = ['new', 'gone', 'byItself', 'again', 'unanswered'] as const

function sumOf(one: Counts, other: Counts): Counts {
  const sums = numbers.flatMap((name) => {
    const sum = (one[name] ?? 0) + (other[name] ?? 0)
    return sum === 0 ? [] : [[name, sum] as const]
  })

  const people = { ...one.closedBy }
  for (const [id, count] of Object.entries(other.closedBy ?? {}))
    people[id] = (people[id] ?? 0) + count

  const closedBy = Object.keys(people).length === 0 ? undefined : people
  return { ...Object.fromEntries(sums), closedBy }
}

/** The tally with these counts added. @param tally - Undefined if nothing was counted yet. */
export function withCounts(tally: Tally | undefined, counts: Counts, now: number): Tally {
  const before = tally ?? newTally(now)
  const { from, buckets, toldAt = 0 } = before
  if (Object.values(counts).every((count) => count === undefined)) return before

  const last = buckets.at(-1)
  // If the clock was set back, the last bucket takes all counts until the clock is past it again.
  const isOpen = last !== undefined && last.at > toldAt && now - last.at < bucketMs
  const others = isOpen ? buckets.slice(0, -1) : buckets
  const bucket = isOpen
    ? { at: last.at, ...sumOf(last, counts) }
    : { at: Math.max(now, toldAt + 1), ...counts }

  const young = [...others, bucket].filter(({ at }) => at > now - countedMs)
  const kept = young.slice(-mostBuckets)
  const isCut = kept.length < young.length
  return { ...before, buckets: kept, from: isCut ? (kept[0]?.at ?? from) : from }
}

/** The tally with a time without a look that has just ended. */
export function withGap(tally: Tally | undefined, gap: Gap): Tally {
  const before = tally ?? newTally(gap.from)
  return { ...before, gaps: [...before.gaps, gap].slice(-mostGaps) }
}

/** The tally once a daily message has told all its counts. */
export function toldAt(tally: Tally, now: number): Tally {
  const last = tally.buckets.at(-1)?.at ?? 0
  return { ...tally, toldAt: Math.max(now, last) }
}

/**
 * The sum of all counts since a moment. A bucket that began less than five minutes before counts, too, unless a daily
 * message has told it: the moment is `toldAt` then.
 */
export function countsSince({ buckets, toldAt }: Tally, since: number): Counts {
  const first = toldAt === since ? since + 1 : since - bucketMs + 1
  return buckets.filter(({ at }) => at >= first).reduce(sumOf, {})
}

/** The counts for an alert’s closing, by the last of these actions that closes it; undefined if none does. */
export function closingIn(actions: readonly Action[]): Counts | undefined {
  const last = actions.findLast(({ kind }) => closings.has(kind))
  if (last === undefined) return undefined
  if (last.kind !== 'Close') return { byItself: 1 }

  const { userId } = last.data ?? {}
  const id = typeof userId === 'number' && Number.isSafeInteger(userId) ? userId : 0
  return { closedBy: { [id]: 1 } }
}

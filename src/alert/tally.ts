// Counts of what a follow saw and told, of seven days at most. Names nobody: people are numbers of the service. Pure.

import { type Action, closings } from '../monitor/schema.ts'
import { dayMs, minuteMs } from '../work/durations.ts'

/** Numbers of alerts, but for `again` and `unanswered`. */
export interface Counts {
  /** Told as new. */
  readonly new?: number | undefined
  /** In the list no more. */
  readonly gone?: number | undefined
  /** Closed by people, by their number at the service; 0 for somebody whom it doesn’t name. */
  readonly closedBy?: Readonly<Record<string, number>> | undefined
  readonly byItself?: number | undefined
  /** How often one opened again. */
  readonly again?: number | undefined
  /** Calls that nobody answered. */
  readonly unanswered?: number | undefined
}

/** Times are milliseconds since 1970. */
interface Bucket extends Counts {
  /** The first moment that it counts, and some minutes from then on. */
  readonly at: number
}

interface Gap {
  readonly from: number
  readonly to: number
}

export interface Tally {
  /** Nothing before that is counted. */
  readonly from: number
  /** The oldest first; a time in which nothing happened has none. */
  readonly buckets: readonly Bucket[]
  /** Times without a look, the newest few. */
  readonly gaps: readonly Gap[]
  /** When the last daily message was posted: it tells all before that, and the next one nothing of it. */
  readonly toldAt?: number | undefined
}

const bucketMs = 5 * minuteMs
const mostBuckets = 500
const mostGaps = 20
/** Nothing older is counted. */
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

/** @param tally - Undefined where nothing was counted yet. */
export function withCounts(tally: Tally | undefined, counts: Counts, now: number): Tally {
  const before = tally ?? newTally(now)
  const { from, buckets, toldAt = 0 } = before
  if (Object.values(counts).every((count) => count === undefined)) return before

  const last = buckets.at(-1)
  // A clock that was set back doesn’t count as long as it takes to come there again.
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

/** A time without a look, which has just ended. */
export function withGap(tally: Tally | undefined, gap: Gap): Tally {
  const before = tally ?? newTally(gap.from)
  return { ...before, gaps: [...before.gaps, gap].slice(-mostGaps) }
}

/** A message has told all of it. */
export function toldAt(tally: Tally, now: number): Tally {
  const last = tally.buckets.at(-1)?.at ?? 0
  return { ...tally, toldAt: Math.max(now, last) }
}

/** All that was counted since then: a bucket that began within minutes before counts, unless a message told of it. */
export function countsSince({ buckets, toldAt }: Tally, since: number): Counts {
  const first = toldAt === since ? since + 1 : since - bucketMs + 1
  return buckets.filter(({ at }) => at >= first).reduce(sumOf, {})
}

/** The closing of an alert, as its newest actions say; undefined where none of them is one. */
export function closingIn(actions: readonly Action[]): Counts | undefined {
  const last = actions.findLast(({ kind }) => closings.has(kind))
  if (last === undefined) return undefined
  if (last.kind !== 'Close') return { byItself: 1 }

  const { userId } = last.data ?? {}
  const id = typeof userId === 'number' && Number.isSafeInteger(userId) ? userId : 0
  return { closedBy: { [id]: 1 } }
}

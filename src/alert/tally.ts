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
  /** Times without a look: the newest five, the oldest of these first. */
  readonly gaps: readonly Gap[]
}

export const bucketMs = 5 * minuteMs
const mostBuckets = 500
const mostGaps = 5
/** Counts that are older are dropped. */
export const countedMs = 7 * dayMs

export function newTally(now: number): Tally {
  return { from: now, buckets: [], gaps: [] }
}

const numbers = ['new', 'gone', 'byItself', 'again', 'unanswered'] as const

function sumOf(one: Counts, other: Counts): Counts {
  const sums = numbers.map((name) => {
    const sum = (one[name] ?? 0) + (other[name] ?? 0)
    return [name, sum || undefined] as const
  })

  const people = { ...one.closedBy }
  for (const [id, count] of Object.entries(other.closedBy ?? {}))
    people[id] = (people[id] ?? 0) + count

  const closedBy = Object.keys(people).length === 0 ? undefined : people
  return { ...Object.fromEntries(sums), closedBy }
}

export function withCounts(tally: Tally, counts: Counts, now: number): Tally {
  if (Object.values(counts).every((count) => !count)) return tally

  const { buckets } = tally
  const last = buckets.at(-1)
  // If the clock was set back, the last bucket takes all counts until the clock is past it again.
  const isOpen = last !== undefined && now - last.at < bucketMs
  if (!isOpen) return withBucket(tally, { at: now, ...sumOf(counts, {}) })

  return { ...tally, buckets: buckets.with(-1, { at: last.at, ...sumOf(last, counts) }) }
}

/** The tally with a new bucket, which takes all counts of the next five minutes. Old buckets are dropped. */
export function withBucket(tally: Tally, bucket: Bucket): Tally {
  const young = [...tally.buckets, bucket].filter(({ at }) => at > bucket.at - countedMs)
  const kept = young.slice(-mostBuckets)
  const isCut = kept.length < young.length
  return { ...tally, buckets: kept, from: isCut ? (kept[0]?.at ?? tally.from) : tally.from }
}

/** The tally with a time without a look that has just ended. */
export function withGap(tally: Tally, gap: Gap): Tally {
  return { ...tally, gaps: [...tally.gaps, gap].slice(-mostGaps) }
}

/** The sum of the buckets that began after a moment. */
export function countsSince({ buckets }: Tally, since: number): Counts {
  return buckets.filter(({ at }) => at > since).reduce(sumOf, {})
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

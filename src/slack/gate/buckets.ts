// Buckets in the memory of this process, one a person: how much they may still ask for, filled up by the minute, and how
// much of what was charged the other processes do not know of yet.
import { LRUCache } from 'lru-cache'
import { type Clock, personKey, type SlackUser } from '../ids.ts'
import type { Decision, Price } from './person-limit.ts'

/** What was charged to somebody in one process without the others knowing. */
export interface UnreportedCharge {
  readonly person: SlackUser
  /** Above 0, and above a minute's worth for a wish for many. */
  readonly cost: number
}

export interface Buckets {
  charge(person: SlackUser, price: Price): Decision
  /** Takes away what was charged in the database: the other processes know of it. */
  copyCharge(person: SlackUser, cost: number): void
  /** @param left - In the database. What is unreported is taken from that. */
  copyLeft(person: SlackUser, left: number): void
  /** What was charged here, and the other processes do not know of. */
  unreported(): readonly UnreportedCharge[]
  /** The other processes know of so much now. */
  markReported(person: SlackUser, cost: number): void
  /** They do not know of so much after all. */
  markUnreported(person: SlackUser, cost: number): void
}

/** Whoever is pushed out by so many others starts with a full bucket again. */
export const mostBuckets = 10_000
export const toldEveryMs = 20_000
const minuteMs = 60_000

interface Bucket {
  readonly person: SlackUser
  /** Below 0 when more was charged than there was. */
  readonly left: number
  readonly at: number
  readonly toldAt: number
  readonly unreported: number
}

/** @param room.most - People who are remembered. */
export function createBuckets(room: {
  readonly perMinute: number
  readonly now: Clock
  readonly most: number
}): Buckets {
  const { perMinute, now, most } = room
  const buckets = new LRUCache<string, Bucket>({ max: most })

  /** As it is now. */
  function fill(before: Bucket): Bucket {
    const at = now()
    // A clock that was set back gives nothing, and takes nothing.
    const earned = (Math.max(0, at - before.at) / minuteMs) * perMinute
    const left = Math.min(perMinute, before.left + earned)
    // What has come in again, nobody needs to know of any more.
    return { ...before, left, at, unreported: Math.min(before.unreported, perMinute - left) }
  }

  function bucketOf(person: SlackUser): Bucket {
    const full = { person, left: perMinute, at: now(), toldAt: Number.NEGATIVE_INFINITY, unreported: 0 }
    return fill(buckets.get(personKey(person)) ?? full)
  }

  const keep = (bucket: Bucket) => void buckets.set(personKey(bucket.person), bucket)

  return {
    charge(person, { cost, needed }) {
      const bucket = bucketOf(person)
      const { left, at, toldAt, unreported } = bucket
      if (left >= needed) {
        keep({ ...bucket, left: left - cost, unreported: unreported + cost })
        return { isCharged: true }
      }
      const isToBeTold = at - toldAt >= toldEveryMs || at < toldAt
      keep({ ...bucket, toldAt: isToBeTold ? at : toldAt })
      return { isCharged: false, left, isToBeTold }
    },
    copyCharge(person, cost) {
      const bucket = bucketOf(person)
      keep({ ...bucket, left: bucket.left - cost })
    },
    copyLeft(person, left) {
      const bucket = bucketOf(person)
      keep({ ...bucket, left: left - bucket.unreported })
    },
    unreported: () =>
      [...buckets.values()].map(fill).flatMap(({ person, unreported }) => {
        return unreported > 0 ? [{ person, cost: unreported }] : []
      }),
    markReported(person, cost) {
      const bucket = buckets.get(personKey(person))
      if (bucket !== undefined) keep({ ...bucket, unreported: Math.max(0, bucket.unreported - cost) })
    },
    markUnreported(person, cost) {
      const bucket = bucketOf(person)
      keep(fill({ ...bucket, unreported: bucket.unreported + cost }))
    },
  }
}

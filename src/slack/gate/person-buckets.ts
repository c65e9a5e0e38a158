// Buckets in the memory of this process: how much each person may still ask for, filled up by the minute.
import { LRUCache } from 'lru-cache'
import { type Clock, personKey, type SlackUser } from '../ids.ts'
import type { Taken } from './shared-limits.ts'

/** What is asked of a bucket. */
export interface Take {
  readonly cost: number
  /** What has to be there: less than `cost` where some of it is waited for afterwards. */
  readonly needed: number
}

/** `left`: after it was taken, or as there is too little. */
export type Decision =
  | { readonly isTaken: true }
  | { readonly isTaken: false; readonly left: number; readonly isToBeTold: boolean }

export interface Buckets {
  take(person: SlackUser, take: Take): Decision
  /** Takes what was let through together with other processes: they know. */
  spend(person: SlackUser, cost: number): void
  /** @param left - As all processes know it together. What they don't know of is taken from that. */
  learn(person: SlackUser, left: number): void
  /** What the other processes don't know of. */
  unshared(): readonly Taken[]
  /** They know of so much now. */
  shared(person: SlackUser, cost: number): void
  /** Of so much that was taken they don't know after all. */
  unshare(person: SlackUser, cost: number): void
}

/** Whoever is pushed out by so many others starts with a full bucket again. */
export const mostPeople = 10_000
export const toldEveryMs = 20_000
const minuteMs = 60_000

interface Bucket {
  readonly person: SlackUser
  /** Below 0 when more was taken than there was. */
  readonly left: number
  readonly at: number
  readonly toldAt: number
  readonly unshared: number
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
    return { ...before, left, at, unshared: Math.min(before.unshared, perMinute - left) }
  }

  function bucketOf(person: SlackUser): Bucket {
    const full = { person, left: perMinute, at: now(), toldAt: Number.NEGATIVE_INFINITY, unshared: 0 }
    return fill(buckets.get(personKey(person)) ?? full)
  }

  const keep = (bucket: Bucket) => void buckets.set(personKey(bucket.person), bucket)

  return {
    take(person, { cost, needed }) {
      const bucket = bucketOf(person)
      const { left, at, toldAt, unshared } = bucket
      if (left >= needed) {
        keep({ ...bucket, left: left - cost, unshared: unshared + cost })
        return { isTaken: true }
      }
      const isToBeTold = at - toldAt >= toldEveryMs || at < toldAt
      keep({ ...bucket, toldAt: isToBeTold ? at : toldAt })
      return { isTaken: false, left, isToBeTold }
    },
    spend(person, cost) {
      const bucket = bucketOf(person)
      keep({ ...bucket, left: bucket.left - cost })
    },
    learn(person, left) {
      const bucket = bucketOf(person)
      keep({ ...bucket, left: left - bucket.unshared })
    },
    unshared: () =>
      [...buckets.values()].map(fill).flatMap(({ person, unshared }) => {
        return unshared > 0 ? [{ person, unshared }] : []
      }),
    unshare(person, cost) {
      const bucket = bucketOf(person)
      keep(fill({ ...bucket, unshared: bucket.unshared + cost }))
    },
    shared(person, cost) {
      const bucket = buckets.get(personKey(person))
      if (bucket !== undefined) keep({ ...bucket, unshared: Math.max(0, bucket.unshared - cost) })
    },
  }
}

// Limit on how much one person may ask for in a minute: each request is charged, and whoever has nothing left has to
// wait. `decide` counts: the buckets of this process, or `count-together.ts` where several share the database.

import { LRUCache } from 'lru-cache'
import { type Clock, personKey, type SlackUser } from '../ids.ts'

/** Somebody has to wait. */
export interface HeldBack {
  /** Until the same may be asked again and is taken; at least 1. */
  readonly seconds: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

/** Whoever decides does so within a third of a second, and never rejects. */
export interface PersonLimit {
  readonly perMinute: number
  /** Charges them one request; undefined when they had that left. */
  charge(person: SlackUser): Promise<HeldBack | undefined>
  /**
   * Charges what one request asks for on top: a wish for 20 people is 20. A full minute's worth is enough for any; what
   * is above it has to be waited for afterwards.
   */
  chargeMore(person: SlackUser, more: number): Promise<HeldBack | undefined>
}

/** Where the operator sets none. */
export const noLimit: PersonLimit = {
  perMinute: 0,
  charge: async () => undefined,
  chargeMore: async () => undefined,
}

/**
 * @param room.perMinute - Above 0.
 * @param room.decide - Never rejects.
 * @param room.onHeldBack - Each time somebody has to wait.
 */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly decide: (person: SlackUser, price: Price) => Promise<Decision>
  readonly onHeldBack?: () => void
}): PersonLimit {
  const { perMinute, decide, onHeldBack } = room

  /** @param anew - What is needed when it is asked again. */
  async function pay(person: SlackUser, price: Price, anew = price.needed): Promise<HeldBack | undefined> {
    const decision = await decide(person, price)
    if (decision.isCharged) return undefined
    onHeldBack?.()
    const { left, isToBeTold } = decision
    return { seconds: Math.max(1, Math.ceil(((anew - left) / perMinute) * 60)), isToBeTold }
  }

  return {
    perMinute,
    charge: (person) => pay(person, { cost: 1, needed: 1 }),
    async chargeMore(person, more) {
      if (more <= 0) return undefined
      // The request itself is charged already; the one that asks again is not.
      const needed = Math.min(more, perMinute - 1)
      return pay(person, { cost: more, needed }, needed + 1)
    },
  }
}

/** What something takes from a bucket. */
export interface Price {
  readonly cost: number
  /** What has to be left: less than `cost` where some of it is waited for afterwards. */
  readonly needed: number
}

/** `left`: too little for it, so that nothing was charged. */
export type Decision =
  | { readonly isCharged: true }
  | { readonly isCharged: false; readonly left: number; readonly isToBeTold: boolean }

/** What was charged to somebody in one process without the others knowing. */
export interface UnreportedCharge {
  readonly person: SlackUser
  /** Above 0, and above a minute's worth for a wish for many. */
  readonly cost: number
}

/**
 * Buckets in the memory of this process, one a person: how much they may still ask for, filled up by the minute, and how
 * much of what was charged the other processes do not know of yet.
 */
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

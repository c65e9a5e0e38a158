// Limit on how much one person may ask for in a minute, of all processes together: what each process counts in its
// memory, and the ports of the stores that they share.

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
  /** Takes one request of theirs; undefined when there was room for it. */
  take(person: SlackUser): Promise<HeldBack | undefined>
  /**
   * Takes what one request asks for on top: a wish for 20 people is 20. A full minute's worth is enough for any; what
   * is above it has to be waited for afterwards.
   */
  takeMore(person: SlackUser, more: number): Promise<HeldBack | undefined>
}

/** Where the operator sets none. */
export const noLimit: PersonLimit = {
  perMinute: 0,
  take: async () => undefined,
  takeMore: async () => undefined,
}

/**
 * @param room.perMinute - Above 0.
 * @param room.decide - Never rejects.
 * @param room.onHeldBack - Each time somebody has to wait.
 */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly decide: (person: SlackUser, take: Take) => Promise<Decision>
  readonly onHeldBack?: () => void
}): PersonLimit {
  const { perMinute, decide, onHeldBack } = room

  /** @param anew - What is needed when it is asked again. */
  async function take(person: SlackUser, asked: Take, anew = asked.needed): Promise<HeldBack | undefined> {
    const decision = await decide(person, asked)
    if (decision.isTaken) return undefined
    onHeldBack?.()
    const { left, isToBeTold } = decision
    return { seconds: Math.max(1, Math.ceil(((anew - left) / perMinute) * 60)), isToBeTold }
  }

  return {
    perMinute,
    take: (person) => take(person, { cost: 1, needed: 1 }),
    async takeMore(person, more) {
      if (more <= 0) return undefined
      // The request itself is taken already; the one that asks again is not.
      const needed = Math.min(more, perMinute - 1)
      return take(person, { cost: more, needed }, needed + 1)
    },
  }
}

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
export const mostBuckets = 10_000
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

/**
 * Buckets in the memory of this process: how much each person may still ask for, filled up by the minute.
 * @param room.most - People who are remembered.
 */
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

/** Who is alive of the processes that share the database, by its clock. */
export interface Processes {
  /**
   * Says that this one is alive.
   * @param goneMs - Whoever was silent for so long counts no more.
   * @returns How many are alive, this one among them.
   */
  renew(id: string, goneMs: number): Promise<number>
  /** It counts no more. */
  leave(id: string): Promise<void>
  /** Forgets those that were silent for so long. */
  prune(silentMs: number): Promise<void>
}

/** What somebody took in one process without the others knowing. */
export interface Taken {
  readonly person: SlackUser
  /** So much that the others don't know of; above 0, and above a minute's worth for a wish for many. */
  readonly unshared: number
}

/** Buckets of people, by the clock of the database: each fills up by `perMinute` in a minute, to that and no more. */
export interface SharedLimits {
  /**
   * Takes `cost` when `needed` is there, in one statement.
   * @param ask.needed - At most `perMinute`: a bucket that nobody knows is full.
   */
  take(
    person: SlackUser,
    ask: { readonly perMinute: number; readonly cost: number; readonly needed: number },
  ): Promise<boolean>
  /**
   * What is left for somebody for whom it was not enough. After the clock was set back, time counts from now on.
   * @param how.toldEveryMs - `isToBeTold` is true once in this time.
   */
  heldBack(
    person: SlackUser,
    how: { readonly perMinute: number; readonly toldEveryMs: number },
  ): Promise<{ readonly left: number; readonly isToBeTold: boolean }>
  /** Takes all of this away as well. Nobody falls below 0 by it who was not. */
  add(taken: readonly Taken[], perMinute: number): Promise<void>
  /** Everybody with less than a full bucket, whoever asked last first. */
  notFull(
    perMinute: number,
    most: number,
  ): Promise<readonly { readonly person: SlackUser; readonly left: number }[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets whoever has asked nothing for so long. Only full buckets: their time is a minute, or a few. */
  prune(silentMs: number): Promise<void>
}

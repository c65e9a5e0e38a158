// Limit on how much one person may ask for in a minute, of all processes together: counted in the database while there
// are others, and in memory while this one is alone, or the database is slow or away.

import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Log } from '../../log/log.ts'
import { createTrouble } from '../../log/trouble.ts'
import { inTime } from '../../work/in-time.ts'
import { every } from '../../work/repeat.ts'
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

// Counts what people ask together with the other processes on the database, while there are any: in the database then,
// and in memory while this one is alone, or the database is slow or away.

export interface CountTogether {
  /** Never rejects, and waits no longer than `answerMs` for the database. */
  take(person: SlackUser, take: Take): Promise<Decision>
  /** How many processes share the database, as of a few seconds ago; at least 1. */
  processes(): number
  /** Tells the others that this process is here, now and every few seconds. */
  start(): void
  /** Leaves to the others what was counted here. Never rejects, and waits some two seconds at most. */
  stop(): Promise<void>
}

/** A database that is slow now and then is not told each time. */
const beatsUntilWell = 12

export interface TogetherOptions {
  /** How often a process says that it is alive; the others know of it after so long. Default: five seconds. */
  readonly renewMs?: number | undefined
  /** After so long a silence it counts no more. Default: twenty seconds. */
  readonly goneMs?: number | undefined
  /** So long an answer of the database is waited for; people wait for it, three seconds at most. Default: 300. */
  readonly answerMs?: number | undefined
  /** The same when the process stops, for each of two. Default: 1,000. */
  readonly farewellMs?: number | undefined
}

/** @param room.perMinute - Above 0. */
export function createCountTogether(
  room: {
    readonly perMinute: number
    readonly buckets: Buckets
    readonly limits: SharedLimits
    readonly processes: Processes
    readonly log: Log
    readonly now: Clock
  },
  { renewMs = 5_000, goneMs = 20_000, answerMs = 300, farewellMs = 1_000 }: TogetherOptions = {},
): CountTogether {
  const { perMinute, buckets, limits, processes, log } = room
  const trouble = createTrouble(room)
  const id = randomUUID()
  let alive = 1
  /** Undefined before it is known whether there are others. */
  let areOthers: boolean | undefined
  /** The database did not answer: it is not asked again before it was heard of. */
  let isAway = false
  /** Beats in a row without a silence. */
  let quietBeats = 0

  function noteSilence(reason: unknown): void {
    isAway = true
    quietBeats = 0
    trouble.begins(
      { err: reason },
      'RATE_PER_MINUTE is counted by each process for itself, as the database does not answer as it should',
    )
  }

  function noteEnd(): void {
    trouble.ends({}, 'RATE_PER_MINUTE is counted by all processes together again')
  }

  async function decide(person: SlackUser, take: Take): Promise<Decision> {
    if (await limits.take(person, { perMinute, ...take })) return { isTaken: true }
    return { isTaken: false, ...(await limits.heldBack(person, { perMinute, toldEveryMs })) }
  }

  /** What it comes to in the end is known here too, for when the database is away. */
  function remember(person: SlackUser, { cost }: Take, decision: Decision): Decision {
    if (decision.isTaken) buckets.spend(person, cost)
    else buckets.learn(person, decision.left)
    return decision
  }

  async function takeTogether(person: SlackUser, take: Take): Promise<Decision> {
    const asked = decide(person, take)
    const decided = await inTime(asked, answerMs).catch((error: unknown) => noteSilence(error))
    if (decided !== undefined) return remember(person, take, decided)
    noteSilence(undefined)
    const alone = buckets.take(person, take)
    if (!alone.isTaken) return alone
    // It may be counted there after all: it is handed over when that is known not to be so.
    buckets.shared(person, take.cost)
    const handOverLater = () => buckets.unshare(person, take.cost)
    asked.then(({ isTaken }) => (isTaken ? undefined : handOverLater()), handOverLater)
    return alone
  }

  async function handOver(): Promise<void> {
    const taken = buckets.unshared()
    if (taken.length === 0) return
    await limits.add(taken, perMinute)
    for (const { person, unshared } of taken) buckets.shared(person, unshared)
  }

  async function join(): Promise<void> {
    await handOver()
    if (areOthers) return
    areOthers = true
    // What came while that was written.
    await handOver()
  }

  async function part(): Promise<void> {
    if (areOthers === false) return
    await handOver()
    for (const { person, left } of await limits.notFull(perMinute, mostBuckets)) buckets.learn(person, left)
    areOthers = false
    noteEnd()
  }

  async function beat(): Promise<void> {
    try {
      alive = await processes.renew(id, goneMs)
      await (alive > 1 ? join() : part())
      isAway = false
      quietBeats += 1
      if (quietBeats >= beatsUntilWell) noteEnd()
    } catch (error) {
      // One that is alone counts as before; that the database is away is said where it is asked.
      if (areOthers) noteSilence(error)
    }
  }

  const beats = every(renewMs, beat)

  /** Undefined when it was done in time. */
  async function failureOf(work: Promise<void>): Promise<unknown> {
    const done = inTime(
      work.then(() => true),
      farewellMs,
    )
    return done.then(
      (isDone) => (isDone ? undefined : new Error('there was no answer in time')),
      (error: unknown) => error,
    )
  }

  return {
    take: async (person, take) =>
      areOthers && !isAway ? takeTogether(person, take) : buckets.take(person, take),
    processes: () => alive,
    start: beats.start,
    async stop() {
      await inTime(beats.stop(), answerMs)
      // One after the other: who is alone then reads what was counted.
      const failures = [await failureOf(handOver()), await failureOf(processes.leave(id))]
      const failed = failures.find((one) => one !== undefined)
      if (failed !== undefined)
        log.warn({ err: failed }, 'the other processes could not be told that this one stops')
    },
  }
}

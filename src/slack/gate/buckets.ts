// Buckets of what a person may still ask for. One process counts in memory; several count in the database, and each in
// memory while that is slow or away.

import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createTrouble, type Log } from '../../log/log.ts'
import { every } from '../../work/repeat.ts'
import { inTime } from '../../work/under-way.ts'
import { type Clock, personKey, type SlackUser } from '../ids.ts'

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
/** Room is taken as buckets come: `max` would take it for all of them at the start. */
const one = () => 1
const toldEveryMs = 20_000
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
  const buckets = new LRUCache<string, Bucket>({ maxSize: most, sizeCalculation: one })

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

/** Buckets of people, by the clock of the database: each fills up by `perMinute` in a minute, to that and no more. */
export interface SharedLimits {
  /**
   * Charges `cost` when `needed` is left, in one statement.
   * @param ask.needed - At most `perMinute`: a bucket that nobody knows is full.
   */
  charge(
    person: SlackUser,
    ask: { readonly perMinute: number; readonly cost: number; readonly needed: number },
  ): Promise<boolean>
  /**
   * Says what is left to somebody for whom it was not enough, and notes that they are told. After the clock was set
   * back, time counts from now on.
   * @param how.toldEveryMs - `isToBeTold` is true once in this time.
   */
  holdBack(
    person: SlackUser,
    how: { readonly perMinute: number; readonly toldEveryMs: number },
  ): Promise<{ readonly left: number; readonly isToBeTold: boolean }>
  /** Charges all of this as well. Nobody falls below 0 by it who was not. */
  add(charges: readonly UnreportedCharge[], perMinute: number): Promise<void>
  /** Everybody with less than a full bucket, whoever asked last first. */
  notFull(
    perMinute: number,
    most: number,
  ): Promise<readonly { readonly person: SlackUser; readonly left: number }[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets whoever has asked nothing for so long. Only full buckets: their time is a minute, or a few. */
  prune(silentMs: number): Promise<void>
}

export interface CountTogether {
  /** Never rejects, and waits no longer than `answerMs` for the database. */
  charge(person: SlackUser, price: Price): Promise<Decision>
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
      'each process counts RATE_PER_MINUTE for itself, because the database does not answer properly',
    )
  }

  function noteEnd(): void {
    trouble.ends({}, 'all processes count RATE_PER_MINUTE together again')
  }

  async function chargeInDatabase(person: SlackUser, price: Price): Promise<Decision> {
    if (await limits.charge(person, { perMinute, ...price })) return { isCharged: true }
    return { isCharged: false, ...(await limits.holdBack(person, { perMinute, toldEveryMs })) }
  }

  /** Copies what the database decided: the bucket here decides when the database is away. */
  function copyDecision(person: SlackUser, { cost }: Price, decision: Decision): Decision {
    if (decision.isCharged) buckets.copyCharge(person, cost)
    else buckets.copyLeft(person, decision.left)
    return decision
  }

  async function chargeTogether(person: SlackUser, price: Price): Promise<Decision> {
    const asking = chargeInDatabase(person, price)
    const decided = await inTime(asking, answerMs).catch((error: unknown) => noteSilence(error))
    if (decided !== undefined) return copyDecision(person, price, decided)
    noteSilence(undefined)
    const alone = buckets.charge(person, price)
    if (!alone.isCharged) return alone
    // The database may have charged it after all: it is reported later, once that is known not to be so.
    buckets.markReported(person, price.cost)
    const reportLater = () => buckets.markUnreported(person, price.cost)
    asking.then(({ isCharged }) => (isCharged ? undefined : reportLater()), reportLater)
    return alone
  }

  /** Adds to the database what was charged here without it. */
  async function report(): Promise<void> {
    const charges = buckets.unreported()
    if (charges.length === 0) return
    await limits.add(charges, perMinute)
    for (const { person, cost } of charges) buckets.markReported(person, cost)
  }

  /** There are others: from now on the database decides. */
  async function joinOthers(): Promise<void> {
    await report()
    if (areOthers) return
    areOthers = true
    // What came while that was written.
    await report()
  }

  /** There are no others any more: the buckets here go on from what is left in the database. */
  async function goOnAlone(): Promise<void> {
    if (areOthers === false) return
    await report()
    for (const { person, left } of await limits.notFull(perMinute, mostBuckets))
      buckets.copyLeft(person, left)
    areOthers = false
    noteEnd()
  }

  async function beat(): Promise<void> {
    try {
      alive = await processes.renew(id, goneMs)
      await (alive > 1 ? joinOthers() : goOnAlone())
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
    charge: async (person, price) =>
      areOthers && !isAway ? chargeTogether(person, price) : buckets.charge(person, price),
    processes: () => alive,
    start: beats.start,
    async stop() {
      await inTime(beats.stop(), answerMs)
      // One after the other: who is alone then reads what was counted.
      const failures = [await failureOf(report()), await failureOf(processes.leave(id))]
      const failed = failures.find((one) => one !== undefined)
      if (failed !== undefined)
        log.warn({ err: failed }, 'could not tell the other processes that this one is stopping')
    },
  }
}

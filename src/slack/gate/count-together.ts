// Counts what people ask together with the other processes on the database, while there are any: in the database then,
// and in memory while this one is alone, or the database is slow or away.
import { randomUUID } from 'node:crypto'
import type { Log } from '../../log/log.ts'
import { createTrouble } from '../../log/trouble.ts'
import { inTime } from '../../work/in-time.ts'
import { every } from '../../work/repeat.ts'
import type { Clock, SlackUser } from '../ids.ts'
import {
  type Buckets,
  type Decision,
  mostBuckets,
  type Processes,
  type SharedLimits,
  type Take,
  toldEveryMs,
} from './person-limit.ts'

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

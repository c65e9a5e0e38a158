// Plays a plan: two processes on one database send what people want, to a service in its moods, in the order that the
// scheduler gives. The clock goes on only when nothing else can, and a third process starts later on and lives.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scheduler } from 'fast-check'
import { vi } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import type { House } from '../../../src/house.ts'
import type { WriteResult } from '../../../src/monitor/writes.ts'
import type { SendOutcome, Settled, Write } from '../../../src/send/outcome.ts'
import type { Request } from '../../../src/send/request.ts'
import { keepBegun, sendBegun } from '../../../src/send/send.ts'
import { holding, lookAfterRequests, tell as tellAll } from '../../../src/send/telling.ts'
import { leaseMs } from '../../../src/work/under-way.ts'
import { kindsWith, onlyAsked } from '../send-house.ts'
import { calledBy, createLife, type Life, type LifePlan } from './life.ts'
import {
  createModelService,
  type Happening,
  type Manners,
  type ModelService,
  type Mood,
  type ReadMood,
} from './service.ts'

/** Something somebody wants, once: it may come to both processes, as Slack may bring it again. */
export interface IntentPlan {
  readonly writes: readonly Write[]
  /** When it comes to each process, from the start; undefined: it does not. */
  readonly atMs: readonly [number | undefined, number | undefined]
}

export interface OtherPlan extends Omit<Happening, 'at' | 'visibleAt' | 'ownerId'> {
  readonly ks: string
  readonly ownerId: number
  readonly inMs: number
  readonly showsInMs: number
}

export interface Plan {
  readonly manners: Manners
  readonly lives: readonly [LifePlan, LifePlan]
  readonly intents: readonly IntentPlan[]
  readonly others: readonly OtherPlan[]
  /** Of requests and reads, in the order in which they come; after the last, the first again. */
  readonly moods: readonly Mood[]
  readonly reads: readonly ReadMood[]
  /** Which of the messages Slack does not take, by their number. */
  readonly untaken: readonly number[]
}

/** The sender at the service. */
export const senderId = 9

/** What a person was told last of all is what counts. */
export interface Told {
  readonly requestId: string
  readonly outcomes: readonly (SendOutcome | undefined)[]
  readonly when: 'at-once' | 'late'
}

export interface Recorded {
  readonly requestId: string
  readonly n: number
  readonly outcome: Settled
}

export interface Books {
  readonly service: ModelService
  /** By the id of the intent; undefined where its process died before it kept it. */
  readonly kept: ReadonlyMap<string, Request | undefined>
  readonly told: readonly Told[]
  readonly recorded: readonly Recorded[]
  /** When each first came to a process. */
  readonly askedAt: ReadonlyMap<string, number>
  /** When each was first let through, to be kept and sent. */
  readonly claimedAt: ReadonlyMap<string, number>
  /** What the engine threw. */
  readonly thrown: readonly unknown[]
  /** Somebody was silent for longer than a lease, and came back. */
  readonly slept: boolean
  /** The longest that somebody was silent, and came back. */
  readonly sleptMs: number
  /** All that was done, with the milliseconds since the start. */
  readonly steps: readonly string[]
}

const token = 'carol-secret-0123456789'
/** All that goes on by itself has ended by then: the last look, and what Slack did not take the first time. */
const endsMs = 1_500_000
const mostSteps = 5_000
/** Between two rounds of the job that tells late: every five seconds, and seldom once little can happen. */
const firstRoundsMs = [0, 5_000, 5_000, 5_000, 5_000, 10_000]
const allRoundsMs = [...firstRoundsMs, 30_000, 60_000, 120_000, 300_000, 300_000, 300_000]
/** When the process that lives starts. */
const nextAtMs = 13_000

/** Under vi’s fake timers. @param workspaceId - One of its own. */
export async function play(
  plan: Plan,
  { scheduler, house, workspaceId }: { scheduler: Scheduler; house: House; workspaceId: string },
): Promise<Books> {
  const began = Date.now()
  const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
  const underWay = new Set<Promise<unknown>>()
  const sender = { workspaceId, userId: 'U1' }
  const intentOf = new AsyncLocalStorage<string>()
  const told: Told[] = []
  const recorded: Recorded[] = []
  const thrown: unknown[] = []
  const askedAt = new Map<string, number>()
  const claimedAt = new Map<string, number>()
  const steps: string[] = []
  let messages = 0
  let reads = 0

  const service = createModelService(plan.manners, {
    now: Date.now,
    later: (ms, work) => void setTimeout(work, ms),
  })
  for (const { ks, ...other } of plan.others) service.happens(ks, other)

  function tell(request: Request, when: Told['when']): void {
    messages += 1
    if (plan.untaken.includes(messages)) throw new Error('Slack does not take it')
    told.push({ requestId: request.id, outcomes: request.sends.map(({ outcome }) => outcome), when })
  }

  function start(name: string, plan: LifePlan) {
    const life = createLife(name, plan, {
      ...{ scheduler, now: Date.now, wait },
      onStep: (step) => void steps.push(`${Date.now() - began} ${step}`),
      underWay(work) {
        underWay.add(work)
        const over = () => void underWay.delete(work)
        work.then(over, over)
      },
    })
    return { life, house: houseOf(life) }
  }

  function houseOf(life: Life): House {
    const write = async (what: Write): Promise<WriteResult> => {
      const mood = moodOf(service.requests.length)
      return life.remote(`asks for ${what.kind}`, mood.answersInMs, () => {
        service.receive(intentOf.getStore() ?? 'nobody', senderId, what, mood)
        return mood.says
      })
    }
    const about = (ks: string) => ({ ks, shown: undefined, senderId, cardId: undefined })
    const { storage } = house
    return {
      ...house,
      wait,
      storage: {
        ...storage,
        requests: calledBy(life, storage.requests),
        once: calledBy(life, storage.once),
      },
      monitor: onlyAsked(house, {
        addUser: (_token, containerId, user) => write({ kind: 'add-user', containerId, ...user }),
        assignAlert: (_token, ks, { userId, message }) =>
          write({ kind: 'assign', ...about(ks), ownerId: userId, message }),
        commentOnAlert: (_token, ks, message) => write({ kind: 'comment', ...about(ks), message }),
        closeAlert: (_token, ks, how) => write({ kind: 'close', ...about(ks), ...how }),
        readAlert(_token, ks) {
          const mood = plan.reads[reads++ % plan.reads.length] ?? wellReads
          return life.remote(`reads ${ks}`, mood.answersInMs, () => service.show(ks, mood.fails))
        },
      }),
      kinds: kindsWith({
        record: (_house, { id }, { n }, { outcome }) =>
          life.call('records', () => void recorded.push({ requestId: id, n, outcome })),
        async news(_house, request) {
          await life.call('tells late', () => tell(request, 'late'))
          return []
        },
      }),
    }
  }

  function moodOf(request: number): Mood {
    const mood = plan.moods[request % plan.moods.length]
    if (mood === undefined) throw new Error('a service without moods')
    return mood
  }

  /** As acting on an alert does it. */
  async function press({ life, house }: ReturnType<typeof start>, id: string, { writes }: IntentPlan) {
    if (!askedAt.has(id)) askedAt.set(id, Date.now())
    const request = { id, sender, channelId: 'C1', writes }
    const pressedAt = Date.now()
    const begun = await keepBegun(house, request).catch((error: unknown) => {
      // Asked for a moment ago.
      if (!(error instanceof UserError)) throw error
      return undefined
    })
    if (begun === undefined) return
    claimedAt.set(id, pressedAt)
    await holding(house, begun, async () => {
      const sent = await sendBegun(house, token, begun)
      if (!sent.isToTell) return
      await life.call('tells', () => tell(sent.request, 'at-once'))
      await tellAll(house, sent.request, [], 'at_once')
    })
  }

  async function goOn({ life, house }: ReturnType<typeof start>, roundsMs: readonly number[]): Promise<void> {
    const job = lookAfterRequests(house)
    for (const ms of roundsMs) {
      await wait(ms)
      if (life.isDead()) return
      await job.now()
    }
  }

  const noted = (work: Promise<void>) =>
    void work.catch((error: unknown) => {
      if (!String(error).includes('Slack does not take it')) thrown.push(error)
    })
  const processes = [start('A', plan.lives[0]), start('B', plan.lives[1])]
  for (const [which, one] of processes.entries()) {
    noted(goOn(one, firstRoundsMs))
    for (const [index, intent] of plan.intents.entries()) {
      const atMs = intent.atMs[which]
      const id = `${workspaceId}.${index}`
      if (atMs === undefined) continue
      const pressed = () => {
        if (!one.life.isDead()) intentOf.run(id, () => noted(press(one, id, intent)))
      }
      setTimeout(pressed, atMs)
    }
  }
  setTimeout(() => noted(goOn(start('C', lives), allRoundsMs)), nextAtMs)

  /** Nothing goes on that neither the scheduler nor the clock holds. */
  async function quiet(): Promise<void> {
    do {
      await Promise.allSettled(underWay)
      await new Promise(setImmediate)
    } while (underWay.size > 0)
  }

  for (;;) {
    if (steps.length > mostSteps) throw new Error(`after ${mostSteps} steps it has come to no end`)
    await quiet()
    if (scheduler.count() > 0) await scheduler.waitOne()
    else if (Date.now() - began > endsMs || vi.getTimerCount() === 0) break
    else vi.advanceTimersToNextTimer()
  }
  vi.clearAllTimers()

  const kept = new Map<string, Request | undefined>()
  for (const id of askedAt.keys()) kept.set(id, await house.storage.requests.find({ workspaceId, id }))
  const sleptMs = Math.max(
    ...plan.lives.map(({ sleepsAt, sleepsMs }) => (sleepsAt === undefined ? 0 : sleepsMs)),
  )
  const slept = sleptMs >= leaseMs
  return { service, kept, told, recorded, askedAt, claimedAt, thrown, slept, sleptMs, steps }
}

const lives: LifePlan = { diesAt: undefined, sleepsAt: undefined, sleepsMs: 0 }
const wellReads: ReadMood = { answersInMs: 0, fails: undefined }

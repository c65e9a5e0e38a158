// Performs a write: at most one request for it, and what certainly became of it. A write about an alert is read for
// before and after, as its answer says nothing; adding somebody is settled by its answer, and looked at where that left
// a doubt.
import { MonitorError } from '../errors.ts'
import type { Alert, ContainerPeople, Monitor, WriteResult } from '../monitor/client.ts'
import type { Clock } from '../slack/ids.ts'
import { isOpenDoubt, type NotDoneCode, type Settled } from './outcome.ts'
import {
  type Before,
  beforeOf,
  heldBack,
  isInVain,
  type NotedBefore,
  type PeopleLook,
  proofIn,
  proofInPeople,
  type Sight,
} from './proof.ts'
import type { AddUser, AlertWrite, Write } from './writes.ts'

export interface PerformRoom extends LookingRoom {
  readonly monitor: Pick<
    Monitor,
    'addUser' | 'assignAlert' | 'commentOnAlert' | 'closeAlert' | 'readAlert' | 'usersOf'
  >
  readonly wait: (ms: number) => Promise<void>
  /** Once it is aborted, a wish begins nothing more. */
  readonly stopping: AbortSignal
}

/** What looks need. */
export interface LookingRoom {
  readonly monitor: Pick<Monitor, 'readAlert' | 'usersOf'>
  readonly now: Clock
}

/** What certainly became of a write, as far as that is known. */
export interface Performed {
  readonly outcome: Settled
  /** Why it was refused, in the service's own words. Apart from the outcome, which is stored and which others read. */
  readonly reason: string | undefined
  /** The alert as its sender’s token showed it last. */
  readonly alert?: Alert | undefined
  /** What was seen last of somebody who may have been added. */
  readonly look?: PeopleLook | undefined
  /** How it stood before; undefined where nobody could read it. */
  readonly before?: Before | undefined
  /** As it was read once more after the write was sent, if it was. */
  readonly after?: Alert | undefined
}

/** Pauses before the looks that follow a write, in milliseconds. */
const lookPausesMs = [0, 1_000, 2_000]

/**
 * Never asks twice for the write itself, and never rejects for what the service does. Adding somebody that is left in
 * doubt is not looked at yet: `lookAfter` does that, for all of a wish together.
 * @param noteBefore - Stores what is known before anything is sent; false when it must not be sent any more.
 * @returns Undefined when nothing was sent for that reason.
 */
export async function perform(
  room: PerformRoom,
  token: string,
  write: Write,
  noteBefore: (before: NotedBefore) => Promise<boolean>,
): Promise<Performed | undefined> {
  if (write.kind !== 'add-user') return performOnAlert(room, token, write, noteBefore)
  const { kind: _, containerId, ...user } = write
  return answered(await room.monitor.addUser(token, containerId, user))
}

async function performOnAlert(
  room: PerformRoom,
  token: string,
  write: AlertWrite,
  noteBefore: (before: NotedBefore) => Promise<boolean>,
): Promise<Performed | undefined> {
  const first = await readTarget(room, token, write)
  if (first.kind === 'failed') return { outcome: { kind: 'not-done', code: first.code }, reason: undefined }
  const alert = first.kind === 'read' ? first.alert : undefined
  const before = alert && beforeOf(write, alert)
  const held = alert && heldBack(write, alert)
  if (held !== undefined) return { outcome: held, reason: undefined, alert, before }
  if (!(await noteBefore(before ?? 'unreadable'))) return undefined
  const sent = answered(await requestFor(room, token, write))
  if (sent.outcome.kind === 'not-done') return { ...sent, alert, before }
  if (before === undefined) return sent.outcome.kind === 'done' ? unreadable : sent
  const [seen] = await lookAfter(room, token, [{ write, before, known: sent.outcome }])
  const result = seen?.outcome === undefined ? notSeen(sent) : { outcome: seen.outcome, reason: undefined }
  return { ...result, alert: seen?.alert ?? alert, before, after: seen?.alert }
}

/** A write that was sent, and what is known of it. */
export type SentWrite = SentToAlert | SentForPerson

interface SentToAlert {
  readonly write: AlertWrite
  readonly before: Before
  /** By its answer, or by the looks so far. */
  readonly known: Settled
}

interface SentForPerson {
  readonly write: AddUser
  readonly look: PeopleLook | undefined
}

/** What a look has found. */
export interface LookedFor {
  /** Undefined while nothing shows that it was made. */
  readonly outcome: Settled | undefined
  readonly alert?: Alert | undefined
  readonly look?: PeopleLook | undefined
}

/** Looks whether the service shows what was sent. Never rejects for what it does. */
async function lookFor(room: LookingRoom, token: string, sent: SentWrite): Promise<LookedFor> {
  return 'before' in sent ? lookForAlert(room, token, sent) : lookForPerson(room, token, sent)
}

async function lookForAlert(
  room: LookingRoom,
  token: string,
  { write, before, known }: SentToAlert,
): Promise<LookedFor> {
  const found = await readTarget(room, token, write)
  if (found.kind === 'unreadable' && wasTaken(known)) return { outcome: unreadable.outcome }
  if (found.kind !== 'read') return { outcome: undefined }
  const { alert } = found
  const outcome = proofIn(write, before, alert)
  return { outcome, alert }
}

/** Looks whether the service shows somebody who may have been added. Never rejects for what it does. */
export async function lookForPerson(
  room: LookingRoom,
  token: string,
  { write, look: former }: SentForPerson,
): Promise<LookedFor> {
  const at = room.now()
  const found = await readPeople(room, token, write, former?.saw)
  if (typeof found === 'object') return { outcome: found }
  // What was seen before stands where nothing can be read just now.
  const look = found === 'unread' && former !== undefined ? former : { saw: found, at }
  return { outcome: undefined, look }
}

async function readPeople(
  { monitor }: LookingRoom,
  token: string,
  write: AddUser,
  former: Sight | undefined,
): Promise<Settled | Sight> {
  try {
    const found = await monitor.usersOf(token, write.containerId)
    if (found.kind === 'listed') return proofInPeople(write, found.people, former)
    return found.kind === 'off' ? 'off' : 'unread'
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'forbidden') return 'unreadable'
    return error.code === 'refused' ? 'refused' : 'unread'
  }
}

/**
 * Looks at writes that were just sent: at once, after one second and after three. Each round reads a container once.
 * @returns What was found of each, in this order.
 */
export async function lookAfter(
  room: PerformRoom,
  token: string,
  sent: readonly SentWrite[],
): Promise<readonly LookedFor[]> {
  let looked: readonly LookedFor[] = sent.map(() => ({ outcome: undefined }))
  for (const pauseMs of lookPausesMs) {
    if (looked.every(({ outcome, look }) => outcome !== undefined || (look && isInVain(look)))) break
    if (pauseMs > 0) await room.wait(pauseMs)
    const there = lookingTogether(room)
    looked = await Promise.all(
      sent.map(async (one, index) => {
        const former = looked[index]
        if (former?.outcome !== undefined) return former
        const sentOne = 'before' in one ? one : { ...one, look: former?.look ?? one.look }
        const found = await lookFor(there, token, sentOne)
        return { ...found, alert: found.alert ?? former?.alert }
      }),
    )
    // Whoever starts next looks again.
    if (room.stopping.aborted) break
  }
  return looked
}

/**
 * A room in which several look at one time: they share one read of each container, never between two tokens. Reads begin
 * after it is made, so that they show what was sent before.
 */
export function lookingTogether({ monitor, now }: LookingRoom): LookingRoom {
  const asked = new Map<string, Promise<ContainerPeople>>()
  return {
    now,
    monitor: {
      readAlert: monitor.readAlert,
      usersOf(token, containerId) {
        const key = JSON.stringify([containerId, token])
        const reading = asked.get(key) ?? monitor.usersOf(token, containerId)
        asked.set(key, reading)
        return reading
      },
    },
  }
}

/** Says whether it is looked at after its answer, once all of its wish were sent. */
export function isLeftInDoubt(write: Write, { outcome }: Performed): write is AddUser {
  return write.kind === 'add-user' && isOpenDoubt(outcome)
}

type AlertRead =
  | { readonly kind: 'read'; readonly alert: Alert }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly code: Exclude<NotDoneCode, 'changed' | 'no-operation'> }

async function readTarget(
  { monitor }: Pick<LookingRoom, 'monitor'>,
  token: string,
  { ks }: AlertWrite,
): Promise<AlertRead> {
  try {
    return { kind: 'read', alert: await monitor.readAlert(token, ks) }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return error.code === 'forbidden' ? { kind: 'unreadable' } : { kind: 'failed', code: error.code }
  }
}

function requestFor(
  { monitor }: Pick<PerformRoom, 'monitor'>,
  token: string,
  write: AlertWrite,
): Promise<WriteResult> {
  const { ks, message } = write
  switch (write.kind) {
    case 'assign':
      return monitor.assignAlert(token, ks, { userId: write.ownerId, message })
    case 'comment':
      return monitor.commentOnAlert(token, ks, message)
    case 'close':
      return monitor.closeAlert(token, ks, { message, isSolution: write.isSolution })
    default:
      return write satisfies never
  }
}

function answered(result: WriteResult): Performed {
  if (result.kind !== 'not-done') return { outcome: result, reason: undefined }
  return { outcome: { kind: result.kind, code: result.code }, reason: result.reason }
}

const unreadable: Performed = { outcome: { kind: 'uncertain', doubt: 'not-readable' }, reason: undefined }

/** By the service, which said so. */
function wasTaken(known: Settled): boolean {
  return known.kind === 'done' || (known.kind === 'uncertain' && known.doubt === 'not-seen')
}

function notSeen(sent: Performed): Performed {
  return sent.outcome.kind === 'done' ? { ...sent, outcome: { kind: 'uncertain', doubt: 'not-seen' } } : sent
}

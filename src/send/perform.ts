// Performs a write: at most one request for it, and what certainly became of it. A write about an alert is read for
// before and after, as its answer says nothing; adding somebody is settled by its answer, and looked at where that left
// a doubt.
import { MonitorError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Alert, Monitor, WriteResult } from '../monitor/client.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import { isOpenDoubt, type NotDoneCode, type Settled } from './outcome.ts'
import { lookForPerson, type PeopleRoom, readingOnce } from './people-look.ts'
import { isInVain, type PeopleLook } from './people-proof.ts'
import { type Before, beforeOf, heldBack, proofIn } from './proof.ts'
import type { AddUser, AlertWrite, Write } from './writes.ts'

export interface PerformRoom extends LookingRoom {
  readonly monitor: Pick<Monitor, 'addUser' | 'assignAlert' | 'commentOnAlert' | 'closeAlert' | 'usersOf'>
  readonly wait: (ms: number) => Promise<void>
  /** Once it is aborted, a wish begins nothing more. */
  readonly stopping: AbortSignal
}

/** What looks need. */
export interface LookingRoom extends PeopleRoom {
  /** Reads that others of the same person share afterwards: a card that is asked for at once shows what was done. */
  readonly reads: Pick<AlertReads, 'fresh'>
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
}

/** `unreadable`: the sender’s token shows nothing of it, and may change it all the same. */
export type NotedBefore = Before | 'unreadable'

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
  sender: SlackUser,
  token: string,
  write: Write,
  noteBefore: (before: NotedBefore) => Promise<boolean>,
): Promise<Performed | undefined> {
  if (write.kind !== 'add-user') return performOnAlert(room, sender, token, write, noteBefore)
  const { kind: _, containerId, ...user } = write
  return answered(await room.monitor.addUser(token, containerId, user))
}

async function performOnAlert(
  room: PerformRoom,
  sender: SlackUser,
  token: string,
  write: AlertWrite,
  noteBefore: (before: NotedBefore) => Promise<boolean>,
): Promise<Performed | undefined> {
  const first = await readFor(room, sender, token, write)
  if (first.kind === 'failed') return { outcome: { kind: 'not-done', code: first.code }, reason: undefined }
  const alert = first.kind === 'read' ? first.alert : undefined
  const held = alert && heldBack(write, alert)
  if (held !== undefined) return { outcome: held, reason: undefined, alert }
  const before = alert === undefined ? 'unreadable' : beforeOf(write, alert)
  if (!(await noteBefore(before))) return undefined
  const sent = answered(await requestFor(room, token, write))
  if (sent.outcome.kind === 'not-done') return { ...sent, alert }
  if (before === 'unreadable') return sent.outcome.kind === 'done' ? unreadable : sent
  const [seen] = await lookAfter(room, sender, token, [{ write, before, known: sent.outcome }])
  if (seen?.outcome !== undefined) return { outcome: seen.outcome, reason: undefined, alert: seen.alert }
  return { ...notSeen(sent), alert }
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
export async function lookFor(
  room: LookingRoom,
  sender: SlackUser,
  token: string,
  sent: SentWrite,
): Promise<LookedFor> {
  if ('before' in sent) return lookForAlert(room, sender, token, sent)
  const found = await lookForPerson(room, token, sent.write, sent.look)
  return 'saw' in found ? { outcome: undefined, look: found } : { outcome: found }
}

async function lookForAlert(
  room: LookingRoom,
  sender: SlackUser,
  token: string,
  { write, before, known }: SentToAlert,
): Promise<LookedFor> {
  const found = await readFor(room, sender, token, write)
  if (found.kind === 'unreadable' && wasTaken(known)) return { outcome: unreadable.outcome }
  if (found.kind !== 'read') return { outcome: undefined }
  return { outcome: proofIn(write, before, found.alert), alert: found.alert }
}

/**
 * Looks at writes that were just sent: at once, after one second and after three. Each round reads a container once.
 * @returns What was found of each, in this order.
 */
export async function lookAfter(
  room: PerformRoom,
  sender: SlackUser,
  token: string,
  sent: readonly SentWrite[],
): Promise<readonly LookedFor[]> {
  let looked: readonly LookedFor[] = sent.map(() => ({ outcome: undefined }))
  for (const pauseMs of lookPausesMs) {
    if (looked.every(({ outcome, look }) => outcome !== undefined || (look && isInVain(look)))) break
    if (pauseMs > 0) await room.wait(pauseMs)
    const there = lookingTogether(room)
    looked = await Promise.all(
      sent.map((one, index) => {
        const former = looked[index]
        if (former?.outcome !== undefined) return former
        return lookFor(
          there,
          sender,
          token,
          'before' in one ? one : { ...one, look: former?.look ?? one.look },
        )
      }),
    )
    // Whoever starts next looks again.
    if (room.stopping.aborted) break
  }
  return looked
}

/** A room in which several look at one time. */
export function lookingTogether(room: LookingRoom): LookingRoom {
  const { monitor, now } = readingOnce(room)
  return { reads: room.reads, monitor, now }
}

/** Says whether it is looked at after its answer, once all of its wish were sent. */
export function isLeftInDoubt(write: Write, { outcome }: Performed): write is AddUser {
  return write.kind === 'add-user' && isOpenDoubt(outcome)
}

type ReadFor =
  | { readonly kind: 'read'; readonly alert: Alert }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly code: Exclude<NotDoneCode, 'changed' | 'no-operation'> }

async function readFor(
  { reads }: Pick<PerformRoom, 'reads'>,
  sender: SlackUser,
  token: string,
  { ks }: AlertWrite,
): Promise<ReadFor> {
  try {
    return { kind: 'read', alert: await reads.fresh(personKey(sender), token, ks) }
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

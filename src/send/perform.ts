// Performs a write: at most one request for it, and what certainly became of it. A write about an alert is read for
// before and after, as its answer says nothing; adding somebody is settled by its answer, and looked at where that left
// a doubt.
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert, ContainerPeople, WriteResult } from '../monitor/client.ts'
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
 * doubt is not looked at yet: `lookAfter` does that, for all of a request together.
 * @param begin - Commits that the request goes out, with what was read before; false when it must not any more.
 * @returns Undefined when nothing was sent for that reason.
 */
export async function perform(
  house: House,
  token: string,
  write: Write,
  begin: (before?: NotedBefore) => Promise<boolean>,
): Promise<Performed | undefined> {
  if (write.kind !== 'add-user') return performOnAlert(house, token, write, begin)
  if (!(await begin())) return undefined
  const { kind: _, containerId, ...user } = write
  return answered(await house.monitor.addUser(token, containerId, user))
}

async function performOnAlert(
  house: House,
  token: string,
  write: AlertWrite,
  begin: (before?: NotedBefore) => Promise<boolean>,
): Promise<Performed | undefined> {
  const first = await readTarget(house, token, write)
  if (first.kind === 'failed') return { outcome: { kind: 'not-done', code: first.code }, reason: undefined }
  const alert = first.kind === 'read' ? first.alert : undefined
  const before = alert && beforeOf(write, alert)
  const held = alert && heldBack(write, alert)
  if (held !== undefined) return { outcome: held, reason: undefined, alert, before }
  if (!(await begin(before ?? 'unreadable'))) return undefined
  const sent = answered(await requestFor(house, token, write))
  if (sent.outcome.kind === 'not-done') return { ...sent, alert, before }
  if (before === undefined) return sent.outcome.kind === 'done' ? unreadable : sent
  const [seen] = await lookAfter(house, token, [{ write, before, known: sent.outcome }])
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

/** Looks whether the service shows what was sent about an alert. Never rejects for what it does. */
async function lookForAlert(
  house: House,
  token: string,
  { write, before, known }: SentToAlert,
): Promise<LookedFor> {
  const found = await readTarget(house, token, write)
  if (found.kind === 'unreadable' && wasTaken(known)) return { outcome: unreadable.outcome }
  if (found.kind !== 'read') return { outcome: undefined }
  const { alert } = found
  const outcome = proofIn(write, before, alert)
  return { outcome, alert }
}

/** Looks whether the service shows somebody who may have been added. Never rejects for what it does. */
export async function lookForPerson(
  { now }: House,
  readPeople: ReadPeople,
  { write, look: former }: SentForPerson,
): Promise<LookedFor> {
  const at = now()
  const found = await lookAmong(readPeople, write, former?.saw)
  if (typeof found === 'object') return { outcome: found }
  // What was seen before stands where nothing can be read just now.
  const look = found === 'unread' && former !== undefined ? former : { saw: found, at }
  return { outcome: undefined, look }
}

async function lookAmong(
  readPeople: ReadPeople,
  write: AddUser,
  former: Sight | undefined,
): Promise<Settled | Sight> {
  try {
    const found = await readPeople(write.containerId)
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
  house: House,
  token: string,
  sent: readonly SentWrite[],
): Promise<readonly LookedFor[]> {
  let looked: readonly LookedFor[] = sent.map(() => ({ outcome: undefined }))
  for (const pauseMs of lookPausesMs) {
    if (looked.every(({ outcome, look }) => outcome !== undefined || (look && isInVain(look)))) break
    if (pauseMs > 0) await house.wait(pauseMs)
    const readPeople = sharedReads(house, token)
    looked = await Promise.all(
      sent.map(async (one, index) => {
        const former = looked[index]
        if (former?.outcome !== undefined) return former
        const found =
          'before' in one
            ? await lookForAlert(house, token, one)
            : await lookForPerson(house, readPeople, { ...one, look: former?.look ?? one.look })
        return { ...found, alert: found.alert ?? former?.alert }
      }),
    )
    // Whoever starts next looks again.
    if (house.stopping.aborted) break
  }
  return looked
}

/** Reads the people of a container, with one token. */
type ReadPeople = (containerId: number) => Promise<ContainerPeople>

/**
 * Several look at one time with the same token: they share one read of each container. Reads begin after this is made, so
 * that they show what was sent before.
 */
export function sharedReads({ monitor }: House, token: string): ReadPeople {
  const asked = new Map<number, Promise<ContainerPeople>>()
  return (containerId) => {
    const reading = asked.get(containerId) ?? monitor.usersOf(token, containerId)
    asked.set(containerId, reading)
    return reading
  }
}

/** Says whether it is looked at after its answer, once all of its request were sent. */
export function isLeftInDoubt(write: Write, { outcome }: Performed): write is AddUser {
  return write.kind === 'add-user' && isOpenDoubt(outcome)
}

type AlertRead =
  | { readonly kind: 'read'; readonly alert: Alert }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly code: Exclude<NotDoneCode, 'changed' | 'no-operation'> }

async function readTarget({ monitor }: House, token: string, { ks }: AlertWrite): Promise<AlertRead> {
  try {
    return { kind: 'read', alert: await monitor.readAlert(token, ks) }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return error.code === 'forbidden' ? { kind: 'unreadable' } : { kind: 'failed', code: error.code }
  }
}

function requestFor({ monitor }: House, token: string, write: AlertWrite): Promise<WriteResult> {
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

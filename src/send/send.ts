// Sends a wish: at most one request for each of its writes, and an honest word about what became of every one.
// Every surface comes through here. It must not know Slack.

import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import { lookBeforeTelling, looksLater } from './looks.ts'
import { endsAll, isLapsed, lapsed, type SendOutcome } from './outcome.ts'
import { isLeftInDoubt, lookAfter, type Performed, perform } from './perform.ts'
import { followUpsOf, type SendRoom } from './room.ts'
import {
  type Begun,
  isOver,
  joinableMs,
  type KeptWish,
  type NewWish,
  type Send,
  type SendKey,
} from './wishes.ts'
import { type AddUser, fingerprintOf } from './writes.ts'

const atOnce = 4
/** Between two looks at what somebody else sends. */
const pauseMs = 200

/**
 * Why the service refused sends, by their place in the wish: raw text in its own words, undefined where it gave no reason.
 * For the sender alone, whose token it was told to; stored nowhere, so that nobody else can read it. Missing for what
 * joined, and gone when the outcome is told late.
 */
export type Reasons = ReadonlyMap<number, string | undefined>

/** Alerts as they were last read for a send, by its place in the wish. For the sender, as `Reasons`. */
export type SeenAlerts = ReadonlyMap<number, Alert>

export type WishSent =
  /**
   * Every send of `wish` has its outcome, and the caller tells it. `isJoined`: equal sends stand for all of them; nothing
   * more was sent. `corrects`: others have told it, with a doubt in place of some.
   */
  | {
      readonly kind: 'settled'
      readonly wish: KeptWish
      readonly isJoined: boolean
      readonly corrects: boolean
      readonly reasons: Reasons
      readonly seen: SeenAlerts
    }
  /** This very intent is done or under way elsewhere, where its outcome is told. */
  | { readonly kind: 'repeated'; readonly wish: KeptWish }
  /** It does not wait any more: given up, or asked too long ago. */
  | { readonly kind: 'gone'; readonly wish: KeptWish | undefined }

export interface HowToSend extends HowToSendBegun {
  /** Older ones are gone. Milliseconds since 1970. */
  readonly askedAfter: number
}

interface HowToSendBegun {
  /**
   * False for what is asked again on purpose: it joins equal sends under way, but none that are settled. Default: true,
   * but for the rest of another wish.
   */
  readonly joinsSettled?: boolean
  /** Runs beside the requests; the outcome waits for it. */
  readonly onSending?: (wish: KeptWish) => Promise<void>
}

/**
 * Sends the wish that waits under this id, unless it was sent before, and waits for the end of it. Nobody is told: that
 * is the caller's.
 *
 * The first send goes alone, then four at a time, in the order of the wish. What refuses the token (401), the right
 * (403) or the target (404) would refuse everything after it as well, so it ends the sending; any other answer is about
 * one of them or one moment, and the others are sent all the same.
 */
export async function sendWish(
  room: SendRoom,
  sender: SlackUser,
  token: string,
  id: string,
  { askedAfter, ...how }: HowToSend,
): Promise<WishSent> {
  const begun = await room.wishes.begin(sender, id, { leaseMs, askedAfter })
  return begun.kind === 'begun' ? sendBegun(room, token, begun, how) : begun
}

/**
 * Keeps a wish and sends it, as `sendWish` does. Should this process die at any moment after it is kept, whoever asked is
 * told what became of it.
 * @returns Undefined where another wish is kept in its place, or follows the same one as the same: nothing was done.
 */
export async function keepAndSendWish(
  room: SendRoom,
  token: string,
  wish: NewWish,
  how: HowToSendBegun = {},
): Promise<WishSent | undefined> {
  const begun = await room.wishes.keepBegun(wish, leaseMs)
  return begun && sendBegun(room, token, begun, how)
}

async function sendBegun(
  room: SendRoom,
  token: string,
  { wish, isToldElsewhere }: Extract<Begun, { kind: 'begun' }>,
  { joinsSettled, onSending = async () => {} }: HowToSendBegun,
): Promise<WishSent> {
  const { wishes } = room
  const { id } = wish
  const { workspaceId } = wish.sender
  const renew = () => wishes.renew(workspaceId, id, leaseMs)
  const work = async () => {
    if (wish.sends.length > 1) await room.sends.letJoin(workspaceId, id)
    return sendAll(room, token, wish, {
      joinableMs: (joinsSettled ?? !wish.isRest) ? joinableMs : 0,
      isToldElsewhere,
    })
  }
  const [{ ended, equal, reasons, seen }] = await Promise.all([renewing(renew, work), onSending(wish)])
  const all = { ...wish, sends: ended.map(({ send }) => send) }

  // The doubt that is told now may be corrected by whoever comes back with what it knows.
  if (hasLapsed(all)) await room.sends.markDoubtTold(workspaceId, id)
  if (equal !== undefined) {
    // Others, who took this process for dead, tell what became of it.
    if (!(await wishes.join(workspaceId, id, equal.id))) return { kind: 'repeated', wish: equal }
    return {
      kind: 'settled',
      wish: equal,
      isJoined: true,
      corrects: false,
      reasons: new Map(),
      seen: new Map(),
    }
  }
  const settle = (corrects: boolean) => wishes.settle(workspaceId, id, { tellingMs: leaseMs, corrects })
  const settled = {
    kind: 'settled',
    wish: { ...all, state: 'settled' },
    isJoined: hasOnlyJoined(all),
    reasons,
    seen,
  } as const
  if ((await settle(false)) || isToldElsewhere) return { ...settled, corrects: false }
  // Others took this process for dead, ended the wish, and tell the very same result, unless they could only doubt.
  const isOwed = all.sends.some(({ wasDoubted }) => wasDoubted) && (await settle(true))
  if (!isOwed) return { kind: 'repeated', wish: all }
  return { ...settled, corrects: ended.some(({ wasTold }) => wasTold === true) }
}

/**
 * Ends a wish whose sender is gone, and waits for that: what is under way is waited for, what waits is never sent.
 * @param wish - Kept, so that it can be given up, should its sender have died before it kept it.
 */
export async function concludeWish(room: SendRoom, wish: NewWish): Promise<KeptWish> {
  const { wishes, wait } = room
  for (;;) {
    const kept = await wishes.keep(wish)
    if (kept.state === 'settled' || kept.state === 'cancelled' || kept.state === 'handed-over') {
      const known = await noteDoubt(room, await lookBeforeTelling(room, kept))
      await recordAll(room, known)
      return known
    } else if (kept.state === 'asked') await wishes.cancel(wish.sender, wish.id)
    else {
      await wishes.endLapsed()
      await wait(pauseMs)
    }
  }
}

/**
 * Notes that it is about to be told that sends of it are not certain, as their sender fell silent.
 * @returns The wish as it is then: what its sender has settled since is not noted, and told as it is.
 */
export async function noteDoubt(room: SendRoom, wish: KeptWish): Promise<KeptWish> {
  if (!hasLapsed(wish)) return wish
  const { workspaceId } = wish.sender
  await room.sends.markDoubtTold(workspaceId, wish.id)
  return (await room.wishes.find(workspaceId, wish.id)) ?? wish
}

/** Writes down what became of everything, for a sender that may have died before it could. */
export async function recordAll(room: SendRoom, wish: KeptWish): Promise<void> {
  for (const send of wish.sends) {
    const { outcome, isJoined } = send
    if (outcome === undefined || outcome.kind === 'not-sent' || isJoined) continue
    const before = send.before === 'unreadable' ? undefined : send.before
    const isCorrection = send.wasDoubted || send.wasLookedFor === true
    await followUpsOf(room, wish).record(wish, send, outcome, { before, isCorrection })
  }
}

/** One send that has its end. */
interface Ended {
  readonly send: Send
  /** The equal one that stands for it. */
  readonly of?: SendKey
  /** Its wish was told already, with a doubt in its place. */
  readonly wasTold?: boolean
}

interface AllEnded {
  /** One for each send, in the order of the wish. */
  readonly ended: readonly Ended[]
  /** The wish that was asked before with the same writes, when it stands for all of these. */
  readonly equal: KeptWish | undefined
  readonly reasons: Reasons
  readonly seen: SeenAlerts
}

/** A wish while it is sent: what is known of each send so far, by its place in the wish. */
interface Sending {
  readonly token: string
  readonly wish: KeptWish
  readonly joinableMs: number
  readonly isToldElsewhere: boolean
  /** Those whose turn has not come. */
  left: Iterator<Send>
  /** Those that equal sends stand for: what became of these is waited for in the end. */
  joined: { readonly send: Send; readonly of: SendKey }[]
  /** Those whose answers left a doubt. Until it is looked after, they are under way: whoever joins them waits. */
  doubted: { readonly send: Send; readonly write: AddUser; readonly done: Performed }[]
  hasBegun: boolean
  /** Something refuses all that come after it as well, or the database failed. */
  isEnded: boolean
  readonly ended: Map<number, Ended>
  readonly reasons: Map<number, string | undefined>
  readonly seen: Map<number, Alert>
}

async function sendAll(
  room: SendRoom,
  token: string,
  wish: KeptWish,
  how: Pick<Sending, 'joinableMs' | 'isToldElsewhere'>,
): Promise<AllEnded> {
  const { workspaceId } = wish.sender
  const sending: Sending = {
    token,
    wish,
    ...how,
    left: wish.sends.values(),
    joined: [],
    doubted: [],
    hasBegun: false,
    isEnded: false,
    ended: new Map(),
    reasons: new Map(),
    seen: new Map(),
  }
  const { ended, reasons, seen } = sending
  for (;;) {
    await sendLeft(room, sending)
    await waitForJoined(room, sending)
    // What is told elsewhere is found there under its own id: it joins send by send.
    const equal = how.isToldElsewhere ? undefined : await equalWish(room, inOrder(sending))
    if (equal !== undefined) return { ended: inOrder(sending), equal, reasons, seen }
    // Others gave these up, for reasons of their own: it is their own turn again.
    const released = wish.sends.filter(({ n }) => ended.get(n)?.send.outcome?.kind === 'not-sent')
    for (const { n } of released) ended.delete(n)
    if (released.length > 0 && isStopped(room, sending)) await room.sends.giveUp(workspaceId, wish.id)
    if (released.length === 0 || isStopped(room, sending))
      return { ended: inOrder(sending), equal: undefined, reasons, seen }
    sending.left = released.values()
  }
}

/** A wish for one person is answered, though Bellhop stops: it waits for what is under way. */
const isStopped = ({ stopping }: SendRoom, { isEnded, hasBegun }: Sending) =>
  isEnded || (hasBegun && stopping.aborted)

const keyOf = ({ wish }: Sending, { n }: Send): SendKey => ({
  workspaceId: wish.sender.workspaceId,
  wishId: wish.id,
  n,
})

/** One for each send, in the order of the wish. */
function inOrder({ wish, ended }: Sending): readonly Ended[] {
  const neverSent = { kind: 'not-sent' } as const
  return wish.sends.map((send) => ended.get(send.n) ?? { send: { ...send, outcome: neverSent } })
}

/** The first goes alone, then four at a time. */
async function sendLeft(room: SendRoom, sending: Sending): Promise<void> {
  while ((await sendNext(room, sending)) === 'joined') {
    // Sends of others are waited for in the end: of two that wait for each other, none would ever be sent.
  }
  const lines = await Promise.allSettled(Array.from({ length: atOnce }, () => sendOn(room, sending)))
  await settleDoubted(room, sending)
  for (const line of lines) if (line.status === 'rejected') throw line.reason
  // Given up before it is said that nothing was sent.
  const { sender, id } = sending.wish
  if (isStopped(room, sending)) await room.sends.giveUp(sender.workspaceId, id)
}

async function sendOn(room: SendRoom, sending: Sending): Promise<void> {
  while ((await sendNext(room, sending)) !== 'none') {
    // One after the other.
  }
}

async function sendNext(room: SendRoom, sending: Sending): Promise<'done' | 'joined' | 'none'> {
  const next = isStopped(room, sending) ? undefined : sending.left.next().value
  if (next === undefined) return 'none'
  try {
    return await sendOne(room, sending, next)
  } catch (error) {
    sending.isEnded = true
    throw error
  }
}

async function sendOne(room: SendRoom, sending: Sending, send: Send): Promise<'done' | 'joined'> {
  const { sends } = room
  const { token, wish, joinableMs } = sending
  const key = keyOf(sending, send)
  const begun = await sends.begin(wish.sender, key, { leaseMs, joinableMs })
  if (begun.kind === 'joined') {
    sending.joined.push({ send: { ...send, isJoined: true }, of: begun.of })
    if (endsAll((await sends.find(begun.of))?.outcome)) sending.isEnded = true
    return 'joined'
  }
  if (begun.kind === 'gone') return 'done'
  sending.hasBegun = true
  const { write } = send
  const done = await perform(room, token, write, (before) => sends.noteBefore(key, before))
  // Others have ended it in its place.
  if (done === undefined) return 'done'
  if (isLeftInDoubt(write, done)) sending.doubted.push({ send, write, done })
  else await settle(room, sending, send, done)
  return 'done'
}

/** Keeps what became of a send, and writes it down. */
async function settle(room: SendRoom, sending: Sending, send: Send, done: Performed): Promise<void> {
  const { sends } = room
  const { n, write } = send
  const { reason, alert, before, after, look } = done
  sending.reasons.set(n, reason)
  if (alert !== undefined) sending.seen.set(n, alert)
  const lookInMs = looksLater(write, done.outcome, { alert, look })
  const key = keyOf(sending, send)
  const { isToldElsewhere, wish } = sending
  const tellingMs = isToldElsewhere ? undefined : leaseMs
  const { kept, wasDoubted, wasTold } = await sends.settle(key, done.outcome, { tellingMs, lookInMs, look })
  // Others took this process for dead, and have seen what became of it.
  const stands = kept === 'not' ? (await sends.find(key))?.outcome : undefined
  const outcome = stands ?? done.outcome
  const settled = { ...send, outcome, wasDoubted, look, isLookedAtLater: lookInMs !== undefined }
  if (kept !== 'not') {
    const noted = { before, after, isCorrection: kept === 'in-place' }
    await followUpsOf(room, wish).record(wish, settled, done.outcome, noted)
  }
  sending.ended.set(n, { send: settled, wasTold })
  if (endsAll(outcome)) sending.isEnded = true
}

async function settleDoubted(room: SendRoom, sending: Sending): Promise<void> {
  const { doubted, token } = sending
  sending.doubted = []
  const sent = doubted.map(({ write }) => ({ write, look: undefined }))
  const looked = await lookAfter(room, token, sent)
  for (const [index, { send, done }] of doubted.entries()) {
    const { outcome = done.outcome, look } = looked[index] ?? {}
    await settle(room, sending, send, { ...done, outcome, look })
  }
}

async function waitForJoined(room: SendRoom, sending: Sending): Promise<void> {
  const { joined, ended } = sending
  sending.joined = []
  for (const { send, of } of joined) {
    const outcome = await outcomeOf(room, of)
    ended.set(send.n, { send: { ...send, outcome }, of })
    if (endsAll(outcome)) sending.isEnded = true
  }
}

/** Waits for whoever sends it; when they have died, the store's judgement is the outcome. */
async function outcomeOf({ sends, wishes, wait }: SendRoom, send: SendKey): Promise<SendOutcome> {
  for (;;) {
    const current = await sends.find(send)
    // Forgotten meanwhile, with its whole workspace: it was sent, and nobody knows more.
    if (current === undefined) return lapsed
    if (current.outcome !== undefined) return current.outcome
    await wait(pauseMs)
    await wishes.endLapsed()
  }
}

/** The one wish that was asked before with the same writes, when it stands for all of these. */
async function equalWish({ wishes }: SendRoom, ended: readonly Ended[]): Promise<KeptWish | undefined> {
  const of = ended.find((one) => one.of !== undefined)?.of
  if (of === undefined) return undefined
  const equal = await wishes.find(of.workspaceId, of.wishId)
  if (equal?.sends.length !== ended.length || !equal.sends.every(isOver)) return undefined
  const neverSent = equal.sends.filter(({ outcome }) => outcome?.kind === 'not-sent')
  const neverSentWrites = new Set(neverSent.map(({ write }) => fingerprintOf(write)))
  // Writes that neither of them has sent are the same for both.
  const isSame = ({ send, of: joined }: Ended) =>
    joined === undefined
      ? send.outcome?.kind === 'not-sent' && neverSentWrites.has(fingerprintOf(send.write))
      : joined.wishId === of.wishId
  return ended.every(isSame) ? equal : undefined
}

/** Its sender fell silent, and may come back with what it knows. */
function hasLapsed({ sends }: Pick<KeptWish, 'sends'>): boolean {
  return sends.some(({ outcome }) => isLapsed(outcome))
}

function hasOnlyJoined({ sends }: KeptWish): boolean {
  return sends.every((send) => send.isJoined)
}

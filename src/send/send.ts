// Sends a wish: at most one request for each of its writes, and an honest word about what became of every one.
// Every surface comes through here. It asks Slack nothing.
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import { followUpsOf } from './follow-ups.ts'
import { endsAll } from './outcome.ts'
import { isLeftInDoubt, lookAfter, lookForPerson, type Performed, perform, sharedReads } from './perform.ts'
import type { Begun, KeptWish, NewWish, Send, SendKey } from './wishes.ts'
import { type AddUser, fingerprintOf, type Write } from './writes.ts'

const atOnce = 4
/** Between two looks at what somebody else sends. */
const pauseMs = 200
/** The same of the same person within this time is a double press, not a new wish. */
export const sameMs = 10_000

/** To whoever asks for the same once more within ten seconds. */
export const askedBefore = 'You asked for the same a moment ago. Its result is above.'

/**
 * Claims what is about to be kept and sent. To be asked last, when everything else allows it; not for what is asked again
 * on purpose.
 * @returns False where the same person asked for the same a moment ago, under another id.
 */
export async function isAskedFirst(
  { storage: { once, wishes } }: House,
  { workspaceId, userId }: SlackUser,
  { id, writes }: { readonly id: string; readonly writes: readonly Write[] },
): Promise<boolean> {
  // The same intent, delivered again: whoever began it tells what became of it.
  if ((await wishes.find(workspaceId, id)) !== undefined) return true
  return once.claim(workspaceId, claimOf(userId, writes), sameMs)
}

const claimOf = (userId: string, writes: readonly Write[]) => `send ${userId} ${fingerprintOf(writes)}`

/** Nothing was done, and nothing can have been: whoever asks again has a reason. */
async function releaseIfInVain({ storage }: House, { sender, sends }: KeptWish): Promise<void> {
  const mayBeDone = sends.some(({ outcome }) => outcome?.kind === 'done' || outcome?.kind === 'uncertain')
  if (mayBeDone) return
  const writes = sends.map(({ write }) => write)
  await storage.once.release(sender.workspaceId, claimOf(sender.userId, writes))
}

/**
 * Why the service refused sends, by their place in the wish: raw text in its own words, undefined where it gave no reason.
 * For the sender alone, whose token it was told to; stored nowhere, so that nobody else can read it. Gone when the outcome
 * is told late.
 */
export type Reasons = ReadonlyMap<number, string | undefined>

/** Alerts as they were last read for a send, by its place in the wish. For the sender, as `Reasons`. */
export type SeenAlerts = ReadonlyMap<number, Alert>

export type WishSent =
  /**
   * Every send of `wish` has its outcome, and the caller tells it. `corrects`: others, who took this process for dead, may
   * have told it with a doubt in place of some.
   */
  | {
      readonly kind: 'settled'
      readonly wish: KeptWish
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
  house: House,
  sender: SlackUser,
  token: string,
  id: string,
  { askedAfter, ...how }: HowToSend,
): Promise<WishSent> {
  const begun = await house.storage.wishes.begin(sender, id, { leaseMs, askedAfter })
  return begun.kind === 'begun' ? sendBegun(house, token, begun, how) : begun
}

/**
 * Keeps a wish and sends it, as `sendWish` does. Should this process die at any moment after it is kept, whoever asked is
 * told what became of it.
 * @returns Undefined where another wish is kept in its place, or follows the same one as the same: nothing was done.
 */
export async function keepAndSendWish(
  house: House,
  token: string,
  wish: NewWish,
  how: HowToSendBegun = {},
): Promise<WishSent | undefined> {
  const begun = await house.storage.wishes.keepBegun(wish, leaseMs)
  return begun && sendBegun(house, token, begun, how)
}

async function sendBegun(
  house: House,
  token: string,
  { wish, isToldElsewhere }: Extract<Begun, { kind: 'begun' }>,
  { onSending = async () => {} }: HowToSendBegun,
): Promise<WishSent> {
  const { wishes } = house.storage
  const { id } = wish
  const { workspaceId } = wish.sender
  const renew = () => wishes.renew(workspaceId, id, leaseMs)
  const [sending] = await Promise.all([renewing(renew, () => sendAll(house, token, wish)), onSending(wish)])
  const { ended, corrects, reasons, seen } = sending
  const neverSent = { kind: 'not-sent' } as const
  const sends = wish.sends.map((send) => ended.get(send.n) ?? { ...send, outcome: neverSent })
  const all: KeptWish = { ...wish, state: 'settled', sends }
  await releaseIfInVain(house, all)
  const isFirst = await wishes.settle(workspaceId, id, leaseMs)
  // Others took this process for dead and ended the wish: they tell the very same, unless they could only doubt.
  if (!isFirst && !corrects && !isToldElsewhere) return { kind: 'repeated', wish: all }
  if (!isFirst && corrects) await wishes.owe(workspaceId, id, leaseMs)
  return { kind: 'settled', wish: all, corrects: corrects && !isFirst, reasons, seen }
}

/**
 * Ends a wish whose sender is gone, and waits for that: what is under way is waited for, what waits is never sent.
 * @param wish - Kept, so that it can be given up, should its sender have died before it kept it.
 */
export async function concludeWish(house: House, wish: NewWish): Promise<KeptWish> {
  const { wishes } = house.storage
  for (;;) {
    const kept = await wishes.keep(wish)
    if (kept.state === 'settled' || kept.state === 'cancelled' || kept.state === 'handed-over') {
      await recordAll(house, kept)
      return kept
    } else if (kept.state === 'asked') await wishes.cancel(wish.sender, wish.id)
    else {
      await wishes.endLapsed()
      await house.wait(pauseMs)
    }
  }
}

/** Writes down what became of everything, for a sender that may have died before it could. */
export async function recordAll(house: House, wish: KeptWish): Promise<void> {
  for (const send of wish.sends) {
    const { outcome, before } = send
    if (outcome === undefined || outcome.kind === 'not-sent') continue
    const noted = { before: before === 'unreadable' ? undefined : before }
    await followUpsOf(house, wish).record(house, wish, send, outcome, noted)
  }
}

/** A wish while it is sent: what is known of each send so far, by its place in the wish. */
interface Sending {
  readonly token: string
  readonly wish: KeptWish
  /** Those whose turn has not come. */
  readonly left: Iterator<Send>
  /** Those whose answers left a doubt: until that is looked after, they are under way. */
  readonly doubted: { readonly send: Send; readonly write: AddUser; readonly done: Performed }[]
  hasBegun: boolean
  /** Something refuses all that come after it as well, or the database failed. */
  isEnded: boolean
  /** An outcome has taken the place of a doubt that others put there. */
  corrects: boolean
  readonly ended: Map<number, Send>
  readonly reasons: Map<number, string | undefined>
  readonly seen: Map<number, Alert>
}

/** The first goes alone, then four at a time. */
async function sendAll(house: House, token: string, wish: KeptWish): Promise<Sending> {
  const sending: Sending = {
    ...{ token, wish, left: wish.sends.values(), doubted: [] },
    ...{ hasBegun: false, isEnded: false, corrects: false },
    ...{ ended: new Map(), reasons: new Map(), seen: new Map() },
  }
  await sendNext(house, sending)
  const lines = await Promise.allSettled(Array.from({ length: atOnce }, () => sendOn(house, sending)))
  await settleDoubted(house, sending)
  for (const line of lines) if (line.status === 'rejected') throw line.reason
  // Given up before it is said that nothing was sent.
  if (isStopped(house, sending)) await house.storage.sends.giveUp(wish.sender.workspaceId, wish.id)
  return sending
}

/** A wish for one person is answered, though Bellhop stops. */
const isStopped = ({ stopping }: House, { isEnded, hasBegun }: Sending) =>
  isEnded || (hasBegun && stopping.aborted)

const keyOf = ({ wish }: Sending, { n }: Send): SendKey => ({
  workspaceId: wish.sender.workspaceId,
  wishId: wish.id,
  n,
})

async function sendOn(house: House, sending: Sending): Promise<void> {
  while (await sendNext(house, sending)) {
    // One after the other.
  }
}

/** @returns False where nothing is left. */
async function sendNext(house: House, sending: Sending): Promise<boolean> {
  const next = isStopped(house, sending) ? undefined : sending.left.next().value
  if (next === undefined) return false
  try {
    await sendOne(house, sending, next)
    return true
  } catch (error) {
    sending.isEnded = true
    throw error
  }
}

async function sendOne(house: House, sending: Sending, send: Send): Promise<void> {
  const { sends } = house.storage
  const { token } = sending
  const key = keyOf(sending, send)
  if (!(await sends.begin(key, leaseMs))) return
  sending.hasBegun = true
  const { write } = send
  const done = await perform(house, token, write, (before) => sends.noteBefore(key, before))
  // Others have ended it in its place.
  if (done === undefined) return
  if (isLeftInDoubt(write, done)) sending.doubted.push({ send, write, done })
  else await settle(house, sending, send, done)
}

/** Keeps what became of a send, and writes it down. */
async function settle(house: House, sending: Sending, send: Send, done: Performed): Promise<void> {
  const { sends } = house.storage
  const { n } = send
  const { reason, alert, before, after, look } = done
  sending.reasons.set(n, reason)
  if (alert !== undefined) sending.seen.set(n, alert)
  const key = keyOf(sending, send)
  const kept = await sends.settle(key, done.outcome, look)
  if (kept === 'in-place') sending.corrects = true
  // Others took this process for dead, and have seen what became of it.
  const stands = kept === 'not' ? await sends.find(key) : undefined
  const settled = stands ?? { ...send, outcome: done.outcome, look }
  if (kept !== 'not')
    await followUpsOf(house, sending.wish).record(house, sending.wish, settled, done.outcome, {
      before,
      after,
    })
  sending.ended.set(n, settled)
  if (endsAll(settled.outcome)) sending.isEnded = true
}

async function settleDoubted(house: House, sending: Sending): Promise<void> {
  const { doubted, token } = sending
  const looked = await lookAfter(
    house,
    token,
    doubted.map(({ write }) => ({ write, look: undefined })),
  )
  for (const [index, { send, done }] of doubted.entries()) {
    const { outcome = done.outcome, look } = looked[index] ?? {}
    await settle(house, sending, send, { ...done, outcome, look })
  }
}

/**
 * *Look again*: looks once at every doubt of a wish, with its sender's token, as they ask. Never sends anything, and tells
 * nobody: that is the caller's. Sees nothing where they have no account any more.
 * @returns The wish as it is then.
 */
export async function lookNow(house: House, wish: KeptWish): Promise<KeptWish> {
  const { workspaceId } = wish.sender
  const token = await house.tokens.find(wish.sender)
  if (token === undefined) return wish
  const readPeople = sharedReads(house, token)
  for (const send of wish.sends) {
    const { n, write, outcome, look } = send
    if (write.kind !== 'add-user' || outcome?.kind !== 'uncertain') continue
    const found = await lookForPerson(house, readPeople, { write, look })
    const key = { workspaceId, wishId: wish.id, n }
    const isNews = (await house.storage.sends.looked(key, outcome, found)) && found.outcome !== undefined
    if (isNews)
      await followUpsOf(house, wish).record(house, wish, { ...send, look: undefined }, found.outcome, {})
  }
  return (await house.storage.wishes.find(workspaceId, wish.id)) ?? wish
}

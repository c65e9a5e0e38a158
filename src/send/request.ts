// Requests: writes to the service that somebody asks for, about one to twenty people, one alert or one mode. Each request
// is a document whose steps are the pure functions below; each step can succeed once.
//
// state       moved by                                    becomes
// asked       its asker                                   sending; cancelled; handed over to a new request, to be approved
// to approve  a colleague, its asker, or its time         sending; declined; withdrawn; expired
// sending     its sender’s process, or another if it died sent; to approve again if nobody got anything
// sent        a look                                      still sent: a send that was not certain has its outcome
// handed over the new request, if Slack refuses its card  asked
//
// A process holds the request it works on, and keeps renewing the hold. Once it stops renewing, the request is due: another
// process ends what was under way and tells people. A process that was taken for dead and comes back changes nothing.

import type { Place } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { leaseMs } from '../work/under-way.ts'
import {
  isPossibleLater,
  type SendOutcome,
  stopped,
  type Write,
  type WriteOutcome,
} from './outcome.ts'
import type { There, Whom } from './whom.ts'

/** The reason why access is asked for: an alert. */
export interface Reason {
  /** Raw. */
  readonly name: string
  /** True if everybody reads the outcome, in the thread in which the access was asked for. */
  readonly isForAll: boolean
  readonly askedBy?: AskedFor | undefined
}

/** One write of a request: in each attempt, it is sent to the service at most once. */
export interface Send {
  /** Place in the request, from 1. */
  readonly n: number
  readonly write: Write
  readonly hasBegun?: boolean
  /** The person as a list showed them last, since the write was asked for. */
  readonly there?: There | undefined
  /** True if the write removes somebody whom a list showed just before. */
  readonly isRemoval?: boolean | undefined
  /** Missing as long as the write waits or is under way. */
  readonly outcome?: SendOutcome | undefined
}

/** Somebody in Slack, with the name they had then, raw. */
export interface NamedPerson {
  readonly userId: string
  readonly name: string
}

/** Somebody who asked for flags in a line of the alert’s thread: the line is edited once they have the flags. */
export interface AskedFor extends NamedPerson {
  readonly flags: readonly string[]
  /** The reason why they needed the flags, raw. */
  readonly words: string
  readonly ts: string
}

/** People who may not approve a request, as known when it was made. Emptied once the request is concluded. */
export interface Barred {
  /** Hash of the asker's token; missing without an account. */
  readonly asker?: string | undefined
  /** The people who get the access: their ids in Slack, and hashes of their tokens. */
  readonly recipientIds: readonly string[]
  readonly recipients: readonly string[]
}

/** A message that says that access for a time is still there: one person’s, or several people’s from one giver. */
export interface StandingMessage extends Pick<Posted, 'channelId' | 'ts'> {
  /** Slack id of the one person who reads the message; missing if a channel reads it. */
  readonly readerId?: string | undefined
  /**
   * True for a direct message that says that the access wasn’t, or won’t be, taken back. A message in
   * a channel counts as such without it.
   */
  readonly isStuck?: boolean | undefined
}

/** Access for a time: the people who hear when it ends, and the messages in which they read of it. */
export interface TimedAccess extends RequestKey {
  readonly containerId: number
  /** The person who has the access. `there`: as the giver’s token showed them last; missing if it never did. */
  readonly whom: Whom
  /** Owner of the token that gave the access, and the person who had asked for it. */
  readonly giverId: string
  readonly askerId: string
  /** The reason why the access was given, with its thread. */
  readonly about?: Request['about']
  /** Place of the card on which a colleague has approved the access; missing if it is in `about`’s thread. */
  readonly card?: ApprovalDetails['card']
  /** Milliseconds since 1970. */
  readonly endsAt: number
  /** Messages that say that the access is still there. */
  readonly standingMessages: readonly StandingMessage[]
}

/**
 * Details of a request that a colleague has to approve. `card`, `approver` and `declined` are set later, and `barred` is
 * emptied at its conclusion: all else stays as it was when the request was made.
 */
export interface ApprovalDetails {
  /** Raw. */
  readonly askerName: string
  /** “Customer 1 (12)”, or “container 12” if the asker’s token had not shown the name. Raw. */
  readonly container: string
  /** Raw. */
  readonly reason: string
  readonly barred: Barred
  /** Place of the card, with its thread. */
  readonly channelId: string
  readonly threadTs?: string | undefined
  /** Time when the request expires, in milliseconds since 1970. */
  readonly until: number
  readonly card?: Pick<Posted, 'channelId' | 'ts'> | undefined
  readonly approver?: NamedPerson | undefined
  readonly declined?: { readonly by: NamedPerson; readonly reason: string } | undefined
}

/** The last state of a request: nothing more is sent for it. Only `handed-over` can be undone (`giveBack`). */
type Conclusion = 'sent' | 'cancelled' | 'handed-over' | 'declined' | 'withdrawn' | 'expired'

export interface Request {
  readonly workspaceId: string
  /** Id of the intent: the same however often Slack delivers one press or line. */
  readonly id: string
  readonly askerId: string
  /** The owner of the token that sends it: the asker, or the colleague who has approved it. */
  readonly sender: SlackUser
  /** The channel in which it was asked, for *Share in channel*; missing if it was asked elsewhere. */
  readonly channelId?: string | undefined
  /** The reason for the access, and the thread in which it was asked for: later messages about it go there. */
  readonly about?: (Reason & Partial<Pick<Place, 'channelId' | 'threadTs'>>) | undefined
  /** True if a colleague has to approve it: it is never sent from the state `asked`. */
  readonly needsApproval: boolean
  readonly approval?: ApprovalDetails | undefined
  readonly state: 'asked' | 'to-approve' | 'sending' | Conclusion
  readonly attempt: number
  /** Time until which the access that it gives lasts, set as it is sent; missing if the access is for good. */
  readonly endsAt?: number | undefined
  /** The access that a take-back takes, as it was before: by the time people hear of it, the end’s own document is gone. */
  readonly taking?: TimedAccess | undefined
  /** Name of a subject that only one request at a time may be about. Default: the request’s id. */
  readonly claim?: string | undefined
  /** True once documents that end its access were stored. They aren’t stored twice: somebody may have deleted one since. */
  readonly hasEnds?: boolean | undefined
  /** At least one. If the request is to be approved again, they have the outcomes of the last attempt, all in vain. */
  readonly sends: readonly Send[]
  /** Milliseconds since 1970, here and below. */
  readonly askedAt: number
  /** The time of its conclusion; missing before. */
  readonly concludedAt?: number | undefined
  /** True while somebody still has to hear of the last step. */
  readonly isToTell: boolean
  /** Slack ids of people who have heard, while others have not. */
  readonly told?: readonly string[] | undefined
  /** Time until which a process works on it, or its next try is put off: no other process takes it before. */
  readonly heldUntil: number
  /** Raised by each change of state, and by a look that settles an outcome; not by what is noted meanwhile. */
  readonly stepNo: number
}

export interface Approval extends Request {
  readonly approval: ApprovalDetails
}

export function approvalIn(request: Request | undefined): Approval | undefined {
  return request?.approval && { ...request, approval: request.approval }
}

export type RequestKey = Pick<Request, 'workspaceId' | 'id'>

/** Change of a request; undefined leaves it as it is. */
export type RequestStep = (request: Request, now: number) => Request | undefined

export interface NewRequest
  extends Pick<Request, 'id' | 'sender' | 'channelId' | 'about' | 'taking' | 'claim'> {
  readonly writes: readonly Write[]
  readonly needsApproval?: boolean
  readonly approval?: ApprovalDetails
}

export function createRequest(
  { sender, writes, needsApproval = false, ...rest }: NewRequest,
  now: number,
): Request {
  const { workspaceId, userId } = sender
  const isForApproval = rest.approval !== undefined
  return {
    ...rest,
    workspaceId,
    askerId: userId,
    sender: { workspaceId, userId },
    needsApproval: needsApproval || isForApproval,
    state: isForApproval ? 'to-approve' : 'asked',
    attempt: 0,
    askedAt: now,
    stepNo: 1,
    sends: writes.map((write, index) => ({ n: index + 1, write })),
    isToTell: isForApproval,
    heldUntil: now + leaseMs,
  }
}

export const toBeApproved = 'to be approved'
/** Reference by which requests that somebody approved are found. */
export const approvedBy = (userId: string) => `approved by ${userId}`

/** The facets by which storage finds a request. `claim` is set while the request waits for approval or is being sent. */
export function facetsOfRequest(request: Request) {
  const { id, claim = id, state, askerId, approval } = request
  const holdsClaim = state === 'to-approve' || state === 'sending'
  const approver = approval?.approver && approvedBy(approval.approver.userId)
  const ref = state === 'to-approve' ? toBeApproved : (approver ?? '')
  return { ownerId: askerId, ref, claim: holdsClaim ? claim : null, dueAt: dueAt(request) }
}

/** Time when a process has to look after a request; null: never. */
export function dueAt({ state, isToTell, heldUntil, approval }: Request): number | null {
  const held = state === 'sending' || isToTell ? heldUntil : Infinity
  const until = state === 'to-approve' && approval ? approval.until : Infinity
  const due = Math.min(held, until)
  return due === Infinity ? null : due
}

export function isOpen({ state, approval }: Request, now: number): boolean {
  return state === 'to-approve' && approval !== undefined && approval.until > now
}

export interface Begins {
  readonly sender: SlackUser
  /** A request from before this time is too old to send. */
  readonly askedAfter?: number
  readonly approver?: NamedPerson
  /** How long the access is to last, in milliseconds, if the approver has chosen less than was asked for. */
  readonly forMs?: number | undefined
  /** Reduces a write to what today’s settings allow. It never adds anything. Default: leaves the write as it is. */
  readonly judge?: (write: Write, now: number) => Write
  /** Checks the very request that would be sent: its flags, or that neither asker nor recipient approves it. */
  readonly passes: (request: Request) => boolean
}

/** Begins the sending of a request. Only one caller can make this step, so the request is sent once. */
export function beginStep(begins: Begins): RequestStep {
  const { sender, askedAfter = 0, approver, forMs, judge = (write) => write, passes } = begins
  const { workspaceId, userId } = sender
  return (asked, now) => {
    const sends = asked.sends.map(({ n, write }) => ({ n, write: judge(write, now) }))
    const request = { ...asked, sends }
    const isOwn =
      request.state === 'asked' &&
      !request.needsApproval &&
      request.askerId === userId &&
      request.askedAt >= askedAfter
    const isApproved = isOpen(request, now) && approver !== undefined
    if (!(isOwn || isApproved) || isPast(request, now) || !passes(request)) return undefined
    return {
      ...request,
      sender: { workspaceId, userId },
      state: 'sending',
      attempt: request.attempt + 1,
      approval: request.approval && { ...request.approval, approver },
      endsAt: endOfAccess(request, now, forMs),
      ...next(request, now, false),
    }
  }
}

/**
 * Time until which a request’s access lasts if it is sent now: a length begins with the sending. Undefined: for good.
 * @param forMs - The longest time that the approver has chosen.
 */
function endOfAccess({ sends }: Request, now: number, forMs?: number): number | undefined {
  const write = sends[0]?.write
  const ends = write && 'ends' in write && write.ends
  if (!ends) return undefined
  const asked = 'at' in ends ? ends.at : now + ends.forMs
  return forMs === undefined ? asked : Math.min(asked, now + forMs)
}

/** True if a request’s access was to last until a moment that has passed. */
export function isPast(request: Request, now: number): boolean {
  const endsAt = endOfAccess(request, now)
  return endsAt !== undefined && endsAt <= now
}

const isSameAttempt = (request: Request, { attempt }: Request) =>
  request.state === 'sending' && request.attempt === attempt

/** The person as a list showed them just before a write: stored as the write begins, so that it outlives the process. */
export type Before = Pick<Send, 'there' | 'isRemoval'>

/** Comes before each write to the service: only the caller that makes this step may send the write. */
export function beginSendStep(begun: Request, n: number, before: Before = {}): RequestStep {
  return changeSendStep(begun, n, ({ hasBegun, outcome }) =>
    hasBegun || outcome ? undefined : { hasBegun: true, ...before },
  )
}

/** Stores an outcome, unless its sender was taken for dead. @param there - The person, as a list shows them now. */
export function settleStep(
  begun: Request,
  n: number,
  outcome: WriteOutcome,
  there?: There,
): RequestStep {
  return changeSendStep(begun, n, (send) =>
    send.outcome ? undefined : { outcome, there: there ?? send.there },
  )
}

function changeSendStep(begun: Request, n: number, change: ChangeSend): RequestStep {
  return (request) => (isSameAttempt(request, begun) ? withSend(request, n, change) : undefined)
}

/** Ends the sending. The caller that makes this step tells the outcome. */
export function finishStep(begun: Request): RequestStep {
  return (request, now) => (isSameAttempt(request, begun) ? sent(request, now) : undefined)
}

/** The request as its sending ends. Sends that began, but have no outcome, are uncertain; the others are `not-sent`. */
function sent(request: Request, now: number): Request {
  const sends = request.sends.map((send): Send & { readonly outcome: SendOutcome } => ({
    ...send,
    outcome: send.outcome ?? (send.hasBegun ? stopped : { kind: 'not-sent' }),
  }))
  const isOpenAgain = request.approval && sends.every(({ outcome }) => isPossibleLater(outcome))
  return isOpenAgain
    ? { ...request, state: 'to-approve', sends, ...next(request, now, true) }
    : { ...concluded(request, 'sent', now), sends }
}

export function lookedStep(n: number, outcome: WriteOutcome, there?: There): RequestStep {
  return (request, now) => {
    const seen = withSend(request, n, (send) =>
      send.outcome?.kind === 'uncertain' ? { outcome, there: there ?? send.there } : undefined,
    )
    // A request that a colleague approved has somebody else who waits for the outcome.
    const isToTell = request.isToTell || request.approval !== undefined
    return seen && { ...seen, ...next(request, now, isToTell) }
  }
}

/** Gives a request up, as its asker wants, before anything was sent. */
export function giveUpStep(
  { userId }: SlackUser,
  conclusion: 'cancelled' | 'handed-over',
): RequestStep {
  return (request, now) =>
    request.state === 'asked' && request.askerId === userId
      ? concluded(request, conclusion, now, false)
      : undefined
}

/** Undoes a hand-over. */
export const giveBack: RequestStep = (request, now) => {
  if (request.state !== 'handed-over') return undefined
  return {
    ...request,
    state: 'asked',
    concludedAt: undefined,
    ...next(request, now, false),
  }
}

export function declineStep(by: NamedPerson, reason: string): RequestStep {
  return (request, now) => {
    const { approval } = request
    if (approval === undefined || !isOpen(request, now)) return undefined
    const declined = { ...approval, declined: { by, reason } }
    return concluded({ ...request, approval: declined }, 'declined', now)
  }
}

export function withdrawStep({ userId }: SlackUser): RequestStep {
  return (request, now) =>
    isOpen(request, now) && request.askerId === userId
      ? concluded(request, 'withdrawn', now)
      : undefined
}

export const expireStep: RequestStep = (request, now) =>
  request.state === 'to-approve' && !isOpen(request, now)
    ? { ...concluded(request, 'expired', now), concludedAt: request.approval?.until }
    : undefined

export function keepCardStep({ channelId, ts }: Posted): RequestStep {
  return (request) =>
    request.approval && { ...request, approval: { ...request.approval, card: { channelId, ts } } }
}

/** Notes that somebody has heard of the last step. @param userId - Default: everybody who had to hear of it. */
export function heardStep({ stepNo }: Pick<Request, 'stepNo'>, userId?: string): RequestStep {
  return (request) => {
    if (!request.isToTell || request.stepNo !== stepNo) return undefined
    const { told = [] } = request
    return userId === undefined
      ? { ...request, isToTell: false }
      : { ...request, told: [...told, userId] }
  }
}

/** Keeps other processes away from a request for so long. */
export function holdStep(ms: number): RequestStep {
  return (request, now) => ({ ...request, heldUntil: now + ms })
}

/** Takes over a due request: the process that should have concluded it, or told people, has died or failed. */
export const takeStep: RequestStep = (request, now) => {
  if (request.state === 'sending') return sent(request, now)
  return expireStep(request, now) ?? holdStep(leaseMs)(request, now)
}

function concluded(request: Request, state: Conclusion, now: number, isToTell = true): Request {
  const { approval } = request
  return {
    ...request,
    state,
    concludedAt: now,
    // Hashes of tokens are stored only as long as somebody could approve.
    approval: approval && { ...approval, barred: { recipientIds: [], recipients: [] } },
    ...next(request, now, isToTell),
  }
}

function next({ stepNo }: Request, now: number, isToTell: boolean) {
  return { stepNo: stepNo + 1, isToTell, told: undefined, heldUntil: now + leaseMs }
}

type ChangeSend = (send: Send) => Partial<Send> | undefined

function withSend(request: Request, n: number, change: ChangeSend): Request | undefined {
  const send = request.sends.find((one) => one.n === n)
  const changes = send && change(send)
  if (changes === undefined) return undefined
  return {
    ...request,
    sends: request.sends.map((one) => (one.n === n ? { ...one, ...changes } : one)),
  }
}

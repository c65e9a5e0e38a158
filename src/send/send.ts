// Sends a request: each of its writes goes to the service at most once; the caller then tells people in Slack. Features
// say, for each kind of write, how it is made, recorded and told of late: `Kind`.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteKept } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import type { WriteResult } from '../monitor/writes.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import {
  endingCodes,
  fingerprintOf,
  isRefusedFor,
  type Write,
  type WriteOutcome,
} from './outcome.ts'
import {
  type Before,
  beginSendStep,
  beginStep,
  createRequest,
  finishStep,
  type NewRequest,
  type Request,
  type Send,
  settleStep,
} from './request.ts'
import type { There } from './whom.ts'

const atOnce = 4
/** Two equal requests of one person within this time are a double press. */
export const sameMs = 10_000

/** A text that is equal for the two requests of a double press. */
const pressKey = ({ userId }: SlackUser, writes: readonly Write[]) =>
  `send ${userId} ${fingerprintOf(writes)}`

/** Forgets a press with which certainly nothing was done: asking again is no double press then. */
async function releaseIfInVain({ storage }: House, { sender, sends }: Request): Promise<void> {
  const mayBeDone = sends.some(
    ({ outcome }) => outcome?.kind === 'done' || outcome?.kind === 'uncertain',
  )
  if (mayBeDone) return
  const writes = sends.map(({ write }) => write)
  await storage.once.release(sender.workspaceId, pressKey(sender, writes))
}

/** Stores a request, unless its id is taken. @returns The request that is stored under that id. */
export async function keep({ storage: { requests } }: House, wanted: NewRequest): Promise<Request> {
  await requests.insert((now) => createRequest(wanted, now))
  noteKept()
  const kept = await requests.find({ workspaceId: wanted.sender.workspaceId, id: wanted.id })
  if (kept === undefined) throw new Error(`request ${wanted.id} was forgotten as it was kept`)
  return kept
}

/**
 * Stores and begins a request in one step, so that its asker hears the outcome even if this process dies. Call this last,
 * once nothing else can stop the sending.
 * @returns Undefined if nothing began: the request’s id is taken, or a colleague has to approve it.
 * @throws UserError if the same person asked for the same a moment ago, under another id.
 */
export async function keepBegun(house: House, wanted: NewRequest) {
  const { once, requests } = house.storage
  const { id, sender, writes } = wanted
  const { workspaceId } = sender
  // Slack has delivered the same press or line again: the process that began this request tells the outcome.
  if ((await requests.find({ workspaceId, id })) !== undefined) return undefined
  if (!(await once.claim(workspaceId, pressKey(sender, writes), sameMs)))
    throw new UserError('You asked for the same a moment ago. Its result is above, or on its way.')
  const begun = await insertBegun(house, wanted)
  noteKept()
  return begun
}

/** Stores and begins a request in one step. Undefined if another request has its id or holds its claim (`claim`). */
export async function insertBegun({ storage: { requests } }: House, wanted: NewRequest) {
  let begun: Request | undefined
  const isKept = await requests.insert((now) => {
    const request = createRequest(wanted, now)
    begun = beginStep({ sender: wanted.sender, passes: () => true })(request, now)
    return begun ?? request
  })
  return isKept ? begun : undefined
}

/** Results by the number of the send (`n`), as the sender’s token showed them: for the sender alone, and never stored. */
export type SendResults = ReadonlyMap<number, SendResult>

/**
 * Sends a begun request to its end; the caller, who holds it, tells people. The first write goes alone, then four at a
 * time. A refusal of the token (401), a flag (403) or the target (404) would meet the other writes too, so it ends the
 * sending.
 * @returns `isStillHeld`: true if this process is to tell the outcome; false if other processes took this one for dead, and
 * tell what they know.
 */
export async function sendBegun(house: House, token: string, begun: Request) {
  const forSender = await sendAll(house, token, begun)
  const { requests } = house.storage
  const finished = await requests.change(begun, finishStep(begun))
  const request = finished ?? (await requests.find(begun)) ?? begun
  if (finished !== undefined) await rowFor(house, request).storeWhatFollows?.(house, request)
  await releaseIfInVain(house, request)
  return { request, isStillHeld: finished !== undefined, forSender }
}

export type Sent = Awaited<ReturnType<typeof sendBegun>>

/** Sends each write of a request, until one shows that the others would fail too. @returns Results for the sender alone. */
async function sendAll(house: House, token: string, request: Request): Promise<SendResults> {
  const { requests } = house.storage
  const kind = rowFor(house, request)
  const forSender = new Map<number, SendResult>()
  // True once the remaining writes are not to be sent: they would be refused too, another process has ended the sending, or
  // the database failed.
  let isEnded = false

  async function sendOne(send: Send): Promise<void> {
    const { n, write } = send
    const begins = async (before?: Before) =>
      (await requests.change(request, beginSendStep(request, n, before))) !== undefined
    const done = await kind.perform(house, { owner: request.sender, token }, write, begins)
    if (done === undefined || isRefusedFor(done.outcome, endingCodes)) isEnded = true
    if (done === undefined) return
    forSender.set(n, done)
    const kept = await requests.change(request, settleStep(request, n, done.outcome, done.there))
    // Undefined: another process has taken this one for dead, and records what it knows.
    if (kept === undefined) return
    await kind.record(house, kept, send, done)
    kind.tellPerson?.(house, kept, send, done.outcome)
  }

  async function sendOn(left: Iterable<Send>): Promise<void> {
    for (const send of left) {
      // While Bellhop stops, nothing goes out after the first write.
      if (isEnded || (forSender.size > 0 && house.stopping.aborted)) return
      try {
        await sendOne(send)
      } catch (error) {
        isEnded = true
        throw error
      }
    }
  }

  await sendOn(request.sends.slice(0, 1))
  const others = request.sends.slice(1).values()
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, () => sendOn(others)))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  return forSender
}

export interface SendResult {
  readonly outcome: WriteOutcome
  /** The service's own words for a refusal: not in the outcome, which is stored and which others read. */
  readonly reason?: string | undefined
  /** The alert as the sender’s token showed it before the write and after it; each missing if it wasn’t read then. */
  readonly before?: Alert | undefined
  readonly after?: Alert | undefined
  /** The person of the write as a list showed them last; missing if no list did. */
  readonly there?: There | undefined
  /** Flags of the person of the write, as a list showed them before the write and after it; each missing if none did. */
  readonly had?: readonly string[] | undefined
  readonly has?: readonly string[] | undefined
}

/** `late`: people were told by the background job. */
export type ToldWhen = 'at_once' | 'late'

export interface Notice {
  readonly userId: string
  readonly message: Message
  /** The requests that the message is about, among all that are told of at the same time. Default: all of these. */
  readonly of?: readonly Request[]
  /** Place where the person pressed, and waits for the message. Default: a direct message. */
  readonly place?: Place | undefined
  /** True if it replaces the message whose button was pressed. */
  readonly replaces?: boolean
}

/**
 * Functions for the requests of one kind, in the order in which they are called.
 *
 * 1. `perform`, `record` and `tellPerson`, for each write.
 * 2. `storeWhatFollows`, once no write is under way.
 * 3. `showAndCompose`, only if people are told late: to tell them at once, the feature that sends shows and composes by
 *    itself, with what it has just read.
 * 4. `count`, once everybody has heard.
 *
 * A process that died leaves the rest to the next one, which begins again with `record`; `perform` and `tellPerson` are
 * not called again. `grantKind` is in grant/write.ts, `endKind` in ends/taking-back.ts, `approvalKind` in
 * approval/follow-ups.ts, `actKind` in act/record.ts, `modeKind` in maintenance/set-mode.ts; app.ts lists them.
 */
export interface Kind {
  /**
   * Calls the service at most once for the write itself, and never rejects for what the service does.
   * @param begin - Stores that the write goes out, and what was read before it. False when it no longer may go out:
   * `perform` then returns undefined.
   */
  perform(
    house: House,
    sender: Account,
    write: Write,
    begin: (before?: Before) => Promise<boolean>,
  ): Promise<SendResult | undefined>
  /** Records the outcome of a send once, however often it is called. */
  record(house: House, request: Request, send: Send, done: SendResult): Promise<void>
  /**
   * Stores what follows from the outcomes, before anybody hears of them: once, however often it is called. Called also if
   * the request is to be approved again.
   */
  storeWhatFollows?(house: House, request: Request): Promise<void>
  /** Tells the person of a write what it has given them. Nobody waits for this message, and it may be lost. */
  tellPerson?(house: House, request: Request, send: Send, outcome: WriteOutcome): void
  /** Name that is equal for requests of which one message tells. Default: each request is told of by itself. */
  toldWith?(request: Request): string
  /**
   * Prepares telling people late of the last step: posts or edits messages in channels, then composes the notices for each
   * person. Asks the service nothing.
   * @param together - All requests that are told of with this one, itself among them.
   * @throws If it has to be called again later.
   */
  showAndCompose(
    house: House,
    request: Request,
    together: readonly Request[],
  ): Promise<readonly Notice[]>
  /** Counts the outcome in the metrics, once people were told; told `at_once`, may note it for the log of this work too. */
  count(request: Request, told: ToldWhen): void
}

/** A row for each kind. `approval`: for every request that a colleague has to approve, whatever its writes. */
export type Kinds = Readonly<Record<Write['kind'] | 'approval', Kind>>

/** The row of `kinds` that says what is done about a request. */
export function rowFor({ kinds }: House, { id, approval, sends: [first] }: Request): Kind {
  if (first === undefined) throw new Error(`request ${id} has nothing to write`)
  return kinds[approval === undefined ? first.write.kind : 'approval']
}

export function asSendResult(result: WriteResult): SendResult {
  if (result.kind !== 'not-done') return { outcome: result }
  return { outcome: { kind: result.kind, code: result.code }, reason: result.reason }
}

const lookPausesMs = [0, 1_000, 2_000]

/** Looks at once, after one second and after three, or fewer times if a look finds enough or Bellhop stops. */
export async function lookUntilShown(
  { wait, stopping }: House,
  look: () => Promise<'enough' | 'again'>,
) {
  for (const pauseMs of lookPausesMs) {
    if (pauseMs > 0) await wait(pauseMs)
    if ((await look()) === 'enough' || stopping.aborted) return
  }
}

// Sends a request: at most one request to the service for each of its writes. Every surface comes through here. It asks Slack
// nothing. The features say, by kind, how each write is made, written down and told late.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteKept } from '../log/log.ts'
import type { Alert } from '../monitor/schema.ts'
import type { WriteResult } from '../monitor/writes.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import {
  endingCodes,
  fingerprintOf,
  isRefusedFor,
  type ShownAlert,
  type Write,
  type WriteOutcome,
} from './outcome.ts'
import {
  beginSendStep,
  beginStep,
  createRequest,
  finishStep,
  type NewRequest,
  type Request,
  type Send,
  settleStep,
} from './request.ts'

const atOnce = 4
/** The same of the same person within this time is a double press, not a new request. */
export const sameMs = 10_000

const claimOf = ({ userId }: SlackUser, writes: readonly Write[]) => `send ${userId} ${fingerprintOf(writes)}`

/** Nothing was done, and nothing can have been: whoever asks again has a reason. */
async function releaseIfInVain({ storage }: House, { sender, sends }: Request): Promise<void> {
  const mayBeDone = sends.some(({ outcome }) => outcome?.kind === 'done' || outcome?.kind === 'uncertain')
  if (mayBeDone) return
  const writes = sends.map(({ write }) => write)
  await storage.once.release(sender.workspaceId, claimOf(sender, writes))
}

/** Keeps a request, unless one is kept under its id. @returns The one that is kept. */
export async function keep({ storage: { requests } }: House, wanted: NewRequest): Promise<Request> {
  await requests.insert((now) => createRequest(wanted, now))
  noteKept()
  const kept = await requests.find({ workspaceId: wanted.sender.workspaceId, id: wanted.id })
  if (kept === undefined) throw new Error(`request ${wanted.id} was forgotten as it was kept`)
  return kept
}

/**
 * Keeps a request and begins it, in one step: should this process die after it, whoever asked is told what became of it.
 * To be asked last, when everything else allows it.
 * @returns Undefined where nothing was begun: another is kept under its id, or a colleague has to approve it.
 * @throws UserError where the same person asked for the same a moment ago, under another id.
 */
export async function keepBegun({ storage: { once, requests } }: House, wanted: NewRequest) {
  const { id, sender, writes } = wanted
  const { workspaceId } = sender
  // The same intent, delivered again: whoever began it tells what became of it.
  if ((await requests.find({ workspaceId, id })) !== undefined) return undefined
  if (!(await once.claim(workspaceId, claimOf(sender, writes), sameMs)))
    throw new UserError('You asked for the same a moment ago. Its result is above, or on its way.')
  let begun: Request | undefined
  const isKept = await requests.insert((now) => {
    const request = createRequest(wanted, now)
    begun = beginStep({ sender, passes: () => true })(request, now)
    return begun ?? request
  })
  noteKept()
  return isKept ? begun : undefined
}

/** What became of sends, by their place in the request: for the sender alone, whose token learned it; stored nowhere. */
export type SendResults = ReadonlyMap<number, SendResult>

export interface Sent {
  readonly request: Request
  /** False where others took this process for dead, and tell what they know. */
  readonly isToTell: boolean
  readonly learned: SendResults
}

/**
 * Sends a request that was begun, and waits for the end of it. Nobody is told: that is the caller's, who holds it. The first
 * goes alone, then four at a time. What refuses the token (401), the right (403) or the target (404) would refuse everything
 * after it as well, so it ends the sending.
 */
export async function sendBegun(house: House, token: string, begun: Request): Promise<Sent> {
  const learned = await sendAll(house, token, begun)
  const { requests } = house.storage
  const finished = await requests.change(begun, finishStep(begun))
  const request = finished ?? (await requests.find(begun)) ?? begun
  await releaseIfInVain(house, request)
  return { request, isToTell: finished !== undefined, learned }
}

async function sendAll(house: House, token: string, request: Request): Promise<SendResults> {
  const { requests } = house.storage
  const kind = kindOf(house, request)
  const learned = new Map<number, SendResult>()
  // Something refuses all that come after it as well, others have ended it, or the database failed.
  let isEnded = false

  async function sendOne(send: Send): Promise<void> {
    const { n, write } = send
    const begins = async () => (await requests.change(request, beginSendStep(request, n))) !== undefined
    const done = await kind.perform(house, token, write, begins)
    if (done === undefined || isRefusedFor(done.outcome, endingCodes)) isEnded = true
    if (done === undefined) return
    learned.set(n, done)
    const kept = await requests.change(request, settleStep(request, n, done.outcome))
    // Where others took this process for dead, they write down what they know.
    if (kept === undefined) return
    await kind.record(house, kept, send, done)
    kind.tellPerson?.(house, kept, send, done.outcome)
  }

  async function sendOn(left: Iterable<Send>): Promise<void> {
    for (const send of left) {
      // What is for one person is answered, though Bellhop stops.
      if (isEnded || (learned.size > 0 && house.stopping.aborted)) return
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
  const lines = await Promise.allSettled(Array.from({ length: atOnce }, () => sendOn(others)))
  for (const line of lines) if (line.status === 'rejected') throw line.reason
  return learned
}

export interface SendResult {
  readonly outcome: WriteOutcome
  /** Why it was refused, in the service's own words. Apart from the outcome, which is stored and which others read. */
  readonly reason?: string | undefined
  /** The alert as its sender’s token showed it last. */
  readonly alert?: Alert | undefined
  /** How it stood before; undefined where nobody could read it. */
  readonly before?: ShownAlert | undefined
  /** As it was read once more after the write was sent, if it was. */
  readonly after?: Alert | undefined
  /** Flags of somebody who was on the container already, as they were read before and after. */
  readonly had?: readonly string[] | undefined
  readonly has?: readonly string[] | undefined
}

/** `late`: by whoever came after its sender. */
export type ToldWhen = 'at_once' | 'late'

export interface Notice {
  readonly userId: string
  readonly message: Message
  /** Where they pressed just now, and wait for it. Default: directly. */
  readonly place?: Place | undefined
  /** In place of the message whose button was pressed. */
  readonly replaces?: boolean
}

export interface Kind {
  /**
   * Asks the service at most once for the write itself, and never rejects for what the service does.
   * @param begin - Commits that the request goes out; false when it must not any more.
   * @returns Undefined when nothing was sent for that reason.
   */
  perform(
    house: House,
    token: string,
    write: Write,
    begin: () => Promise<boolean>,
  ): Promise<SendResult | undefined>
  /** Writes down what became of a send, once, however often it is called. */
  record(house: House, request: Request, send: Send, done: SendResult): Promise<void>
  /** Tells whom a send has given something, as soon as that is known. Nobody waits for it, and it may be lost. */
  tellPerson?(house: House, request: Request, send: Send, outcome: WriteOutcome): void
  /**
   * Says who has to hear what of the last step, when that could not be done at once. Asks the service nothing.
   * @throws Where something that goes before could not be done: it is called again later.
   */
  news(house: House, request: Request): Promise<readonly Notice[]>
  /** Counts what has become of it, once somebody was told; at once, that is how whatever tells it ends. */
  count(request: Request, told: ToldWhen): void
}

/** `approval`: of what a colleague has to approve, whatever is written then. */
export type Kinds = Readonly<Record<Write['kind'] | 'approval', Kind>>

export function kindOf({ kinds }: House, { id, approval, sends: [first] }: Request): Kind {
  if (first === undefined) throw new Error(`request ${id} has nothing to write`)
  return kinds[approval === undefined ? first.write.kind : 'approval']
}

export function answered(result: WriteResult): SendResult {
  if (result.kind !== 'not-done') return { outcome: result }
  return { outcome: { kind: result.kind, code: result.code }, reason: result.reason }
}

const lookPausesMs = [0, 1_000, 2_000]

/** Looks at once, after one second and after three, until a look has found all it can find. */
export async function lookAfter({ wait, stopping }: House, look: () => Promise<'enough' | 'again'>) {
  for (const pauseMs of lookPausesMs) {
    if (pauseMs > 0) await wait(pauseMs)
    if ((await look()) === 'enough' || stopping.aborted) return
  }
}

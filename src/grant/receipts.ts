// Receipts: to the asker alone, in the thread of what access was granted for, or by *Share in channel*.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { isRefusedFor } from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { isCertainlyNotShared, type Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { accessOf, isForAccess, isGranted, type Result, resultsOf } from './access.ts'
import { personIn, readPeople } from './add.ts'
import { commandLine } from './line/line.ts'
import { type ReceiptNotes, renderReceipt, renderShared } from './render/receipt.ts'

/** Somebody who asks, and how their receipt is sent. */
export interface Telling extends From {
  /** With the line that does the same. */
  readonly showsLine?: boolean | undefined
  /** In place of the confirmation whose button was pressed. */
  readonly replaces?: boolean
}

/** Somebody's own request for access; what they did to an alert is none, nor what they ask a colleague for. */
export async function findOwn(
  { storage }: House,
  asker: SlackUser,
  id: string,
): Promise<Request | undefined> {
  const kept = await storage.requests.find({ workspaceId: asker.workspaceId, id })
  return kept?.askerId === asker.userId && isOwn(kept) ? kept : undefined
}

export const isOwn = (request: Request) => isForAccess(request) && request.approval === undefined

/** A request that was sent, and what became of everybody. */
export interface Ended {
  readonly kept: Request
  readonly results: readonly Result[]
}

export function endedOf(kept: Request | undefined): Ended | undefined {
  const results = kept?.end === 'sent' ? resultsOf(kept) : undefined
  return kept && results && { kept, results }
}

/** The receipt for its asker, as far as it is the same wherever they see it. @param notes - What is not, or is besides. */
export function receiptFor(
  house: House,
  { asker }: From,
  { kept, results }: Ended,
  notes: Partial<ReceiptNotes>,
): Message {
  const access = accessOf(kept)
  const container = containerInWords(house, asker, access.containerId)
  const canShare = !kept.about?.isForAll && kept.channelId !== undefined
  return renderReceipt(kept.id, access, results, { roles: house.config.roles, container, canShare, ...notes })
}

/** Tells what became of it: in the thread of what it is for, where that is for everybody, and to the asker. */
export async function tellOutcome(house: House, to: Telling, ended: Ended): Promise<void> {
  const { showsLine = false, replaces = false } = to
  const { kept, results } = ended
  const isInThread = await tellThread(house, to, ended)
  // What the service said, and the ways on, are for the asker alone.
  if (isInThread && results.every(isGranted)) return
  const line = commandLine(accessOf(kept), house.config)
  const isShown = showsLine && line !== undefined && line.length <= longestLine && results.some(isGranted)
  const message = receiptFor(house, to, ended, {
    canShare: !isInThread && kept.channelId !== undefined,
    line: isShown ? line : undefined,
  })
  // For the asker alone, what follows from a receipt in a thread stands under it.
  const place = isInThread ? { ...to.place, isThreadNew: false } : to.place
  await house.slack.privately(place, message, { replaces })
}

/** None that is too long to be typed once more. */
const longestLine = 1_000

/**
 * Reads once who is on the container, for those whom the service refused without a word (400), or who had changed meanwhile.
 * @returns The results, with what the sender's token shows of each of them, for the sender alone.
 */
export async function withSeen(
  house: House,
  token: string,
  kept: Request,
  results: readonly Result[],
): Promise<readonly Result[]> {
  const access = accessOf(kept)
  const code = access.there === undefined ? 'bad-request' : 'changed'
  const isRefused = ({ outcome }: Result) => isRefusedFor(outcome, [code])
  if (!results.some(isRefused)) return results
  const people = await readPeople(house, token, access.containerId)
  if (typeof people === 'string') return results
  const seen = (email: string) => personIn(people, { ...access, email }) ?? 'not-seen'
  return results.map((one) => (isRefused(one) ? { ...one, has: seen(one.email) } : one))
}

/** Tells everybody in the thread of what it is for. False where it is for nothing there, or could not be posted. */
async function tellThread(house: House, from: From, ended: Ended): Promise<boolean> {
  const { place } = from
  const { isForAll = false, channelId, threadTs } = ended.kept.about ?? {}
  if (!isForAll || channelId === undefined) return false
  // What the button's own response_url leads to may be another conversation.
  const responseUrl = place.channelId === channelId ? place.responseUrl : undefined
  try {
    await announce(house, from, ended, { ...place, channelId, threadTs, responseUrl }, channelId)
    return true
  } catch (error) {
    if (isCertainlyNotShared(error)) return false
    throw error
  }
}

/** *Share in channel*. @throws UserError when it is shared already. */
export async function shareGrant(house: House, pressed: ActionRequest): Promise<void> {
  const ended = endedOf(await findOwn(house, pressed.asker, pressed.value))
  const channelId = ended?.kept.channelId
  if (channelId === undefined || !ended?.results.some(isGranted)) return
  if (!(await announce(house, pressed, ended, pressed.place, channelId)))
    throw new UserError('This is already shared in the channel.')
}

const sharedMs = 90 * 24 * 60 * 60_000

/**
 * Posts a receipt that everybody reads: without the container's name where another organisation may read it.
 * @returns False where it stands already: it does once.
 */
async function announce(
  house: House,
  { asker }: From,
  { kept, results }: Ended,
  place: Place,
  channelId: string,
): Promise<boolean> {
  const { slack, storage } = house
  const access = accessOf(kept)
  const isOurs = (await slack.channels.wasShared(channelId)) === false
  const message = renderShared(access, results, {
    askerName: asker.name,
    roles: house.config.roles,
    container: isOurs ? containerInWords(house, asker, access.containerId) : undefined,
    about: kept.about?.isForAll ? kept.about : undefined,
  })
  const { workspaceId } = kept
  const key = `share ${kept.id}`
  if (!(await storage.once.claim(workspaceId, key, sharedMs))) return false
  try {
    await slack.announce(place, channelId, message)
    return true
  } catch (error) {
    if (isCertainlyNotShared(error)) await storage.once.release(workspaceId, key)
    throw error
  }
}

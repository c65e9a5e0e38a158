// Granting: a request is kept, confirmed where that is called for, sent once, and its outcome told to whoever asked. Every
// button and form of granting ends here.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { askToConnect, type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { containerInWords, learnContainerName } from '../names/containers.ts'
import { giveUp, type NewRequest, type Reason, type Request } from '../send/request.ts'
import { askedBefore, beginKept, isAskedFirst, keep, keepBegun, type Sent, sendBegun } from '../send/send.ts'
import { noteHeard, telling } from '../send/telling.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { say } from '../slack/outbound/message.ts'
import {
  type Access,
  accessOf,
  isForAccess,
  isGranted,
  type Result,
  resultsOf,
  wantsToken,
  writesOf,
} from './access.ts'
import type { Flag } from './flags.ts'
import { countGrants, noteOutcome } from './follow-ups.ts'
import { type HowToTell, seenAfterRefusal, shareReceipt, tellOutcome } from './receipts.ts'
import { renderSending } from './render/access.ts'
import {
  askApprovalButton,
  confirmReasons,
  type ProfileOrigin,
  type Question,
  renderConfirm,
  renderNeedsApproval,
  waitedReason,
} from './render/confirm.ts'
import { inVain } from './render/receipt.ts'

/** A confirmation can be answered for so long. */
const confirmableMs = 60 * 60_000

/** A grant that waits for an account. */
const waitingGrant = z.object({ grantId: z.string(), showsLine: z.boolean(), replaces: z.boolean() })

function wanted(grantId: string, how: HowToTell): WaitedFor {
  const ask: z.infer<typeof waitingGrant> = { grantId, ...how }
  return { feature: 'grant', ask }
}

/**
 * What somebody asks for, to be kept before anything is sent.
 * @param id - The intent's.
 * @param reason - What it is for; its outcome is told where it was asked.
 */
export function newRequest(
  house: House,
  { asker, place }: From,
  id: string,
  access: Access,
  reason?: Reason,
): NewRequest {
  const channelId = place.isDirect ? undefined : place.channelId
  const { threadTs, isDirect } = place
  const about = reason && { ...reason, channelId: place.channelId, threadTs, isDirect }
  return requestFor(house, access, { id, sender: idsOf(asker), channelId, about })
}

type Asked = Pick<Request, 'id' | 'sender' | 'channelId' | 'about'>

/** The same for something else. */
export function requestFor(
  house: House,
  access: Access,
  { id, sender, channelId, about }: Asked,
): NewRequest {
  const needsApproval = flagsToApprove(house, access).length > 0
  return { id, sender, channelId, about, writes: writesOf(access), needsApproval }
}

/**
 * What follows from a request, once however often it is pressed for. `rest`: *Try again* and the like, for those whom
 * another try may help. `again`: the same, once its sender has connected another token.
 */
export function followingOn(house: House, kept: Request, access: Access, as: 'rest' | 'again'): NewRequest {
  return requestFor(house, access, { ...kept, id: `${kept.id}:${as}` })
}

const idsOf = ({ workspaceId, userId }: SlackUser): SlackUser => ({ workspaceId, userId })

/** Flags that a colleague has to approve before anything is sent. */
function flagsToApprove({ config }: House, { permissions }: Access): readonly Flag[] {
  return permissions.filter((flag) => config.approval.flags.includes(flag))
}

/** Whose own token sends it. Asked of what is kept, at the moment it would be sent. */
function asOwn(house: House, asker: SlackUser) {
  const passes = (request: Request) => isOwn(request) && flagsToApprove(house, accessOf(request)).length === 0
  return { sender: idsOf(asker), passes }
}

/**
 * Why its asker confirms a grant before it is sent; nothing where a colleague has to approve it instead.
 * @param origins - Whose profiles addresses are from.
 */
export function reasonsToConfirm(
  house: House,
  access: Access,
  origins: readonly ProfileOrigin[] = [],
  isOld = false,
): readonly string[] {
  if (flagsToApprove(house, access).length > 0) return []
  return [...(isOld ? [waitedReason] : []), ...confirmReasons(access, origins)]
}

/** A grant that its asker is asked about. */
export function questionOf(
  house: House,
  asker: SlackUser,
  access: Access,
  reasons: readonly string[],
): Question {
  const container = containerInWords(house, asker, access.containerId)
  return { access, reasons, roles: house.config.roles, container }
}

/** Keeps a request, and asks its asker about it. */
export async function keepAndConfirm(
  house: House,
  from: From,
  wanted: NewRequest,
  reasons: readonly string[],
): Promise<void> {
  const kept = await keep(house, wanted)
  // Pressed for twice, it may have gone on already.
  if (kept.state !== 'asked') return sayWhyNot(house, from, kept.id, { showsLine: false, replaces: false })
  const question = questionOf(house, from.asker, accessOf(kept), reasons)
  await house.slack.privately(from.place, renderConfirm(kept.id, question))
}

/**
 * Sends what is kept, and tells the outcome; where a colleague has to agree first, says so instead.
 * @param askedAfter - Older ones are not sent any more. Milliseconds since 1970; default: an hour ago.
 */
export async function sendKept(
  house: House,
  from: From,
  id: string,
  how: HowToTell,
  askedAfter = house.now() - confirmableMs,
): Promise<void> {
  const { asker } = from
  const kept = await findWaiting(house, asker, id)
  const flags = kept === undefined ? [] : flagsToApprove(house, accessOf(kept))
  if (kept !== undefined && flags.length > 0) return sayNeedsApproval(house, from, kept, flags, how)
  await withToken(
    house,
    from,
    wanted(id, how),
    async (token) => {
      const key = { workspaceId: asker.workspaceId, id }
      const begun = await beginKept(house, key, { ...asOwn(house, asker), askedAfter })
      if (begun === undefined) return sayWhyNot(house, from, id, how)
      await sendAndTell(house, from, token, begun, how)
    },
    { beside: askApprovalButton(id) },
  )
}

async function sayNeedsApproval(
  house: House,
  from: From,
  kept: Request,
  flags: readonly Flag[],
  { replaces }: Pick<HowToTell, 'replaces'>,
): Promise<void> {
  const access = accessOf(kept)
  const container = containerInWords(house, from.asker, access.containerId)
  const message = renderNeedsApproval(kept.id, access, flags, house.config.roles, container)
  await house.slack.privately(from.place, message, { replaces })
  endsAs('needs-approval')
}

export async function cancelGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value: id } = pressed
  if (!(await cancel(house, asker, id))) return tellHowItStands(house, pressed, id)
  await house.slack.privately(place, say('Cancelled. Nothing was sent.'), { replaces: true })
}

async function cancel({ storage }: House, asker: SlackUser, id: string): Promise<boolean> {
  const key = { workspaceId: asker.workspaceId, id }
  return (await storage.requests.change(key, giveUp(asker, 'cancelled'))) !== undefined
}

/** *Share in channel*. */
export async function shareGrant(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findOwn(house, pressed.asker, pressed.value)
  const results = kept?.end === 'sent' ? resultsOf(kept) : undefined
  if (kept?.channelId === undefined || !results?.some(isGranted)) return
  await shareReceipt(house, pressed, kept, results, kept.channelId)
}

/** Goes on after an account was connected. What has waited for long is confirmed again. */
export async function resumeGrant(house: House, from: From, { ask, isOld }: Resumed): Promise<void> {
  const { grantId, ...how } = waitingGrant.parse(ask)
  // The message that asked to connect is gone by now, and nothing can take its place.
  const toTell = { ...how, replaces: false }
  if (!isOld) return sendKept(house, from, grantId, toTell, 0)
  // The old one must not be sent as well.
  const kept = await findWaiting(house, from.asker, grantId)
  if (kept === undefined || !(await cancel(house, from.asker, grantId))) {
    return tellHowItStands(house, from, grantId)
  }
  const access = accessOf(kept)
  const anew = requestFor(house, access, { ...kept, id: randomUUID() })
  await keepAndConfirm(house, from, anew, [waitedReason, ...confirmReasons(access, [])])
}

/**
 * Keeps what needs no confirmation, and sends it if it can be sent now, in one step: should this process die after it,
 * whoever asked is told what became of it.
 * @param options.isAgain - It is asked once more on purpose.
 * @param options.onKept - Called once it is kept, if it is: may be called again.
 */
export async function keepAndSend(
  house: House,
  from: From,
  wanted: NewRequest,
  how: HowToTell,
  options: { readonly isAgain?: boolean; readonly onKept?: () => Promise<void> } = {},
): Promise<void> {
  const { isAgain = false, onKept = nothing } = options
  const { asker, place } = from
  const token = wanted.needsApproval ? undefined : await house.tokens.find(asker)
  if (token !== undefined) {
    house.log.debug('a token was found')
    if (!isAgain && !(await isAskedFirst(house, asker, wanted))) {
      return house.slack.privately(place, say(askedBefore))
    }
    const begun = await keepBegun(house, wanted, asOwn(house, asker))
    if (begun !== undefined) return sendAndTell(house, from, token, begun, how, onKept)
  }
  // It waits for an account or an approval; or another is kept in its place.
  await keep(house, wanted)
  await onKept()
  await sendKept(house, from, wanted.id, how, isAgain ? 0 : undefined)
}

async function sendAndTell(
  house: House,
  from: From,
  token: string,
  begun: Request,
  how: HowToTell,
  onKept = nothing,
): Promise<void> {
  const onSending = async () => void (await Promise.all([onKept(), showSending(house, from, begun, how)]))
  await telling(house, begun, async () => {
    const sent = await sendBegun(house, token, begun, onSending)
    if (sent.isToTell) await tellSent(house, from, token, how, sent)
  })
}

const nothing = async () => {}

/** The buttons go at once. Should that fail, the outcome comes all the same. */
async function showSending(
  house: House,
  { asker, place }: From,
  request: Request,
  { replaces }: HowToTell,
): Promise<void> {
  if (!replaces) return
  const access = accessOf(request)
  const container = containerInWords(house, asker, access.containerId)
  const message = renderSending(access, house.config.roles, container)
  await house.slack.privately(place, message, { replaces: true }).catch(() => undefined)
}

/** Says why nothing is sent of what was not begun. What was begun before is told by whoever began it. */
async function sayWhyNot(house: House, from: From, id: string, how: HowToTell): Promise<void> {
  const kept = await findOwn(house, from.asker, id)
  if (kept?.state === 'sending') return
  if (kept?.end !== 'sent') throw new UserError(whyNothingIsSent(kept))
  const results = resultsOf(kept) ?? []
  if (wantsToken(results)) await waitForToken(house, from, kept, how)
}

/** Tells what became of what was sent. */
async function tellSent(
  house: House,
  from: From,
  token: string,
  how: HowToTell,
  { request, learned }: Sent,
): Promise<void> {
  const results = resultsOf(request) ?? []
  const seen = await seenAfterRefusal(house, token, request, results)
  if (wantsToken(results)) await waitForToken(house, from, request, how)
  else await tellOutcome(house, from, request, results, { ...how, learned, seen })
  await noteReceipt(house, request, results)
  noteOutcome(results)
  if (results.some(isGranted)) learnContainer(house, from.asker, token, accessOf(request).containerId)
}

/** Its asker has read it. */
async function noteReceipt(house: House, request: Request, results: readonly Result[]): Promise<void> {
  if (await noteHeard(house, request)) countGrants(results, 'at_once')
}

/** Nobody waits for it: what is said of the container from then on has its name. */
function learnContainer(house: House, owner: SlackUser, token: string, containerId: number): void {
  const learning = learnContainerName(house, owner, token, containerId).catch((error: unknown) =>
    house.log.warn({ err: error }, 'the name of a container could not be learned'),
  )
  void house.slack.work.track(learning)
}

/** The token was refused: the same waits for another one, under a request that follows from this one. */
async function waitForToken(house: House, from: From, kept: Request, how: HowToTell): Promise<void> {
  const { id } = await keep(house, followingOn(house, kept, accessOf(kept), 'again'))
  if ((await findWaiting(house, from.asker, id)) === undefined) return
  await askToConnect(house, from, wanted(id, how), 'refused', { replaces: how.replaces })
}

/** Tells what is true of a request that does not wait any more. */
export async function tellHowItStands(house: House, from: From, id: string): Promise<void> {
  const { slack } = house
  const found = await findOwn(house, from.asker, id)
  if (found?.state === 'sending') return slack.privately(from.place, say(underWay))
  const results = found?.end === 'sent' ? resultsOf(found) : undefined
  if (found === undefined || results === undefined) {
    return slack.privately(from.place, say(whyNothingIsSent(found)))
  }
  await telling(house, found, async () => {
    await tellOutcome(house, from, found, results, { showsLine: false, replaces: false })
    await noteReceipt(house, found, results)
  })
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

const isOwn = (request: Request) => isForAccess(request) && request.approval === undefined

/** Finds the asker's own request under this id, when it waits to be sent. */
async function findWaiting(house: House, asker: SlackUser, id: string): Promise<Request | undefined> {
  const kept = await findOwn(house, asker, id)
  return kept?.state === 'asked' ? kept : undefined
}

/** Says why nothing is sent of what does not wait any more. What nobody knows may have been sent long ago. */
function whyNothingIsSent(kept: Request | undefined): string {
  if (kept === undefined) return inVain.notStored
  if (kept.end === 'handed-over') return handedOver
  return kept.end === 'cancelled' ? inVain.cancelled : gone
}

const gone = 'This confirmation has expired. Nothing was sent. Type /grant again.'
const handedOver = 'You already asked for approval of this. The request shows its current state.'
const underWay = 'Too late to cancel: the grant was already sent. The result will follow in a moment.'

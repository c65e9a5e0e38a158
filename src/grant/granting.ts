// Granting: a request is kept, confirmed where that is called for, sent once, and its outcome told to whoever asked. Every
// button and form of granting ends here.
import { z } from 'zod'
import { askToConnect, type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { containerInWords, learnContainerName } from '../names/containers.ts'
import { isLacking, rightsMs } from '../names/rights.ts'
import { begin, giveUp, type NewRequest, type Reason, type Request } from '../send/request.ts'
import { askedBefore, isAskedFirst, keep, keepBegun, type Sent, sendBegun } from '../send/send.ts'
import { noteHeard, telling } from '../send/telling.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { say } from '../slack/outbound/message.ts'
import type { Profile } from '../slack/workspace/people.ts'
import { inTime } from '../work/under-way.ts'
import { type Access, accessOf, isGranted, resultsOf, wantsToken, writesOf } from './access.ts'
import type { Flag } from './flags.ts'
import { endedOf, findOwn, isOwn, type Telling, tellOutcome, withSeen } from './receipts.ts'
import {
  approvalReasons,
  askApprovalButton,
  confirmReasons,
  lackingReasons,
  type Question,
  renderConfirm,
  renderNeedsApproval,
  waitedReason,
} from './render/confirm.ts'
import { inVain } from './render/receipt.ts'

/** A confirmation can be answered for so long. */
const confirmableMs = 60 * 60_000

/** A grant that waits for an account. */
const waitingGrant = z.object({ grantId: z.string(), showsLine: z.boolean().optional() })

function waitsFor(grantId: string, { showsLine }: Telling): WaitedFor {
  const ask: z.infer<typeof waitingGrant> = { grantId, showsLine }
  return { feature: 'grant', ask }
}

/**
 * What somebody asks for, to be kept before anything is sent.
 * @param id - The intent's.
 * @param reason - What it is for; its outcome is told where it was asked.
 */
export function newRequest(
  house: House,
  { asker: { workspaceId, userId }, place: { channelId, threadTs, isDirect } }: From,
  id: string,
  access: Access,
  reason?: Reason,
): NewRequest {
  return requestFor(house, access, {
    ...{ id, sender: { workspaceId, userId } },
    channelId: isDirect ? undefined : channelId,
    about: reason && { ...reason, channelId, threadTs },
  })
}

/** As `newRequest`, with what it has in common with another one. */
export function requestFor(
  house: House,
  access: Access,
  { id, sender, channelId, about }: Pick<Request, 'id' | 'sender' | 'channelId' | 'about'>,
): NewRequest {
  const needsApproval = flagsToApprove(house, access).length > 0
  return { id, sender, channelId, about, writes: writesOf(access), needsApproval }
}

/** Flags that a colleague has to approve before anything is sent. */
function flagsToApprove({ config }: House, { permissions }: Access): readonly Flag[] {
  return permissions.filter((flag) => config.approval.flags.includes(flag))
}

/** Whose own token sends it. Asked of what is kept, at the moment it would be sent. */
function asOwn(house: House, { workspaceId, userId }: SlackUser) {
  const passes = (request: Request) => isOwn(request) && flagsToApprove(house, accessOf(request)).length === 0
  return { sender: { workspaceId, userId }, passes }
}

/**
 * Why its asker confirms a grant before it is sent; nothing where a colleague has to approve it instead.
 * @param origins - Whose profiles addresses are from.
 */
export function reasonsToConfirm(
  house: House,
  access: Access,
  origins: readonly Profile[] = [],
): readonly string[] {
  return flagsToApprove(house, access).length > 0 ? [] : confirmReasons(access, origins)
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

async function ask(
  house: House,
  { asker, place }: From,
  { id, sends }: Request,
  reasons: readonly string[],
): Promise<void> {
  const access = accessOf({ id, sends })
  if (!(await lacksAccess(house, asker, access)))
    return house.slack.privately(place, renderConfirm(id, questionOf(house, asker, access, reasons)))
  const question = questionOf(house, asker, access, lackingReasons)
  await house.slack.privately(place, renderNeedsApproval(id, question))
  endsAs('needs-approval')
}

/** True where their token is known to lack what adding people takes. */
export async function lacksAccess(house: House, asker: SlackUser, { containerId }: Access): Promise<boolean> {
  const token = await house.tokens.find(asker)
  if (token === undefined) return false
  return (await inTime(isLacking(house, asker, token, containerId, 'CONTAINER_ACCESS'), rightsMs)) ?? false
}

/**
 * Asks about a grant first where that is called for; else sends it.
 * @param how.origins - Whose profiles addresses are from.
 * @param how.isOld - It was asked a while ago.
 */
export async function askOrSend(
  house: House,
  from: From,
  wanted: NewRequest,
  access: Access,
  { origins, isOld = false }: { readonly origins?: readonly Profile[]; readonly isOld?: boolean } = {},
): Promise<void> {
  const called = reasonsToConfirm(house, access, origins)
  const reasons = isOld && !wanted.needsApproval ? [waitedReason, ...called] : called
  if (reasons.length === 0) return keepAndSend(house, from, wanted)
  const kept = await keep(house, wanted)
  // Pressed for twice, it may have gone on already.
  if (kept.state === 'asked') await ask(house, from, kept, reasons)
  else refuseUnlessSent(kept)
}

/** Sends what is kept, and tells the outcome; where a colleague has to agree first, says so instead. */
export async function sendKept(house: House, to: Telling, id: string): Promise<void> {
  const { asker, place, replaces = false } = to
  const kept = await findOwn(house, asker, id)
  const flags = kept?.state === 'asked' ? flagsToApprove(house, accessOf(kept)) : []
  if (kept !== undefined && flags.length > 0) {
    const access = accessOf(kept)
    const question = questionOf(house, asker, access, approvalReasons(access, flags))
    await house.slack.privately(place, renderNeedsApproval(id, question), { replaces })
    return endsAs('needs-approval')
  }
  await withToken(
    house,
    to,
    waitsFor(id, to),
    async (token) => {
      const askedAfter = house.now() - confirmableMs
      const step = begin({ ...asOwn(house, asker), askedAfter })
      const begun = await house.storage.requests.change({ workspaceId: asker.workspaceId, id }, step)
      if (begun === undefined) return refuseUnlessSent(await findOwn(house, asker, id))
      await sendAndTell(house, to, token, begun)
    },
    { beside: askApprovalButton(id) },
  )
}

export async function cancelGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value: id } = pressed
  const key = { workspaceId: asker.workspaceId, id }
  const cancelled = await house.storage.requests.change(key, giveUp(asker, 'cancelled'))
  if (cancelled === undefined) return tellHowItStands(house, pressed, id)
  await house.slack.privately(place, say('Cancelled. Nothing was sent.'), { replaces: true })
}

/** Goes on after an account was connected. What has waited for long is confirmed again. */
export function resumeGrant(house: House, from: From, { ask: waited }: Resumed): Promise<void> {
  // The message that asked to connect is gone by now, and nothing can take its place.
  const { grantId, showsLine } = waitingGrant.parse(waited)
  return sendKept(house, { ...from, showsLine }, grantId)
}

/**
 * Keeps what needs no confirmation, and sends it if it can be sent now, in one step: should this process die after it,
 * whoever asked is told what became of it.
 * @param onKept - Called once it is kept, if it is.
 */
export async function keepAndSend(
  house: House,
  to: Telling,
  wanted: NewRequest,
  onKept: () => Promise<void> = async () => {},
): Promise<void> {
  const { asker, place } = to
  const token = wanted.needsApproval ? undefined : await house.tokens.find(asker)
  if (token !== undefined) {
    house.log.debug('a token was found')
    if (!(await isAskedFirst(house, wanted))) return house.slack.privately(place, say(askedBefore))
    const begun = await keepBegun(house, wanted, asOwn(house, asker))
    if (begun !== undefined) return sendAndTell(house, to, token, begun, onKept)
  }
  // It waits for an account or an approval; or another is kept in its place.
  await keep(house, wanted)
  await onKept()
  await sendKept(house, to, wanted.id)
}

async function sendAndTell(
  house: House,
  to: Telling,
  token: string,
  begun: Request,
  onKept?: () => Promise<void>,
): Promise<void> {
  const onSending = async () => {
    await onKept?.()
    // The buttons go at once. Should that fail, the outcome comes all the same.
    if (to.replaces)
      await house.slack.privately(to.place, say('Sending…'), { replaces: true }).catch(() => undefined)
  }
  await telling(house, begun, async () => {
    const sent = await sendBegun(house, token, begun, onSending)
    if (sent.isToTell) await tellSent(house, to, token, sent)
  })
}

/** Tells what became of what was sent. */
async function tellSent(house: House, to: Telling, token: string, sent: Sent): Promise<void> {
  const { request: kept, learned } = sent
  const results = await withSeen(house, token, kept, resultsOf(kept, learned) ?? [])
  if (wantsToken(results)) {
    // The same waits for another token, under a request that follows from this one.
    const again = await keep(house, requestFor(house, accessOf(kept), { ...kept, id: `${kept.id}:again` }))
    const { replaces = false } = to
    await askToConnect(house, to, waitsFor(again.id, to), 'refused', { replaces })
  } else await tellOutcome(house, to, { kept, results })
  await noteHeard(house, kept, 'at_once')
  if (!results.some(isGranted)) return
  // Nobody waits for it: what is said of the container from then on has its name.
  const learning = learnContainerName(house, to.asker, token, accessOf(kept).containerId)
  const warn = (error: unknown) =>
    house.log.warn({ err: error }, 'the name of a container could not be learned')
  void house.slack.work.track(learning.catch(warn))
}

/** Tells what is true of a request that does not wait any more. Of what is under way, the result follows in a moment. */
async function tellHowItStands(house: House, from: From, id: string): Promise<void> {
  const found = await findOwn(house, from.asker, id)
  refuseUnlessSent(found)
  const ended = endedOf(found)
  if (ended === undefined) return
  await telling(house, ended.kept, async () => {
    await tellOutcome(house, from, ended)
    await noteHeard(house, ended.kept, 'at_once')
  })
}

/** What was sent is told by whoever sent it. @throws UserError where nothing is sent of what does not wait any more. */
export function refuseUnlessSent(kept: Request | undefined): void {
  if (kept === undefined) throw new UserError(inVain.notStored)
  if (kept.end === 'handed-over') throw new UserError(handedOver)
  if (kept.end === 'cancelled') throw new UserError(inVain.cancelled)
  if (kept.state === 'asked') throw new UserError(gone)
}

const gone = 'This confirmation has expired. Nothing was sent. Type /grant again.'
const handedOver = 'You already asked for approval of this. The request shows its current state.'

// Granting: a wish is kept, confirmed where that is called for, sent once, and its outcome told to whoever asked. Every
// button and form of granting ends here.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { askToConnect, type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { containerInWords, learnContainerName } from '../names/containers.ts'
import {
  askedBefore,
  isAskedFirst,
  keepAndSendWish,
  type Reasons,
  sendWish,
  type WishSent,
} from '../send/send.ts'
import { noteTold, sendAndTell, whileTelling } from '../send/telling.ts'
import type { Follows, KeptReason, KeptWish, NewWish, Reason } from '../send/wishes.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import type { Flag } from './flags.ts'
import { needsApprovalEntry, noteOutcome } from './follow-ups.ts'
import { isSameWish } from './line/line.ts'
import { type HowToTell, seenAfterRefusal, shareReceipt, tellOutcome } from './receipts.ts'
import {
  askApprovalButton,
  confirmReasons,
  type ProfileOrigin,
  renderConfirm,
  renderNeedsApproval,
  waitedReason,
} from './render/confirm.ts'
import { inVain } from './render/receipt.ts'
import { renderSending } from './render/wish.ts'
import {
  isForAccess,
  isGranted,
  type Result,
  resultsOf,
  type Wish,
  waitingOf,
  wishOf,
  writesOf,
} from './wish.ts'

/** A confirmation can be answered for so long. */
const confirmableMs = 60 * 60_000

/** A grant that waits for an account. */
const waitingGrant = z.object({ grantId: z.string(), showsLine: z.boolean(), replaces: z.boolean() })

function wanted(grantId: string, how: HowToTell): WaitedFor {
  const ask: z.infer<typeof waitingGrant> = { grantId, ...how }
  return { feature: 'grant', ask }
}

/**
 * Keeps a wish before anything is sent.
 * @param id - The intent's. Where another wish is kept under it already, this one gets an id of its own.
 * @param reason - What it is for; its outcome is told where it was asked.
 * @returns The id under which it is kept.
 */
export function keepWish(house: House, from: From, id: string, wish: Wish, reason?: Reason): Promise<string> {
  return keepUnder(house, wish, askedBy(from, id, reason))
}

function askedBy({ asker, place }: From, id: string, reason: Reason | undefined): Asked {
  const { workspaceId, userId } = asker
  const channelId = place.isDirect ? undefined : place.channelId
  const about = reason && keptReason(reason, place)
  return { id, sender: { workspaceId, userId }, channelId, about }
}

/** Flags of a wish that a colleague has to approve before it is sent. */
function flagsToApprove({ config }: House, { permissions }: Wish): readonly Flag[] {
  return permissions.filter((flag) => config.approval.flags.includes(flag))
}

/**
 * Why its asker confirms a wish before it is sent; nothing where a colleague has to approve it instead.
 * @param origins - Whose profiles addresses are from.
 */
export function reasonsToConfirm(
  house: House,
  wish: Wish,
  origins: readonly ProfileOrigin[],
  isOld = false,
): readonly string[] {
  if (flagsToApprove(house, wish).length > 0) return []
  return [...(isOld ? [waitedReason] : []), ...confirmReasons(wish, origins)]
}

/** Shows a confirmation for a wish that is kept. */
export async function confirmFirst(
  { slack, config }: House,
  { place }: From,
  id: string,
  wish: Wish,
  reasons: readonly string[],
): Promise<void> {
  await slack.privately(place, renderConfirm(id, wish, reasons, config.roles))
}

/**
 * Sends a wish that is kept, and tells the outcome; where a colleague has to agree first, says so instead.
 * @param options.askedAfter - Older ones are not sent any more. Milliseconds since 1970; default: an hour ago.
 * @param options.origins - Whose profiles addresses are from.
 */
export async function sendKept(
  house: House,
  from: From,
  id: string,
  how: HowToTell,
  options: { readonly askedAfter?: number; readonly origins?: readonly ProfileOrigin[] } = {},
): Promise<void> {
  const { askedAfter = house.now() - confirmableMs, origins = [] } = options
  const mayWait = house.config.approval.flags.length > 0
  const kept = mayWait ? await findWaiting(house, from.asker, id) : undefined
  const flags = kept === undefined ? [] : flagsToApprove(house, wishOf(kept))
  if (kept !== undefined && flags.length > 0) return sayNeedsApproval(house, from, kept, flags, origins, how)
  const sendsWith = { askedAfter, onSending: onSending(house, from, how) }
  await withToken(
    house,
    from,
    wanted(id, how),
    async (token) => {
      const send = () => sendWish(house, from.asker, token, id, sendsWith)
      const tell = (sent: WishSent) => tellSent(house, from, token, how, sent)
      await sendAndTell(house, from.asker.workspaceId, id, send, tell)
    },
    { beside: askApprovalButton(id) },
  )
}

async function sayNeedsApproval(
  house: House,
  from: From,
  kept: KeptWish,
  flags: readonly Flag[],
  origins: readonly ProfileOrigin[],
  { replaces }: Pick<HowToTell, 'replaces'>,
): Promise<void> {
  for (const send of kept.sends) await house.audit.record(needsApprovalEntry(kept, send))
  const wish = wishOf(kept)
  const container = containerInWords(house, from.asker, wish.containerId)
  const message = renderNeedsApproval(kept.id, wish, flags, origins, house.config.roles, container)
  await house.slack.privately(from.place, message, { replaces })
  endsAs('needs-approval')
}

export async function cancelWish(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value: id } = pressed
  if (!(await house.storage.wishes.cancel(asker, id))) return tellHowItStands(house, pressed, id)
  await house.slack.privately(place, say('Cancelled. Nothing was sent.'), { replaces: true })
}

/** *Share in channel*. */
export async function shareWish(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findOwn(house, pressed.asker, pressed.value)
  const results = kept?.state === 'settled' ? resultsOf(kept) : undefined
  if (kept?.channelId === undefined || !results?.some(isGranted)) return
  await shareReceipt(house, pressed, kept, results, kept.channelId)
}

/** Goes on after an account was connected. What has waited for long is confirmed again. */
export async function resumeGrant(house: House, from: From, { ask, isOld }: Resumed): Promise<void> {
  const { grantId, ...how } = waitingGrant.parse(ask)
  // The message that asked to connect is gone by now, and nothing can take its place.
  const telling = { ...how, replaces: false }
  if (!isOld) return sendKept(house, from, grantId, telling, { askedAfter: 0 })
  // The old one must not be sent as well.
  const kept = await findWaiting(house, from.asker, grantId)
  if (kept === undefined || !(await house.storage.wishes.cancel(from.asker, grantId))) {
    return tellHowItStands(house, from, grantId)
  }
  const { sender, channelId, about } = kept
  const wish = wishOf(kept)
  const id = await keepUnder(house, wish, { id: randomUUID(), sender, channelId, about })
  await confirmFirst(house, from, id, wish, [waitedReason, ...confirmReasons(wish, [])])
}

/**
 * Keeps a wish that needs no confirmation, and sends it if it can be sent now; as `keepWish` and then `sendKept`, but
 * whoever asked is told what became of it, should this process die in between.
 */
export async function keepAndSend(
  house: House,
  from: From,
  id: string,
  wish: Wish,
  how: HowToTell,
  { origins, reason }: { readonly origins: readonly ProfileOrigin[]; readonly reason?: Reason | undefined },
): Promise<void> {
  if (await keepAndSendNow(house, from, wish, askedBy(from, id, reason), how)) return
  await sendKept(house, from, await keepWish(house, from, id, wish, reason), how, { origins })
}

/**
 * Keeps a wish and sends it, in one step.
 * @returns False where nothing was kept: it waits for an account or an approval, or another is kept in its place.
 */
export async function keepAndSendNow(
  house: House,
  from: From,
  wish: Wish,
  asked: Omit<NewWish, 'writes'>,
  how: HowToTell,
): Promise<boolean> {
  const waits = flagsToApprove(house, wish).length > 0
  const token = waits ? undefined : await house.tokens.find(from.asker)
  if (token === undefined) return false
  house.log.debug('a token was found')
  const kept = { ...asked, writes: writesOf(wish) }
  if (asked.follows === undefined && !(await isAskedFirst(house, from.asker, kept))) {
    await house.slack.privately(from.place, say(askedBefore))
    return true
  }
  const send = () => keepAndSendWish(house, token, kept, { onSending: onSending(house, from, how) })
  const tell = (sent: WishSent) => tellSent(house, from, token, how, sent)
  return sendAndTell(house, from.asker.workspaceId, asked.id, send, tell)
}

/** The buttons go at once. Should that fail, the outcome comes all the same. */
function onSending({ slack, config }: House, { place }: From, { replaces }: HowToTell) {
  return async (kept: KeptWish): Promise<void> => {
    if (!replaces) return
    await slack
      .privately(place, renderSending(wishOf(kept), config.roles), { replaces: true })
      .catch(() => undefined)
  }
}

/** Tells what became of what was sent, unless another request tells it. */
async function tellSent(
  house: House,
  from: From,
  token: string,
  how: HowToTell,
  sent: WishSent,
): Promise<void> {
  if (sent.kind === 'gone') throw new UserError(whyNothingIsSent(sent.wish))
  // Pressed with the id of an act on an alert, by whoever forges that: what became of it is told elsewhere.
  if (!isForAccess(sent.wish)) throw new UserError(whyNothingIsSent(undefined))
  const results = resultsOf(sent.wish) ?? []
  const waits = waitingOf(results).length > 0
  if (sent.kind === 'repeated') {
    return waits ? waitForToken(house, from, sent.wish, results, { ...how, isTold: true }) : undefined
  }
  const { corrects, reasons } = sent
  const seen = await seenAfterRefusal(house, token, sent.wish, results)
  if (waits) await waitForToken(house, from, sent.wish, results, { ...how, reasons, isTold: false })
  else await tellOutcome(house, from, sent.wish, results, { ...how, reasons, seen, corrects })
  await noteTold(house, sent.wish)
  noteOutcome(results)
  if (results.some(isGranted)) learnContainer(house, from.asker, token, wishOf(sent.wish).containerId)
}

/** Nobody waits for it: what is said of the container from then on has its name. */
function learnContainer(house: House, owner: SlackUser, token: string, containerId: number): void {
  const learning = learnContainerName(house, owner, token, containerId).catch((error: unknown) =>
    house.log.warn({ err: error }, 'the name of a container could not be learned'),
  )
  void house.slack.work.track(learning)
}

/**
 * The token was refused: whoever was not sent for want of it waits under a wish that follows from this one.
 * @param how.isTold - What became of the others is told elsewhere.
 */
async function waitForToken(
  house: House,
  from: From,
  kept: KeptWish,
  results: readonly Result[],
  how: HowToTell & { readonly isTold: boolean; readonly reasons?: Reasons },
): Promise<void> {
  const emails = waitingOf(results)
  const hasMore = emails.length < results.length
  const { id } = await keepFollowing(house, kept, { ...wishOf(kept), emails }, 'again')
  if (hasMore && !how.isTold) await tellOutcome(house, from, kept, results, { ...how, waits: true })
  if ((await findWaiting(house, from.asker, id)) !== undefined) {
    const replaces = how.replaces && !hasMore
    await askToConnect(house, from, wanted(id, how), 'refused', {
      replaces,
      ...(hasMore ? { text: restWaits } : {}),
    })
  }
}

/** Tells what is true of a wish that does not wait any more. */
export async function tellHowItStands(house: House, from: From, id: string): Promise<void> {
  const { slack } = house
  const found = await findOwn(house, from.asker, id)
  if (found?.state === 'sending') return slack.privately(from.place, say(underWay))
  const results = found?.state === 'settled' ? resultsOf(found) : undefined
  if (found === undefined || results === undefined) {
    return slack.privately(from.place, say(whyNothingIsSent(found)))
  }
  await whileTelling(house, found, async () => {
    await tellOutcome(house, from, found, results, { showsLine: false, replaces: false })
    await noteTold(house, found)
  })
}

type Asked = Omit<NewWish, 'writes' | 'follows'>

async function keepUnder({ storage }: House, wish: Wish, asked: Asked): Promise<string> {
  const { wishes } = storage
  const writes = writesOf(wish)
  const kept = await wishes.keep({ ...asked, writes })
  // The same form, sent with something else in it.
  if (isForAccess(kept) && isSameWish(wishOf(kept), wish)) return asked.id
  return (await wishes.keep({ ...asked, id: randomUUID(), writes })).id
}

/**
 * Keeps what follows from a wish, unless something follows from it already.
 * @returns The one that follows: it may ask for something else.
 */
export function keepFollowing(
  { storage }: House,
  kept: KeptWish,
  wish: Wish,
  as: Follows['as'],
): Promise<KeptWish> {
  return storage.wishes.keep({ ...followingOn(kept, as), writes: writesOf(wish) })
}

/** What follows from a wish, under an id of its own. */
export function followingOn(
  { id, sender, channelId, about }: KeptWish,
  as: Follows['as'],
): Omit<NewWish, 'writes'> {
  return { id: randomUUID(), sender, channelId, about, follows: { id, as } }
}

function keptReason(reason: Reason, { channelId, threadTs, isDirect }: Place): KeptReason {
  return { ...reason, channelId, threadTs, isDirect }
}

/** Somebody's own wish for access; what they did to an alert is none. */
export async function findOwn(
  { storage }: House,
  asker: SlackUser,
  id: string,
): Promise<KeptWish | undefined> {
  const kept = await storage.wishes.find(asker.workspaceId, id)
  return kept?.sender.userId === asker.userId && isForAccess(kept) ? kept : undefined
}

/** Finds the asker's own wish under this id, when it waits to be sent. */
async function findWaiting(house: House, asker: SlackUser, id: string): Promise<KeptWish | undefined> {
  const kept = await findOwn(house, asker, id)
  return kept?.state === 'asked' ? kept : undefined
}

/** Says why nothing is sent of a wish that does not wait any more. One that nobody knows may have been sent long ago. */
function whyNothingIsSent(kept: KeptWish | undefined): string {
  switch (kept?.state) {
    case undefined:
      return inVain.notStored
    case 'handed-over':
      return handedOver
    case 'cancelled':
      return inVain.cancelled
    default:
      return gone
  }
}

const gone = 'This confirmation has expired. Nothing was sent. Type /grant again.'
const handedOver = 'You already asked for approval of this. The request shows its current state.'
const underWay = 'Too late to cancel: the grant was already sent. The result will follow in a moment.'
const restWaits =
  'The rest wasn’t sent: monitoring no longer accepts your token. Connect again within 15 minutes and I’ll finish this for you.'

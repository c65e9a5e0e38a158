// Ways on from a receipt: the same once more, edited in the form, or looked at. Of each, at most one wish follows by a
// button that sends, however often it is pressed, and in however many processes.
import { UserError } from '../errors.ts'
import { lookNow } from '../send/send.ts'
import { noteTold, whileTelling } from '../send/telling.ts'
import type { KeptWish } from '../send/wishes.ts'
import type { From, Request } from '../slack/guard/requests.ts'
import { noteOutcome } from './follow-ups.ts'
import { openForm } from './form/form.ts'
import {
  confirmFirst,
  findOwn,
  followingOn,
  keepAndSendNow,
  keepFollowing,
  needsApproval,
  sendKept,
  tellHowItStands,
} from './granting.ts'
import { confirmReasons, waitedReason } from './render/confirm.ts'
import { canLookAgain, glimpsesOf } from './render/look.ts'
import { inVain, notReadNote, renderReceipt } from './render/receipt.ts'
import type { GrantRoom } from './room.ts'
import { leftToEdit, type Result, restOf, resultsOf, type Wish, wishOf } from './wish.ts'

/** A wish that was asked longer ago is confirmed before it is tried again. */
const freshMs = 15 * 60_000

/** Somebody's own wish that has its outcome. */
interface Ended {
  readonly kept: KeptWish
  readonly results: readonly Result[]
}

/** *Try again* and *Try the rest again*: asks once more for those who were certainly not granted and could be. */
export async function tryRest(room: GrantRoom, from: From, id: string): Promise<void> {
  const ended = await findEnded(room, from, id)
  if (ended === undefined) return tellHowItStands(room, from, id)
  await tryOnceMore(room, from, ended, { ...wishOf(ended.kept), emails: restOf(ended.results) })
}

/**
 * *Edit and try again*: opens the form with what was asked, for those who were refused. That sends nothing, so the
 * receipt keeps its buttons; what the form becomes is an intent of its own.
 */
export async function editWish(room: GrantRoom, pressed: Request, id: string): Promise<void> {
  const ended = await findEnded(room, pressed, id)
  const emails = ended === undefined ? [] : leftToEdit(ended.results, false)
  if (ended === undefined || emails.length === 0) return tellHowItStands(room, pressed, id)
  const { containerId, ...wish } = wishOf(ended.kept)
  const prefill = {
    ...wish,
    container: String(containerId),
    grantees: emails.map((email) => ({ kind: 'email', email }) as const),
  }
  // What it is for is told in its thread, unless this was pressed elsewhere, as in a direct message.
  const { place, triggerId } = pressed
  const about = ended.kept.about?.channelId === place.channelId ? ended.kept.about : undefined
  const there = about === undefined ? place : { ...place, threadTs: about.threadTs }
  const reason = about && { name: about.name, isForAll: about.isForAll }
  await openForm(room, { asker: pressed.asker, place: there, triggerId }, prefill, reason)
}

/**
 * *Look again*: reads once, with the token of whoever sent the grant, what became of those who are not certain. Shows the
 * receipt as it is then, in place of the one that was pressed. Never sends anything.
 * @throws UserError when nothing can be looked at.
 */
export async function lookOnceMore(room: GrantRoom, from: From, id: string): Promise<void> {
  const found = await findOwn(room.send, from.asker, id)
  if (found?.state !== 'settled') return tellHowItStands(room, from, id)
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown) await refuseInVain(room, from, found)
  const since = room.now()
  const kept = await lookNow(room.send, found)
  const results = resultsOf(kept)
  if (results === undefined) return tellHowItStands(room, from, id)
  await whileTelling(room.send, kept, async () => {
    await showLookedAt(room, from, kept, results, isKnown ? undefined : since)
    await noteTold(room.send, kept)
  })
  noteOutcome(results)
}

/** @param since - When the look began; undefined where it was known already. */
async function showLookedAt(
  room: GrantRoom,
  from: From,
  kept: KeptWish,
  results: readonly Result[],
  since: number | undefined,
): Promise<void> {
  const glimpses = glimpsesOf(kept)
  const isRead = [...glimpses.values()].every(({ saw, at }) => saw !== 'unread' && at >= (since ?? 0))
  const isOff = glimpses.size === 0 && results.some(({ outcome }) => outcome.kind === 'uncertain')
  const { roles } = room.settings
  const message = renderReceipt(kept.id, wishOf(kept), results, {
    container: await room.containerWords(from.asker, wishOf(kept).containerId),
    ...{ roles, glimpses },
    canShare: !kept.about?.isForAll && kept.channelId !== undefined,
    canLook: canLookAgain(kept),
    isRestOpen: true,
    note: isOff ? inVain.cannotLook : isRead ? undefined : notReadNote,
    lookedAt: since === undefined || isOff || !isRead ? undefined : Math.floor(since / 1000),
  })
  await room.delivery.privately(from.place, message, { replaces: true })
}

async function refuseInVain({ account }: GrantRoom, { asker }: From, kept: KeptWish): Promise<void> {
  if (!canLookAgain(kept)) throw new UserError(inVain.cannotLook)
  if ((await account.tokens.find(asker)) === undefined) throw new UserError(inVain.noAccount)
}

/** Finds the presser's own, by its id. */
async function findEnded(room: GrantRoom, { asker }: From, id: string): Promise<Ended | undefined> {
  const kept = await findOwn(room.send, asker, id)
  const results = kept?.state === 'settled' ? resultsOf(kept) : undefined
  return kept === undefined || results === undefined ? undefined : { kept, results }
}

/** @param wish - Follows from what was told, unless another does already. */
async function tryOnceMore(room: GrantRoom, from: From, { kept, results }: Ended, wish: Wish): Promise<void> {
  const { delivery, now, settings } = room
  const canShare = !kept.about?.isForAll && kept.channelId !== undefined
  const withoutOffer = renderReceipt(kept.id, wishOf(kept), results, {
    roles: settings.roles,
    container: await room.containerWords(from.asker, wishOf(kept).containerId),
    canShare,
    glimpses: glimpsesOf(kept),
    canLook: canLookAgain(kept),
    isRestOpen: false,
  })
  // The buttons go at once. Should that fail, pressing one more sends nothing more.
  await delivery.privately(from.place, withoutOffer, { replaces: true }).catch(() => undefined)
  if (wish.emails.length === 0) return
  const isOld = now() - kept.askedAt > freshMs
  const reasons = needsApproval(room, wish)
    ? []
    : [...(isOld ? [waitedReason] : []), ...confirmReasons(wish, [])]
  const how = { showsLine: false, replaces: false }
  if (reasons.length === 0 && (await keepAndSendNow(room, from, wish, followingOn(kept, 'rest'), how))) return
  const next = await keepFollowing(room, kept, wish, 'rest')
  if (reasons.length > 0 && next.state === 'asked') return confirmFirst(room, from, next.id, wish, reasons)
  await sendKept(room, from, next.id, how, { askedAfter: 0 })
}

// Ways on from a receipt: the same once more, edited in the form, or looked at. Of each, at most one request follows by a
// button that sends, however often it is pressed, and in however many processes.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Request } from '../send/request.ts'
import { noteHeard, telling } from '../send/telling.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { type Access, accessOf, leftToEdit, type Result, restOf, resultsOf } from './access.ts'
import { lookAgain } from './add.ts'
import { countGrants, noteOutcome } from './follow-ups.ts'
import { openForm } from './form/form.ts'
import {
  findOwn,
  followingOn,
  keepAndConfirm,
  keepAndSend,
  reasonsToConfirm,
  tellHowItStands,
} from './granting.ts'
import { receiptFor } from './receipts.ts'
import { canLookAgain, looksOf } from './render/look.ts'
import { inVain, notReadNote } from './render/receipt.ts'

/** Access that was asked longer ago is confirmed before it is tried again. */
const freshMs = 15 * 60_000

/** Somebody's own access that has its outcome. */
interface Ended {
  readonly kept: Request
  readonly results: readonly Result[]
}

/** *Try again* and *Try the rest again*: asks once more for those who were certainly not granted and could be. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const ended = await findEnded(house, pressed.asker, pressed.value)
  if (ended === undefined) return tellHowItStands(house, pressed, pressed.value)
  await tryOnceMore(house, pressed, ended, { ...accessOf(ended.kept), emails: restOf(ended.results) })
}

/**
 * *Edit and try again*: opens the form with what was asked, for those who were refused. That sends nothing, so the
 * receipt keeps its buttons; what the form becomes is an intent of its own.
 */
export async function editGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, triggerId, value: id } = pressed
  const ended = await findEnded(house, asker, id)
  const emails = ended === undefined ? [] : leftToEdit(ended.results)
  if (ended === undefined || emails.length === 0) return tellHowItStands(house, pressed, id)
  const { containerId, ...access } = accessOf(ended.kept)
  const prefill = {
    ...access,
    container: String(containerId),
    grantees: emails.map((email) => ({ kind: 'email', email }) as const),
  }
  // What it is for is told in its thread, unless this was pressed elsewhere, as in a direct message.
  const about = ended.kept.about?.channelId === place.channelId ? ended.kept.about : undefined
  const there = about === undefined ? place : { ...place, threadTs: about.threadTs }
  const reason = about && { name: about.name, isForAll: about.isForAll }
  await openForm(house, { asker, place: there, triggerId }, prefill, reason)
}

/**
 * *Look again*: reads once, with the token of whoever sent the grant, what became of those who are not certain. Shows the
 * receipt as it is then, in place of the one that was pressed. Never sends anything.
 * @throws UserError when nothing can be looked at.
 */
export async function lookOnceMore(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, value: id } = pressed
  const found = await findOwn(house, asker, id)
  if (found?.end !== 'sent') return tellHowItStands(house, pressed, id)
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown) await refuseInVain(house, asker, found)
  const since = house.now()
  const kept = await lookAgain(house, found)
  const results = resultsOf(kept)
  if (results === undefined) return tellHowItStands(house, pressed, id)
  await telling(house, kept, async () => {
    await showLookedAt(house, pressed, kept, results, isKnown ? undefined : since)
    if (await noteHeard(house, kept)) countGrants(results, 'at_once')
  })
  noteOutcome(results)
}

/** @param since - When the look began; undefined where it was known already. */
async function showLookedAt(
  house: House,
  from: From,
  kept: Request,
  results: readonly Result[],
  since: number | undefined,
): Promise<void> {
  const looks = looksOf(kept)
  const isRead = [...looks.values()].every(({ saw, at }) => saw !== 'unread' && at >= (since ?? 0))
  const isOff = looks.size === 0 && results.some(({ outcome }) => outcome.kind === 'uncertain')
  const message = receiptFor(house, from, kept, results, {
    note: isOff ? inVain.cannotLook : isRead ? undefined : notReadNote,
    lookedAt: since === undefined || isOff || !isRead ? undefined : Math.floor(since / 1000),
  })
  await house.slack.privately(from.place, message, { replaces: true })
}

async function refuseInVain({ tokens }: House, asker: SlackUser, kept: Request): Promise<void> {
  if (!canLookAgain(kept)) throw new UserError(inVain.cannotLook)
  if ((await tokens.find(asker)) === undefined) throw new UserError(inVain.noAccount)
}

/** Finds the presser's own, by its id. */
async function findEnded(house: House, asker: SlackUser, id: string): Promise<Ended | undefined> {
  const kept = await findOwn(house, asker, id)
  const results = kept?.end === 'sent' ? resultsOf(kept) : undefined
  return kept === undefined || results === undefined ? undefined : { kept, results }
}

/** @param access - Follows from what was told, unless another does already. */
async function tryOnceMore(
  house: House,
  from: From,
  { kept, results }: Ended,
  access: Access,
): Promise<void> {
  const withoutOffer = receiptFor(house, from, kept, results, { isRestOpen: false })
  // The buttons go at once. Should that fail, pressing one more sends nothing more.
  await house.slack.privately(from.place, withoutOffer, { replaces: true }).catch(() => undefined)
  if (access.emails.length === 0) return
  const reasons = reasonsToConfirm(house, access, [], house.now() - kept.askedAt > freshMs)
  const next = followingOn(house, kept, access, 'rest')
  if (reasons.length > 0) return keepAndConfirm(house, from, next, reasons)
  await keepAndSend(house, from, next, { showsLine: false, replaces: false }, { isAgain: true })
}

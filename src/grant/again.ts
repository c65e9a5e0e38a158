// Ways on from a receipt: the same once more, edited in the form, or looked at. Of each, at most one request follows by a
// button that sends, however often it is pressed, and in however many processes.
import type { House } from '../house.ts'
import type { Request } from '../send/request.ts'
import { noteHeard, telling } from '../send/telling.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { accessOf, leftToEdit, type Result, restOf, resultsOf } from './access.ts'
import { lookAgain } from './add.ts'
import { noteOutcome } from './follow-ups.ts'
import { openForm } from './form/form.ts'
import { askOrSend, requestFor, tellHowItStands } from './granting.ts'
import { findOwn, receiptFor } from './receipts.ts'

/** Access that was asked longer ago is confirmed before it is tried again. */
const freshMs = 15 * 60_000

/** *Try again* and *Try the rest again*: asks once more for those who were certainly not granted and could be. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const ended = await findEnded(house, pressed)
  if (ended === undefined) return
  const { kept, results } = ended
  const withoutOffer = receiptFor(house, pressed, kept, results, { isRestOpen: false })
  // The buttons go at once. Should that fail, pressing one more sends nothing more.
  await house.slack.privately(pressed.place, withoutOffer, { replaces: true }).catch(() => undefined)
  const emails = restOf(results)
  if (emails.length === 0) return
  const access = { ...accessOf(kept), emails }
  const rest = requestFor(house, access, { ...kept, id: `${kept.id}:rest` })
  const isOld = house.now() - kept.askedAt > freshMs
  await askOrSend(house, pressed, rest, access, { isAgain: true, isOld })
}

/**
 * *Edit and try again*: opens the form with what was asked, for those who were refused. That sends nothing, so the
 * receipt keeps its buttons; what the form becomes is an intent of its own.
 */
export async function editGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, triggerId } = pressed
  const ended = await findEnded(house, pressed)
  if (ended === undefined) return
  const { about, ...kept } = ended.kept
  const { containerId, ...access } = accessOf(kept)
  const prefill = {
    ...access,
    container: String(containerId),
    grantees: leftToEdit(ended.results).map((email) => ({ kind: 'email', email }) as const),
  }
  // What it is for is told in its thread, unless this was pressed elsewhere, as in a direct message.
  const isHere = about !== undefined && about.channelId === place.channelId
  const from = { asker, triggerId, place: isHere ? { ...place, threadTs: about.threadTs } : place }
  await openForm(house, from, prefill, isHere ? { name: about.name, isForAll: about.isForAll } : undefined)
}

/**
 * *Look again*: reads once, with the token of whoever sent the grant, what became of those who are not certain. Shows the
 * receipt as it is then, in place of the one that was pressed. Never sends anything.
 * @throws UserError when nothing can be looked at.
 */
export async function lookOnceMore(house: House, pressed: ActionRequest): Promise<void> {
  const ended = await findEnded(house, pressed)
  if (ended === undefined) return
  const { request, lookedAt } = await lookAgain(house, ended.kept)
  const results = resultsOf(request) ?? []
  await telling(house, request, async () => {
    const message = receiptFor(house, pressed, request, results, { lookedAt })
    await house.slack.privately(pressed.place, message, { replaces: true })
    await noteHeard(house, request, 'at_once')
  })
  noteOutcome(results)
}

/** Finds the presser's own that has its outcome. Undefined where they were told how it stands instead. */
async function findEnded(
  house: House,
  pressed: ActionRequest,
): Promise<{ readonly kept: Request; readonly results: readonly Result[] } | undefined> {
  const kept = await findOwn(house, pressed.asker, pressed.value)
  const results = kept?.end === 'sent' ? resultsOf(kept) : undefined
  if (kept !== undefined && results !== undefined) return { kept, results }
  await tellHowItStands(house, pressed, pressed.value)
  return undefined
}

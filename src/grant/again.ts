// Buttons of a receipt: try again, edit in the form, look again, change or remove who got it, add what somebody on the
// container lacks, and invite whom monitoring doesn’t know.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Request } from '../send/request.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { accessOf, hasCode, leftToEdit, restOf, resultsOf } from './access.ts'
import { askToChange } from './changing.ts'
import { openChangeForm, openForm } from './form.ts'
import { askOrSend } from './granting.ts'
import { isListed, readPeople } from './people.ts'
import { findSent, receiptFor, showReceipt } from './receipts.ts'
import { inVain } from './render/receipt.ts'
import { lookAgain } from './write.ts'

/** *Try again* and *Try the rest again*: repeats the request for people who certainly got nothing and still could. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const withoutOffer = receiptFor(house, pressed.asker, kept, { isRestOpen: false })
  // Buttons go at once. Should that fail, another press sends nothing more.
  await house.slack.privately(pressed.place, withoutOffer, { replaces: true }).catch(() => undefined)
  const people = restOf(resultsOf(kept))
  if (people.length === 0) return
  const access = { ...accessOf(kept), people }
  await askOrSend(house, pressed, { id: `${kept.id}:rest`, access, follows: kept })
}

/** *Edit and try again*: opens the form with what was asked, for those who were refused. */
export async function editGrant(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const { containerId, authProvider, member = false, permissions } = accessOf(kept)
  const grantees = leftToEdit(resultsOf(kept)).map(({ email }) => email)
  const { from, about } = whereAsked(pressed, kept)
  const prefill = { authProvider, member, permissions, container: String(containerId), grantees }
  await openForm(house, from, prefill, about)
}

/** The thread of its reason hears the outcome, unless it was pressed elsewhere, as in a direct message. */
function whereAsked(pressed: ActionRequest, { about }: Request) {
  const { asker, place, triggerId } = pressed
  const isHere = about !== undefined && about.channelId === place.channelId
  const from = { asker, triggerId, place: isHere ? { ...place, threadTs: about.threadTs } : place }
  return { from, about: isHere ? about : undefined }
}

/** *Look again*: shows the receipt as it is then. @throws UserError when nothing can be looked at. */
export async function lookAgainAtReceipt(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const { request, lookedAt } = await lookAgain(house, kept)
  await showReceipt(house, pressed, request, lookedAt)
}

/** Finds the request of a receipt, and one of its people. @param place - Their index, and the request’s id. */
async function findPerson(house: House, pressed: ActionRequest, [index = '', ...id]: readonly string[]) {
  // Ids may hold blanks.
  const kept = await findSent(house, { ...pressed, value: id.join(' ') })
  const access = kept && accessOf(kept)
  const whom = access?.people[Number(index)]
  return kept && access && whom && { kept, access, whom }
}

/** *Change to Responder* and the like: adds what they lack. @throws UserError where nothing to add can be seen. */
export async function changeGrant(house: House, pressed: ActionRequest): Promise<void> {
  const found = await findPerson(house, pressed, pressed.value.split(' '))
  if (found === undefined) return
  const { people: _, member, ...asked } = found.access
  const terms = { ...asked, kind: 'change', ...(member && { member }) } as const
  await askToChange(house, pressed, { id: randomUUID(), terms, sought: [found.whom], follows: found.kept })
}

/** *Change…* and *Remove…* of somebody who got access. */
export async function undoGrant(house: House, pressed: ActionRequest): Promise<void> {
  const [what, ...place] = pressed.value.split(' ')
  const found = await findPerson(house, pressed, place)
  if (found === undefined) return
  const { kept, whom, access } = found
  const { containerId, authProvider } = access
  const { from, about } = whereAsked(pressed, kept)
  if (what === 'change') return openChangeForm(house, from, { containerId, authProvider }, whom, about)
  const terms = { kind: 'remove', containerId, authProvider, permissions: [] } as const
  await askToChange(house, pressed, { id: randomUUID(), terms, sought: [whom], follows: kept })
}

/** *Invite by email*: asks first. @throws UserError where monitoring shows them by now, or shows no list. */
export async function inviteRefused(house: House, pressed: ActionRequest): Promise<void> {
  const { asker } = pressed
  const kept = await findSent(house, pressed)
  const token = await house.tokens.find(asker)
  if (kept === undefined) return
  if (token === undefined) throw new UserError(inVain.noAccount)
  const { containerId, member, permissions } = accessOf(kept)
  const list = await readPeople(house, token, containerId)
  if (typeof list === 'string') throw new UserError(inVain.notRead)
  const people = resultsOf(kept)
    .filter((one) => hasCode([one], 'bad-request') && !isListed(list, one))
    .map(({ email }) => ({ email }))
  if (people.length === 0) throw new UserError(inVain.known)
  const access = { kind: 'invite', containerId, member, permissions, people } as const
  await askOrSend(house, pressed, { id: `${kept.id}:invite`, access, follows: kept })
}

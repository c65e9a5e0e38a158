// Buttons of a receipt: try again, edit in the form, look again, and add what somebody on the container lacks.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/person.ts'
import { type Access, accessOf, isLacking, lacking, leftToEdit, restOf, resultsOf } from './access.ts'
import { lookAgain, personIn, readPeople } from './add.ts'
import { openForm } from './form.ts'
import { askOrSend, findRecipients } from './granting.ts'
import { findSent, receiptFor, showReceipt } from './receipts.ts'
import { inVain } from './render/receipt.ts'

/** *Try again* and *Try the rest again*: repeats the request for people who certainly got nothing and still could. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const withoutOffer = receiptFor(house, pressed.asker, kept, { isRestOpen: false })
  // Buttons go at once. Should that fail, another press sends nothing more.
  await house.slack.privately(pressed.place, withoutOffer, { replaces: true }).catch(() => undefined)
  const emails = restOf(resultsOf(kept))
  if (emails.length === 0) return
  const access = { ...accessOf(kept), emails }
  await askOrSend(house, pressed, { id: `${kept.id}:rest`, access, follows: kept })
}

/** *Edit and try again*: opens the form with what was asked, for those who were refused. */
export async function editGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, triggerId } = pressed
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const { about } = kept
  const { containerId, ...access } = accessOf(kept)
  const grantees = leftToEdit(resultsOf(kept))
  // The thread of its reason hears the outcome, unless this was pressed elsewhere, as in a direct message.
  const isHere = about !== undefined && about.channelId === place.channelId
  const from = { asker, triggerId, place: isHere ? { ...place, threadTs: about.threadTs } : place }
  const prefill = { ...access, container: String(containerId), grantees }
  await openForm(house, from, prefill, isHere ? about : undefined)
}

/** *Look again*: shows the receipt as it is then. @throws UserError when nothing can be looked at. */
export async function lookAgainAtReceipt(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const { request, lookedAt } = await lookAgain(house, kept)
  await showReceipt(house, pressed, request, lookedAt)
}

/** *Change to Responder* and the like: asks first. @throws UserError where nothing to add can be seen. */
export async function changeGrant(house: House, { value, ...pressed }: ActionRequest): Promise<void> {
  // Ids may hold blanks.
  const [index = '', ...id] = value.split(' ')
  const kept = await findSent(house, { ...pressed, value: id.join(' ') })
  const asked = kept && accessOf(kept)
  const email = asked?.emails[Number(index)]
  if (kept === undefined || asked === undefined || email === undefined) return
  const access = await changeOf(house, pressed.asker, email, asked)
  if (access === undefined) throw new UserError(inVain.unchanged)
  await askOrSend(house, pressed, { id: randomUUID(), access, follows: kept })
}

/**
 * Finds what somebody on the container lacks of an access, read with the asker's token.
 * @param grantee - An address, `@U1`, or their number at the service.
 * @returns Undefined where that can’t be seen. @throws UserError where they lack nothing.
 */
export async function changeOf(
  house: House,
  asker: SlackUser,
  grantee: string | number,
  wanted: Omit<Access, 'emails'>,
): Promise<Access | undefined> {
  const { containerId } = wanted
  const token = await house.tokens.find(asker)
  const isNumber = typeof grantee === 'number'
  const [typed = ''] = isNumber ? [] : (await findRecipients(house, [grantee])).emails
  const people = token === undefined ? [] : await readPeople(house, token, containerId)
  const whom = { ...wanted, email: typed, ...(isNumber && { there: { userId: grantee } }) }
  const them = typeof people === 'string' ? undefined : personIn(people, whom)
  const email = typed || them?.email
  if (email === undefined) return undefined
  if (them !== undefined && !isLacking(wanted, them))
    throw new UserError(inVain.hasAll(email, containerInWords(house, asker, containerId)))
  if (them === undefined || them.inherit) return undefined
  const there = { userId: them.id, permissions: them.permissions, member: them.member }
  const [member, permissions] = [wanted.member && !them.member, lacking(wanted, them)]
  return { containerId, emails: [email], authProvider: undefined, member, permissions, there }
}

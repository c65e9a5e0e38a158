// Ways on from a receipt: the same once more, edited in the form, or looked at; and what somebody lacks who is on the
// container already. Of each, at most one request follows by a button that sends, however often it is pressed.
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

/** *Try again* and *Try the rest again*: asks once more for those who were certainly not granted and could be. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return
  const withoutOffer = receiptFor(house, pressed.asker, kept, { isRestOpen: false })
  // The buttons go at once. Should that fail, pressing one more sends nothing more.
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
  // What it is for is told in its thread, unless this was pressed elsewhere, as in a direct message.
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

/** *Change to Responder* and the like: asks. @throws UserError where nobody can see that there is something to add. */
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
 * What somebody lacks of an access who is on its container, as the asker's token shows it now.
 * @param grantee - An address, or `@U1`; or their number at the service.
 * @returns Undefined where nobody can see that.
 * @throws UserError where they lack nothing.
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

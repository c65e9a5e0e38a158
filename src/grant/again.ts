// Ways on from a receipt: the same once more, edited in the form, or looked at; and what somebody lacks who is on the
// container already, once that is confirmed. Of each, at most one request follows by a button that sends, however often it
// is pressed, and in however many processes.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteHeard, telling } from '../send/telling.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { type Access, accessOf, isLacking, lacking, leftToEdit, restOf, resultsOf } from './access.ts'
import { lookAgain, personIn, readPeople } from './add.ts'
import { openForm } from './form/form.ts'
import { askOrSend, refuseUnlessSent, requestFor } from './granting.ts'
import { type Ended, endedOf, findOwn, receiptFor } from './receipts.ts'
import { inVain } from './render/receipt.ts'

/** Access that was asked longer ago is confirmed before it is tried again. */
const freshMs = 15 * 60_000

/** *Try again* and *Try the rest again*: asks once more for those who were certainly not granted and could be. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const ended = await findEnded(house, pressed)
  if (ended === undefined) return
  const { kept, results } = ended
  const withoutOffer = receiptFor(house, pressed, ended, { isRestOpen: false })
  // The buttons go at once. Should that fail, pressing one more sends nothing more.
  await house.slack.privately(pressed.place, withoutOffer, { replaces: true }).catch(() => undefined)
  const emails = restOf(results)
  if (emails.length === 0) return
  const access = { ...accessOf(kept), emails }
  const rest = requestFor(house, access, { ...kept, id: `${kept.id}:rest` })
  const isOld = house.now() - kept.askedAt > freshMs
  await askOrSend(house, pressed, rest, access, { isOld })
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
    const message = receiptFor(house, pressed, { kept: request, results }, { lookedAt })
    await house.slack.privately(pressed.place, message, { replaces: true })
    await noteHeard(house, request, 'at_once')
  })
}

/** Finds the presser's own that has its outcome. @throws UserError where nothing was sent. */
async function findEnded(house: House, { asker, value }: ActionRequest): Promise<Ended | undefined> {
  const kept = await findOwn(house, asker, value)
  refuseUnlessSent(kept)
  return endedOf(kept)
}

/**
 * *Change to Responder* and the like, on a receipt: shows what they have now and what they would get, and asks.
 * @throws UserError where there is nothing to add, or nobody can see what they have.
 */
export async function changeGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, value } = pressed
  // Ids may hold blanks.
  const [index = '', ...id] = value.split(' ')
  const kept = await findOwn(house, asker, id.join(' '))
  refuseUnlessSent(kept)
  const asked = kept && accessOf(kept)
  const email = asked?.emails[Number(index)]
  if (kept?.end !== 'sent' || asked === undefined || email === undefined) return
  const access = await changeFor(house, asker, { ...asked, emails: [email] })
  if (typeof access === 'string') throw new UserError(access)
  const wanted = requestFor(house, access, { ...kept, id: randomUUID() })
  await askOrSend(house, pressed, wanted, access)
}

/** What one person lacks of an access, as the list of people has them now; or why nothing can be added. */
async function changeFor(house: House, asker: SlackUser, asked: Access): Promise<Access | string> {
  const { containerId, emails } = asked
  const [email = ''] = emails
  const token = await house.tokens.find(asker)
  if (token === undefined) return inVain.noAccount
  const people = await readPeople(house, token, containerId)
  if (typeof people === 'string') return inVain.notRead
  const them = personIn(people, { ...asked, email })
  if (them === undefined || them.inherit || !isLacking(asked, them)) return inVain.unchanged
  const there = { userId: them.id, permissions: them.permissions, member: them.member }
  const member = asked.member && !them.member
  return { containerId, emails, authProvider: undefined, member, permissions: lacking(asked, them), there }
}

// Offers to change somebody who is on a container already, to whoever's token shows them there: what they have, and what they
// would get besides. Nobody is changed before that is confirmed.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { Reason } from '../send/request.ts'
import { keep } from '../send/send.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { View } from '../slack/outbound/message.ts'
import { type Access, accessOf, lacking } from './access.ts'
import { personIn, readPeople } from './add.ts'
import { stateOf } from './form/form.ts'
import { confirmModal } from './form/modal.ts'
import {
  askOrSend,
  newRequest,
  questionOf,
  reasonsToConfirm,
  requestFor,
  tellHowItStands,
} from './granting.ts'
import { findOwn } from './receipts.ts'
import { containerOf } from './render/access.ts'
import { inVain } from './render/receipt.ts'

/**
 * *Change to Responder* and the like, on a receipt: shows what they have now and what they would get, and asks.
 * @throws UserError where there is nothing to add, or nobody can see what they have.
 */
export async function changeGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, value } = pressed
  // Ids may hold blanks.
  const end = value.lastIndexOf(' ')
  const id = value.slice(0, end)
  const kept = await findOwn(house, asker, id)
  const asked = kept && accessOf(kept)
  const email = asked?.emails[Number(value.slice(end + 1)) - 1]
  if (kept?.end !== 'sent' || asked === undefined || email === undefined) {
    return tellHowItStands(house, pressed, id)
  }
  const access = await changeFor(house, pressed, { ...asked, emails: [email] })
  const wanted = requestFor(house, access, { ...kept, id: randomUUID() })
  await askOrSend(house, pressed, wanted, access)
}

/**
 * The confirmation, in place of the form that was asked for. Undefined where the form is to open: they are not there, or have
 * it all, nobody can see it, or a colleague has to approve it.
 */
export async function confirmationOfChange(
  house: House,
  from: From,
  asked: Access,
  about?: Reason,
): Promise<View | undefined> {
  const access = await changeFor(house, from, asked).catch((error: unknown) => {
    if (error instanceof UserError) return undefined
    throw error
  })
  const reasons = access === undefined ? [] : reasonsToConfirm(house, access)
  if (access === undefined || reasons.length === 0) return undefined
  const id = randomUUID()
  await keep(house, newRequest(house, from, id, access, about))
  return confirmModal(stateOf(id, from.place), questionOf(house, from.asker, access, reasons))
}

/** What one person lacks of an access, as the list of people has them now. */
async function changeFor(house: House, { asker }: Pick<From, 'asker'>, asked: Access): Promise<Access> {
  const { containerId, emails } = asked
  const [email = ''] = emails
  const token = await house.tokens.find(asker)
  if (token === undefined) throw new UserError(inVain.noAccount)
  const people = await readPeople(house, token, containerId)
  if (typeof people === 'string') throw new UserError(inVain.notRead)
  const them = personIn(people, { ...asked, email })
  const where = containerOf(asked, containerInWords(house, asker, containerId))
  if (them === undefined) throw new UserError(`I can’t see ${email} on ${where} any more. Nothing was sent.`)
  if (them.inherit)
    throw new UserError(`${email} comes from another container: change them there, in monitoring.`)
  const permissions = lacking(asked, them)
  const member = asked.member && !them.member
  if (permissions.length === 0 && !member)
    throw new UserError(`${email} has all of that on ${where} already.`)
  const there = { userId: them.id, permissions: them.permissions, member: them.member }
  return { containerId, emails, authProvider: undefined, member, permissions, there }
}

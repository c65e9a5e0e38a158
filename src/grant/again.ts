// Acts on the buttons of a receipt: try again, edit in the form, look again, change or remove a person who got access, add
// what a person on the container lacks, and invite a person whom monitoring doesn’t know.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { isRefusedFor } from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { accessOf, cantBeAdded, isForAccess, leftToEdit, restOf, resultsOf } from './access.ts'
import { openChangeForm, openForm } from './form.ts'
import { askOrSend, askToChange, type WantedGrant } from './granting.ts'
import { isListed, readInvites, readPeople } from './people.ts'
import { findSent, type ReceiptTo, receiptFor, showReceipt } from './receipts.ts'
import { alreadyInvited, inVain } from './render/receipt.ts'
import { lookAgain } from './write.ts'

/** *Try again* and *Try the rest again*: repeats the request for people who certainly got nothing, if it may work now. */
export async function tryRest(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return

  const withoutOffer = receiptFor(house, pressed.asker, kept, { isRestOpen: false })
  // The button is removed first. Should Slack fail, a second press sends nothing more: its request has the same id.
  await house.slack
    .privately(pressed.place, withoutOffer, { replaces: true })
    .catch(() => undefined)

  const people = restOf(resultsOf(kept))
  if (people.length === 0) return

  const access = { ...accessOf(kept), people }
  await askOrSend(house, pressed, { id: `${kept.id}:rest`, access, follows: kept })
}

/** *Edit and try again*: opens the form with the access that was asked for, and the people who were refused. */
export async function editGrant(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return

  const access = accessOf(kept)
  const { from, about } = whereAsked(pressed, kept)
  const prefill = {
    ...access,
    member: access.member ?? false,
    grantees: leftToEdit(resultsOf(kept)).map(({ email }) => email),
  }

  await openForm(house, from, prefill, about)
}

/**
 * Place and reason of a grant that follows from an earlier request for an alert. If the button was pressed in the
 * channel of this alert, the place is the alert’s thread, and the reason is the alert. Otherwise, the place is where the
 * button was pressed, and there is no reason.
 */
function whereAsked({ asker, place, triggerId }: ActionRequest, kept: Request) {
  const about = kept.about?.channelId === place.channelId ? kept.about : undefined
  const there = about === undefined ? place : { ...place, threadTs: about.threadTs }

  return { from: { asker, triggerId, place: there }, about }
}

/** *Look again*: reads the list, and shows the receipt as it is now. @throws UserError when nothing can be looked at. */
export async function lookAgainAtReceipt(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return

  const { request, lookedAt } = await lookAgain(house, kept)
  await showReceipt(house, pressed, request, lookedAt)
}

/**
 * *Change to Responder* adds what somebody lacks, *Change…* and *Remove…* undo what somebody got. If everybody reads the
 * receipt, anybody may press these buttons, with their own token.
 * @throws UserError if the grant is no longer stored, or nothing can be done.
 */
export async function editPerson(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, value } = pressed
  // The request’s id may hold blanks.
  const [what, index, ...id] = value.split(' ')
  const kept = await house.storage.requests.find({
    workspaceId: asker.workspaceId,
    id: id.join(' '),
  })

  const mayPress = kept?.askerId === asker.userId || kept?.about?.isForAll === true
  const access = kept && isForAccess(kept) && mayPress ? accessOf(kept) : undefined
  const whom = access?.people[Number(index)]
  if (kept === undefined || access === undefined || whom === undefined)
    throw new UserError(inVain.notStored)

  const { containerId, authProvider, member } = access
  const sought = { ...whom, authProvider }
  const ask = { id: randomUUID(), sought: [sought] }
  if (what === 'add') {
    const { people: _, ...given } = access
    const terms = { ...given, kind: 'change', member: member || undefined } as const

    return askToChange(house, pressed, { ...ask, terms, follows: kept })
  }

  // Somebody (`askedBy`) may have asked for the flags in a thread; their message is edited once they are granted. A
  // change or a removal must not edit this message, so `askedBy` is left out.
  const follows = { ...kept, about: kept.about && { ...kept.about, askedBy: undefined } }
  const { from, about } = whereAsked(pressed, follows)
  if (what === 'change') return openChangeForm(house, from, containerId, sought, about)

  const terms = { kind: 'remove', containerId, permissions: [] } as const
  await askToChange(house, pressed, { ...ask, terms, follows })
}

/** *Invite by email*: asks to invite the people who couldn’t be added, as monitoring may not know them. */
export async function inviteRefused(house: House, pressed: ActionRequest): Promise<void> {
  const kept = await findSent(house, pressed)
  if (kept === undefined) return

  const people = resultsOf(kept).filter((one) => isRefusedFor(one.outcome, cantBeAdded))
  const access = { ...accessOf(kept), people }
  await askToInvite(house, pressed, { id: `${kept.id}:invite`, access, follows: kept })
}

/**
 * Asks before it invites people, and warns of invitations that are pending. Leaves out whoever is on the container by now.
 * @throws UserError if nobody is left to invite, the asker has no account, or monitoring shows no list.
 */
export async function askToInvite(house: House, to: ReceiptTo, wanted: WantedGrant): Promise<void> {
  const { access } = wanted
  const { containerId, member, permissions } = access
  const token = await house.tokens.find(to.asker)
  if (token === undefined) throw new UserError(inVain.noAccount)

  const [list, pending] = await Promise.all([
    readPeople(house, token, containerId),
    readInvites(house, token, containerId),
  ])

  if (typeof list === 'string') throw new UserError(inVain.notRead)

  const people = access.people
    .filter((one) => !isListed(list, one))
    .map(({ email, slackId }) => ({ email, slackId }))
  if (people.length === 0) throw new UserError(inVain.known)

  const invited = typeof pending === 'string' ? [] : pending
  const warnings = people
    .filter((one) => isListed(invited, one))
    .map(({ email }) => ({ said: alreadyInvited(email) }))

  const invitation = {
    kind: 'invite',
    containerId,
    member,
    permissions,
    people,
    warnings,
  } as const

  await askOrSend(house, to, { ...wanted, access: invitation })
}

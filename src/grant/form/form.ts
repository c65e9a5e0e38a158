// Opens the form, filled in as far as somebody has typed, and draws it anew with each choice of a role.
import { randomUUID } from 'node:crypto'
import type { Reason } from '../../send/wishes.ts'
import { classify } from '../../slack/client/refusals.ts'
import type { ActionRequest, Request } from '../../slack/guard/requests.ts'
import { isUnreadableView } from '../../slack/outbound/readably.ts'
import type { Prefill } from '../line/line.ts'
import { resolve } from '../line/resolve.ts'
import type { ProfileOrigin } from '../render/confirm.ts'
import type { GrantRoom } from '../room.ts'
import { afterChoice, type Choosing, firstShown } from './drawn.ts'
import { choosingIn, fieldsIn } from './input.ts'
import { fieldsOf, grantModal, loadingModal, problemIn } from './modal.ts'
import { readState, redrawnState, stateOf } from './state.ts'

export const nothingTyped: Prefill = {
  container: '',
  grantees: [],
  authProvider: undefined,
  member: false,
  permissions: [],
}

const unknownPerson = 'Couldn’t look that person up in Slack right now. Type their email address instead.'

type FormRoom = Pick<GrantRoom, 'people' | 'outbound' | 'settings'>

/** @param about - What access is granted for; what becomes of it is told where the request's place is. */
export async function openForm(
  { people, outbound, settings }: FormRoom,
  { triggerId, place }: Pick<Request, 'triggerId' | 'place'>,
  prefill: Prefill,
  about?: Reason,
): Promise<void> {
  const id = randomUUID()
  const shown = firstShown(prefill, settings)
  const { openView, updateView } = outbound.in(place.workspaceId)
  const form = (grantees: Prefill['grantees'], origins: readonly ProfileOrigin[], unfound = '') => {
    const state = stateOf(id, place, origins, about, shown)
    const { fields, problem = '' } = fieldsOf({ ...prefill, grantees })
    const problems = [unfound, problem].filter(Boolean).join(' ') || undefined
    return grantModal(state, fields, shown, settings, { origins, problem: problems, about })
  }
  if (prefill.grantees.every(({ kind }) => kind === 'email')) {
    await openView(triggerId, form(prefill.grantees, []))
    return
  }
  // A trigger lives three seconds: the modal opens first, the look-up comes after.
  const viewId = await openView(triggerId, loadingModal())
  try {
    const { emails, profiles, problems } = await resolve(people.in(place.workspaceId), prefill.grantees)
    const grantees = emails.map((email) => ({ kind: 'email', email }) as const)
    await updateView(viewId, form(grantees, profiles, problems.join(' ')))
  } catch (error) {
    await updateView(viewId, form(prefill.grantees, [], unknownPerson))
    throw error
  }
}

/**
 * Draws the form anew when somebody chooses a role, or presses *Choose flags*. Fields keep what is typed into them.
 * Best effort: whoever submits it before is shown what they ask for once more.
 */
export async function redrawForm(
  { outbound, settings }: FormRoom,
  { asker, view }: Pick<ActionRequest, 'asker' | 'view'>,
  chose: Choosing['chose'],
): Promise<void> {
  if (view === undefined) return
  const { filled, hash, privateMetadata } = view
  const { drawn, origins, about } = readState(privateMetadata, asker)
  const now = choosingIn(filled, chose)
  const shown = drawn && afterChoice(drawn, now, settings.roles, randomUUID().slice(0, 8))
  if (shown === undefined) return
  const form = grantModal(redrawnState(privateMetadata, shown), fieldsIn(filled), shown, settings, {
    origins: origins.map(([, name, isGuest]) => ({ name, isGuest })),
    problem: problemIn(view.blocks),
    about,
  })
  try {
    await outbound.in(asker.workspaceId).updateView(view.id, form, hash)
  } catch (error) {
    if (classify(error).kind === 'defect' || isUnreadableView(error)) throw error
  }
}

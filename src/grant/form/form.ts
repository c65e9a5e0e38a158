// Opens the form, filled in as far as somebody has typed.
import { randomUUID } from 'node:crypto'
import type { Reason } from '../../send/wishes.ts'
import type { Request } from '../../slack/guard/requests.ts'
import type { Prefill } from '../line/line.ts'
import { resolve } from '../line/resolve.ts'
import type { GrantRoom } from '../room.ts'
import { grantModal, loadingModal } from './modal.ts'
import { stateOf } from './state.ts'

export const nothingTyped: Prefill = {
  container: '',
  grantees: [],
  authProvider: undefined,
  member: false,
  permissions: [],
}

const unknownPerson = 'Slack does not say who that is just now. Type the email address instead.'

/** @param about - What access is granted for; what becomes of it is told where the request's place is. */
export async function openForm(
  { people, outbound, settings }: Pick<GrantRoom, 'people' | 'outbound' | 'settings'>,
  { triggerId, place }: Pick<Request, 'triggerId' | 'place'>,
  prefill: Prefill,
  about?: Reason,
): Promise<void> {
  const id = randomUUID()
  if (prefill.grantees.every(({ kind }) => kind === 'email')) {
    await outbound
      .in(place.workspaceId)
      .openView(triggerId, grantModal(stateOf(id, place, [], about), prefill, settings, { about }))
    return
  }
  // A trigger lives three seconds: the modal opens first, the look-up comes after.
  const viewId = await outbound.in(place.workspaceId).openView(triggerId, loadingModal())
  try {
    const { emails, profiles, problems } = await resolve(people.in(place.workspaceId), prefill.grantees)
    const grantees = emails.map((email) => ({ kind: 'email', email }) as const)
    const notes = { about, origins: profiles, problem: problems.join(' ') || undefined }
    const form = grantModal(stateOf(id, place, profiles, about), { ...prefill, grantees }, settings, notes)
    await outbound.in(place.workspaceId).updateView(viewId, form)
  } catch (error) {
    const notes = { about, problem: unknownPerson }
    const form = grantModal(stateOf(id, place, [], about), prefill, settings, notes)
    await outbound.in(place.workspaceId).updateView(viewId, form)
    throw error
  }
}

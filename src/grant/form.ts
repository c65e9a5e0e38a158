// Opens the form, filled in as far as somebody has typed.
import { randomUUID } from 'node:crypto'
import type { Request } from '../slack/guard/requests.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { People } from '../slack/workspace/people.ts'
import type { About } from './about.ts'
import { stateOf } from './form-state.ts'
import type { Prefill } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import { grantModal, loadingModal } from './modal.ts'
import { resolve } from './resolve.ts'

/** @param about - What access is granted for; what becomes of it is told where the request's place is. */
export type OpenForm = (
  request: Pick<Request, 'triggerId' | 'place'>,
  prefill: Prefill,
  about?: About,
) => Promise<void>

export const nothingTyped: Prefill = {
  container: '',
  grantees: [],
  authProvider: undefined,
  member: false,
  permissions: [],
}

const unknownPerson = 'Slack does not say who that is just now. Type the email address instead.'

export function createOpenForm(room: {
  readonly people: PerWorkspace<People>
  readonly outbound: PerWorkspace<Pick<Outbound, 'openView' | 'updateView'>>
  readonly settings: GrantSettings
}): OpenForm {
  const { people, outbound, settings } = room
  return async ({ triggerId, place }, prefill, about) => {
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
}

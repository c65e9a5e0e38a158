// Grants that tests of renders tell about. Data only.

import type { Access } from '../../src/grant/access.ts'
import type { Prefill } from '../../src/grant/input/line.ts'
import { grantModal } from '../../src/grant/render/form.ts'
import { defaultRoles, type GrantSettings } from '../../src/grant/roles.ts'

const grantSettings: GrantSettings = {
  roles: defaultRoles,
  authProviders: ['Password', 'Google', 'Microsoft'],
}

/** The form as it opens. */
export function grantForm(
  prefill: Omit<Prefill, 'ends'>,
  notes: readonly string[] = [],
  settings: GrantSettings = grantSettings,
  state = '',
) {
  const { containerId: id } = prefill
  const container = id === undefined ? undefined : { id }
  return grantModal(state, prefill, container, settings, notes)
}

/** Dave as a viewer on container 12. */
export function wishFor(changes: Partial<Access> = {}): Access {
  const { viewer = [] } = defaultRoles
  return {
    containerId: 12,
    authProvider: undefined,
    member: false,
    ...({ kind: 'add-user', people: [{ email: 'dave@example.com' }] } as const),
    permissions: viewer,
    ...changes,
  }
}

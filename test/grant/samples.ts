// Grants that tests of renders tell about. Data only.

import { type Access, type Result, writesOf } from '../../src/grant/access.ts'
import { type FormNotes, grantModal } from '../../src/grant/form/modal.ts'
import { type Prefill, readContainer } from '../../src/grant/line/line.ts'
import { defaultRoles, type GrantSettings } from '../../src/grant/roles.ts'
import type { Request } from '../../src/send/request.ts'

const grantSettings: GrantSettings = {
  roles: defaultRoles,
  authProviders: ['Password', 'Google', 'Microsoft'],
}

/** The form as it opens. */
export function grantForm(
  prefill: Prefill,
  notes: FormNotes = {},
  settings: GrantSettings = grantSettings,
  state = '',
) {
  const id = readContainer(prefill.container)
  const container = id === undefined ? undefined : { id }
  return grantModal(state, prefill, container, settings, notes)
}

/** Dave as a viewer on container 12. */
export function wishFor(changes: Partial<Access> = {}): Access {
  const { viewer = [] } = defaultRoles
  return {
    ...{ containerId: 12, emails: ['dave@example.com'], authProvider: undefined, member: false },
    permissions: viewer,
    ...changes,
  }
}

/** The same as it is kept, once everybody has an outcome. @param reason - What it was for. */
export function keptWith(
  wish: Access,
  results: readonly Result[],
  reason?: string,
): Pick<Request, 'id' | 'sends' | 'about'> {
  const sends = writesOf(wish).map((write, index) => {
    return { n: index + 1, write, outcome: results[index]?.outcome }
  })
  const about = reason === undefined ? undefined : { name: reason, isForAll: false }
  return { id: 'wish', sends, about }
}

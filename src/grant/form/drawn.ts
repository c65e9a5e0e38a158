// Role and flags as the form shows them: the role that is chosen, what it allows, and whether flags can be ticked. With
// each choice another form is drawn. Pure.
import { limits } from '../../slack/text/limits.ts'
import type { Flag } from '../flags.ts'
import { type GrantSettings, inOrder } from '../line/extras.ts'
import { type Prefill, readContainer } from '../line/line.ts'
import { type Roles, roleOf } from '../roles.ts'

/** Choice beside the roles, whose names are lower case: whoever makes it ticks the flags. */
export const custom = 'Custom'

export interface Drawn {
  /** A role's name, or `custom`; undefined while nothing is chosen. */
  readonly role: string | undefined
  /** As the boxes have them at first; where there are no boxes, what the role was shown to have. */
  readonly flags: readonly Flag[]
  /** *Choose flags* was pressed: there are boxes whatever the role. */
  readonly isOpened: boolean
  /** Stamps in the block ids of boxes and *Member*: Slack keeps what stood in a block of the same id. */
  readonly boxesStamp: string
  readonly memberStamp: string
  /** The role has *Member* ticked. */
  readonly ticksMember: boolean
}

/** A form to be shown. */
export interface ShownForm extends Drawn {
  readonly isMember: boolean
}

export function hasBoxes({ role, isOpened }: Pick<Drawn, 'role' | 'isOpened'>): boolean {
  return role === custom || isOpened
}

/** Slack takes so many choices in a menu, and one of them is `custom`. */
const mostRoles = limits.selectOptions - 1

/** The roles that can be chosen. */
export function offered(roles: Roles): Roles {
  return Object.fromEntries(Object.entries(roles).slice(0, mostRoles))
}

/** The flags of a role that this installation has, in the contract's order. */
export function flagsOf(role: string | undefined, roles: Roles): readonly Flag[] | undefined {
  const granted = role !== undefined && Object.hasOwn(roles, role) ? roles[role] : undefined
  return granted && inOrder(new Set(granted))
}

/** Alerts are assigned to whoever is to handle them. */
function handlesAlerts(permissions: readonly Flag[]): boolean {
  return permissions.includes('ALERT_ASSIGN') || permissions.includes('ALERT_CHANGE')
}

/** Of a form that is opened. @param prefill - A whole wish comes with *Member* as somebody has left it. */
export function firstShown(prefill: Prefill, { roles }: GrantSettings): ShownForm {
  const { container, grantees, member, permissions } = prefill
  const role = roleAtFirst(permissions, roles)
  const ticksMember = role !== undefined && role !== custom && handlesAlerts(permissions)
  const isWhole = readContainer(container) !== undefined && grantees.length > 0 && permissions.length > 0
  return {
    role,
    flags: permissions,
    isOpened: false,
    boxesStamp: '',
    memberStamp: '',
    ticksMember,
    isMember: member || (ticksMember && !isWhole),
  }
}

function roleAtFirst(permissions: readonly Flag[], roles: Roles): string | undefined {
  if (Object.keys(roles).length === 0) return custom
  return permissions.length === 0 ? undefined : (roleOf(permissions, offered(roles)) ?? custom)
}

/** What stands in the form when somebody chooses a role, or presses *Choose flags*. */
export interface Choosing {
  readonly chose: 'role' | 'flags'
  /** As the menu has it by now. */
  readonly role: string | undefined
  /** Undefined where there are no boxes. */
  readonly ticked: readonly Flag[] | undefined
  readonly isMember: boolean
}

/**
 * The form after a choice.
 * @param stamp - A new one.
 * @returns Undefined for a role that there is no more: whoever submits it is told.
 */
export function afterChoice(drawn: Drawn, now: Choosing, roles: Roles, stamp: string): ShownForm | undefined {
  const role = now.role ?? drawn.role
  const isOpened = drawn.isOpened || now.chose === 'flags'
  const seen = now.ticked ?? drawn.flags
  if (role === custom) {
    // Whoever ticks a box meanwhile finds it ticked.
    const boxesStamp = now.ticked === undefined ? stamp : drawn.boxesStamp
    return { ...drawn, role, flags: seen, isOpened, boxesStamp, isMember: now.isMember }
  }
  const granted = flagsOf(role, roles)
  if (granted === undefined) return undefined
  const flags = now.chose === 'flags' && role === drawn.role ? seen : granted
  const ticksMember = handlesAlerts(granted)
  const isSame = ticksMember === drawn.ticksMember
  return {
    ...{ role, flags, isOpened, boxesStamp: stamp, ticksMember },
    memberStamp: isSame ? drawn.memberStamp : stamp,
    isMember: isSame ? now.isMember : ticksMember,
  }
}

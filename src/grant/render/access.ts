// Words for what is asked for: who is to get which access where, for one person and for several. Pure; raw text.
import type { Line } from '../../slack/outbound/message.ts'
import { type Access, flagsWith } from '../access.ts'
import type { Flag } from '../flags.ts'
import { inList } from '../line/people.ts'
import { flagCount, type Roles, roleOf, roleTitle } from '../roles.ts'

/** How many flags are named where a grant is; more are counted. */
const mostNamed = 4

/** “Responder”, “READ and API”, “5 flags”, “Dashboards only”. */
export function accessName(permissions: readonly Flag[], roles: Roles): string {
  if (permissions.length === 0) return 'Dashboards only'
  const role = roleOf(permissions, roles)
  if (role !== undefined) return roleTitle(role)
  if (permissions.length > mostNamed) return flagCount(permissions)
  return inList.format(permissions)
}

/** The container as its reader may know it: “Customer 1 (12)”, else “container 12”. */
export function containerOf({ containerId }: Pick<Access, 'containerId'>, container?: string): string {
  return container ?? `container ${containerId}`
}

/** “Responder on Customer 1 (12)”; of somebody who is there, “Viewer → Responder on Customer 1 (12)”. */
export function roleThere(access: Access, roles: Roles, container?: string): string {
  const name = accessName(flagsWith(access), roles)
  const had = access.there && accessName(flagsWith({ ...access, permissions: [] }), roles)
  const change = had === undefined || had === name ? name : `${had} → ${name}`
  return `${change} on ${containerOf(access, container)}`
}

/** “Responder on Customer 1 (12) for grace@example.com”; of several people, how many they are. */
export function wantedWords(access: Access, roles: Roles, container?: string): string {
  const { emails } = access
  const whom = emails.length === 1 ? emails[0] : `${emails.length} people`
  return `${roleThere(access, roles, container)} for ${whom}`
}

/** How they join, and how they sign in. */
export function extrasOf({
  member,
  authProvider,
}: Pick<Access, 'member' | 'authProvider'>): readonly string[] {
  return [
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`they sign in with ${authProvider}`]),
  ]
}

/** All that is asked for, below a headline: addresses stand as they were typed, and no flag is left out but a role's. */
export function wantedLines(access: Access, roles: Roles, container?: string): readonly string[] {
  const { emails, permissions, there } = access
  const areCounted = permissions.length > mostNamed && roleOf(permissions, roles) === undefined
  const areAdded = there !== undefined && permissions.length > 0
  return [
    [wantedWords(access, roles, container), ...extrasOf(access)].join(' · '),
    ...(areAdded ? [`Adds ${permissions.join(', ')}`] : areCounted ? [permissions.join(', ')] : []),
    ...(emails.length > 1 ? emails.map((email) => `• ${email}`) : []),
  ]
}

/** Lines as one piece: so many fit into a message, and none is cut. */
export function together(lines: readonly string[]): Line {
  return [{ type: 'text', text: lines.join('\n') }]
}

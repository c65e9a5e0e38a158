// What is asked for, as it is shown: who is to get which access, for one person and for several. Pure; raw text.
import { describe, type Line, type Message } from '../../slack/outbound/message.ts'
import type { Access } from '../access.ts'
import { type Roles, roleOf, roleTitle, roleWords } from '../roles.ts'

/** How many flags of a role are named where a grant is shown; more are counted. */
export const mostNamed = 4

/** “Viewer: READ, API, REPORTING_VIEW, VIEW_LOG · member”, “Admin (19 flags, 6 of them sensitive) · via Google”. */
export function accessWords(
  { permissions, member, authProvider }: Omit<Access, 'emails' | 'containerId'>,
  roles: Roles,
): string {
  return [
    allowed(permissions, roles),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}

/** Every flag by its name, but those of a role that has many. */
function allowed(permissions: Access['permissions'], roles: Roles): string {
  const name = permissions.length === 0 ? undefined : roleOf(permissions, roles)
  if (permissions.length === 0 || (name !== undefined && permissions.length > mostNamed)) {
    return roleWords(permissions, roles)
  }
  const named = permissions.join(', ')
  return name === undefined ? named : `${roleTitle(name)}: ${named}`
}

/** The container as its reader may know it: “Customer 1 (12)”, else “container 12”. */
export function containerOf({ containerId }: Pick<Access, 'containerId'>, container?: string): string {
  return container ?? `container ${containerId}`
}

/**
 * Who is to get what, below a headline: addresses stand as they were typed.
 * @param people - A line for each of several.
 */
export function accessLines(
  access: Access,
  roles: Roles,
  container?: string,
  people: readonly string[] = access.emails.map((email) => `• ${email}`),
): readonly string[] {
  const where = containerOf(access, container)
  const what = accessWords(access, roles)
  const [email, ...others] = access.emails
  return others.length > 0 ? [`${where} · ${what}`, ...people] : [`${email} · ${where}`, what]
}

/** Lines as one piece: so many fit into a message, and none is cut. */
export function together(lines: readonly string[]): Line {
  return [{ type: 'text', text: lines.join('\n') }]
}

/** Shown while the service is asked, in place of the confirmation. */
export function renderSending(access: Access, roles: Roles): Message {
  return describe({ headline: 'Sending…', lines: accessLines(access, roles) })
}

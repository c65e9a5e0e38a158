// What is asked for, as it is shown: who is to get which access, for one person and for several. Pure; raw text.
import { describe, type Line, type Message } from '../../slack/outbound/message.ts'
import { type Roles, roleOf, roleTitle, roleWords } from '../roles.ts'
import type { Wish } from '../wish.ts'

type Access = Pick<Wish, 'permissions' | 'member' | 'authProvider'>

/** How many flags of a role are named where a grant is shown; more are counted. */
export const mostNamed = 4

/** “Viewer: READ, API, REPORTING_VIEW, VIEW_LOG · member”, “Admin (19 flags, 6 of them sensitive) · via Google”. */
export function accessWords({ permissions, member, authProvider }: Access, roles: Roles): string {
  return [
    allowed(permissions, roles),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}

/** Every flag by its name, but those of a role that has many. */
function allowed(permissions: Wish['permissions'], roles: Roles): string {
  const name = permissions.length === 0 ? undefined : roleOf(permissions, roles)
  if (permissions.length === 0 || (name !== undefined && permissions.length > mostNamed)) {
    return roleWords(permissions, roles)
  }
  const named = permissions.join(', ')
  return name === undefined ? named : `${roleTitle(name)}: ${named}`
}

/** The container as its reader may know it: “Customer 1 (12)”, else “container 12”. */
export function containerOf({ containerId }: Pick<Wish, 'containerId'>, container?: string): string {
  return container ?? `container ${containerId}`
}

/**
 * Who is to get what, below a headline: addresses stand as they were typed.
 * @param people - A line for each of several.
 */
export function wishLines(
  wish: Wish,
  roles: Roles,
  container?: string,
  people: readonly string[] = wish.emails.map((email) => `• ${email}`),
): readonly string[] {
  const where = containerOf(wish, container)
  const access = accessWords(wish, roles)
  const [email, ...others] = wish.emails
  return others.length > 0 ? [`${where} · ${access}`, ...people] : [`${email} · ${where}`, access]
}

/** Lines as one piece: so many fit into a message, and none is cut. */
export function together(lines: readonly string[]): Line {
  return [{ type: 'text', text: lines.join('\n') }]
}

/** Shown while the service is asked, in place of the confirmation. */
export function renderSending(wish: Wish, roles: Roles): Message {
  return describe({ headline: 'Sending…', lines: wishLines(wish, roles) })
}

// Roles: names for sets of flags, as this installation has them; and the words for what is asked for, and what it allows. Pure;
// raw text.
import { dashboardsOnly } from '../send/outcome.ts'
import type { Line } from '../slack/outbound/message.ts'
import { type Access, flagsWith } from './access.ts'
import { type Flag, flagGroups, flagMeanings, flags, inOrder, sensitiveFlags } from './flags.ts'

/** A named set of flags. Names are lower case. */
export type Roles = Readonly<Record<string, readonly Flag[]>>

/** What the operator decides about granting. */
export interface GrantSettings {
  readonly roles: Roles
  /** As the service spells them. */
  readonly authProviders: readonly string[]
}

const viewer: readonly Flag[] = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
const responder: readonly Flag[] = [...viewer, 'ALERT_ASSIGN', 'ALERT_CHANGE', 'RULE_EMAIL', 'RULE_PHONE']
const operator: readonly Flag[] = [
  ...responder,
  'ASSET_MANAGEMENT',
  'CHECK_MANAGEMENT',
  'TIME_SERIES_MANAGEMENT',
]
const notForPeople: ReadonlySet<Flag> = new Set(['CORE_CONNECT', 'INSERT_CHECK_DATA', 'PURGE_TIME_SERIES'])

/** GRANT_PRESETS replaces them. API is in all of them, because looking up an alert needs API and READ. */
export const defaultRoles: Roles = {
  viewer,
  responder,
  operator,
  admin: flags.filter((flag) => !notForPeople.has(flag)),
}

/** Its name, as it is typed; undefined where no role has exactly these flags. */
export function roleOf(permissions: readonly Flag[], roles: Roles): string | undefined {
  const asked = inOrder(new Set(permissions)).join()
  return Object.keys(roles).find((name) => inOrder(new Set(roles[name])).join() === asked)
}

/** “Admin”. Raw. */
export function roleTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** “19 flags, 6 sensitive”. */
export function countWords(permissions: readonly Flag[]): string {
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag)).length
  if (permissions.length === 0) return dashboardsOnly
  return `${flagCount(permissions)}${sensitive === 0 ? '' : `, ${sensitive} sensitive`}`
}

/** “19 flags”. */
function flagCount({ length }: readonly Flag[]): string {
  return length === 1 ? '1 flag' : `${length} flags`
}

/** So many are named, and all that is sensitive; each can be seen by whoever wants to choose. */
const mostAllowed = 8

/** What somebody with these can do, in a line; what is sensitive comes first, and all of it. Raw. */
export function allowedWords(permissions: readonly Flag[]): string {
  const allowed = flagGroups.flatMap((group) => group.flags).filter((flag) => permissions.includes(flag))
  const isSensitive = (flag: Flag) => sensitiveFlags.has(flag)
  const sensitive = allowed.filter(isSensitive)
  const named = [...sensitive, ...allowed.filter((flag) => !isSensitive(flag))]
  const shown = named.slice(0, Math.max(mostAllowed, sensitive.length))
  const more = named.length - shown.length
  // What is said in brackets is for whoever ticks a box.
  const words = shown.map((flag) => flagMeanings[flag].replace(/ \(.*\)$/, ''))
  return [...words, ...(more === 0 ? [] : [`and ${more} more`])].join(' · ')
}

/** “READ, API and BILLING”. */
export const inList = new Intl.ListFormat('en-GB')

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

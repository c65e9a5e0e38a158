// Names of an access, and of a change of it. Pure; raw text.
import type { There } from '../send/whom.ts'
import { cut, inList } from '../slack/text/mrkdwn.ts'
import type { Access } from './access.ts'
import {
  type Flag,
  inOrder,
  isFlag,
  type Roles,
  roleOf,
  roleTitle,
  sensitiveFlags,
} from './roles.ts'

/** “Responder”, “Viewer and WEBHOOKS”, “READ and API”, “Dashboards only”: a role, then sensitive flags, none twice. */
export function accessName(permissions: readonly string[], roles: Roles): string {
  const known = inOrder(permissions)
  const isWithin = (role: readonly Flag[]) => role.every((flag) => known.includes(flag))
  const [role, granted] = Object.entries(roles)
    .filter(([, flags]) => isWithin(flags))
    .reduce((most, one) => (one[1].length > most[1].length ? one : most), ['', []])

  const more = permissions.filter((flag) => !granted.some((one) => one === flag))
  // The order: role, sensitive flags, the other known flags, flags that Bellhop doesn’t know. The set drops repeats.
  const named = new Set([roleTitle(role), ...more.filter(isSensitive), ...inOrder(more), ...more])

  return cut(inList([...named].filter(Boolean)), longestAccess) || 'Dashboards only'
}

/** Name of the access that ends: “Responder”; “membership” if that is all that ends. */
export function whatEnds(
  { flags, member }: { readonly flags: readonly string[]; readonly member: boolean },
  roles: Roles,
): string {
  return flags.length === 0 && member ? 'membership' : accessName(flags, roles)
}

/** Characters: room for all flags of the service, and a few that Bellhop doesn’t know. */
const longestAccess = 500

const isSensitive = (flag: string) => isFlag(flag) && sensitiveFlags.has(flag)

/** All flags that somebody has after a change, including flags that Bellhop doesn’t know. */
export function flagsAfter({ permissions, takes = [] }: Access, there: There): readonly string[] {
  const kept = there.permissions.filter((flag) => !takes.some((one) => one === flag))
  return [...new Set([...kept, ...permissions])]
}

/**
 * “Responder”; for a change “Viewer → Responder”. For readers who may not see the flags from before the change, it has only
 * the flags that are given and taken.
 */
export function changeName(access: Access, roles: Roles): string {
  const { kind, permissions, people } = access
  const there = people[0]?.there
  if (kind !== 'change') return accessName(permissions, roles)
  if (there === undefined) return changeWords(access).join(' · ')

  const before = accessName(there.permissions, roles)
  const after = accessName(flagsAfter(access, there), roles)

  return before === after ? after : `${before} → ${after}`
}

/** Flags that a change gives and takes: “+ ALERT_ASSIGN, member” and “− WEBHOOKS ⚠️”, a line each. */
export function changeWords({ permissions, takes = [], member }: Access): readonly string[] {
  const line = (sign: string, flags: readonly Flag[], isMember: boolean) => {
    const marked = flags.map((flag) => (isSensitive(flag) ? `${flag} ⚠️` : flag))
    const all = isMember ? [...marked, 'member'] : marked

    return all.length === 0 ? [] : `${sign} ${all.join(', ')}`
  }

  return [line('+', permissions, member === true), line('−', takes, member === false)].flat()
}

/** True for exactly the flags of a role. */
export function isRole(permissions: readonly string[], roles: Roles): boolean {
  const known = inOrder(permissions)
  return known.length === permissions.length && roleOf(known, roles) !== undefined
}

// Reads a `/grant` line, its parts in any order. Reports every problem at once. Pure.

import type { KnownContainer } from '../../names/containers.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import type { Access, Terms } from '../access.ts'
import {
  asProvider,
  type Flag,
  type GrantSettings,
  handlesAlerts,
  inOrder,
  roleOf,
} from '../roles.ts'
import { type ChangeLine, onlyGives, parseChange, readLine } from './change-line.ts'
import { oneOf, problemsOf, readContainer, readFlags, tooMany } from './pieces.ts'
import { shortLength } from './times.ts'
import type { TypedEnds } from './until.ts'

export interface Prefill {
  readonly container: string
  /** Addresses, and people of this Slack as `@U1`. */
  readonly grantees: readonly string[]
  readonly authProvider: string | undefined
  readonly member: boolean
  readonly permissions: readonly Flag[]
  /** Default: never. */
  readonly ends?: TypedEnds | undefined
}

export type GrantAsk =
  | { readonly kind: 'help' | 'roles' }
  | { readonly kind: 'due' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  /** 1 to 20 grantees, nobody twice as far as the line tells. */
  | {
      readonly kind: 'grant'
      readonly grantees: Prefill['grantees']
      readonly request: Terms
      readonly ends: TypedEnds | undefined
    }
  | ChangeLine

/** @param line - Escaped, as Slack sends it. @param known - Containers whose names its writer may use. */
export function parseGrant(
  line: string,
  settings: GrantSettings,
  known: readonly KnownContainer[] = [],
): GrantAsk {
  const read = readLine(line)
  const { grantees, rest: words, ends, problems: ofEnds } = read
  const alone = grantees.length === 0 && words.length === 1 ? words[0]?.toLowerCase() : undefined
  if (alone === 'help' || alone === '?' || alone === '--help') return { kind: 'help' }
  if (alone === 'roles') return { kind: 'roles' }
  if (alone === 'due' && settings.hasAllOperations) return { kind: 'due' }
  const about = parseChange(read, settings, known)
  if (about !== undefined) return about

  // Flags and roles win over names of containers.
  const isOther = (word: string) => readFlags(word, settings.roles) !== undefined
  const { container, containerId, rest, problems } = readContainer(words, known, isOther)
  problems.push(...tooMany(grantees), ...ofEnds)
  if (ends !== undefined && !settings.hasAllOperations) problems.push(onlyGives)
  const { unknown, problems: ofExtras, ...extras } = readExtras(rest, settings)
  problems.push(...problemsOf(unknown, settings), ...ofExtras)
  if (problems.length > 0) return { kind: 'problems', problems }
  if (containerId === undefined || grantees.length === 0 || extras.permissions.length === 0)
    return { kind: 'form', prefill: { container, grantees, ...extras, ends } }
  return { kind: 'grant', grantees, ends, request: { kind: 'add-user', containerId, ...extras } }
}

/** Flags, roles, `member` and `via <provider>`, in any order. @param words - Raw; each may be a list with commas. */
function readExtras(words: readonly string[], { roles, authProviders }: GrantSettings) {
  const texts = words.flatMap((word) => word.split(',').map((text) => text.trim())).filter(Boolean)
  const wanted: Flag[] = []
  const unknown: string[] = []
  const problems: string[] = []
  let member = false
  let authProvider: string | undefined
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? ''
    const lower = text.toLowerCase()
    if (lower === 'member') {
      member = true
    } else if (lower === 'via') {
      index += 1
      authProvider = authProviders.find((one) => one.toLowerCase() === texts[index]?.toLowerCase())
      if (authProvider === undefined)
        problems.push(`After “via”, say how the person signs in: ${oneOf(authProviders)}.`)
    } else {
      const found = readFlags(text, roles)
      if (found === undefined) unknown.push(text)
      wanted.push(...(found ?? []))
    }
  }
  const permissions = inOrder(wanted)
  member ||= handlesAlerts(permissions)
  return { permissions, member, authProvider, unknown, problems }
}

/** Nobody retypes a longer line. */
const longestLine = 1_000

/** A line that asks for the same; none without flags, or for alert handlers who aren’t members. */
export function commandLine(access: Access, { roles }: GrantSettings): string | undefined {
  const { kind, containerId, people, permissions, member, authProvider, ends } = access
  const isImplied = handlesAlerts(permissions)
  if (kind !== 'add-user' || permissions.length === 0 || (isImplied && !member)) return undefined
  if (ends && 'at' in ends) return undefined
  const what = roleOf(permissions, roles) ?? permissions.join(' ')
  const via = authProvider === undefined ? '' : ` via ${asProvider(authProvider)}`
  const lasts = ends ? ` for ${shortLength(ends.forMs)}` : ''
  const extras = `${member && !isImplied ? ' member' : ''}${via}${lasts}`
  const line = `/grant ${containerId} ${people.map(({ email }) => email).join(',')} ${what}${extras}`
  return line.length > longestLine ? undefined : line
}

const longestNamed = 600

/** A warning, raw, in one line, where letters only look like a to z; empty when every address is in plain letters. */
export function lookAlikeReasons({ people }: Access): readonly string[] {
  const odd = people.flatMap(({ email }) => (/[^\x21-\x7e]/.test(email) ? [email] : []))
  if (odd.length === 0) return []
  const named = cut(odd.join(', '), longestNamed)
  return [`Careful: some of these letters aren’t a to z, even if they look like it: ${named}`]
}

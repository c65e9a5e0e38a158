// Reads a `/grant` line in its exact form, with its parts in any order. Reports all problems at once. Pure.

import type { KnownContainer } from '../../names/containers.ts'
import type { Access, Terms } from '../access.ts'
import {
  asProvider,
  type Flag,
  flags,
  type GrantSettings,
  handlesAlerts,
  inOrder,
  roleOf,
} from '../roles.ts'
import { commandSaid } from './grammar.ts'
import { problemsOf, readContainer, readFlags, readPieces, readTerms, tooMany } from './pieces.ts'
import { shortLength } from './times.ts'
import { type TypedEnds, takeUntil } from './until.ts'

export interface Prefill {
  readonly containerId: number | undefined
  /** Addresses, and people of this Slack as `@U1`. */
  readonly grantees: readonly string[]
  readonly authProvider: string | undefined
  readonly member: boolean
  readonly permissions: readonly Flag[]
  /** Default: the access doesn’t end by itself. */
  readonly ends?: TypedEnds | undefined
}

/** A list to show: all people of a container, the one who is named, or those who have all named flags. */
export interface WhoAsk {
  readonly containerId: number
  /** An address, or `@U1`. */
  readonly grantee?: string | undefined
  readonly flags?: readonly Flag[] | undefined
  /** How many people stand on earlier pages of the list. */
  readonly after: number
}

/** Something that a line asks for. */
export type GrantAsk =
  | { readonly kind: 'help' | 'roles' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  /**
   * `grantees`: 1 to 20 people, each once; only one for a change. If the `terms` of a change give and take nothing, the
   * line asks for the form of the change.
   */
  | {
      readonly kind: 'grant' | 'invite' | 'change' | 'remove'
      readonly grantees: readonly string[]
      readonly ends?: TypedEnds | undefined
      readonly terms: Terms
    }
  | (WhoAsk & { readonly kind: 'who' })
  /** The list of access that ends by itself: all of it, or that of the named person or container. */
  | {
      readonly kind: 'due'
      readonly containerId: number | undefined
      readonly grantees: readonly string[]
    }

/** A line that can’t be carried out: all that is wrong with it, and in `prefill` all that was understood. */
interface GrantProblems {
  readonly kind: 'problems'
  readonly problems: readonly string[]
  readonly prefill: Prefill
}

/** Answers a line that asks for more where the service can only add people. */
const onlyGives =
  'I can only give access here. To see or take away what somebody has, open the container in monitoring.'

/** How to type a command, for a line that lacks something or has too much. */
const usage = {
  who: 'Type /grant who with a container, and one person, flag or role for fewer, as in /grant who 12 WEBHOOKS.',
  change:
    'Type /grant change with a container, one person, and a role or flags behind + and -, as in /grant change 12 dave@example.com +WEBHOOKS,-API. What you give can end by itself: add for 4h.',
  remove:
    'Type /grant remove with a container and people, as in /grant remove 12 dave@example.com. It takes all that they have there; for single flags, type /grant change.',
  invite: 'An invitation can’t end by itself. Leave the time out.',
  due: 'Type /grant due, with one container or person for fewer.',
}

const commands = ['who', 'change', 'remove', 'invite', 'due'] as const

/** @param line - Escaped, as Slack sends it. @param known - Containers whose names its writer may use. */
export function parseGrant(
  line: string,
  settings: GrantSettings,
  known: readonly KnownContainer[] = [],
): GrantAsk | GrantProblems {
  const { grantees, words: typed } = readPieces(line)
  const { ends, rest: words, problems: ofEnds } = takeUntil(typed)
  const first = words[0]?.toLowerCase() ?? ''
  const alone = grantees.length === 0 && words.length === 1 ? commandSaid(first) : undefined
  if (alone === 'help' || alone === 'roles') return { kind: alone }

  const command = commands.find((one) => one === first)
  const others = command ? words.slice(1) : words
  const { containerId, rest, problems: ofContainer } = readContainer(others, known, settings)
  const terms = readTerms(rest, settings)
  const { authProvider } = terms
  const permissions = inOrder([...terms.roles, ...terms.plain])
  const member = terms.member === true || handlesAlerts(permissions)
  const gives = {
    permissions,
    member,
    authProvider,
  }

  const prefill: Prefill = {
    containerId,
    grantees,
    ...gives,
    ends,
  }

  const failed = (...problems: string[]) => ({ kind: 'problems', problems, prefill }) as const
  if (!settings.hasAllOperations && (command !== undefined || ends !== undefined))
    return failed(onlyGives)

  const isGift = command === undefined || command === 'invite'
  const unknown = [...(isGift ? terms.signed : []), ...terms.unknown]
  const problems = [
    ...ofContainer,
    ...tooMany(grantees),
    ...ofEnds,
    ...problemsOf(unknown, settings),
    ...terms.problems,
  ]

  const changed = changeIn(terms)
  const isTimed = ends !== undefined
  const isGiving = changed.permissions.length > 0 || changed.member === true
  const [wanted] = rest.map((word) => readFlags(word, settings.roles))
  const isOneThing = rest.length === 0 || wanted !== undefined
  const isWrong = {
    who: isTimed || !isOneThing || grantees.length + rest.length > 1,
    change: grantees.length !== 1 || terms.plain.length > 0 || (isTimed && !isGiving),
    remove: isTimed || grantees.length === 0 || rest.length > 0,
    invite: isTimed,
    due: rest.length > 0,
  }

  if (command !== undefined && isWrong[command]) problems.push(usage[command])
  if (problems.length > 0) return failed(...problems)

  if (command === 'due')
    return {
      kind: command,
      containerId,
      grantees,
    }

  if (isGift) {
    if (containerId === undefined || grantees.length === 0 || permissions.length === 0)
      return { kind: 'form', prefill }

    const wanted = { kind: 'add-user', containerId, ...gives } as const

    return {
      kind: command ?? 'grant',
      grantees,
      ends,
      terms: wanted,
    }
  }

  if (containerId === undefined) return failed(usage[command])

  if (command === 'who')
    return {
      kind: command,
      containerId,
      grantee: grantees[0],
      flags: wanted,
      after: 0,
    }

  const only = command === 'remove' ? { permissions: [] } : changed

  return {
    kind: command,
    grantees,
    ends,
    terms: { kind: command, containerId, ...only },
  }
}

/**
 * Flags that a change gives and takes. A role, with flags added to it, is all that the person is to have: so all other
 * flags are taken.
 */
function changeIn({ roles, gives, takes, member, authProvider }: ReturnType<typeof readTerms>) {
  const permissions = inOrder([...roles, ...gives].filter((flag) => !takes.includes(flag)))
  const others = roles.length > 0 ? flags.filter((flag) => !permissions.includes(flag)) : takes
  const isMember = member ?? (handlesAlerts(permissions) || undefined)

  return {
    permissions,
    takes: inOrder(others),
    member: isMember,
    authProvider,
  }
}

/** Most characters of a line that is shown so that people can type it next time. */
const longestLine = 1_000

/**
 * The line that asks for the same access. Undefined if the line would be too long. Also undefined for a write that isn’t
 * an add, for access without flags, for flags that handle alerts without membership, and for an end at a moment.
 */
export function commandLine(access: Access, { roles }: GrantSettings): string | undefined {
  const { kind, containerId, people, permissions, member, authProvider, ends } = access
  const isImplied = handlesAlerts(permissions)
  if (kind !== 'add-user' || permissions.length === 0 || (isImplied && !member)) return undefined
  if (ends && 'at' in ends) return undefined

  const words = [
    '/grant',
    containerId,
    people.map(({ email }) => email).join(),
    roleOf(permissions, roles) ?? permissions.join(' '),
    member && !isImplied && 'member',
    authProvider && `via ${asProvider(authProvider)}`,
    ends && `for ${shortLength(ends.forMs)}`,
  ]

  const line = words.filter(Boolean).join(' ')

  return line.length > longestLine ? undefined : line
}

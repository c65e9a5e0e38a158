// Reads a `/grant` line in its exact form, its parts in any order. Reports every problem at once. Pure.

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
import { problemsOf, readContainer, readFlags, readPieces, readTerms, tooMany } from './pieces.ts'
import { shortLength } from './times.ts'
import { type TypedEnds, takeUntil } from './until.ts'

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

/** List of a container’s people; of one of them, or of those who have all of these flags. */
export interface WhoAsk {
  readonly containerId: number
  /** An address, or `@U1`. */
  readonly grantee?: string | undefined
  readonly flags?: readonly Flag[] | undefined
  /** So many come before. */
  readonly after: number
}

/** 1 to 20 grantees, nobody twice as far as the line tells; of a change one. */
interface AboutPeople {
  readonly grantees: readonly string[]
  readonly ends?: TypedEnds | undefined
}

/** Something to do. */
export type GrantAsk =
  | { readonly kind: 'help' | 'roles' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  | (AboutPeople & { readonly kind: 'grant' | 'invite'; readonly request: Terms })
  /** With nothing to give or take, the form asks what. */
  | (AboutPeople & { readonly kind: 'change' | 'remove'; readonly terms: Terms })
  | { readonly kind: 'who'; readonly ask: WhoAsk }
  /** Ends of access; those of one person or container, where they are named. */
  | {
      readonly kind: 'due'
      readonly containerId: number | undefined
      readonly grantees: readonly string[]
    }

/** `prefill`: all that was understood. */
interface GrantProblems {
  readonly kind: 'problems'
  readonly problems: readonly string[]
  readonly prefill: Prefill
}

/** Said where the service has no further operations. */
const onlyGives =
  'I can only give access here. To see or take away what somebody has, open the container in monitoring.'

const examples = {
  who: '/grant who 12',
  change: '/grant change 12 dave@example.com responder',
  remove: '/grant remove 12 dave@example.com',
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
  const isAlone = grantees.length === 0 && words.length === 1
  if (isAlone && ['help', '?', '--help'].includes(first)) return { kind: 'help' }
  if (isAlone && first === 'roles') return { kind: 'roles' }

  const command = commands.find((one) => one === first)
  // Flags and roles win over names of containers.
  const isOther = (word: string) => readTerms([word], settings).unknown.length === 0
  const named = readContainer(command ? words.slice(1) : words, known, isOther)
  const { container, containerId, rest } = named
  const terms = readTerms(rest, settings)
  const { authProvider } = terms
  const permissions = inOrder([...terms.roles, ...terms.plain])
  const member = terms.member === true || handlesAlerts(permissions)
  const gives = { permissions, member, authProvider }
  const prefill: Prefill = { container, grantees, ...gives, ends }
  const failed = (...problems: string[]) => ({ kind: 'problems', problems, prefill }) as const
  if (!settings.hasAllOperations && (command !== undefined || ends !== undefined))
    return failed(onlyGives)

  const isGift = command === undefined || command === 'invite'
  const unknown = [...(isGift ? terms.signed : []), ...terms.unknown]
  const ofWords = problemsOf(unknown, settings)
  const ofAll = [...named.problems, ...tooMany(grantees), ...ofEnds, ...ofWords, ...terms.problems]
  if (command === 'due') {
    if (ofAll.length + rest.length > 0) return failed(justOne)
    return { kind: command, containerId, grantees }
  }
  if (isGift) {
    if (command === 'invite' && ends !== undefined) ofAll.push(neverEnds)
    if (ofAll.length > 0) return failed(...ofAll)
    if (containerId === undefined || grantees.length === 0 || permissions.length === 0)
      return { kind: 'form', prefill }
    const request = { kind: 'add-user', containerId, ...gives } as const
    return { kind: command ?? 'grant', grantees, ends, request }
  }

  const changed = changeIn(terms)
  const example = `, as in ${examples[command]}.`
  const isChange = command === 'change'
  const isWho = command === 'who'
  const isGiving = changed.permissions.length > 0 || changed.member === true
  const [wanted] = rest.map((word) => readFlags(word, settings.roles))
  const isOneThing = grantees.length + rest.length <= 1 && (rest.length === 0 || wanted)
  // Words that nobody knows have their own sentence.
  const isKnown = ofWords.length === 0
  const [flag] = terms.plain
  const refusals = [
    !isWho && grantees.length === 0 && `Whose access? Add their email address${example}`,
    isChange && grantees.length > 1 && 'Change one person at a time.',
    isChange && flag && `To give ${flag}, type +${flag}; to take it away, type -${flag}.`,
    isWho &&
      !isOneThing &&
      isKnown &&
      'Name one person, one flag or one role, as in /grant who 12 WEBHOOKS.',
    ends &&
      !(isChange && isGiving) &&
      `Only access that you give can end by itself, as in ${examples.change} for 4h.`,
    command === 'remove' &&
      rest.length > 0 &&
      isKnown &&
      'Removing takes all that somebody has there. For single flags, type /grant change.',
  ]
  ofAll.push(...refusals.filter((one) => typeof one === 'string'))
  if (container === '' && ofAll.length === 0)
    ofAll.push(`Which container? Add its number${example}`)
  if (ofAll.length > 0 || containerId === undefined) return failed(...ofAll)

  if (command === 'who')
    return { kind: command, ask: { containerId, grantee: grantees[0], flags: wanted, after: 0 } }
  const only = command === 'remove' ? { permissions: [] } : changed

  return { kind: command, grantees, ends, terms: { kind: command, containerId, ...only } }
}

const justOne = 'Type /grant due, with one container or person for fewer.'
const neverEnds = 'An invitation can’t end by itself. Leave the time out.'

/** A role is all that they are to have. */
function changeIn({ roles, gives, takes, member, authProvider }: ReturnType<typeof readTerms>) {
  const permissions = inOrder([...roles, ...gives].filter((flag) => !takes.includes(flag)))
  const others = roles.length > 0 ? flags.filter((flag) => !permissions.includes(flag)) : takes
  const isMember = member ?? (handlesAlerts(permissions) ? true : undefined)

  return { permissions, takes: inOrder(others), member: isMember, authProvider }
}

/** A longer line is retyped by nobody. */
const longestLine = 1_000

/** A line that asks for the same; none without flags, or for alert handlers who aren’t members. */
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

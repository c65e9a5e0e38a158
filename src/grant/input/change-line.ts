// Reads `/grant who`, `/grant change` and `/grant remove`. Reports every problem at once. Pure.
import type { KnownContainer } from '../../names/containers.ts'
import type { Terms } from '../access.ts'
import { type Flag, flags, type GrantSettings, handlesAlerts, inOrder, isFlag } from '../roles.ts'
import { problemsOf, readContainer, readFlags, readPieces, tooMany } from './pieces.ts'
import { type TypedEnds, takeUntil, withPlainDashes } from './until.ts'

/** List of a container’s people; of one of them, or of those who have all of these flags. */
export interface WhoAsk {
  readonly containerId: number
  /** An address, or `@U1`. */
  readonly grantee?: string | undefined
  readonly flags?: readonly Flag[] | undefined
  /** So many come before. */
  readonly after: number
}

export type ChangeLine =
  | { readonly kind: 'who'; readonly ask: WhoAsk }
  /** 1 to 20 grantees, of a change one. With nothing to give or take, the form asks what. */
  | {
      readonly kind: 'change' | 'remove'
      readonly grantees: readonly string[]
      readonly terms: Terms
      readonly ends?: TypedEnds | undefined
    }
  | {
      readonly kind: 'problems'
      readonly problems: readonly string[]
    }

/** Said where the service has no further operations. */
export const onlyGives =
  'I can only give access here. To see or take away what somebody has, open the container in monitoring.'

const examples = {
  who: '/grant who 12',
  change: '/grant change 12 dave@example.com responder',
  remove: '/grant remove 12 dave@example.com',
}

/** A line’s people, how long access lasts, and the other words. */
export function readLine(line: string) {
  const { grantees, words } = readPieces(line)
  return { grantees, ...takeUntil(words) }
}

/** @returns Undefined for a line that begins with none of these words. */
export function parseChange(
  { grantees, rest: words, ends, problems: ofEnds }: ReturnType<typeof readLine>,
  settings: GrantSettings,
  known: readonly KnownContainer[],
): ChangeLine | undefined {
  const [first = '', ...others] = words
  const word = first.toLowerCase()
  const kind = word === 'who' || word === 'change' || word === 'remove' ? word : undefined
  if (kind === undefined) return undefined
  if (!settings.hasAllOperations) return { kind: 'problems', problems: [onlyGives] }

  const isOther = (text: string) => readChange([text], settings).unknown.length === 0
  const { container, containerId, rest, problems } = readContainer(others, known, isOther)
  const { terms, unsigned, unknown } = readChange(rest, settings)
  const ofWords = problemsOf(unknown, settings)
  problems.push(...tooMany(grantees), ...ofEnds, ...ofWords)
  const example = `, as in ${examples[kind]}.`
  if (kind !== 'who' && grantees.length === 0)
    problems.push(`Whose access? Add their email address${example}`)
  if (kind === 'change') {
    if (grantees.length > 1) problems.push('Change one person at a time.')
    const [flag = ''] = unsigned
    if (unsigned.length > 0)
      problems.push(`To give ${flag}, type +${flag}; to take it away, type -${flag}.`)
  }
  const wanted = rest.map((word) => readFlags(word, settings.roles))
  const isOneThing = grantees.length + rest.length <= 1 && !wanted.includes(undefined)
  if (kind === 'who' && !isOneThing && ofWords.length === 0)
    problems.push('Name one person, one flag or one role, as in /grant who 12 WEBHOOKS.')
  const isGiving = kind === 'change' && (terms.permissions.length > 0 || terms.member === true)
  if (ends !== undefined && !isGiving)
    problems.push(`Only access that you give can end by itself, as in ${examples.change} for 4h.`)
  if (kind === 'remove' && rest.length > 0 && ofWords.length === 0)
    problems.push(
      'Removing takes all that somebody has there. For single flags, type /grant change.',
    )
  if (container === '' && problems.length === 0)
    problems.push(`Which container? Add its number${example}`)
  if (problems.length > 0 || containerId === undefined) return { kind: 'problems', problems }
  if (kind === 'who')
    return { kind, ask: { containerId, grantee: grantees[0], flags: wanted[0], after: 0 } }
  if (kind === 'remove') return { kind, grantees, terms: { kind, containerId, permissions: [] } }
  return { kind, grantees, ends, terms: { kind, containerId, ...terms } }
}

/** A role, and flags or `member` behind `+` and `-`. @returns `unsigned`: flags without either. */
function readChange(words: readonly string[], { roles }: GrantSettings) {
  const texts = words.flatMap((word) => word.split(',').map((text) => text.trim())).filter(Boolean)
  const [unknown, unsigned, gives, takes]: [string[], Flag[], Flag[], Flag[]] = [[], [], [], []]
  let isRole = false
  let member: boolean | undefined
  for (const typed of texts) {
    const text = withPlainDashes(typed)
    const [, sign = '', name = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
    const [lower, found] = [name.toLowerCase(), readFlags(name, roles)]
    if (lower === 'member') member = sign !== '-'
    else if (lower === 'not-member') member = false
    else if (found === undefined) unknown.push(typed)
    else if (sign === '' && isFlag(name.toUpperCase().replaceAll('-', '_'))) unsigned.push(...found)
    else if (sign === '-') takes.push(...found)
    else {
      isRole ||= sign === ''
      gives.push(...found)
    }
  }
  const permissions = inOrder(gives.filter((flag) => !takes.includes(flag)))
  // A role is all that they are to have.
  const others = isRole ? flags.filter((flag) => !permissions.includes(flag)) : takes
  const isMember = member ?? (handlesAlerts(permissions) ? true : undefined)
  return { terms: { permissions, takes: inOrder(others), member: isMember }, unsigned, unknown }
}

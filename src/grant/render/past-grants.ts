// Sentence about past grants: “You gave dave@example.com READ and API on container 12 (2 hours ago), …”. Pure.
import type { SectionBlock } from '@slack/types'
import { cut, escapeText, mrkdwn, since } from '../../slack/text/mrkdwn.ts'
import { nameInLine } from '../../slack/workspace/people.ts'
import { flags } from '../flags.ts'
import { type Roles, roleOf, roleTitle } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { mostNamed as mostFlags } from './wish.ts'

/** Somebody's access, as it was given. */
export interface GivenAccess {
  readonly email: string
  readonly permissions: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
  /** `asked`: a colleague gave it, as the reader had asked for it. `other`: a colleague, by their raw name if known. */
  readonly by:
    | { readonly is: 'reader' }
    | { readonly is: 'asked' }
    | { readonly is: 'other'; readonly name: string | undefined }
}

const mostNamed = 3
/** Each stands in full beside it. */
const longestEmail = 100
/** What was given within this time was given together. */
const togetherMs = 10 * 60_000

/** A section of it, where there is anything to say. @param remembered - Of `pastGrantWords`. */
export function rememberedBlocks(remembered: string | undefined): readonly SectionBlock[] {
  return remembered === undefined ? [] : [{ type: 'section', text: mrkdwn(remembered) }]
}

/** Text that has it at its end. @param text - Raw. */
export function withRemembered(text: string, remembered: string | undefined, most: number): string {
  const behind = remembered === undefined ? '' : ` ${remembered}`
  return `${escapeText(cut(text, most - behind.length))}${behind}`
}

/**
 * @param given - At least one, each of another person.
 * @param container - As its reader may know it. Raw.
 * @returns Markup, as its dates are for each reader.
 */
export function pastGrantWords(
  wish: Wish,
  given: readonly GivenAccess[],
  roles: Roles,
  container = `container ${wish.containerId}`,
): string {
  const [first] = given
  if (first === undefined) return ''
  const who = listed(
    given.slice(0, mostNamed).map(({ email }) => cut(email, longestEmail)),
    given.length,
  )
  const isSame = given.every((one) => isSameSet(one.permissions, first.permissions))
  const what = isSame ? flagWords(first.permissions, roles) : 'access'
  const access = `${what} ${what === 'access' ? 'to' : 'on'} ${container}`
  const newest = Math.max(...given.map(({ at }) => at))
  const isTogether = given.every(({ at }) => newest - at <= togetherMs)
  const when = isTogether ? `(${since(Math.floor(newest / 1000))})` : 'in the last 30 days'
  return `${escapeText(said(given, who, access))} ${when}, ${soWords(wish, given)}`
}

/** Raw. */
function said(given: readonly GivenAccess[], who: string, access: string): string {
  if (given.every(({ by }) => by.is === 'reader')) return `You gave ${who} ${access}`
  if (given.every(({ by }) => by.is === 'asked')) return `${who} got ${access} at your request`
  const others = new Set(given.map(({ by }) => (by.is === 'other' ? nameInLine(by.name ?? '') : '')))
  const [only] = others
  return others.size === 1 && only !== undefined && only !== ''
    ? `${only} gave ${who} ${access}`
    : `${who} got ${access}`
}

/** They cannot be added twice, whatever flags they have. */
function soWords({ permissions }: Wish, given: readonly GivenAccess[]): string {
  const has = (one: GivenAccess) => permissions.every((flag) => one.permissions.includes(flag))
  return given.every(has)
    ? 'so they probably have it already.'
    : 'so they’re probably on it already. Change their flags in monitoring instead.'
}

/** The title of a role, or flags by name. Raw. */
function flagWords(permissions: readonly string[], roles: Roles): string {
  if (permissions.length === 0) return 'access'
  const known = flags.filter((flag) => permissions.includes(flag))
  const role = roleOf(known, roles)
  return role === undefined ? listed(permissions.slice(0, mostFlags), permissions.length) : roleTitle(role)
}

/** “a”, “a and b”, “a, b, c and 2 more”. @param count - Of all; only the first of them are given. */
function listed(shown: readonly string[], count: number): string {
  const parts = count > shown.length ? [...shown, `${count - shown.length} more`] : shown
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((flag) => others.includes(flag))
}

// What somebody asks of `/grant`: a container, a person, flags. Pure. Every problem is reported at once.
import { quote, readWords, type Word } from '../slack/typed.ts'
import type { Flag } from './flags.ts'
import type { GrantRequest } from './grants.ts'
import { type GrantSettings, readExtras } from './input-flags.ts'

/** Who is to get access: an address, or somebody of this Slack whose address is to be found. */
export type Grantee =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'person'; readonly userId: string }

/** What was typed so far, for the form. */
export interface Prefill {
  readonly container: string
  readonly grantee: Grantee | undefined
  readonly authProvider: string | undefined
  readonly member: boolean
  readonly permissions: readonly Flag[]
}

export type GrantAsk =
  | { readonly kind: 'help' | 'presets' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  | { readonly kind: 'grant'; readonly grantee: Grantee; readonly request: Omit<GrantRequest, 'email'> }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

const longestEmail = 254

export function isEmail(text: string): boolean {
  return (
    text.length <= longestEmail && text.isWellFormed() && /^[^\s@<>,;"\p{C}]+@[^\s@<>,;"\p{C}]+$/u.test(text)
  )
}

/** The container's number, or undefined. */
export function readContainer(text: string): number | undefined {
  const isNumber = /^[1-9]\d{0,14}$/.test(text)
  return isNumber ? Number(text) : undefined
}

const order = 'The order is: container, person, flags, as in /grant 12 dave@example.com viewer.'
const onePerson = 'Grant one person at a time.'

export function parseGrant(line: string, settings: GrantSettings): GrantAsk {
  const words = readWords(line)
  const command = words[0]?.text.toLowerCase()
  if (command === 'help' || command === '?' || command === '--help') return { kind: 'help' }
  if (command === 'presets' && words.length === 1) return { kind: 'presets' }

  const { container, person, rest } = readOrder(words)
  const containerId = container && readContainer(container.text)
  const grantee = person && readGrantee(person)
  const strays = rest.filter((word) => readGrantee(word) !== undefined)
  const extras = readExtras(
    rest.filter((word) => !strays.includes(word)),
    settings,
  )
  const noPerson = person && grantee === undefined ? notAPerson(person) : undefined
  const misplaced = [
    ...(container && containerId === undefined ? [notAContainer(container)] : []),
    ...(noPerson?.isMisplaced ? [noPerson.problem] : []),
  ]
  const problems = [
    ...misplaced,
    ...(noPerson && !noPerson.isMisplaced ? [noPerson.problem] : []),
    ...(strays.length > (grantee ? 0 : 1) ? [onePerson] : []),
    ...extras.problems,
    ...(misplaced.length > 0 ? [order] : []),
  ]
  const { permissions, member, authProvider } = extras
  if (problems.length > 0) return { kind: 'problems', problems }
  if (containerId === undefined || grantee === undefined || permissions.length === 0) {
    const prefill = { container: container?.text ?? '', grantee, authProvider, member, permissions }
    return { kind: 'form', prefill }
  }
  return { kind: 'grant', grantee, request: { containerId, authProvider, member, permissions } }
}

/** Container and person come first, in either order, and either may be missing. */
function readOrder(words: readonly Word[]) {
  const [first, second, ...others] = words
  if (first === undefined || readGrantee(first) === undefined) {
    return { container: first, person: second, rest: others }
  }
  const isSwapped = second !== undefined && readContainer(second.text) !== undefined
  return { container: isSwapped ? second : undefined, person: first, rest: words.slice(isSwapped ? 2 : 1) }
}

function readGrantee({ text, mentions }: Word): Grantee | undefined {
  if (mentions !== undefined) return { kind: 'person', userId: mentions }
  const email = text.replace(/,+$/, '')
  return isEmail(email) ? { kind: 'email', email } : undefined
}

function notAContainer({ text }: Word): string {
  return `${quote(text)} is not a container, which is a number.`
}

/** @returns Whether it may stand in a wrong place, too. */
function notAPerson({ text }: Word): { readonly problem: string; readonly isMisplaced: boolean } {
  if (text.startsWith('@')) {
    const problem = `Slack does not say who ${quote(text)} is. Pick the name from Slack’s list, or type the email address.`
    return { problem, isMisplaced: false }
  }
  if (text.split(',').filter(isEmail).length > 1) {
    return { problem: `${quote(text)} is more than one address. ${onePerson}`, isMisplaced: false }
  }
  return { problem: `${quote(text)} is not an email address.`, isMisplaced: true }
}

/** The line that asks for the same, with a preset's name where one fits; none without flags, which a line cannot say. */
export function commandLine(request: GrantRequest, { presets }: GrantSettings): string | undefined {
  const { containerId, email, permissions, member, authProvider } = request
  if (permissions.length === 0) return undefined
  const preset = Object.keys(presets).find((name) => sameFlags(presets[name] ?? [], permissions))
  return [
    '/grant',
    containerId,
    email,
    preset ?? permissions.join(' '),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined
      ? []
      : ['via', /\s/.test(authProvider) ? `"${authProvider}"` : authProvider]),
  ].join(' ')
}

/** Whether two wishes ask for the same. */
export function isSameRequest(one: GrantRequest, other: GrantRequest): boolean {
  return (
    one.containerId === other.containerId &&
    one.email === other.email &&
    one.authProvider === other.authProvider &&
    one.member === other.member &&
    sameFlags(one.permissions, other.permissions)
  )
}

function sameFlags(some: readonly Flag[], others: readonly Flag[]): boolean {
  return some.length === others.length && some.every((flag) => others.includes(flag))
}

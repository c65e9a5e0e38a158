// What somebody asks of `/grant`: a container, a person, flags. Pure. Every problem is reported at once.
import leven from 'leven'
import { quote, readWords, type Word } from '../slack/typed.ts'
import { type Flag, flags, isFlag, type Presets } from './flags.ts'
import type { GrantRequest } from './grants.ts'

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

/** What the operator decides about granting. */
export interface GrantSettings {
  readonly presets: Presets
  /** As the service spells them. */
  readonly authProviders: readonly string[]
}

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
  const problems: string[] = []
  const containerId = container === undefined ? undefined : readContainer(container.text)
  if (container !== undefined && containerId === undefined) {
    problems.push(`${quote(container.text)} is not a container, which is a number.`)
  }
  const grantee = person === undefined ? undefined : readGrantee(person)
  if (person !== undefined && grantee === undefined) problems.push(notAPerson(person))
  const extras = readExtras(rest, settings)
  const isOutOfOrder = problems.length > 0
  problems.push(...extras.problems, ...(isOutOfOrder ? [order] : []))

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

function notAPerson({ text }: Word): string {
  if (text.startsWith('@')) {
    return `Slack does not say who ${quote(text)} is. Pick the name from Slack's list, or type the email address.`
  }
  if (text.split(',').filter(isEmail).length > 1)
    return `${quote(text)} is more than one address. ${onePerson}`
  return `${quote(text)} is not an email address.`
}

interface Extras {
  readonly permissions: readonly Flag[]
  readonly member: boolean
  readonly authProvider: string | undefined
  readonly problems: readonly string[]
}

/** Flags, presets, `member` and `via <provider>`, in any order. */
function readExtras(words: readonly Word[], settings: GrantSettings): Extras {
  const isSecondPerson = (word: Word) => readGrantee(word) !== undefined
  const texts = words
    .filter((word) => !isSecondPerson(word))
    .flatMap(({ text }) => text.split(','))
    .filter((text) => text !== '')
  const wanted = new Set<Flag>()
  const unknown: string[] = []
  const problems = words.some(isSecondPerson) ? [onePerson] : []
  let member = false
  let authProvider: string | undefined
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? ''
    const lower = text.toLowerCase()
    if (lower === 'member') {
      member = true
    } else if (lower === 'via') {
      index += 1
      const named = texts[index]
      authProvider = settings.authProviders.find((one) => one.toLowerCase() === named?.toLowerCase())
      if (authProvider === undefined) problems.push(unknownProvider(named, settings))
    } else {
      const found = readFlags(text, settings.presets)
      if (found === undefined) unknown.push(text)
      for (const flag of found ?? []) wanted.add(flag)
    }
  }
  return {
    permissions: inOrder(wanted),
    member,
    authProvider,
    problems: [...unknownWords(unknown, settings), ...problems],
  }
}

/** The contract's order, without repeats. */
export function inOrder(wanted: ReadonlySet<Flag>): readonly Flag[] {
  return flags.filter((flag) => wanted.has(flag))
}

function readFlags(text: string, presets: Presets): readonly Flag[] | undefined {
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(presets).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : presets[name]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** Each with its nearest names; those without any in one sentence. */
function unknownWords(words: readonly string[], { presets }: GrantSettings): readonly string[] {
  const hints = words.map((word) => ({ word, nearest: nearestNames(word, presets) }))
  const hinted = hints
    .filter(({ nearest }) => nearest.length > 0)
    .map(
      ({ word, nearest }) =>
        `${quote(word)} is not a flag or a preset. Did you mean ${nearest.join(' or ')}?`,
    )
  const lost = hints.filter(({ nearest }) => nearest.length === 0).map(({ word }) => quote(word))
  if (lost.length === 0) return hinted
  const are = lost.length === 1 ? 'is not a flag or a preset' : 'are not flags or presets'
  return [
    ...hinted,
    `${lost.slice(0, 5).join(', ')} ${are}. See /grant presets, or /grant alone for every flag.`,
  ]
}

/** Names that begin with the word, and names that differ in few letters; the nearest first. */
function nearestNames(text: string, presets: Presets): readonly string[] {
  const word = text.toUpperCase().replaceAll('-', '_')
  const furthest = text.length <= 3 ? 1 : Math.max(2, Math.floor(text.length / 3))
  return [...flags, ...Object.keys(presets), 'member', 'via']
    .map((name) => {
      const begins = word.length >= 3 && name.toUpperCase().startsWith(word)
      return { name, distance: begins ? 0 : leven(word, name.toUpperCase()) }
    })
    .filter(({ distance }) => distance <= furthest)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

function unknownProvider(named: string | undefined, { authProviders }: GrantSettings): string {
  const choices = authProviders.join(', ')
  if (named === undefined) return `After “via” comes how the person signs in: ${choices}.`
  return `${quote(named)} is not a sign-in provider. There are: ${choices}.`
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

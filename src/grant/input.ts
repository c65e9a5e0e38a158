// What somebody asks of `/grant`: a container, a person, flags. Pure. Every problem is reported at once.
import leven from 'leven'
import { readWords, type Word } from '../slack/typed.ts'
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

export function parseGrant(line: string, settings: GrantSettings): GrantAsk {
  const words = readWords(line)
  const only = words.length === 1 ? words[0]?.text.toLowerCase() : undefined
  if (only === 'help' || only === 'presets') return { kind: only }

  const [first, second, ...others] = words
  const startsWithPerson = first !== undefined && readGrantee(first) !== undefined
  const container = startsWithPerson ? '' : (first?.text ?? '')
  const person = startsWithPerson ? first : second
  const rest = startsWithPerson ? words.slice(1) : others

  const problems: string[] = []
  const containerId = readContainer(container)
  if (container !== '' && containerId === undefined) {
    problems.push(
      `“${container}” is not a container. It is a number, as in /grant 12 dave@example.com viewer.`,
    )
  }
  const grantee = person === undefined ? undefined : readGrantee(person)
  if (person !== undefined && grantee === undefined) problems.push(notAPerson(person))
  const extras = readExtras(rest, settings)
  problems.push(...extras.problems)

  const { permissions, member, authProvider } = extras
  if (problems.length > 0) return { kind: 'problems', problems }
  if (containerId === undefined || grantee === undefined || permissions.length === 0) {
    return { kind: 'form', prefill: { container, grantee, authProvider, member, permissions } }
  }
  return { kind: 'grant', grantee, request: { containerId, authProvider, member, permissions } }
}

function readGrantee({ text, mentions }: Word): Grantee | undefined {
  if (mentions !== undefined) return { kind: 'person', userId: mentions }
  return isEmail(text) ? { kind: 'email', email: text } : undefined
}

function notAPerson({ text }: Word): string {
  if (text.startsWith('@'))
    return `Slack does not say who “${text}” is. Pick the name from Slack's list, or type the address.`
  if (text.includes(',')) return `“${text}” is more than one address. Grant one person at a time.`
  return `“${text}” is not a mail address.`
}

interface Extras {
  readonly permissions: readonly Flag[]
  readonly member: boolean
  readonly authProvider: string | undefined
  readonly problems: readonly string[]
}

/** Flags, presets, `member` and `via <provider>`, in any order. */
function readExtras(words: readonly Word[], settings: GrantSettings): Extras {
  const texts = words.flatMap(({ text }) => text.split(',')).filter((text) => text !== '')
  const wanted = new Set<Flag>()
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
      const named = texts[index]
      authProvider = settings.authProviders.find((one) => one.toLowerCase() === named?.toLowerCase())
      if (authProvider === undefined) problems.push(unknownProvider(named, settings))
    } else {
      const found = readFlags(text, settings.presets)
      if (found === undefined) problems.push(unknownWord(text, settings.presets))
      for (const flag of found ?? []) wanted.add(flag)
    }
  }
  return { permissions: inOrder(wanted), member, authProvider, problems }
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

function unknownWord(text: string, presets: Presets): string {
  const word = text.toUpperCase().replaceAll('-', '_')
  const furthest = Math.max(2, Math.floor(text.length / 3))
  const nearest = [...flags, ...Object.keys(presets), 'member', 'via']
    .map((name) => ({ name, distance: leven(word, name.toUpperCase()) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
  const hint =
    nearest.length === 0
      ? 'See /grant presets, or /grant alone for a form with every flag.'
      : `Did you mean ${nearest.join(' or ')}?`
  return `“${text}” is not a flag or a preset. ${hint}`
}

function unknownProvider(named: string | undefined, { authProviders }: GrantSettings): string {
  const choices = authProviders.join(', ')
  if (named === undefined) return `After “via” comes how the person signs in: ${choices}.`
  return `“${named}” is not a sign-in provider. There are: ${choices}.`
}

/** The line that asks for the same, with a preset's name where one fits exactly. */
export function commandLine(request: GrantRequest, { presets }: GrantSettings): string {
  const { containerId, email, permissions, member, authProvider } = request
  const preset = Object.keys(presets).find((name) => sameFlags(presets[name] ?? [], permissions))
  return [
    '/grant',
    containerId,
    email,
    preset ?? permissions.join(' '),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : ['via', authProvider]),
  ]
    .filter((word) => word !== '')
    .join(' ')
}

function sameFlags(some: readonly Flag[], others: readonly Flag[]): boolean {
  return some.length === others.length && some.every((flag) => others.includes(flag))
}

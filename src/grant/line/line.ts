// Reads what somebody asks of `/grant`: a container, people, flags. Pure. Every problem is reported at once.
import { quote, type Word } from '../../slack/text/typed.ts'
import type { Flag } from '../flags.ts'
import type { Wish } from '../wish.ts'
import { type GrantSettings, isKnownWord, readExtras } from './extras.ts'
import {
  eachOnce,
  type Grantee,
  notAddresses,
  type Piece,
  readPieces,
  tooMany,
  withoutNames,
} from './people.ts'

/** What was typed so far, for the form. */
export interface Prefill {
  readonly container: string
  readonly grantees: readonly Grantee[]
  readonly authProvider: string | undefined
  readonly member: boolean
  readonly permissions: readonly Flag[]
}

export type GrantAsk =
  | { readonly kind: 'help' | 'presets' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  /** 1 to 20 of them, nobody twice as far as the line tells. */
  | {
      readonly kind: 'grant'
      readonly grantees: readonly Grantee[]
      readonly request: Omit<Wish, 'emails'>
    }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

/** The container's number, or undefined. */
export function readContainer(text: string): number | undefined {
  const isNumber = /^[1-9]\d{0,14}$/.test(text)
  return isNumber ? Number(text) : undefined
}

const order = 'The order is: container, person, flags, as in /grant 12 dave@example.com viewer.'

export function parseGrant(line: string, settings: GrantSettings): GrantAsk {
  const typed = readPieces(line)
  const [first] = typed
  const command = first?.kind === 'word' ? first.word.text.toLowerCase() : undefined
  if (command === 'help' || command === '?' || command === '--help') return { kind: 'help' }
  if (command === 'presets' && typed.length === 1) return { kind: 'presets' }

  const { container, people, noPerson, rest, unclear } = readOrder(typed, settings)
  const containerId = container && readContainer(container.text)
  const grantees = eachOnce(people)
  const extras = readExtras(rest, settings)
  const { atSigns, others } = sortOut(noPerson)
  const isMisnamed = container !== undefined && containerId === undefined && !isNumber(container.text)
  const isMisplaced = others.some(({ isInList }) => !isInList)
  const many = tooMany(grantees)
  const problems = [
    ...(container && containerId === undefined ? [notAContainer(container)] : []),
    ...atSigns.map(notKnown),
    ...(others.length === 0 ? [] : [notAddresses(others.map(({ text }) => text))]),
    ...(many === undefined ? [] : [many]),
    ...unclear.map(maybeAName),
    ...extras.problems,
    ...(isMisnamed || isMisplaced ? [order] : []),
  ]
  const { permissions, member, authProvider } = extras
  if (problems.length > 0) return { kind: 'problems', problems }
  if (containerId === undefined || grantees.length === 0 || permissions.length === 0) {
    const prefill = { container: container?.text ?? '', grantees, authProvider, member, permissions }
    return { kind: 'form', prefill }
  }
  return { kind: 'grant', grantees, request: { containerId, authProvider, member, permissions } }
}

/** Something that stands where a person would. */
interface NoPerson {
  readonly text: string
  /** It stands among people, so that its place is right. */
  readonly isInList: boolean
}

/** Container and people come first, in either order, and either may be missing; further people may come later. */
function readOrder(typed: readonly Piece[], settings: GrantSettings) {
  const isKnown = (word: Word) => isKnownWord(word, settings)
  const [first] = typed
  const leads = first?.kind === 'word' ? first.word : undefined
  const { pieces, unclear } = withoutNames(leads === undefined ? typed : typed.slice(1), isKnown)

  const words = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece] : []))
  const people = pieces.flatMap((piece) => (piece.kind === 'person' ? [piece.grantee] : []))
  const following = pieces.find(({ kind }) => kind !== 'separator')
  const afterPeople = pieces.find(({ kind }) => kind === 'word')
  const noPerson: NoPerson[] = []
  let container = leads
  const rest: Word[] = []
  for (const piece of words) {
    const { word, isInList } = piece
    const isProvider = rest.at(-1)?.text.toLowerCase() === 'via'
    const isAmiss = !isProvider && !isKnown(word) && (isInList || (word.text.includes('@') && !word.isQuoted))
    if (leads !== undefined && piece === following) noPerson.push({ text: word.text, isInList: false })
    else if (leads === undefined && piece === afterPeople && readContainer(word.text) !== undefined) {
      container = word
    } else if (isAmiss) noPerson.push({ text: word.text, isInList: true })
    else rest.push(word)
  }
  return { container, people, noPerson, rest, unclear }
}

/** Names as people type them for mentions, and everything else. */
function sortOut(noPerson: readonly NoPerson[]) {
  return {
    atSigns: noPerson.filter(({ text }) => text.startsWith('@')),
    others: noPerson.filter(({ text }) => !text.startsWith('@')),
  }
}

function isNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text)
}

function notAContainer({ text }: Word): string {
  if (isNumber(text)) return `${quote(text)} is too large: a container’s number has 15 digits at most.`
  return `${quote(text)} is not a container, which is a number.`
}

function notKnown({ text }: NoPerson): string {
  return `Slack does not say who ${quote(text)} is. Pick the name from Slack’s list, or type the email address.`
}

function maybeAName(text: string): string {
  return `${quote(text)} can be a flag or part of a name here. Type the addresses without names, or the flags at the end.`
}

/** The line that asks for the same, with a preset's name where one fits; none without flags, which a line cannot say. */
export function commandLine(wish: Wish, { presets }: GrantSettings): string | undefined {
  const { containerId, emails, permissions, member, authProvider } = wish
  if (permissions.length === 0) return undefined
  const preset = Object.keys(presets).find((name) => sameSet(presets[name] ?? [], permissions))
  return [
    '/grant',
    containerId,
    emails.join(','),
    preset ?? permissions.join(' '),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined
      ? []
      : ['via', /\s/.test(authProvider) ? `"${authProvider}"` : authProvider]),
  ].join(' ')
}

/** Whether two wishes ask for the same. */
export function isSameWish(one: Wish, other: Wish): boolean {
  return (
    one.containerId === other.containerId &&
    sameSet(one.emails, other.emails) &&
    one.authProvider === other.authProvider &&
    one.member === other.member &&
    sameSet(one.permissions, other.permissions)
  )
}

function sameSet<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

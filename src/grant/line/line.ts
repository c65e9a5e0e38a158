// Reads what somebody asks of `/grant`: a container, people, flags. Pure. Every problem is reported at once.
import { quote, type Word, withoutSecrets } from '../../slack/text/typed.ts'
import type { Flag } from '../flags.ts'
import { type GrantSettings, roleOf } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { type Fix, isKnownWord, nearestNames, nearestWord, readExtras } from './extras.ts'
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
  | { readonly kind: 'help' | 'roles' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  /** 1 to 20 of them, nobody twice as far as the line tells. */
  | {
      readonly kind: 'grant'
      readonly grantees: readonly Grantee[]
      readonly request: Omit<Wish, 'emails'>
    }
  | {
      readonly kind: 'problems'
      readonly problems: readonly string[]
      /** The line with its typos mended, as Slack would send it; undefined where that would be a guess. */
      readonly mended: string | undefined
    }

/** The container's number, or undefined. */
export function readContainer(text: string): number | undefined {
  const isNumber = /^[1-9]\d{0,14}$/.test(text)
  return isNumber ? Number(text) : undefined
}

const example = 'For example: /grant 12 dave@example.com viewer'

/** Words that stand alone behind `/grant`. */
const ownWords = ['help', 'roles', 'presets']

/** @param line - As Slack sends it: escaped. Its parts may come in any order that has one meaning. */
export function parseGrant(line: string, settings: GrantSettings): GrantAsk {
  const ask = readLine(line, settings)
  if (ask.kind !== 'problems' || ask.fixes === undefined) return ask
  const mended = mend(line, ask.fixes)
  // What is still wrong then was no typo.
  const isMended = mended !== line && readLine(mended, settings).kind !== 'problems'
  return { kind: 'problems', problems: ask.problems, mended: isMended ? mended : undefined }
}

/** What a line asks. `fixes`: of everything that is wrong with it; undefined where something is no typo. */
type Reading =
  | Exclude<GrantAsk, { kind: 'problems' }>
  | {
      readonly kind: 'problems'
      readonly problems: readonly string[]
      readonly mended: undefined
      readonly fixes: readonly Fix[] | undefined
    }

function readLine(line: string, settings: GrantSettings): Reading {
  const typed = readPieces(line)
  const [first] = typed
  const command = first?.kind === 'word' ? first.word.text.toLowerCase() : undefined
  if (command === 'help' || command === '?' || command === '--help') return { kind: 'help' }
  if ((command === 'roles' || command === 'presets') && typed.length === 1) return { kind: 'roles' }
  const meant = typed.length === 1 && first?.kind === 'word' ? ownWordNear(first.word, settings) : undefined
  if (meant !== undefined && first?.kind === 'word') {
    const { text } = first.word
    const problems = [`/grant doesn’t know ${quote(text)}. Did you mean /grant ${meant}?`]
    return { kind: 'problems', problems, mended: undefined, fixes: [{ from: text, to: meant }] }
  }

  const { container, otherNumbers, people, noPerson, rest, unclear } = sortOut(typed, settings)
  const containerId = container && readContainer(container.text)
  const grantees = eachOnce(people)
  const extras = readExtras(rest, settings)
  const atSigns = noPerson.filter(({ text }) => text.startsWith('@'))
  const others = noPerson.filter(({ text }) => !text.startsWith('@'))
  const isMisnamed = container !== undefined && containerId === undefined && !isNumber(container.text)
  const isMisplaced = others.some(({ isInList, text }) => !isInList && !isName(text))
  const many = tooMany(grantees)
  const beforeExtras = [
    ...(container && containerId === undefined ? [notAContainer(container)] : []),
    ...(container && otherNumbers.length > 0 ? [severalNumbers([container, ...otherNumbers])] : []),
    ...atSigns.map(notKnown),
    ...(others.length === 0 ? [] : [notPeople(others)]),
    ...(many === undefined ? [] : [many]),
    ...unclear.map(maybeAName),
  ]
  const problems = [...beforeExtras, ...extras.problems, ...(isMisnamed || isMisplaced ? [example] : [])]
  const { permissions, member, authProvider } = extras
  if (problems.length > 0) {
    const fixes = beforeExtras.length === 0 ? extras.fixes : undefined
    return { kind: 'problems', problems, mended: undefined, fixes }
  }
  if (containerId === undefined || grantees.length === 0 || permissions.length === 0) {
    const prefill = { container: container?.text ?? '', grantees, authProvider, member, permissions }
    return { kind: 'form', prefill }
  }
  return { kind: 'grant', grantees, request: { containerId, authProvider, member, permissions } }
}

function ownWordNear(word: Word, settings: GrantSettings): string | undefined {
  if (word.isQuoted || isKnownWord(word, settings) || meansNumber(word.text)) return undefined
  // A flag that is as near is meant rather than a word of help.
  return nearestNames(word.text, settings).length > 0 ? undefined : nearestWord(word.text, ownWords)
}

/** Puts what was meant in place of each typo. */
function mend(line: string, fixes: readonly Fix[]): string {
  return fixes.reduce((text, { from, to }) => {
    if (!/^[\w-]+$/.test(from)) return text
    return text.replace(new RegExp(`(?<![^\\s,;"“”„«»])${from}(?![^\\s,;"“”„«»])`), () => to)
  }, line)
}

/** Something that stands where a person would. */
interface NoPerson {
  readonly text: string
  /** It stands among people, so that its place is right. */
  readonly isInList: boolean
}

/**
 * Tells the parts of a line apart by what they are, not by where they stand: the container is a number, people are
 * addresses and mentions, flags have names. What is none of them is taken for what its place suggests.
 */
function sortOut(typed: readonly Piece[], settings: GrantSettings) {
  const isKnown = (word: Word) => isKnownWord(word, settings)
  const isNear = createIsNear(settings)
  const containerPiece = findContainer(typed, isKnown, isNear)
  const { pieces, unclear } = withoutNames(typed, isKnown, (piece) => piece === containerPiece)

  const people = pieces.flatMap((piece) => (piece.kind === 'person' ? [piece.grantee] : []))
  const noPerson: NoPerson[] = []
  const otherNumbers: Word[] = []
  const rest: Word[] = []
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'word' || piece === containerPiece) continue
    const { word, isInList } = piece
    const isProvider = rest.at(-1)?.text.toLowerCase() === 'via'
    const next = pieces.slice(index + 1, index + 3).find(({ kind }) => kind !== 'separator')
    if (isProvider || isFlags(word, settings)) rest.push(word)
    else if (meansNumber(word.text)) {
      if (word.text !== containerPiece?.word.text) otherNumbers.push(word)
    } else if (isInList || (word.text.includes('@') && !word.isQuoted)) {
      noPerson.push({ text: word.text, isInList: true })
    } else if (next?.kind === 'person' && !isNear(word)) {
      noPerson.push({ text: word.text, isInList: false })
    } else rest.push(word)
  }
  if (people.length === 0 && noPerson.length === 0) {
    // Where nobody is named, a word that means nothing stands for somebody: one that resembles a flag only beside flags.
    const unknown = rest.filter((word, index) => !isFlags(word, settings) && !isVia(rest[index - 1]))
    const isBesideFlags = unknown.length < rest.length
    const named = unknown.find((word) => !isNear(word)) ?? (isBesideFlags ? unknown[0] : undefined)
    if (named !== undefined) {
      noPerson.push({ text: named.text, isInList: false })
      rest.splice(rest.indexOf(named), 1)
    }
  }
  return { container: containerPiece?.word, otherNumbers, people, noPerson, rest, unclear }
}

/** A word that means something behind container and person, or a quoted list of such words. */
function isFlags(word: Word, settings: GrantSettings): boolean {
  if (!word.isQuoted) return isKnownWord(word, settings)
  return word.text.split(',').every((text) => isKnownWord({ text: text.trim(), isQuoted: false }, settings))
}

/** More words than somebody mistypes: the others are like no flag. */
const mostLooks = 40

/** Tells whether a word is like a flag. Looks at the first few that it is asked of. */
function createIsNear(settings: GrantSettings): (word: Word) => boolean {
  let looks = 0
  return ({ text }) => {
    looks += 1
    return looks <= mostLooks && nearestNames(text, settings).length > 0
  }
}

type WordPiece = Extract<Piece, { kind: 'word' }>

/** The first number; without any, what stands first, unless that means something else. */
function findContainer(
  typed: readonly Piece[],
  isKnown: (word: Word) => boolean,
  isNear: (word: Word) => boolean,
): WordPiece | undefined {
  const isUnknown = (word: Word) => !isKnown(word) && !isNear(word)
  const words = typed.filter((piece) => piece.kind === 'word')
  const numbers = words.filter(({ word }, index) => meansNumber(word.text) && !isVia(words[index - 1]?.word))
  const [first] = typed
  const leads =
    first?.kind === 'word' && !first.isInList && !first.word.text.includes('@') && isUnknown(first.word)
      ? first
      : undefined
  // An operator may have named a role by a number.
  return numbers.find(({ word }) => !isKnown(word)) ?? numbers[0] ?? leads
}

function isVia(word: Word | undefined): boolean {
  return word?.text.toLowerCase() === 'via'
}

function isNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text)
}

/** Also what is no container’s number, such as `0`, `-1` and `12.5`. */
function meansNumber(text: string): boolean {
  return /^[-+]?\d[\d.e]*$/i.test(text)
}

function notAContainer({ text }: Word): string {
  if (isNumber(text)) return `${quote(text)} is too long for a container number, which has 15 digits at most.`
  return `${quote(text)} isn’t a container number.`
}

function severalNumbers(numbers: readonly Word[]): string {
  const named = numbers.slice(0, 5).map(({ text }) => quote(text))
  return `You typed ${numbers.length} numbers: ${named.join(', ')}. A grant is for one container at a time.`
}

function notKnown({ text }: NoPerson): string {
  return `Slack doesn’t know ${quote(text)} here. Pick the name from Slack’s list, or type the email address.`
}

/** As people write a name or a handle, and nothing that may be a token. */
function isName(text: string): boolean {
  return /^\p{L}[\p{L}\p{N}._-]{0,40}$/u.test(text) && withoutSecrets(text) === text
}

/** A bare name is nobody: Slack’s list says who is meant. */
function notPeople(others: readonly NoPerson[]): string {
  const said = notAddresses(others.map(({ text }) => text))
  const [only, ...more] = others
  if (only === undefined || more.length > 0 || !isName(only.text)) return said
  return `${said} For somebody in this Slack, type @${only.text} and pick the name from Slack’s list.`
}

function maybeAName(text: string): string {
  return `${quote(text)} could be a flag or part of a name here. Leave the names out, or put the flags last.`
}

/** The line that asks for the same, with a role's name where one fits; none without flags, which a line cannot say. */
export function commandLine(wish: Wish, { roles }: GrantSettings): string | undefined {
  const { containerId, emails, permissions, member, authProvider } = wish
  if (permissions.length === 0) return undefined
  const role = roleOf(permissions, roles)
  return [
    '/grant',
    containerId,
    emails.join(','),
    role ?? permissions.join(' '),
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

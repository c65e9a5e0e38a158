// Reads what somebody asks of `/grant`: a container, people, flags. Pure. Every problem is reported at once.
import { quote, type Word, withoutSecrets } from '../../slack/text/typed.ts'
import type { Flag } from '../flags.ts'
import { type GrantSettings, roleOf } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { isKnownWord, nearestNames, nearestWord, readExtras } from './extras.ts'
import { eachOnce, type Grantee, notAddresses, readPieces, tooMany } from './people.ts'

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
  /** With the line as Slack sent it, which is shown beside them. */
  | { readonly kind: 'problems'; readonly problems: readonly string[]; readonly line: string }

/** The container's number, or undefined. */
export function readContainer(text: string): number | undefined {
  const isNumber = /^[1-9]\d{0,14}$/.test(text)
  return isNumber ? Number(text) : undefined
}

const example = 'For example: /grant 12 dave@example.com viewer'

/** Words that stand alone behind `/grant`. */
const ownWords = ['help', 'roles']

/** @param line - As Slack sends it: escaped. Its parts may come in any order: each is told by what it is. */
export function parseGrant(line: string, settings: GrantSettings): GrantAsk {
  const pieces = readPieces(line)
  const words = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.word] : []))
  const alone = pieces.length === 1 ? words[0] : undefined
  const command = alone?.text.toLowerCase()
  if (command === 'help' || command === '?' || command === '--help') return { kind: 'help' }
  if (command === 'roles') return { kind: 'roles' }
  const meant = alone && ownWordNear(alone, settings)
  if (alone !== undefined && meant !== undefined) {
    const problem = `/grant doesn’t know ${quote(alone.text)}. Did you mean /grant ${meant}?`
    return { kind: 'problems', problems: [problem], line }
  }

  const grantees = eachOnce(pieces.flatMap((piece) => (piece.kind === 'person' ? [piece.grantee] : [])))
  const { numbers, handles, noAddresses, rest } = sortOut(words)
  const name =
    grantees.length + handles.length + noAddresses.length === 0 ? bareName(rest, settings) : undefined
  const extras = readExtras(
    rest.filter((word) => word !== name),
    settings,
  )
  const [container, ...others] = numbers
  const containerId = container === undefined ? undefined : readContainer(container)
  const many = tooMany(grantees)
  const problems = [
    ...(container === undefined || containerId !== undefined ? [] : [notAContainer(container)]),
    ...(others.length === 0 ? [] : [severalNumbers(numbers)]),
    ...handles.map(notKnown),
    ...(noAddresses.length === 0 ? [] : [notAddresses(noAddresses)]),
    ...(name === undefined ? [] : [notAPerson(name.text)]),
    ...(many === undefined ? [] : [many]),
    ...extras.problems,
    ...(name === undefined ? [] : [example]),
  ]
  if (problems.length > 0) return { kind: 'problems', problems, line }
  const { permissions, member, authProvider } = extras
  if (containerId === undefined || grantees.length === 0 || permissions.length === 0) {
    const prefill = { container: container ?? '', grantees, authProvider, member, permissions }
    return { kind: 'form', prefill }
  }
  return { kind: 'grant', grantees, request: { containerId, authProvider, member, permissions } }
}

function ownWordNear(word: Word, settings: GrantSettings): string | undefined {
  if (word.isQuoted || isKnownWord(word, settings) || meansNumber(word.text)) return undefined
  // A flag that is as near is meant rather than a word of help.
  return nearestNames(word.text, settings).length > 0 ? undefined : nearestWord(word.text, ownWords)
}

/** Tells words apart: numbers, handles that Slack made no mention of, what is meant for an address, and the rest. */
function sortOut(words: readonly Word[]) {
  const numbers = new Set<string>()
  const handles: string[] = []
  const noAddresses: string[] = []
  const rest: Word[] = []
  for (const word of words) {
    const { text, isQuoted } = word
    if (rest.at(-1)?.text.toLowerCase() === 'via') rest.push(word)
    else if (meansNumber(text)) numbers.add(text)
    else if (text.startsWith('@') && !isQuoted) handles.push(text)
    else if (text.includes('@') && !isQuoted) noAddresses.push(text)
    else rest.push(word)
  }
  return { numbers: [...numbers], handles, noAddresses, rest }
}

/** More words than somebody mistypes. */
const mostNames = 20

/** A word that is like no flag and no role, where nobody is named: somebody's bare name. */
function bareName(rest: readonly Word[], settings: GrantSettings): Word | undefined {
  return rest.slice(0, mostNames).find((word, index) => {
    const isProvider = rest[index - 1]?.text.toLowerCase() === 'via'
    return (
      !isProvider &&
      !word.isQuoted &&
      !isKnownWord(word, settings) &&
      nearestNames(word.text, settings).length === 0
    )
  })
}

/** Also what is no container’s number, such as `0`, `-1` and `12.5`. */
function meansNumber(text: string): boolean {
  return /^[-+]?\d[\d.e]*$/i.test(text)
}

function notAContainer(text: string): string {
  if (/^[1-9]\d*$/.test(text)) {
    return `${quote(text)} is too long for a container number, which has 15 digits at most.`
  }
  return `${quote(text)} isn’t a container number.`
}

function severalNumbers(numbers: readonly string[]): string {
  const named = numbers.slice(0, 5).map(quote)
  return `You typed ${numbers.length} numbers: ${named.join(', ')}. A grant is for one container at a time.`
}

function notKnown(handle: string): string {
  return `Slack doesn’t know ${quote(handle)} here. Pick the name from Slack’s list, or type the email address.`
}

/** A bare name is nobody: Slack’s list says who is meant. */
function notAPerson(text: string): string {
  const isName = /^\p{L}[\p{L}\p{N}._-]{0,40}$/u.test(text) && withoutSecrets(text) === text
  const said = notAddresses([text])
  return isName
    ? `${said} For somebody in this Slack, type @${text} and pick the name from Slack’s list.`
    : said
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

// Reads what somebody asks of `/grant`: a container, people, flags. Pure. Every problem is reported at once.
import { containersCalled, type KnownContainer, notOneCalled } from '../../names/containers.ts'
import { quote, withoutSecrets } from '../../slack/text/typed.ts'
import type { Access } from '../access.ts'
import type { Flag } from '../flags.ts'
import { type GrantSettings, roleOf } from '../roles.ts'
import { guessed, readExtras, unknownWords } from './extras.ts'
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
      readonly request: Omit<Access, 'emails'>
    }
  /** With the line as Slack sent it, which is shown beside them. */
  | {
      readonly kind: 'problems'
      readonly problems: readonly string[]
      readonly line: string
      /** A word is like nothing that is known: it may be the name of a container. */
      readonly mayName: boolean
    }

/** The container's number, or undefined. */
export function readContainer(text: string): number | undefined {
  const isNumber = /^[1-9]\d{0,14}$/.test(text)
  return isNumber ? Number(text) : undefined
}

const example = 'For example: /grant 12 dave@example.com viewer'

/**
 * @param line - As Slack sends it: escaped. Its parts may come in any order: each is told by what it is.
 * @param known - Containers whose names its writer may use.
 */
export function parseGrant(
  line: string,
  settings: GrantSettings,
  known: readonly KnownContainer[] = [],
): GrantAsk {
  const pieces = readPieces(line)
  const words = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.text] : []))
  const alone = pieces.length === 1 ? words[0]?.toLowerCase() : undefined
  if (alone === 'help' || alone === '?' || alone === '--help') return { kind: 'help' }
  if (alone === 'roles') return { kind: 'roles' }

  const grantees = eachOnce(pieces.filter((piece) => piece.kind !== 'word'))
  const { number: numbers = [], handle = [], wrong = [], other: rest = [] } = Object.groupBy(words, kindOf)
  // Flags and roles are what they are, whatever containers are called.
  const called = rest
    .filter((word) => readExtras([word], settings).unknown.length > 0)
    .map((word) => ({ word, ids: containersCalled(word, known) }))
    .filter(({ ids }) => ids.length > 0)
  const other = rest.filter((word) => !called.some((one) => one.word === word))
  const { unknown, permissions, member, authProvider, problems: viaProblems } = readExtras(other, settings)
  const [container, ...others] = new Set([
    ...numbers,
    ...called.flatMap(({ ids }) => ids.slice(0, 1)).map(String),
  ])
  const containerId = container === undefined ? undefined : readContainer(container)

  const isAnybodyNamed = grantees.length + handle.length + wrong.length > 0
  // Nothing else has blanks in it.
  const strange = isAnybodyNamed && container === undefined ? unknown.filter((word) => /\s/.test(word)) : []
  const guesses = guessed(unknown, settings)
  const unlike = guesses.find(({ nearest }) => nearest?.length === 0)?.word
  // A word that is like nothing else, where nobody is named, is somebody's bare name.
  const name = isAnybodyNamed ? undefined : unlike
  const problems = [
    ...(container === undefined || containerId !== undefined
      ? []
      : [`${quote(container)} isn’t a container number.`]),
    ...(container === undefined || others.length === 0 ? [] : [severalNumbers([container, ...others])]),
    ...handle.map(notKnown),
    ...(wrong.length === 0 ? [] : [notAddresses(wrong)]),
    ...(name === undefined ? [] : [notAPerson(name)]),
    ...tooMany(grantees),
    ...called.flatMap(({ word, ids }) => (ids.length > 1 ? [notOneCalled(word, ids)] : [])),
    ...strange.map((word) => notOneCalled(word, [])),
    ...unknownWords(guesses.filter(({ word }) => word !== name && !strange.includes(word))),
    ...viaProblems,
    ...(name === undefined ? [] : [example]),
  ]
  if (problems.length > 0) return { kind: 'problems', problems, line, mayName: unlike !== undefined }
  if (containerId === undefined || grantees.length === 0 || permissions.length === 0) {
    const prefill = { container: container ?? '', grantees, authProvider, member, permissions }
    return { kind: 'form', prefill }
  }
  return { kind: 'grant', grantees, request: { containerId, authProvider, member, permissions } }
}

/** `handle`: Slack made no mention of it. `wrong`: it was meant for an address. */
function kindOf(word: string): 'number' | 'handle' | 'wrong' | 'other' {
  if (meansNumber(word)) return 'number'
  if (word.startsWith('@')) return 'handle'
  return word.includes('@') ? 'wrong' : 'other'
}

/** Also what is no container’s number, such as `0`, `-1` and `12.5`. */
function meansNumber(text: string): boolean {
  return /^[-+]?\d[\d.e]*$/i.test(text)
}

function severalNumbers(numbers: readonly string[]): string {
  const named = numbers.slice(0, 5).map(quote)
  return `You typed ${numbers.length} numbers: ${named.join(', ')}. A grant is for one container at a time.`
}

function notKnown(handle: string): string {
  return `Slack knows no person ${quote(handle)} here. Pick somebody from Slack’s list, not a group, or type the email address.`
}

/** A bare name is nobody: Slack’s list says who is meant. */
function notAPerson(text: string): string {
  const isName = /^\p{L}[\p{L}\p{N}._-]{0,40}$/u.test(text) && withoutSecrets(text) === text
  const said = notAddresses([text])
  return isName
    ? `${said} For somebody in this Slack, type @${text} and pick the name from Slack’s list.`
    : said
}

/** The line that asks for the same, with a role's name where one fits; none without flags, or for a change: no line says that. */
export function commandLine(access: Access, { roles }: GrantSettings): string | undefined {
  const { containerId, emails, permissions, member, authProvider, there } = access
  if (permissions.length === 0 || there !== undefined) return undefined
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

// Reads what somebody asks of `/grant`: a container, people, flags. Pure. Every problem is reported at once.
import { containersCalled, type KnownContainer, notOneCalled } from '../../names/containers.ts'
import { nearestTo } from '../../slack/text/nearest.ts'
import { quote, withoutSecrets } from '../../slack/text/typed.ts'
import type { Access } from '../access.ts'
import { type Flag, flags, inOrder, isFlag } from '../flags.ts'
import { type GrantSettings, type Roles, roleOf } from '../roles.ts'
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
  const numbersTyped = [container ?? '', ...others].map(quote)

  const isAnybodyNamed = grantees.length + handle.length + wrong.length > 0
  // Nothing else has blanks in it.
  const strange = isAnybodyNamed && container === undefined ? unknown.filter((word) => /\s/.test(word)) : []
  const nearest = new Map(unknown.slice(0, mostHints).map((word) => [word, nearestNames(word, settings)]))
  const unlike = unknown.find((word) => nearest.get(word)?.length === 0)
  // A word that is like nothing else, where nobody is named, is somebody's bare name.
  const name = isAnybodyNamed ? undefined : unlike
  const problems = [
    ...(container === undefined || containerId !== undefined
      ? []
      : [`${quote(container)} isn’t a container number.`]),
    ...(others.length === 0
      ? []
      : [
          `You typed ${numbersTyped.length} numbers: ${numbersTyped.slice(0, 5).join(', ')}. A grant is for one container at a time.`,
        ]),
    ...handle.map(
      (one) =>
        `Slack knows no person ${quote(one)} here. Pick somebody from Slack’s list, not a group, or type the email address.`,
    ),
    ...(wrong.length === 0 ? [] : [notAddresses(wrong)]),
    ...(name === undefined ? [] : [notAPerson(name)]),
    ...tooMany(grantees),
    ...called.flatMap(({ word, ids }) => (ids.length > 1 ? [notOneCalled(word, ids)] : [])),
    ...strange.map((word) => notOneCalled(word, [])),
    ...unknownWords(
      unknown.filter((word) => word !== name && !strange.includes(word)),
      nearest,
    ),
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

/**
 * `number`: also what is no container’s number, such as `0`, `-1` and `12.5`. `handle`: Slack made no mention of it. `wrong`:
 * it was meant for an address.
 */
function kindOf(word: string): 'number' | 'handle' | 'wrong' | 'other' {
  if (/^[-+]?\d[\d.e]*$/i.test(word)) return 'number'
  if (word.startsWith('@')) return 'handle'
  return word.includes('@') ? 'wrong' : 'other'
}

/** A bare name is nobody: Slack’s list says who is meant. */
function notAPerson(text: string): string {
  const isName = /^\p{L}[\p{L}\p{N}._-]{0,40}$/u.test(text) && withoutSecrets(text) === text
  const said = notAddresses([text])
  return isName
    ? `${said} For somebody in this Slack, type @${text} and pick the name from Slack’s list.`
    : said
}

/**
 * Flags, roles, `member` and `via <provider>`, in any order.
 * @param words - Raw; each may be a list with commas.
 * @returns `unknown`: words that are nothing of all this. `problems`: with `via`, a sentence each, raw.
 */
function readExtras(words: readonly string[], { roles, authProviders }: GrantSettings) {
  const texts = words.flatMap((word) => word.split(',').map((text) => text.trim())).filter(Boolean)
  const wanted = new Set<Flag>()
  const unknown: string[] = []
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
      authProvider = authProviders.find((one) => one.toLowerCase() === named?.toLowerCase())
      if (authProvider === undefined) problems.push(unknownProvider(named, authProviders))
    } else {
      const found = readFlags(text, roles)
      if (found === undefined) unknown.push(text)
      for (const flag of found ?? []) wanted.add(flag)
    }
  }
  return { permissions: inOrder(wanted), member, authProvider, unknown, problems }
}

function readFlags(text: string, roles: Roles): readonly Flag[] | undefined {
  // Letters that only become plain ones in capitals, such as ſ and ı, are others.
  if (!/^[\x20-\x7e]*$/.test(text)) return Object.hasOwn(roles, text) ? roles[text] : undefined
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(roles).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : roles[name]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** More words than somebody mistypes: the others are named without a hint. */
const mostHints = 20

/** Each with its nearest names; those without any in one sentence. */
function unknownWords(
  words: readonly string[],
  nearest: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const { hinted = [], lost = [] } = Object.groupBy(words, (word) =>
    nearest.get(word)?.length ? 'hinted' : 'lost',
  )
  const hints = hinted.map(
    (word) => `${quote(word)} isn’t a flag or a role. Did you mean ${oneOf.format(nearest.get(word) ?? [])}?`,
  )
  if (lost.length === 0) return hints
  const are = lost.length === 1 ? 'isn’t a flag or a role' : 'aren’t flags or roles'
  const named = lost.slice(0, 5).map(quote).join(', ')
  return [...hints, `${named} ${are}. See /grant roles, or type /grant alone for every flag.`]
}

/** Flags, roles and words of the line that begin with a word, else those that somebody may have meant by it. */
function nearestNames(text: string, { roles }: GrantSettings): readonly string[] {
  const names = [...flags, ...Object.keys(roles), 'member', 'via', 'help', 'roles']
  const word = plainName(text)
  const begun = word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word))
  return begun.length > 0 ? begun.slice(0, 3) : nearestTo(word, names, word.length <= 3 ? 1 : 2)
}

/** “Password, Google or Microsoft”. */
const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function unknownProvider(named: string | undefined, providers: readonly string[]): string {
  const choices = oneOf.format(providers)
  return named === undefined
    ? `After “via”, say how the person signs in: ${choices}.`
    : `${quote(named)} isn’t a sign-in provider. Choose one of these: ${choices}.`
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

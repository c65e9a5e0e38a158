// Reads a `/grant` line, its parts in any order, and pasted addresses. Reports every problem at once. Pure.

import { isSameAddress } from '../monitor/schema.ts'
import { containersCalled, type KnownContainer, notOneCalled } from '../names/containers.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import {
  hasUnseen,
  nearestTo,
  quote,
  readId,
  readWords,
  unbracketed,
  unmarked,
  type Word,
} from '../slack/text/typed.ts'
import { type Access, mostPeople } from './access.ts'
import {
  type Flag,
  flags,
  type GrantSettings,
  handlesAlerts,
  inList,
  inOrder,
  isFlag,
  roleOf,
} from './roles.ts'

export interface Prefill {
  readonly container: string
  /** Addresses, and people of this Slack as `@U1`. */
  readonly grantees: readonly string[]
  readonly authProvider: string | undefined
  readonly member: boolean
  readonly permissions: readonly Flag[]
}

export type GrantAsk =
  | { readonly kind: 'help' | 'roles' }
  | { readonly kind: 'form'; readonly prefill: Prefill }
  /** 1 to 20 grantees, nobody twice as far as the line tells. */
  | {
      readonly kind: 'grant'
      readonly grantees: Prefill['grantees']
      readonly request: Omit<Access, 'emails'>
    }
  /** `line`: as Slack sent it, shown beside the problems. */
  | {
      readonly kind: 'problems'
      readonly problems: readonly string[]
      readonly line: string
      /** An unknown word may be the name of a container. */
      readonly mayName: boolean
    }

/** @param line - Escaped, as Slack sends it. @param known - Containers whose names its writer may use. */
export function parseGrant(
  line: string,
  settings: GrantSettings,
  known: readonly KnownContainer[] = [],
): GrantAsk {
  const { grantees, words } = readPieces(line)
  const alone = grantees.length === 0 && words.length === 1 ? words[0]?.toLowerCase() : undefined
  if (alone === 'help' || alone === '?' || alone === '--help') return { kind: 'help' }
  if (alone === 'roles') return { kind: 'roles' }
  if (/^(?:remove|revoke|delete|list|who)$/i.test(words[0] ?? ''))
    return { kind: 'problems', problems: [onlyGives], line, mayName: false }

  const { number: numbers = [], handle = [], wrong = [], other = [] } = Object.groupBy(words, wordKind)
  const meant = other
    .map((word) => ({ word, ids: containersCalled(word, known) }))
    // Flags and roles win over names of containers.
    .filter(({ word, ids }) => ids.length > 0 && readFlags(word, settings.roles) === undefined)
  const rest = other.filter((word) => !meant.some((one) => one.word === word))
  const { unknown, problems: ofExtras, ...extras } = readExtras(rest, settings)
  const containers = [...new Set([...numbers, ...meant.map(({ ids }) => String(ids[0]))])]
  const [container = ''] = containers
  const containerId = readId(container)
  const problems: string[] = []
  if (container !== '' && containerId === undefined)
    problems.push(`${quote(container)} isn’t a container number.`)
  if (containers.length > 1) {
    const asNamed = (id: string) => {
      const named = meant.find(({ ids }) => String(ids[0]) === id)
      return named === undefined ? quote(id) : `${quote(named.word)} (${id})`
    }
    const all = containers.slice(0, 5).map(asNamed).join(', ')
    problems.push(`You named ${containers.length} containers: ${all}. A grant is for one at a time.`)
  }
  problems.push(...handle.map(unknownHandle), ...notAddresses(wrong), ...tooMany(grantees))
  for (const { word, ids } of meant) if (ids.length > 1) problems.push(notOneCalled(word, ids))
  const { near = [], lost = [] } = Object.groupBy(new Set(unknown), (word) =>
    nearestNames(word, settings).length > 0 ? 'near' : 'lost',
  )
  problems.push(...near.map((word) => didYouMean(word, nearestNames(word, settings))))
  if (lost.length > 0) problems.push(nothingKnown(lost))
  problems.push(...ofExtras)
  if (problems.length > 0) return { kind: 'problems', problems, line, mayName: lost.length > 0 }
  if (containerId === undefined || grantees.length === 0 || extras.permissions.length === 0)
    return { kind: 'form', prefill: { container, grantees, ...extras } }
  return { kind: 'grant', grantees, request: { containerId, ...extras } }
}

const onlyGives =
  'I can only give access so far. To see or take away what somebody has, open the container in monitoring.'

function unknownHandle(handle: string): string {
  return `Slack knows no person ${quote(handle)} here. Pick somebody from Slack’s list, not a group or a channel, or type the email address.`
}

/** `number`: also bad ones, such as `0`, `-1` and `12.5`. `handle`: no mention in Slack. `wrong`: no valid address. */
function wordKind(word: string): 'number' | 'handle' | 'wrong' | 'other' {
  if (/^[-+]?\d[\d.e]*$/i.test(word)) return 'number'
  if (/^(?:@|#[^\s#]+$)/.test(word)) return 'handle'
  return word.includes('@') ? 'wrong' : 'other'
}

/** Flags, roles, `member` and `via <provider>`, in any order. @param words - Raw; each may be a list with commas. */
function readExtras(words: readonly string[], { roles, authProviders }: GrantSettings) {
  const texts = words.flatMap((word) => word.split(',').map((text) => text.trim())).filter(Boolean)
  const wanted: Flag[] = []
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
      authProvider = authProviders.find((one) => one.toLowerCase() === texts[index]?.toLowerCase())
      if (authProvider === undefined)
        problems.push(`After “via”, say how the person signs in: ${oneOf.format(authProviders)}.`)
    } else {
      const found = readFlags(text, roles)
      if (found === undefined) unknown.push(text)
      wanted.push(...(found ?? []))
    }
  }
  const permissions = inOrder(wanted)
  member ||= handlesAlerts(permissions)
  return { permissions, member, authProvider, unknown, problems }
}

function readFlags(text: string, roles: GrantSettings['roles']): readonly Flag[] | undefined {
  // Letters that only become plain ones in capitals, such as ſ and ı, are others.
  if (/[^\x20-\x7e]/.test(text)) return undefined
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(roles).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : roles[name]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** “Password, Google or Microsoft”. */
export const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function didYouMean(word: string, names: readonly string[]): string {
  return `${quote(word)} isn’t a flag or a role. Did you mean ${oneOf.format(names)}?`
}

function nothingKnown(words: readonly string[]): string {
  const are = words.length === 1 ? 'isn’t' : 'aren’t'
  const named = words.slice(0, 5).map(quote).join(', ')
  return `${named} ${are} a flag, a role, an email address or a container I’ve seen. For a person, type @ and pick the name from Slack’s list. For roles, see /grant roles.`
}

/** Flags, roles and words of the line that begin with a word, else those that somebody may have meant by it. */
function nearestNames(text: string, { roles }: GrantSettings): readonly string[] {
  const names = [...flags, ...Object.keys(roles), 'member', 'via', 'help', 'roles']
  const word = plainName(text)
  const begun = word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word))
  return begun.length > 0 ? begun.slice(0, 3) : nearestTo(word, names, word.length <= 3 ? 1 : 2)
}

export function asProvider(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name
}

/** Nobody retypes a longer line. */
const longestLine = 1_000

/** A line that asks for the same; none without flags, for a change, or for alert handlers who aren’t members. */
export function commandLine(access: Access, { roles }: GrantSettings): string | undefined {
  const { containerId, emails, permissions, member, authProvider, there } = access
  const isImplied = handlesAlerts(permissions)
  if (permissions.length === 0 || there !== undefined || (isImplied && !member)) return undefined
  const what = roleOf(permissions, roles) ?? permissions.join(' ')
  const via = authProvider === undefined ? '' : ` via ${asProvider(authProvider)}`
  const extras = `${member && !isImplied ? ' member' : ''}${via}`
  const line = `/grant ${containerId} ${emails.join(',')} ${what}${extras}`
  return line.length > longestLine ? undefined : line
}

const longestEmail = 254
const longestNamed = 600

/** Quotes, brackets and colons stand around addresses, not in them. Domains have two labels or more, in any script. */
const address = /^[^\s@<>()[\]\\,;:"\ufffd]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

export function isEmail(text: string): boolean {
  return text.length <= longestEmail && !hasUnseen(text) && address.test(text)
}

/** Splits a line into people and other words, raw. @param typed - As Slack sends it: escaped. */
function readPieces(typed: string): {
  readonly grantees: readonly string[]
  readonly words: readonly string[]
} {
  const apart = unbracketed(typed)
    // Slack’s links and mentions, and what is in quotes, are words of their own, whatever they touch.
    .replaceAll(/([>"”»][*_~`]*)(?=[,;])/g, '$1 ')
    .replaceAll(/([,;])(?=[*_~`]*[<"“„«])/g, '$1 ')
  const pieces = readWords(apart).flatMap(granteesAndWords)
  const grantees = pieces.flatMap(({ grantee }) => grantee ?? [])
  return { grantees: eachOnce(grantees), words: pieces.flatMap(({ word }) => word ?? []) }
}

function granteesAndWords(read: Word): readonly { readonly grantee?: string; readonly word?: string }[] {
  const { text, mentions, isQuoted, isPartlyLinked } = read
  if (mentions !== undefined) return [{ grantee: `@${mentions}` }]
  const pieces = text
    .split(isQuoted ? /[\s,;]+/ : /[,;]/)
    .filter((part) => part !== '')
    .map(unmarked)
    .map((part) => {
      // Where Slack sees an address that ends within the word, nobody can say what else of it was meant.
      const grantee = isPartlyLinked && !isQuoted ? undefined : emailIn(part)
      return grantee === undefined ? { word: part } : { grantee }
    })
  // A quoted list of flags is one word.
  return isQuoted && pieces.some(({ word }) => word !== undefined) ? [{ word: text }] : pieces
}

/** Strips what stands around an address, and straightens apostrophes: phones type curly ones. */
function emailIn(text: string): string | undefined {
  const linked = /^<([^<>|]+)>$/.exec(text)?.[1] ?? text
  // Brackets stay: what Slack links under another address is shown in them, and nobody can say which was meant.
  const email = linked
    .replace(/^mailto:/i, '')
    .replace(/[.!?]{1,3}$/, '')
    .replaceAll(/[’‘]/g, "'")
    .replace(/^'([^']+)'$/, '$1')
  return isEmail(email) ? email : undefined
}

/**
 * Addresses of a list as somebody pastes it from a mail program, and all that is wrong with it, in one text.
 * @param text - Raw. “Doe, Jane <jane@example.com>” stands alone between semicolons, or on a line.
 */
export function readEmails(text: string): {
  readonly emails: readonly string[]
  readonly problem: string | undefined
} {
  const words = text.split(/[;\r\n]+/).flatMap(withoutNames)
  const emails = eachOnce(words.flatMap((word) => emailIn(word) ?? []))
  if (emails.length === 0) return { emails, problem: 'Type an email address, such as dave@example.com.' }
  const wrong = words.filter((word) => emailIn(word) === undefined)
  return { emails, problem: [...notAddresses(wrong), ...tooMany(emails)].join(' ') || undefined }
}

/** Drops names before “<address>”, as mail programs have it: beside one, only words with an @ count. */
function withoutNames(entry: string): readonly string[] {
  const words = entry.split(/[\s,<>"]+/).filter((word) => word !== '')
  return /<[^<>]*@[^<>]*>/.test(entry) ? words.filter((word) => word.includes('@')) : words
}

/** Everybody once, in the order they were named: addresses that differ in capitals alone are one person’s. */
export function eachOnce(grantees: readonly string[]): readonly string[] {
  return grantees.filter((one, at) => grantees.findIndex((other) => isSameAddress(one, other)) === at)
}

function tooMany({ length }: readonly unknown[]): readonly string[] {
  if (length <= mostPeople) return []
  return [`That’s ${length} people. You can grant access to ${mostPeople} at a time.`]
}

const mostNamed = 10
function notAddresses(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return []
  const named = texts.slice(0, mostNamed).map(quote)
  const more = texts.length - named.length
  const all = inList.format([...named, ...(more > 0 ? [`${more} more`] : [])])
  return [`${all} ${texts.length === 1 ? 'isn’t an email address' : 'aren’t email addresses'}.`]
}

/** A warning, raw, in one line, where letters only look like a to z; empty when every address is in plain letters. */
export function lookAlikeReasons({ emails }: Access): readonly string[] {
  const odd = emails.filter((email) => /[^\x21-\x7e]/.test(email))
  if (odd.length === 0) return []
  const named = cut(odd.join(', '), longestNamed)
  return [`Careful: some of these letters aren’t a to z, even if they look like it: ${named}`]
}

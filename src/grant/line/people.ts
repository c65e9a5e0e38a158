// People as they are typed or pasted: addresses, mentions, “Name <address>” in the form; by comma, semicolon, space or
// line. Pure.
import { cut } from '../../slack/text/mrkdwn.ts'
import { hasUnseen, quote, readWords, unbracketed, type Word } from '../../slack/text/typed.ts'
import { type Access, mostPeople } from '../access.ts'
import { inList } from '../roles.ts'

/** Who is to get access: an address, or somebody of this Slack whose address is to be found. */
export type Grantee =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'person'; readonly userId: string }

/** One of them, or another word, raw. */
export type Piece = Grantee | { readonly kind: 'word'; readonly text: string }

const longestEmail = 254
const longestNamed = 600

/**
 * Without quotes, brackets and colons, which stand around addresses rather than in them. A domain is labels of letters,
 * digits and hyphens, of any script: at least two, as nobody has an account at `dave@exmple`.
 */
const address = /^[^\s@<>()[\]\\,;:"\ufffd]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

export function isEmail(text: string): boolean {
  return text.length <= longestEmail && !hasUnseen(text) && address.test(text)
}

/** Splits a line into people and other words. @param typed - As Slack sends it: escaped. */
export function readPieces(typed: string): readonly Piece[] {
  const apart = unbracketed(typed)
    // Slack makes a link of an address that stands in brackets, too.
    .replaceAll(/&lt;(?:mailto:)?<mailto:([^<>|]+)(?:\|[^<>]*)?>&gt;/gi, ' $1 ')
    // Slack’s links and mentions, and what is in quotes, are words of their own, whatever they touch.
    .replaceAll(/([>"”»])(?=[,;])/g, '$1 ')
    .replaceAll(/([,;])(?=[<"“„«])/g, '$1 ')
  return readWords(apart).flatMap(piecesOf)
}

function piecesOf({ text, mentions, isQuoted, isPartlyLinked }: Word): readonly Piece[] {
  if (mentions !== undefined) return [{ kind: 'person', userId: mentions }]
  const parts = text.split(isQuoted ? /[\s,;]+/ : /[,;]/).filter((part) => part !== '')
  const read = parts.map((part): Piece => {
    // Where Slack sees an address that ends within the word, nobody can say what else of it was meant.
    const email = isPartlyLinked && !isQuoted ? undefined : emailIn(part)
    return email === undefined ? { kind: 'word', text: part } : { kind: 'email', email }
  })
  // A quoted list of flags is one word.
  return isQuoted && read.some(({ kind }) => kind === 'word') ? [{ kind: 'word', text }] : read
}

/** Without what stands around an address, and with the apostrophe that addresses have: phones type curly ones. */
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
 * Addresses of a list as somebody pastes it from a mail program, and what is none.
 * @param text - Raw. “Doe, Jane <jane@example.com>” stands alone between semicolons, or on a line.
 */
export function readAddresses(text: string): {
  readonly emails: readonly string[]
  readonly wrong: readonly string[]
} {
  const words = text.split(/[;\r\n]+/).flatMap(withoutNames)
  const found = words.flatMap((word) => emailIn(word) ?? [])
  return {
    emails: eachOnce(found),
    wrong: words.filter((word) => emailIn(word) === undefined),
  }
}

/** Names stand before “<address>”, as mail programs have it: beside such a one, only what holds an @ is meant for another. */
function withoutNames(entry: string): readonly string[] {
  const words = entry.split(/[\s,<>"]+/).filter((word) => word !== '')
  return /<[^<>]*@[^<>]*>/.test(entry) ? words.filter((word) => word.includes('@')) : words
}

/** Everybody once, in the order they were named: addresses that differ in capitals alone are one person’s. */
export function eachOnce<One extends Grantee | string>(all: readonly One[]): readonly One[] {
  const keys = all.map(keyOf)
  return all.filter((_, at) => keys.indexOf(keys[at] ?? '') === at)
}

function keyOf(one: Grantee | string): string {
  if (typeof one !== 'string' && one.kind === 'person') return `@${one.userId}`
  const email = typeof one === 'string' ? one : one.email
  // Of a to z alone: the sign for Kelvin, for one, would become a k.
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A sentence where they are. */
export function tooMany({ length }: readonly unknown[]): readonly string[] {
  if (length <= mostPeople) return []
  return [`That’s ${length} people. You can grant access to ${mostPeople} at a time.`]
}

const mostNamed = 10
/** One sentence that names them all. */
export function notAddresses(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed).map(quote)
  const more = texts.length - named.length
  const all = inList.format([...named, ...(more > 0 ? [`${more} more`] : [])])
  return `${all} ${texts.length === 1 ? 'isn’t an email address' : 'aren’t email addresses'}.`
}

/** A warning, raw, in one line, where letters only look like a to z; empty when every address is in plain letters. */
export function lookAlikeReasons({ emails }: Access): readonly string[] {
  const odd = emails.filter((email) => /[^\x21-\x7e]/.test(email))
  if (odd.length === 0) return []
  const named = cut(odd.join(', '), longestNamed)
  return [`Careful: some of these letters aren’t a to z, even if they look like it: ${named}`]
}

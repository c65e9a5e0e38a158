// People as they are typed or pasted: addresses, mentions, “Name <address>”, by comma, semicolon, space or line;
// letters in them that may be taken for others. Pure.
import { codePoint, hasUnseen, quote, readPasted, readWords, type Word } from '../../slack/text/typed.ts'
import { mostPeople, type Wish } from '../wish.ts'

/** Who is to get access: an address, or somebody of this Slack whose address is to be found. */
export type Grantee =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'person'; readonly userId: string }

export type Piece =
  /** `isBracketed`: in angle brackets, as mail programs write it behind a name. */
  | { readonly kind: 'person'; readonly grantee: Grantee; readonly isBracketed: boolean }
  | { readonly kind: 'separator'; readonly text: string }
  /** `isInList`: it was typed in one list with a person. */
  | { readonly kind: 'word'; readonly word: Word; readonly isInList: boolean }

const longestEmail = 254

/** Without quotes, brackets and colons, which stand around addresses rather than in them. */
const address = /^[^\s@<>()[\]\\,;:"\ufffd]+@[^\s@<>()[\]\\,;:"'\ufffd]+$/

export function isEmail(text: string): boolean {
  return text.length <= longestEmail && !hasUnseen(text) && address.test(text)
}

/** Slack makes a link of the part of an address that is behind an apostrophe, as in `o'<mailto:hara@x|hara@x>`. */
const halfLinked = /(?<=['’‘]|&amp;)<mailto:([^<>|]+)\|([^<>|]+)>/gi
/** Slack leaves the full stop of a sentence out of a link. */
const stopped = /(<mailto:[^<>|]+\|[^<>|]+>)\.(?=[\s,;]|$)/gi

function joined(typed: string): string {
  return typed
    .replaceAll(stopped, '$1')
    .replaceAll(halfLinked, (link: string, address: string, label: string) =>
      address.toLowerCase() === label.toLowerCase() ? label : link,
    )
}

/** Splits what was typed into people, separators and other words. @param typed - As Slack sends it: escaped. */
export function readPieces(typed: string): readonly Piece[] {
  const apart = joined(readPasted(typed.trim()))
    // A line ends like a semicolon does: what stands on it belongs together.
    .replaceAll(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ; ' : space))
    // Slack makes a link of an address that stands in brackets, too.
    .replaceAll(/&lt;(?:mailto:)?<mailto:([^<>|]+)(?:\|[^<>]*)?>&gt;/gi, '&lt;$1&gt;')
    // What is in brackets or quotes is a word of its own, and so are Slack’s links and mentions, whatever they touch.
    .replaceAll(/&lt;(?=[^\s&]+@)/g, ' &lt;')
    .replaceAll(/([>"”»])(?=[,;])/g, '$1 ')
    .replaceAll(/([,;])(?=[<"“„«])/g, '$1 ')
  return readWords(apart).map(piecesOf).flatMap(inList)
}

function piecesOf(word: Word): readonly Piece[] {
  const { text, mentions, isQuoted, isPartlyLinked } = word
  if (mentions !== undefined) return [person({ kind: 'person', userId: mentions })]
  const parts = text.split(isQuoted ? /[\s,;]+/ : /([,;])/).filter((part) => part !== '')
  // Where Slack sees an address that ends within the word, nobody can say what else of it was meant.
  const read = parts.map((part) => (isPartlyLinked && !isQuoted ? separatorOrWord(part) : readPart(part)))
  if (isQuoted) {
    // A quoted name, or a quoted list of flags, is one word.
    const isList = read.length > 0 && read.every(({ kind }) => kind === 'person')
    return isList ? read : [{ kind: 'word', word, isInList: false }]
  }
  return read
}

/** Marks words that touch people, with nothing but commas between: they were meant for people, too. */
function inList(
  word: readonly Piece[],
  index: number,
  words: readonly (readonly Piece[])[],
): readonly Piece[] {
  const hasPerson = (pieces: readonly Piece[] = []) => pieces.some(({ kind }) => kind === 'person')
  const isInList =
    hasPerson(word) ||
    (word[0]?.kind === 'separator' && hasPerson(words[index - 1])) ||
    (word.at(-1)?.kind === 'separator' && hasPerson(words[index + 1]))
  return word.map((piece) => (piece.kind === 'word' ? { ...piece, isInList } : piece))
}

function separatorOrWord(part: string): Piece {
  if (part === ',' || part === ';') return { kind: 'separator', text: part }
  return { kind: 'word', word: { text: part, isQuoted: false }, isInList: false }
}

function readPart(part: string): Piece {
  const bracketed = /^<(.+)>$/.exec(part)?.[1]
  const email = straight((bracketed ?? part).replace(/^mailto:/i, ''))
  if (isEmail(email)) return { ...person({ kind: 'email', email }), isBracketed: bracketed !== undefined }
  return separatorOrWord(part)
}

/** Without single quotes around it, and with the apostrophe that addresses have: phones type curly ones. */
function straight(email: string): string {
  return email.replaceAll(/[’‘]/g, "'").replace(/^'([^']+)'$/, '$1')
}

function person(grantee: Grantee): Extract<Piece, { kind: 'person' }> {
  return { kind: 'person', grantee, isBracketed: false }
}

/**
 * Takes out the names that stand before addresses in angle brackets. A comma ends a name, unless people are set apart
 * by semicolons or lines, as in “Doe, Jane <jane@example.com>; …”.
 * @param isKnown - Words that mean something themselves: they are not taken for a name.
 * @param isApart - What no name goes across, such as the container.
 * @returns `unclear`: such words, where a name would be.
 */
export function withoutNames(
  pieces: readonly Piece[],
  isKnown: (word: Word) => boolean = () => false,
  isApart: (piece: Piece) => boolean = () => false,
): { readonly pieces: readonly Piece[]; readonly unclear: readonly string[] } {
  const hasSemicolons = pieces.some((piece) => piece.kind === 'separator' && piece.text === ';')
  const kept: Piece[] = []
  const unclear: string[] = []
  for (const piece of pieces) {
    if (piece.kind === 'person' && piece.isBracketed) {
      let start = kept.length
      while (start > 0 && isOfName(kept[start - 1])) start -= 1
      for (const named of kept.slice(start)) {
        if (named.kind === 'word' && isKnown(named.word)) unclear.push(named.word.text)
      }
      kept.length = start
    }
    kept.push(piece)
  }
  return { pieces: kept, unclear }

  function isOfName(piece: Piece | undefined): boolean {
    if (piece?.kind === 'separator') return hasSemicolons && piece.text === ','
    return piece?.kind === 'word' && !isApart(piece)
  }
}

/** Everybody once, in the order they were named: addresses that differ in capitals alone are one person’s. */
export function eachOnce(grantees: readonly Grantee[]): readonly Grantee[] {
  const known = new Set<string>()
  return grantees.filter((grantee) => {
    const key = grantee.kind === 'email' ? inSmallLetters(grantee.email) : `@${grantee.userId}`
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}

/** Of a to z alone: the sign for Kelvin, for one, would become a k. */
function inSmallLetters(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Undefined when they are not too many. */
export function tooMany(people: readonly unknown[]): string | undefined {
  if (people.length <= mostPeople) return undefined
  return `That’s ${people.length} people. You can grant access to ${mostPeople} at a time.`
}

const mostNamed = 10

/** One sentence that names them all. */
export function notAddresses(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed).map(quote)
  const more = texts.length - mostNamed
  const [last = '', ...others] = [...named, ...(more > 0 ? [`${more} more`] : [])].reverse()
  if (others.length === 0) return `${last} isn’t an email address.`
  return `${others.reverse().join(', ')} and ${last} aren’t email addresses.`
}

/** The letters of an address that are not a to z, such as “а (U+0430)”; undefined when it has none. */
export function unusualIn(email: string): string | undefined {
  const unusual = [...new Set(email)].filter((letter) => !/[\x21-\x7e]/.test(letter))
  if (unusual.length === 0) return undefined
  return unusual.map((letter) => `${letter} (${codePoint(letter)})`).join(', ')
}

/** Raw text, one line each; empty when every address is in plain letters. */
export function lookAlikeReasons({ emails }: Wish): readonly string[] {
  const named = emails.flatMap((email) => {
    const unusual = unusualIn(email)
    return unusual === undefined ? [] : [`• ${email}: ${unusual}`]
  })
  if (named.length === 0) return []
  return ['Careful: some of these letters aren’t a to z, even if they look like it:', ...named]
}

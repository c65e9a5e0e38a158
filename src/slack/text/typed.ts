// Lines that people type: how long they may be, their words and quotes (straight, and the curly ones of phones). Pure.
import leven from 'leven'
import { asTyped, piecesOf, toPlainText } from './markup.ts'

/**
 * Characters of a command, a mention or a direct message, as Slack sends them: room for twenty addresses of 254
 * characters each, which are some 10,400 in Slack's markup (`<mailto:a|a>`). What is longer is not read at all: a part of
 * it could grant to fewer people than it names, or to an address that was cut.
 */
export const longestLine = 12_000

/** True where nobody would see anything of it. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(text)
}

/** A word in marks that people and their chat put around one. A straight quote may close a curly one. */
const inMarks = /^(?:["“”„«].+["“”»]|([*_~`])(?!.*\1[,;]).+\1|['‘’].+['’]|\(.+\)|\[.+\])$/s
/** A word with what ends a sentence, but not with an emoji’s colon or the semicolon of what Slack has escaped. */
const withEnding = /^(?!:.+:$|.*&\w+;$).+[.,;:!?]$/s
const mostMarks = 20

/**
 * A word without what stands around it: `5HkX` for `*5HkX*`, `(“5HkX”)` and `5HkX.`. Never empty for what is not.
 * @param word - Escaped.
 */
export function bare(word: string): string {
  let text = word
  for (let left = mostMarks; left > 0; left -= 1) {
    if (inMarks.test(text)) text = text.slice(1, -1)
    else if (withEnding.test(text)) text = text.slice(0, -1)
    else break
  }
  return text
}

/** A line without the marks around all of it: code font, as help shows a command, bold and the like. */
export function unmarked(line: string): string {
  const [, mark = '', inner = ''] = /^(`{1,3}|[*_~])(.+)\1$/s.exec(line) ?? []
  return mark === '' || inner.includes(mark[0] ?? '') ? line : inner.trim()
}

/** One word of a command line, raw: unescaped, without quotes or link markup. */
export type Word = Readonly<ReturnType<typeof readMarkup>>

function readMarkup(word: string, isQuoted: boolean) {
  const [first, ...others] = piecesOf(word)
  const only = others.length === 0 ? first : undefined
  return {
    text: asTyped(word),
    isQuoted,
    /** The user id, when the word is a mention. */
    mentions: only?.kind === 'person' ? only.target : undefined,
    /** The id of a user group. */
    group: only?.kind === 'group' ? only.target : undefined,
    /** It is a person, a group or a channel. */
    isNamed: /^(?:person|group|channel)$/.test(only?.kind ?? ''),
    /** Slack took a part of it for a link or a mention, and not all of it. */
    isPartlyLinked: others.length > 0,
  }
}

/** The line, escaped, without the angle brackets that people put around what Slack makes a link of. */
export function unbracketed(line: string): string {
  return line.replaceAll(/&lt;(?:mailto:)?(<[^<>]*>)&gt;/gi, '$1')
}

/** Splits a command line, escaped, into words. A quote that is never closed is an ordinary character. */
export function readLine(line: string) {
  const text = unbracketed(unmarked(line.trim()))
  const read = [...wordsOf(text)]
  return {
    words: read.map(({ word }): Word => word),
    /** What stands behind so many words, one or more, with its own spaces, quotes and commas. Raw. */
    after: (words: number) => toPlainText(text.slice(read[words - 1]?.end ?? text.length)).trim(),
  }
}

export const readWords = (line: string): readonly Word[] => readLine(line).words

/** With the gap behind it. Phones change only some quotes, so that each of them closes any. */
const inQuotes = /["“”„«](.*?)["“”»](?:[\s,]+|$)/sy
/** With the gap behind it. Slack's markup, in marks or not, may hold spaces, and a comma behind it is none of the word's. */
const oneWord = /([*_~`(]*<[^<>]*>[*_~`).;:!?]*(?=[\s,]|$)|\S+)(?:(?<=>[*_~`).;:!?]*)[\s,]*|\s*)/y

/** Each word, and where it ends in the text, with the gap behind it. */
function* wordsOf(text: string): Generator<{ readonly word: Word; readonly end: number }> {
  // What is opened behind it is never closed: so no part of a text is looked through twice.
  const lastClosed = /^.*["“”»](?=[\s,]|$)/s.exec(text)?.[0].length ?? 0
  for (let end = 0; end < text.length; ) {
    const quoted = end + 1 < lastClosed ? matchAt(inQuotes, text, end) : undefined
    const [whole = '', inner = ''] = quoted ?? matchAt(oneWord, text, end) ?? []
    end += whole.length
    yield { word: readMarkup(quoted ? inner : bare(inner), quoted !== undefined), end }
  }
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at
  return expression.exec(text) ?? undefined
}

/** A text without the quotes around it, when they are one pair around all of it; else undefined. Raw. */
export function unquoted(text: string): string | undefined {
  const inner = /^["“”„«](.*)["“”»]$/s.exec(text)?.[1]
  // The first quote in it would close the pair, as in `"a" and "b"`.
  return inner !== undefined && /^[^"“”„«»]*\S["”»](?=[\s,])/.test(inner) ? undefined : inner
}

const longestQuote = 60

function isMaybeSecret(word: string): boolean {
  return word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word) && !/@|:\/\//.test(word)
}

const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** The text with nothing in it that may be a token, pasted in the wrong place; addresses and links stay. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/[^\s,;"“”„«»<>]+/g, (word) => (isMaybeSecret(word) ? `${word.slice(0, 4)}…` : word))
}

/** In the marks that a chat or a sentence puts around it, and as a setting: `token=…`. */
const tokenInMarks =
  /^(?:[\w-]{1,20}[=:])?[`'"“„(<*_~-]{0,3}(?:[0-9a-f]{32}|xox[a-z]?[-.][\w.-]{1,500})[`'"”“)>,;:.!?*_~]{0,3}$/i

/** Whether a word looks like an API token: 32 hexadecimal digits, as the service makes them, or `xox…`, as Slack does. */
export function looksLikeToken(word: string): boolean {
  return tokenInMarks.test(word)
}

export function hasUnseen(text: string): boolean {
  return text.search(unseen) !== -1
}

/** A piece of somebody's line, for a sentence about it: never a token, and what cannot be seen is spelled out: `[U+200B]`. */
export function quote(piece: string): string {
  const codeOf = (character: string) =>
    (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const text = withoutSecrets(piece).replaceAll(unseen, (character) => `[U+${codeOf(character)}]`)
  const words = [...text]
  return words.length <= longestQuote ? `“${text}”` : `“${words.slice(0, longestQuote).join('')}…”`
}

/** The same at the end of a sentence, with its full stop. */
export function quoteLast(piece: string): string {
  return quote(piece).replace(/(?<![.!?…])”$/, '$&.')
}

/** What is longer is no typing mistake, and takes time to compare. */
const longestTypo = 100

/**
 * Those of `known` that differ from the word in a letter or two, capitals apart; the nearest first, two at most.
 * @param known - Without repeats; the first of several that are equally near counts for more.
 * @param furthest - In letters.
 */
export function nearestTo(
  word: string,
  known: readonly string[],
  furthest = word.length <= 5 ? 1 : 2,
): readonly string[] {
  if (word.length > longestTypo) return []
  const typed = word.toLowerCase()
  return known
    .filter((name) => name !== word && name.length <= longestTypo)
    .map((name) => ({ name, distance: slipsIn(typed, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= furthest)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 2)
    .map(({ name }) => name)
}

/** In letters; two that have swapped their places are one slip. */
function slipsIn(typed: string, name: string): number {
  const at = [...typed].findIndex((letter, index) => letter !== name[index])
  const swapped = typed.slice(0, at) + typed.charAt(at + 1) + typed.charAt(at) + typed.slice(at + 2)
  return swapped === name ? 1 : leven(typed, name)
}

/** A number of the service, of a container or of a person; undefined for any other text. */
export function readId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

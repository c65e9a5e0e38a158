// Lines that people type: their length, words, quotes (straight, or curly as phones make them) and slips. Pure.
import leven from 'leven'
import { asTyped, piecesOf, toPlainText } from './markup.ts'

/**
 * Characters, with Slack's markup: room for twenty addresses of 254, some 10,400 in all (`<mailto:a|a>`). Longer lines
 * are not read at all: reading a part could grant to fewer people than the line names, or to an address that was cut.
 */
export const longestLine = 12_000

/** True when the text shows nothing. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(text)
}

/** A word in quotes, brackets or formatting marks. A straight quote may close a curly one. */
const inMarks = /^(?:["“”„«].+["“”»]|([*_~`])(?!.*\1[,;]).+\1|['‘’].+['’]|\(.+\)|\[.+\])$/s
/** A word with a sentence's punctuation, but not an emoji’s colon or the semicolon of `&amp;`. */
const withEnding = /^(?!:.+:$|.*&\w+;$).+[.,;:!?]$/s
const mostMarks = 20

/** Strips marks and punctuation, but never all: `5HkX` for `*5HkX*`, `(“5HkX”)`, `5HkX.`. @param word - Escaped. */
export function bare(word: string): string {
  let text = word
  for (let left = mostMarks; left > 0; left -= 1) {
    if (inMarks.test(text)) text = text.slice(1, -1)
    else if (withEnding.test(text)) text = text.slice(0, -1)
    else break
  }
  return text
}

/** Strips marks around the whole line, such as the code font in which help shows a command. */
export function unmarked(line: string): string {
  const [, mark = '', inner = ''] = /^(`{1,3}|[*_~])(.+)\1$/s.exec(line) ?? []
  return mark === '' || inner.includes(mark[0] ?? '') ? line : inner.trim()
}

/** One word of a command line, raw: unescaped, without quotes or link markup. */
export type Word = Readonly<ReturnType<typeof readMarkup>> & {
  /** The text behind it in its line, with its spaces, quotes and commas. Raw. */
  rest(): string
}

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
    isNamed: /^(?:person|group|channel)$/.test(only?.kind ?? ''),
    /** True when Slack took only a part of the word for a link or a mention. */
    isPartlyLinked: others.length > 0,
  }
}

/** Strips angle brackets that people type around a link. @param line - Escaped. */
export function unbracketed(line: string): string {
  return line.replaceAll(/&lt;(?:mailto:)?(<[^<>]*>)&gt;/gi, '$1')
}

/**
 * Splits a command line, escaped, into words. Formatting around the whole line, and brackets around a link, are no part of
 * it. A quote that is never closed is an ordinary character.
 */
export function readWords(line: string): readonly Word[] {
  const text = unbracketed(unmarked(line.trim()))
  const restFrom = (end: number) => toPlainText(text.slice(end)).trim()
  return [...wordsIn(text)].map(({ word, end }) => ({ ...word, rest: () => restFrom(end) }))
}

/** Quoted words and the gap after them. Phones change only some quotes, so any closing quote closes any other. */
const inQuotes = /["“”„«](.*?)["“”»](?:[\s,]+|$)/sy
/** A word and the gap after it. Slack's markup may hold spaces, and a comma after it is not part of the word. */
const oneWord = /([*_~`(]*<[^<>]*>[*_~`).;:!?]*(?=[\s,]|$)|\S+)(?:(?<=>[*_~`).;:!?]*)[\s,]*|\s*)/y

/** Yields each word, and the position in the text at which the gap after the word ends. */
function* wordsIn(text: string) {
  // Quotes opened after this are never closed: knowing that, no part of a text is searched twice.
  const lastClosed = /^.*["“”»](?=[\s,]|$)/s.exec(text)?.[0].length ?? 0
  for (let end = 0; end < text.length; ) {
    const quoted = end + 1 < lastClosed ? matchAt(inQuotes, text, end) : undefined
    const [whole = '', inner = ''] = quoted ?? matchAt(oneWord, text, end) ?? []
    end += whole.length
    yield { word: readMarkup(quoted ? inner : bare(inner), quoted !== undefined), end }
  }
}

/** @param expression - Has the flag `y`, so that it matches at this position or not at all. */
function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at
  return expression.exec(text) ?? undefined
}

/** The text inside one pair of quotes around all of it; undefined without such a pair. Raw. */
export function unquoted(text: string): string | undefined {
  const inner = /^["“”„«](.*)["“”»]$/s.exec(text)?.[1]
  // Undefined also if a quote inside closes the first one, as in `"a" and "b"`.
  return inner !== undefined && /^[^"“”„«»]*\S["”»](?=[\s,])/.test(inner) ? undefined : inner
}

const longestQuote = 60

/** True for a long word with digits and letters. T and Z don't count: a time, such as 2026-12-24T18:00Z, has no others. */
function isMaybeSecret(word: string): boolean {
  return word.length >= 16 && /\d/.test(word) && /[a-su-y]/i.test(word) && !/@|:\/\//.test(word)
}

const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** Cuts words that may be a token, pasted in the wrong place. Addresses and links stay. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/[^\s,;"“”„«»<>]+/g, (word) =>
    isMaybeSecret(word) ? `${word.slice(0, 4)}…` : word,
  )
}

/** A token, with marks or punctuation around it, or as a setting: `token=…`. */
const tokenInMarks =
  /^(?:[\w-]{1,20}[=:])?[`'"“„(<*_~-]{0,3}(?:[0-9a-f]{32}|xox[a-z]?[-.][\w.-]{1,500})[`'"”“)>,;:.!?*_~]{0,3}$/i

/** True for what looks like an API token of the service, 32 hexadecimal digits, or of Slack, `xox…`. */
export function looksLikeToken(word: string): boolean {
  return tokenInMarks.test(word)
}

export function hasUnseen(text: string): boolean {
  return text.search(unseen) !== -1
}

/** Quotes somebody's words, but never a token. Characters that show nothing are spelled out: `[U+200B]`. */
export function quote(piece: string): string {
  const codeOf = (character: string) =>
    (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const text = withoutSecrets(piece).replaceAll(unseen, (character) => `[U+${codeOf(character)}]`)
  const words = [...text]
  return words.length <= longestQuote ? `“${text}”` : `“${words.slice(0, longestQuote).join('')}…”`
}

/** Quotes somebody’s words as the last of a sentence: adds the full stop, unless the words end with a stop of their own. */
export function quoteLast(piece: string): string {
  return quote(piece).replace(/(?<![.!?…])”$/, '$&.')
}

/** Words longer than this are not compared: they are no typing mistakes, and comparing takes time. */
const longestTypo = 100

/**
 * Finds names that differ from the word in a letter or two, capitals apart: the nearest first, two at most.
 * @param known - Without repeats. Of equally near names, earlier ones come first.
 * @param furthest - How many letters may differ.
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

/** Distance in letters; two neighbours that swapped places are one slip. */
function slipsIn(typed: string, name: string): number {
  const at = [...typed].findIndex((letter, index) => letter !== name[index])
  const swapped = typed.slice(0, at) + typed.charAt(at + 1) + typed.charAt(at) + typed.slice(at + 2)
  return swapped === name ? 1 : leven(typed, name)
}

/** Reads the service's number of a container or a person. Undefined for any other text. */
export function readId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

// What people type: quotes (straight, and the curly ones of phones), Slack's escaped links and mentions. Pure.
// Source: docs.slack.dev/messaging/formatting-message-text, “Retrieving messages”.
import { unescapeText } from './mrkdwn.ts'

/** The longest piece of somebody's line that is repeated to them. */
const longestQuote = 60

/** So long, and of letters and digits: no word of a person's. */
function isMaybeSecret(word: string): boolean {
  return word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word) && !/@|:\/\//.test(word)
}

const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** The text with nothing in it that may be a token, pasted in the wrong place; addresses and links stay. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/[^\s,;"“”„«»<>]+/g, (word) => (isMaybeSecret(word) ? `${word.slice(0, 4)}…` : word))
}

/** Whether there is something in it that cannot be seen. */
export function hasUnseen(text: string): boolean {
  return text.search(unseen) !== -1
}

/** A piece of somebody's line, for a sentence about it: never a token, and what cannot be seen is spelled out. */
export function quote(piece: string): string {
  const text = withoutSecrets(piece).replaceAll(unseen, (character) => `[${codePoint(character)}]`)
  const words = [...text]
  return words.length <= longestQuote ? `“${text}”` : `“${words.slice(0, longestQuote).join('')}…”`
}

/** `U+0430`, as tables of characters name it. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** One word of a command line, raw: unescaped, without quotes or link markup. */
export interface Word {
  readonly text: string
  readonly isQuoted: boolean
  /** The user id, when the word is a mention. */
  readonly mentions?: string
}

const quotes: Readonly<Record<string, string>> = { '"': '"', '“': '”', '”': '”', '„': '“”', '«': '»' }

/** What Slack made of a word: `<https://a|b>`, `<mailto:a|b>`, `<@U1|dave>` or nothing special. */
function readMarkup(word: string): Word {
  const markup = /^<([^<>|]+)(?:\|([^<>]*))?>$/.exec(word)
  const target = markup?.[1]
  if (target === undefined) return { text: unescapeText(word), isQuoted: false }
  const mention = /^@([UW][A-Z0-9]+)$/.exec(target)
  if (mention?.[1] !== undefined) return { text: word, isQuoted: false, mentions: mention[1] }
  // Slack makes a link of whatever looks like a domain; what was typed is the label.
  const label = markup?.[2]
  if (label !== undefined && target === `http://${label}`)
    return { text: unescapeText(label), isQuoted: false }
  const address = unescapeText(target.replace(/^mailto:/i, ''))
  // A link may show another address than it leads to; nobody can say which was meant.
  const isDisguised =
    /^mailto:/i.test(target) && label?.includes('@') && label.toLowerCase() !== address.toLowerCase()
  return { text: isDisguised ? `${label} (${address})` : address, isQuoted: false }
}

/**
 * Splits a command line into words. A quoted part is one word, spaces and all.
 * A quote that is never closed is an ordinary character.
 * @param line - As Slack sends it: escaped.
 */
export function readWords(line: string): readonly Word[] {
  const words: Word[] = []
  let rest = line.trim()
  while (rest !== '') {
    const quoted = readQuoted(rest)
    if (quoted !== undefined) {
      words.push({ ...readMarkup(quoted.inside), isQuoted: true })
      rest = quoted.rest.replace(/^[\s,]+/, '')
      continue
    }
    // Slack's markup may hold spaces in its label.
    const word = /^<[^<>]*>(?=[\s,]|$)/.exec(rest)?.[0] ?? /^\S+/.exec(rest)?.[0] ?? rest
    words.push(readMarkup(word))
    rest = rest.slice(word.length).trimStart()
  }
  return words
}

function readQuoted(text: string): { readonly inside: string; readonly rest: string } | undefined {
  const closers = quotes[text[0] ?? '']
  if (closers === undefined) return undefined
  for (let end = 1; end < text.length; end += 1) {
    const after = text[end + 1]
    // A straight quote may close a curly one: phones change only some of them.
    if (!`${closers}"`.includes(text[end] ?? '') || (after !== undefined && !/[\s,]/.test(after))) continue
    return { inside: text.slice(1, end), rest: text.slice(end + 1) }
  }
  return undefined
}

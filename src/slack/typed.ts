// What people type: quotes (straight, and the curly ones of phones), Slack's escaped links and mentions. Pure.
// Source: docs.slack.dev/messaging/formatting-message-text, “Retrieving messages”.
import { unescapeText } from './mrkdwn.ts'

/** The longest piece of somebody's line that is repeated to them. */
const longestQuote = 60

/** A piece of somebody's line, for a sentence about it. */
export function quote(text: string): string {
  const words = [...text]
  return words.length <= longestQuote ? `“${text}”` : `“${words.slice(0, longestQuote).join('')}…”`
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
  return { text: unescapeText(target.replace(/^mailto:/i, '')), isQuoted: false }
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

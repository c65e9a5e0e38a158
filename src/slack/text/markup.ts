// Slack's markup in what people write: people, groups, channels, links. Pure.
// Source: docs.slack.dev/messaging/formatting-message-text, “Retrieving messages”.
import { type MentionIds, unescapeText } from './mrkdwn.ts'

/**
 * Kinds of markup, in the order in which they are tried. Each has a pattern for the text between `<` and `|`, with a group
 * for the target, and a function that makes words of the target and of the label behind `|`.
 */
const kinds = [
  ['person', /^@([UW][A-Z0-9]+)$/, (_, label) => label && `@${label}`],
  ['group', /^!subteam\^(S[A-Z0-9]+)$/, (_, label) => label],
  ['channel', /^#([CGD][A-Z0-9]+)$/, (_, label) => label && `#${label}`],
  ['all', /^!(\w+)$/, (word) => `@${word}`],
  ['other', /^!(.+)$/, (_, label) => label],
  ['phone', /^tel:(.*)$/i, (number, label) => label || number],
  ['mail', /^mailto:(.*)$/i, inMail],
  // Slack links anything that looks like a domain.
  [
    'link',
    /^(\w[\w+.-]*:.*)$/,
    (address, label) => (address === `http://${label}` ? label : address),
  ],
] as const satisfies readonly (readonly [
  string,
  RegExp,
  (target: string, label: string) => string,
])[]

/** Shows both addresses when a link shows one and leads to another: nobody can say which was meant. */
function inMail(address: string, label: string): string {
  if (!label.includes('@')) return address
  return label.toLowerCase() === address.toLowerCase() ? label : `${label} (${address})`
}

/** Words, or one thing that Slack has marked up. All but `kind` is escaped. */
export interface Piece {
  /** `all`: `<!here>` and the like. `other`: a time. */
  readonly kind: (typeof kinds)[number][0] | 'words'
  /** As Slack sends it: joined, the sources of all pieces are the text. */
  readonly source: string
  /** The id or the address. Empty for words. */
  readonly target: string
  /** Empty when Slack gives no name, as for people in messages. */
  readonly label: string
  /** As its writer typed it. Empty when that takes a name that Slack does not give. */
  readonly typed: string
}

/** @param text - As Slack sends it, or raw: whatever has no markup is words. */
export function piecesOf(text: string): readonly Piece[] {
  const sources = text.split(/(<[^<>|]+(?:\|[^<>]*)?>)/).filter((source) => source !== '')
  return sources.map((source) => {
    const [, inside = '', label = ''] = /^<([^<>|]+)\|?(.*)>$/s.exec(source) ?? []
    for (const [kind, form, words] of kinds) {
      const [, target] = form.exec(inside) ?? []
      if (target !== undefined) return { kind, source, target, label, typed: words(target, label) }
    }
    return { kind: 'words', source, target: '', label: '', typed: source }
  })
}

/**
 * The line as its writer typed it, to show or paste: `@dave` for `<@U1|dave>`, `&` for `&amp;`. Raw. People without a
 * name stay `<@U1>`; groups and channels become `@group` and `#channel`.
 */
export function asTyped(line: string): string {
  const unnamed: Partial<Record<Piece['kind'], string>> = { group: '@group', channel: '#channel' }
  const read = piecesOf(line).map(({ kind, typed, source }) => typed || (unnamed[kind] ?? source))
  return unescapeText(read.join(''))
}

/** Text for readers outside Slack: as `asTyped`, but with a link's words before its address. Raw. */
export function toPlainText(text: string): string {
  const read = piecesOf(text).map(({ kind, source, target, label, typed }) => {
    const isOther = kind === 'link' && !target.includes(label.replace(/…$/, ''))
    return isOther ? `${label} (${target})` : typed || source
  })
  return unescapeText(read.join(''))
}

/** Kinds that Slack may give without a name: the sign before a name, and words in its place. */
const named: Partial<Record<Piece['kind'], readonly [sign: string, unnamed: string]>> = {
  person: ['@', 'somebody'],
  group: ['@', 'a group'],
  channel: ['#', 'a channel'],
}

/** The text with `@Dave` for `<@U1>`, and emoji for known codes. @param names - Raw, by id or code. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  const read = piecesOf(text).map(({ kind, source, target, typed }) => {
    const [sign, unnamed] = named[kind] ?? []
    if (unnamed === undefined) return kind === 'words' ? withEmoji(source, names) : source
    const name = names.get(target)
    return typed || (name ? `${sign}${name}` : unnamed)
  })
  return read.join('')
}

const lightestSkin = 0x1f3fb
const emojiCode = /(?<!\w):[\w+-]{1,60}:(?!\w)/g

function withEmoji(words: string, names: ReadonlyMap<string, string>): string {
  return words.replaceAll(emojiCode, (code) => {
    const [, tone] = /^:skin-tone-([2-6]):$/.exec(code) ?? []
    if (tone !== undefined) return String.fromCodePoint(lightestSkin + Number(tone) - 2)
    return names.get(code) ?? code
  })
}

/** Ids of people and channels without a name, and codes of emoji: twenty at most. */
export function namelessIn(text: string): readonly string[] {
  const ids = piecesOf(text).flatMap(({ kind, target, label }) =>
    (kind === 'person' || kind === 'channel') && !label ? [target] : [],
  )
  return [...new Set([...ids, ...(text.match(emojiCode) ?? [])])].slice(0, 20)
}

export const mostMentioned = 10

/**
 * Reads people and user groups, with commas or spaces between: `U1`, `<@U1|dave>`, `<!subteam^S1|@team>`. Undefined
 * if a word is neither, or there are more than ten.
 */
export function readMention(text: string): MentionIds | undefined {
  const ids = new Set(
    piecesOf(text).flatMap(({ kind, source, target }) =>
      kind === 'words' ? source.split(/[\s,]+/).filter((word) => word !== '') : target,
    ),
  )
  const areIds = [...ids].every((id) => /^[UWS][A-Z0-9]{2,20}$/.test(id))
  return areIds && ids.size <= mostMentioned ? [...ids] : undefined
}

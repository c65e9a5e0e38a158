// Alerts that a message is about: in its links, or as one of Bellhop's own cards; and what people read in it. Pure.
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { parseKey } from './input.ts'
import { buildAlertLink, nameOfLink } from './link.ts'
import { cardIdIn } from './render/card.ts'

export interface Mentioned {
  /** Keys, the first mentioned first, without repeats. */
  readonly keys: readonly string[]
  /** Links that hold no key, likewise; none where there is a key, which says the same without a question. */
  readonly links: readonly string[]
  /** Ids of Bellhop's own cards. */
  readonly cardIds: readonly string[]
}

/** More are no choice. */
const mostKeys = 50

/** @param alertUrl - The form of alerts' web links, when there is one. */
export function mentionedIn(message: unknown, alertUrl: string | undefined): Mentioned {
  const texts = [...textsNamed(message)]
  const keys = new Set<string>()
  const links = new Map<string, string>()
  for (const url of alertUrl === undefined ? [] : texts.flatMap(([, text]) => addressesIn(text))) {
    const read = parseKey(url, alertUrl)
    if (read.kind !== 'look-up') continue
    if ('ks' in read) keys.add(read.ks)
    else links.set(nameOfLink(read.link), buildAlertLink(read.link, alertUrl ?? '') ?? url)
  }
  return {
    keys: [...keys].slice(0, mostKeys),
    links: keys.size > 0 ? [] : [...links.values()].slice(0, mostKeys),
    cardIds: [...new Set(texts.flatMap(([name, text]) => cardIdIn(name, text) ?? []))],
  }
}

/** Looks back first: else each of very many is tried as the first of those at the end. */
const stops = /(?<![.,;:!?)\]}'’*_~`])[.,;:!?)\]}'’*_~`]+$/

/** Those that Slack or a tool has marked as such end where they end; in plain text a sentence may end behind one. */
function addressesIn(text: string): readonly string[] {
  const isAlone = /^https?:\/\/[^\s<>|]+$/i.test(text)
  const found = isAlone ? [['', '<', text]] : text.matchAll(/(<?)(https?:\/\/[^\s<>|"“”]+)/gi)
  return [...found].map(([, mark, url = '']) => unescapeText(mark === '' ? url.replace(stops, '') : url))
}

/** Names under which Slack, and those who post there, keep what people read. */
const readable = new Set([
  ...['text', 'fallback', 'pretext', 'title', 'footer', 'subject', 'author_name', 'alt_text'],
  ...['plain_text', 'preview_plain_text', 'value'],
])

/** What people read in a message, from whatever tool: escaped, with its markup. */
export function textsIn(message: unknown): readonly string[] {
  return [...textsNamed(message)].flatMap(([name, text]) => (readable.has(name) ? [text] : []))
}

/** A message is of some dozen levels at most. */
const deepest = 30

/** All texts in it, each by its name; what a button says when it is pressed by the button's own. */
function* textsNamed(
  inside: unknown,
  name = '',
  depth = 0,
): Generator<readonly [name: string, text: string]> {
  if (typeof inside === 'string') yield [name, inside]
  if (typeof inside !== 'object' || inside === null || depth > deepest) return
  if ('action_id' in inside && 'value' in inside) yield [String(inside.action_id), String(inside.value)]
  const isList = Array.isArray(inside)
  for (const [own, one] of Object.entries(inside)) yield* textsNamed(one, isList ? name : own, depth + 1)
}

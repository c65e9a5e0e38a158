// Finds the alerts that a message mentions, by links or as Bellhop’s own cards, and the message’s texts. Pure.
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { parseKey } from './input.ts'
import { buildAlertLink } from './link.ts'
import { cardIdIn } from './render/card.ts'

export interface Mentioned {
  /** Keys of alerts, in the message’s order, without repeats. */
  readonly keys: readonly string[]
  /**
   * Links without a key, in the message’s order, without repeats. Empty if the message has keys: its links are taken to be
   * about the same alerts.
   */
  readonly links: readonly string[]
  readonly cardIds: readonly string[]
}

/** Longer lists help nobody choose. */
const mostKeys = 50

export function mentionedIn(message: unknown, alertUrl: string | undefined): Mentioned {
  const texts = [...textsNamed(message)]
  const keys = new Set<string>()
  const links = new Set<string>()
  for (const url of texts.flatMap(([, text]) => addressesInText(text))) {
    const read = parseKey(url, alertUrl)
    if (read.kind !== 'look-up' || !alertUrl) continue
    if ('ks' in read) keys.add(read.ks)
    else links.add(buildAlertLink(read.link, alertUrl) ?? url)
  }

  return {
    keys: [...keys].slice(0, mostKeys),
    links: keys.size > 0 ? [] : [...links].slice(0, mostKeys),
    cardIds: [...new Set(texts.flatMap(([name, text]) => cardIdIn(name, text) ?? []))],
  }
}

/**
 * Signs that end a sentence. The look-behind keeps this fast: without it, each sign of a long row is tried as the first
 * one.
 */
const stops = /(?<![.,;:!?)\]}'’*_~`])[.,;:!?)\]}'’*_~`]+$/

/**
 * Addresses in a text. In Slack’s markup, an address ends where the markup does; in plain text, signs behind it that end a
 * sentence are left out.
 */
function addressesInText(text: string): readonly string[] {
  const isAlone = /^https?:\/\/[^\s<>|]+$/i.test(text)
  if (isAlone) return [unescapeText(text)]

  const found = text.matchAll(/(<?)(https?:\/\/[^\s<>|"“”]+)/gi)
  return [...found].map(([, mark, url = '']) => {
    const address = mark === '' ? url.replace(stops, '') : url
    return unescapeText(address)
  })
}

/** Fields in which Slack and its tools keep what people read. */
const readable = new Set(
  'text fallback pretext title footer subject author_name alt_text plain_text preview_plain_text value'.split(
    ' ',
  ),
)

/** Texts that people read, escaped, with their markup. */
export function textsIn(message: unknown): readonly string[] {
  return [...textsNamed(message)].flatMap(([name, text]) => (readable.has(name) ? [text] : []))
}

/** More levels than any message has: some dozen at most. */
const deepest = 30

/** All texts, each with its field’s name; a button’s value with its action id. */
function* textsNamed(
  inside: unknown,
  name = '',
  depth = 0,
): Generator<readonly [name: string, text: string]> {
  if (typeof inside === 'string') yield [name, inside]
  if (typeof inside !== 'object' || inside === null || depth > deepest) return
  if ('action_id' in inside && 'value' in inside)
    yield [String(inside.action_id), String(inside.value)]
  const isList = Array.isArray(inside)
  for (const [own, one] of Object.entries(inside))
    yield* textsNamed(one, isList ? name : own, depth + 1)
}

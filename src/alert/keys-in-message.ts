// Alerts that a message is about: in its links, or as one of Bellhop's own cards; and what people read in it. Pure.
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { parseKey } from './input.ts'
import { type AlertLink, keyInLink, nameOfLink } from './link.ts'
import { cardIdIn } from './render/card-buttons.ts'

/** What a message speaks of. */
export interface Mentioned {
  /** Keys, the first mentioned first, without repeats. */
  readonly keys: readonly string[]
  /** Links that hold no key, likewise; none where there is a key, which says the same without a question. */
  readonly links: readonly AlertLink[]
  /** Ids of Bellhop's own cards. */
  readonly cardIds: readonly string[]
}

/** More are no choice. */
const mostKeys = 50
/** Of 3,000 characters; the rest says where the card goes. */
const mostMetadata = 2_300
const longestLink = 2_000

/** @param alertUrl - The form of alerts' web links, when there is one. */
export function mentionedIn(message: unknown, alertUrl: string | undefined): Mentioned {
  const { strings, cardIds } = gather(message)
  const found = strings.flatMap(addressesIn).flatMap((link) => {
    const read = alertUrl === undefined ? undefined : keyInLink(link, alertUrl)
    return read === undefined || 'problem' in read ? [] : [read]
  })
  const keys = new Set(found.flatMap((one) => ('ks' in one && isKey(one.ks, alertUrl) ? [one.ks] : [])))
  const links = new Map(found.flatMap((one) => ('link' in one ? [[nameOfLink(one.link), one.link]] : [])))
  return {
    keys: [...keys].slice(0, mostKeys),
    links: keys.size > 0 ? [] : [...links.values()].slice(0, mostKeys),
    cardIds: [...cardIds],
  }
}

/** As many as a modal can carry along, of keys or of links. */
export function thoseThatFit<One>(all: readonly One[]): readonly One[] {
  const fitting: One[] = []
  for (const one of all) {
    if (JSON.stringify([...fitting, one]).length <= mostMetadata) fitting.push(one)
  }
  return fitting
}

function isKey(ks: string, alertUrl: string | undefined): boolean {
  const ask = parseKey(ks, alertUrl)
  return ask.kind === 'look-up' && 'ks' in ask
}

/** Looks back first: else each of very many is tried as the first of those at the end. */
const stops = /(?<![.,;:!?)\]}'’*_~`])[.,;:!?)\]}'’*_~`]+$/

/** Those that Slack or a tool has marked as such end where they end; in plain text a sentence may end behind one. */
function addressesIn(text: string): readonly string[] {
  if (/^https?:\/\/[^\s<>|]+$/i.test(text)) return atMost(text)
  return [...text.matchAll(/(<?)(https?:\/\/[^\s<>|"“”]+)/gi)].flatMap(([, mark, url = '']) =>
    atMost(mark === '' ? url.replace(stops, '') : url),
  )
}

function atMost(url: string): readonly string[] {
  return url.length <= longestLink ? [unescapeText(url)] : []
}

/** Names under which Slack, and those who post there, keep what people read. */
const readable = new Set([
  ...['text', 'fallback', 'pretext', 'title', 'footer', 'subject', 'author_name', 'alt_text'],
  ...['plain_text', 'preview_plain_text', 'value'],
])

/** What people read in a message, from whatever tool: escaped, with its markup. */
export function textsIn(message: unknown): readonly string[] {
  return gather(message, readable).strings
}

/** A message is of some dozen levels at most. */
const deepest = 30
/** Characters in all, as looking takes time that everybody waits for: Slack takes 40,000 in a message, and may repeat it. */
const mostCharacters = 100_000

interface Gathered {
  readonly strings: string[]
  /** Of Bellhop's own cards. */
  readonly cardIds: Set<string>
}

/** @param names - Those of the strings that are wanted. Default: all. */
function gather(message: unknown, names?: ReadonlySet<string>): Gathered {
  const gathered: Gathered = { strings: [], cardIds: new Set() }
  let left = mostCharacters
  const look = (value: unknown, name: string, depth: number): void => {
    if (left <= 0 || depth > deepest) return
    if (typeof value === 'string') {
      if (names === undefined || names.has(name)) gathered.strings.push(value.slice(0, left))
      left -= value.length
      return
    }
    if (typeof value !== 'object' || value === null) return
    if ('action_id' in value && 'value' in value) {
      const id = cardIdIn(String(value.action_id), String(value.value))
      if (id !== undefined) gathered.cardIds.add(id)
    }
    for (const [inside, one] of Object.entries(value))
      look(one, Array.isArray(value) ? name : inside, depth + 1)
  }
  look(message, '', 0)
  return gathered
}

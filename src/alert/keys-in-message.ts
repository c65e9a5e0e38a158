// Keys of the alerts that a message speaks of, found in its links and words. Pure.
// A key has no form of its own, so only what says that it is one counts. What may be one is a guess, which somebody has
// to confirm: other words, and secrets, must not be sent to the service as if they were keys.
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { commandWords, parseKey } from './input.ts'
import { type AlertLink, keyInLink, nameOfLink } from './link.ts'
import { cardIdIn } from './render/card-buttons.ts'

/** What a message speaks of. */
export interface Mentioned {
  /** Keys, the first mentioned first, without repeats. */
  readonly keys: readonly string[]
  /** Links that hold no key, likewise; none where there is a key, which says the same without a question. */
  readonly links: readonly AlertLink[]
  /** What may be a key, where nothing certainly is. */
  readonly guess: string | undefined
  /** Ids of Bellhop's own cards. */
  readonly cardIds: readonly string[]
  /** False when the message is longer than what was read of it. */
  readonly isWhole: boolean
}

/** More are no choice. */
const mostKeys = 50
/** Of 3,000 characters; the rest says where the card goes. */
const mostMetadata = 2_300
const longestLink = 2_000

/** @param alertUrl - The form of alerts' web links, when there is one. */
export function mentionedIn(message: unknown, alertUrl: string | undefined): Mentioned {
  const seen = textsIn(message)
  const followed = addressesIn(seen).flatMap((link) => {
    const found = alertUrl === undefined ? undefined : keyInLink(link, alertUrl)
    return found === undefined || 'problem' in found ? [] : [found]
  })
  const linked = followed.flatMap((found) => ('ks' in found ? [found.ks] : []))
  const named = seen.fields.filter(({ title }) => isKeyLabel(title)).map(({ value }) => bare(value))
  const certain = [...linked, ...named, ...seen.texts.flatMap(labelledKeys)]
  const keys = [...new Set(certain.flatMap((key) => valid(key, alertUrl)))].slice(0, mostKeys)
  const links =
    keys.length > 0 ? [] : apart(followed.flatMap((found) => ('link' in found ? [found.link] : [])))
  const guess =
    keys.length + links.length > 0 ? undefined : guesses(seen).flatMap((key) => valid(key, alertUrl))[0]
  return { keys, links, guess, cardIds: [...new Set(seen.cardIds)], isWhole: seen.isWhole }
}

/** As many as a modal can carry along, of keys or of links. */
export function thoseThatFit<One>(all: readonly One[]): readonly One[] {
  const fitting: One[] = []
  for (const one of all) {
    if (JSON.stringify([...fitting, one]).length <= mostMetadata) fitting.push(one)
  }
  return fitting
}

/** Each of them once, the first first. */
function apart(links: readonly AlertLink[]): readonly AlertLink[] {
  return [...new Map(links.toReversed().map((link) => [nameOfLink(link), link])).values()]
    .toReversed()
    .slice(0, mostKeys)
}

/** As somebody would type it in the form. */
function valid(key: string, alertUrl: string | undefined): readonly string[] {
  const ask = parseKey(key, alertUrl)
  return ask.kind === 'look-up' && 'ks' in ask ? [ask.ks] : []
}

/** Those that Slack or a tool has marked as such end where they end; in plain text a sentence may end behind one. */
function addressesIn({ texts, urls }: MessageTexts): readonly string[] {
  const marked = texts.flatMap((text) =>
    [...text.matchAll(/<(https?:\/\/[^\s<>|]+)/gi)].map(([, url]) => url ?? ''),
  )
  const plain = texts.flatMap((text) =>
    [...text.replaceAll(/<[^<>]*>/g, ' ').matchAll(/https?:\/\/[^\s<>|"“”]+/gi)].map(([url]) =>
      withoutEnd(url),
    ),
  )
  return [...marked, ...urls, ...plain]
    .map((url) => unescapeText(url))
    .filter(({ length }) => length <= longestLink)
}

const ends = new Set(".,;:!?)]}'’*_~`")

function withoutEnd(text: string): string {
  let length = Math.min(text.length, longestLink + 1)
  while (ends.has(text[length - 1] ?? '')) length -= 1
  return text.slice(0, length)
}

/** Without Slack's link markup and code marks. */
function bare(text: string): string {
  return unescapeText(text.trim().replace(/^<([^|<>]*)(?:\|[^<>]*)?>$/, '$1')).replaceAll('`', '')
}

function isKeyLabel(label: string): boolean {
  return /^\W{0,9}(?:alert[ _-]?)?(?:key|ks)\W{0,9}$/i.test(label)
}

// “ks: 5HkX”, “Alert key = 5HkX”, “/alert 5HkX”; in quotes when there are spaces in it. A word before “key” says whose
// it is (an API key is a secret), unless that is “alert”.
const labels =
  /(?:(?:\balert[ _-]?(?:key|ks)|\bks|(?<![\p{L}\p{N}_"'=-][ \t]*)key)[*_`]{0,3}\s{0,3}[:=]|\/alert\s)[*_\s]{0,9}(?:["“„]([^"”“\n]{1,500})["”“]|([^\s"”“„,;|<>]{1,500}))/giu
const notKeys = new Set([...commandWords, 'help', 'private', 'watch'])

function labelledKeys(text: string): readonly string[] {
  return [...unescapeText(text).matchAll(labels)]
    .map(([, quoted, word]) => quoted ?? trimmed(word ?? ''))
    .filter((key) => !notKeys.has(key.toLowerCase()) && !/^https?:/i.test(key))
}

/** A sentence or Slack’s markup may end behind a key. */
function trimmed(word: string): string {
  return word.replaceAll('`', '').replace(/[.!?)\]*]{1,9}$/, '')
}

/** Words in code marks with a digit in them; or the one word that is all there is. */
function guesses({ texts, code }: MessageTexts): readonly string[] {
  const marked = texts.flatMap((text) =>
    [...text.matchAll(/`([^`\s]{4,200})`/g)].map(([, word]) => word ?? ''),
  )
  const inCode = [...code, ...marked.map(unescapeText)].filter(
    (word) => word.length >= 4 && /\d/.test(word) && !/\s/.test(word),
  )
  const lone = texts
    .map((text) => text.trim())
    .filter((text) => /^[^\s<>]{4,200}$/.test(text) && /\d/.test(text))
  return [...inCode, ...lone.map(unescapeText)]
}

/**
 * What people read in a message, and where its links lead: text, blocks, attachments and files, from whatever tool.
 */
export interface MessageTexts {
  /** As Slack has them: escaped, with its markup. */
  readonly texts: readonly string[]
  /** What is set as code in rich text. */
  readonly code: readonly string[]
  /** Addresses that stand alone, so that they end where they end. */
  readonly urls: readonly string[]
  /** Fields of attachments, with what they are called. */
  readonly fields: readonly { readonly title: string; readonly value: string }[]
  /** Ids of Bellhop's own cards. */
  readonly cardIds: readonly string[]
  /** False when there is more in the message than is read. */
  readonly isWhole: boolean
}

type Lists = Omit<MessageTexts, 'isWhole'>
type Gathered = { [Name in keyof Lists]: Lists[Name][number][] } & { left: number; isWhole: boolean }

/** A message is of some dozen levels at most. */
const deepest = 30
/** Characters in all, as looking takes time that everybody waits for: Slack takes 40,000 in a message, and may repeat it. */
const mostCharacters = 100_000
const mostTexts = 300

/** Names under which Slack, and those who post there, keep what people read. */
const readable = new Set([
  ...['text', 'fallback', 'pretext', 'footer', 'subject', 'author_name', 'alt_text'],
  ...['plain_text', 'preview_plain_text'],
])
const addresses = new Set(['title_link', 'from_url', 'original_url', 'author_link', 'url'])

export function textsIn(message: unknown): MessageTexts {
  const gathered: Gathered = {
    texts: [],
    code: [],
    urls: [],
    fields: [],
    cardIds: [],
    left: mostCharacters,
    isWhole: true,
  }
  gather(message, gathered, 0)
  return gathered
}

function gather(value: unknown, into: Gathered, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > deepest || into.texts.length > mostTexts || into.left <= 0) {
    into.isWhole = false
    return
  }
  if (Array.isArray(value)) {
    for (const one of value) gather(one, into, depth + 1)
    return
  }
  const names = new Map<string, unknown>(Object.entries(value))
  const text = (name: string) => {
    const found = names.get(name)
    return typeof found === 'string' ? read(found, into) : undefined
  }
  const [action, title, said] = [text('action_id'), text('title'), text('value')]
  const cardId = action === undefined || said === undefined ? undefined : cardIdIn(action, said)
  if (cardId !== undefined && !into.cardIds.includes(cardId)) into.cardIds.push(cardId)
  if (action === undefined && title !== undefined && said !== undefined)
    into.fields.push({ title, value: said })
  // A file's title is its name, and nothing that somebody says; an attachment's is.
  if (title !== undefined && !names.has('mimetype') && !names.has('mode')) into.texts.push(title)
  const texts = isCode(names.get('style')) ? into.code : into.texts
  for (const [name, inside] of names) {
    if (typeof inside !== 'string') gather(inside, into, depth + 1)
    else if (readable.has(name)) texts.push(read(inside, into))
    else if (addresses.has(name)) into.urls.push(read(inside, into))
  }
}

function isCode(style: unknown): boolean {
  return typeof style === 'object' && style !== null && 'code' in style && style.code === true
}

/** As much of a text as may still be read. */
function read(text: string, into: Gathered): string {
  const part = text.slice(0, into.left)
  into.left -= part.length
  if (part.length < text.length) into.isWhole = false
  return part
}

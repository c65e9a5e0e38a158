// Which alerts a message speaks of: their links and keys, in its text, blocks, attachments and files. Pure.
// A key has no form of its own, so only what says that it is one counts; a guess comes when nothing does.
import { unescapeText } from '../slack/mrkdwn.ts'
import { refreshAction } from './card-buttons.ts'
import { keyInLink, parseKey } from './input.ts'

/** What a message speaks of. */
export interface Mentioned {
  /** Keys, the first mentioned first, without repeats. */
  readonly keys: readonly string[]
  /** Ids of Bellhop's own cards. */
  readonly cardIds: readonly string[]
}

/** A message is of some dozen levels at most. */
const deepest = 30
/** More are no choice. */
const mostKeys = 50
/** Of 3,000 characters; the rest says where the card goes. */
const mostMetadata = 2_300

/** Names under which Slack and those who post there keep what people read, or follow. */
const readable = new Set([
  ...['text', 'fallback', 'pretext', 'title', 'value', 'footer', 'subject', 'author_name'],
  ...['title_link', 'from_url', 'original_url', 'author_link', 'url', 'plain_text', 'preview_plain_text'],
  ...['preview', 'alt_text'],
])

/** @param alertUrl - The web link of an alert with `{ks}` in it, when there is one. */
export function mentionedIn(message: unknown, alertUrl: string | undefined): Mentioned {
  const seen = piecesOf(message)
  const certain = [...linked(seen.texts, alertUrl), ...seen.labelled, ...seen.texts.flatMap(labelledKeys)]
  const keys = certain.length > 0 ? certain : guesses(seen)
  return {
    keys: [...new Set(keys.flatMap((key) => valid(key, alertUrl)))].slice(0, mostKeys),
    cardIds: [...new Set(seen.cardIds)],
  }
}

/** As many as a modal can carry along. */
export function keysThatFit(keys: readonly string[]): readonly string[] {
  return keys.filter((_, index) => JSON.stringify(keys.slice(0, index + 1)).length <= mostMetadata)
}

/** As somebody would type it in the form. */
function valid(key: string, alertUrl: string | undefined): readonly string[] {
  const ask = parseKey(key, alertUrl)
  return ask.kind === 'look-up' ? [ask.ks] : []
}

interface Pieces {
  /** Unescaped where Slack escapes. */
  readonly texts: string[]
  /** What is set as code in rich text. */
  readonly code: string[]
  /** Values of fields that are called a key. */
  readonly labelled: string[]
  readonly cardIds: string[]
}

function piecesOf(message: unknown): Pieces {
  const pieces: Pieces = { texts: [], code: [], labelled: [], cardIds: [] }
  gather(message, pieces, 0)
  return pieces
}

function gather(value: unknown, pieces: Pieces, depth: number): void {
  if (depth > deepest || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) gather(one, pieces, depth + 1)
    return
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  const text = (name: string) => {
    const found = fields.get(name)
    return typeof found === 'string' ? found : undefined
  }
  const cardId = text('action_id') === refreshAction ? text('value') : undefined
  if (cardId !== undefined) pieces.cardIds.push(cardId)
  const label = text('title')
  const labelled = text('value')
  if (label !== undefined && labelled !== undefined && isKeyLabel(label)) pieces.labelled.push(bare(labelled))
  const style = fields.get('style')
  const isCode = typeof style === 'object' && style !== null && 'code' in style && style.code === true
  for (const [name, inside] of fields) {
    if (typeof inside !== 'string') gather(inside, pieces, depth + 1)
    else if (readable.has(name)) (isCode ? pieces.code : pieces.texts).push(inside)
  }
}

/** Without Slack's link markup and code marks. */
function bare(text: string): string {
  return unescapeText(text.trim().replace(/^<([^|>]*)(?:\|[^>]*)?>$/, '$1')).replaceAll('`', '')
}

const links = /https?:\/\/[^\s<>|"“”]+/gi

function linked(texts: readonly string[], alertUrl: string | undefined): readonly string[] {
  if (alertUrl === undefined) return []
  return texts
    .flatMap((text) => text.match(links) ?? [])
    .flatMap((link) => {
      // A sentence ends behind a link, and a bracket that was opened before it closes.
      const found = keyInLink(unescapeText(link).replace(/[.,;:!?)\]}'’*_~`]+$/, ''), alertUrl)
      return 'ks' in found ? [found.ks] : []
    })
}

function isKeyLabel(label: string): boolean {
  return /^\W*(?:alert[ _-]?)?(?:key|ks)\W*$/i.test(label)
}

/** “ks: 5HkX”, “Alert key = 5HkX”, “/alert 5HkX”; in quotes when there are spaces in it. */
const labels =
  /(?:\b(?:alert[ _-]?)?(?:key|ks)[*_`]*\s*[:=]|\/alert\s)[*_\s]*(?:["“„](.+?)["”“]|([^\s"“”„,;|<>]+))/gi

function labelledKeys(text: string): readonly string[] {
  return [...unescapeText(text).matchAll(labels)].map(([, quoted, word]) =>
    (quoted ?? word ?? '').replace(/[.!?)\]*_]+$/, '').replaceAll('`', ''),
  )
}

/** Words in code marks with a digit in them; or the one word that is all there is. */
function guesses({ texts, code }: Pieces): readonly string[] {
  const marked = texts.flatMap((text) =>
    [...unescapeText(text).matchAll(/`([^`\s]+)`/g)].map(([, word]) => word ?? ''),
  )
  const inCode = [...code, ...marked].filter((word) => /^\S*\d\S*$/.test(word) && word.length >= 4)
  const lone = texts.map((text) => bare(text)).filter((text) => /^\S{4,}$/.test(text) && /[\d-]/.test(text))
  return inCode.length > 0 ? inCode : lone
}

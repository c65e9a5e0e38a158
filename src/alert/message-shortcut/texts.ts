// What people read in a message, and where its links lead: text, blocks, attachments and files, from whatever tool. Pure.
import { refreshAction } from '../render/buttons.ts'

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
  if (action === refreshAction && said !== undefined) into.cardIds.push(said)
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

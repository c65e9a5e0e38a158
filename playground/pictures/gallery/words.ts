// The words of what the gallery shows, without markup.
import { isRecord, type Json, list, record, records, text } from '../../slack/model/json.ts'
import type { Shown, ShownHome, ShownMessage, ShownModal } from './stage/entry.ts'
import { accessId, colleagueId } from './stage/sample.ts'

/** All the words in it: what screen readers and notifications say too. */
export function allWords(shown: Shown): string {
  return flat(
    (shown.kind === 'message' ? [shown.text, ...wordsOf(shown.blocks)] : viewWords(shown)).join('\n'),
  )
}

/** What it says in short: the sentence of a message, the words of a view or of what hangs below a link. */
export function plainText(shown: Shown): string {
  const words = shown.kind === 'message' ? messageWords(shown) : viewWords(shown, unopened)
  return flat(words.join(' · ')).replaceAll(/[`*]/g, '')
}

const mostLines = 2

/**
 * The lines of what is no more than a sentence or two, still in mrkdwn: there is nothing in it to look at.
 * Undefined for everything else, and for what hangs below a link, which is all look.
 */
export function sentences(shown: Shown): readonly string[] | undefined {
  if (shown.kind === 'message' && shown.belowLink !== undefined) return undefined
  const blocks = shown.kind === 'message' ? shown.blocks : records(shown.view.blocks)
  if (!blocks.every((block) => isText(block) || isTypedLine(block))) return undefined
  const typed = wordsOf(blocks.filter(isTypedLine)).map((line) => `\`${line}\``)
  const said = blocks.length === 0 ? [plainText(shown)] : wordsOf(blocks.filter(isText))
  // Above what was typed stands a line that says so.
  const spoken = said.flatMap((words) => words.split('\n')).length - typed.length
  return spoken <= mostLines ? [...said, ...typed].map(flat) : undefined
}

/** All that a message says, of which no more than words is to be shown. */
export function spokenLines(shown: Shown): readonly string[] {
  return wordsOf(shown.kind === 'message' ? shown.blocks : records(shown.view.blocks)).map(flat)
}

function isText({ type, accessory }: Json): boolean {
  return accessory === undefined && (type === 'section' || type === 'context')
}

/** What somebody typed, for copying. */
function isTypedLine({ elements }: Json): boolean {
  const parts = records(elements)
  return parts.length > 0 && parts.every(({ type }) => type === 'rich_text_preformatted')
}

export function titleOf({ view }: ShownModal): string {
  return text(record(view.title).text) ?? ''
}

/** Below a link, only the blocks are seen. */
function messageWords({ text, blocks, belowLink }: ShownMessage): readonly string[] {
  return belowLink === undefined ? [text] : wordsOf(blocks)
}

/** What nobody sees before they press something: the question that a button asks. */
const unopened: ReadonlySet<string> = new Set(['confirm'])

function viewWords(
  shown: ShownModal | ShownHome,
  unseen: ReadonlySet<string> = new Set(),
): readonly string[] {
  const { view } = shown
  const errors = shown.kind === 'modal' ? Object.values(shown.errors) : []
  return [...wordsOf([view.title]), ...errors, ...wordsOf(list(view.blocks), unseen)]
}

function wordsOf(parts: readonly unknown[], unseen: ReadonlySet<string> = new Set()): readonly string[] {
  return parts.map((part) => textsIn(part, unseen).join(' ')).filter((words) => words !== '')
}

/** Every `text` in there, in order, and every date. */
function textsIn(json: unknown, unseen: ReadonlySet<string>): string[] {
  if (Array.isArray(json)) return list(json).flatMap((one) => textsIn(one, unseen))
  if (!isRecord(json)) return []
  if (json.type === 'date') return [text(json.fallback) ?? '']
  // Its pieces stand side by side.
  if (json.type === 'rich_text_section') return [textsIn(json.elements, unseen).join('')]
  // Each on a line of its own.
  if (json.type === 'rich_text_list' || json.type === 'rich_text') {
    return [textsIn(json.elements, unseen).join(' · ')]
  }
  return Object.entries(json).flatMap(([name, value]) => {
    if (unseen.has(name)) return []
    return name === 'text' && typeof value === 'string' ? [value] : textsIn(value, unseen)
  })
}

function flat(source: string): string {
  return source
    .replaceAll(/<(?:!date\^|https?:)[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll(`<#${accessId}>`, '#access')
    .replaceAll(/<#\w+>/g, '#on-call')
    .replaceAll(`<@${colleagueId}>`, '@alice')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

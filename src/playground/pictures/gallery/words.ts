// The words of what the gallery shows, without markup.
import { isRecord, list } from '../../slack/json.ts'
import type { Shown, ShownModal } from './entry.ts'

/** All the words in it: what screen readers and notifications say too. */
export function allWords(shown: Shown): string {
  return flat(
    (shown.kind === 'message' ? [shown.text, ...wordsOf(shown.blocks)] : modalWords(shown)).join('\n'),
  )
}

/** What it says in short: the sentence of a message, the words of a modal. */
export function plainText(shown: Shown): string {
  const words = shown.kind === 'message' ? [shown.text] : modalWords(shown)
  return flat(words.join(' · ')).replaceAll(/[`*]/g, '')
}

function modalWords({ view, errors }: ShownModal): readonly string[] {
  return [...wordsOf([view.title]), ...Object.values(errors), ...wordsOf(list(view.blocks))]
}

function wordsOf(parts: readonly unknown[]): readonly string[] {
  return parts.map((part) => textsIn(part).join(' ')).filter((words) => words !== '')
}

/** Every `text` in there, in order. */
function textsIn(json: unknown): string[] {
  if (Array.isArray(json)) return list(json).flatMap(textsIn)
  if (!isRecord(json)) return []
  return Object.entries(json).flatMap(([name, value]) =>
    name === 'text' && typeof value === 'string' ? [value] : textsIn(value),
  )
}

function flat(source: string): string {
  return source
    .replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

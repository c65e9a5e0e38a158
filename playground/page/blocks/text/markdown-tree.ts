// The part of Markdown that Slack's markdown block shows, taken apart line by line. Pure.

export type Chunk =
  | { readonly is: 'heading'; readonly text: string }
  | { readonly is: 'paragraph' | 'quote' | 'code'; readonly text: string }
  | { readonly is: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly is: 'rule' }

const fence = /^\s*```/
const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/

/** Headings, lists, quotes, code and paragraphs, in their order. */
export function readMarkdown(source: string): readonly Chunk[] {
  const lines = source.split('\n')
  const chunks: Chunk[] = []
  let next = 0
  /** Takes lines while they match; what the test gives back is kept. */
  const takeWhile = (keep: (line: string) => string | undefined): string[] => {
    const taken: string[] = []
    for (; next < lines.length; next += 1) {
      const kept = keep(lines[next] ?? '')
      if (kept === undefined) break
      taken.push(kept)
    }
    return taken
  }
  while (next < lines.length) {
    const line = lines[next] ?? ''
    const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? []
    if (line.trim() === '') {
      next += 1
    } else if (fence.test(line)) {
      next += 1
      const code = takeWhile((one) => (fence.test(one) ? undefined : one))
      next += 1
      chunks.push({ is: 'code', text: code.join('\n') })
    } else if (heading !== undefined) {
      next += 1
      chunks.push({ is: 'heading', text: heading })
    } else if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
      next += 1
      chunks.push({ is: 'rule' })
    } else if (/^\s*>/.test(line)) {
      const quoted = takeWhile((one) => (/^\s*>/.test(one) ? one.replace(/^\s*>\s?/, '') : undefined))
      chunks.push({ is: 'quote', text: quoted.join('\n') })
    } else if (item.test(line)) {
      const isOrdered = item.exec(line)?.[1] !== undefined
      const items = takeWhile((one) => {
        const [found, number, words] = item.exec(one) ?? []
        return found !== undefined && (number !== undefined) === isOrdered ? words : undefined
      })
      chunks.push({ is: 'list', isOrdered, items })
    } else {
      const words = takeWhile((one) => (one.trim() === '' || startsOther(one) ? undefined : one))
      chunks.push({ is: 'paragraph', text: words.join('\n') })
    }
  }
  return chunks
}

function startsOther(line: string): boolean {
  return fence.test(line) || item.test(line) || /^#{1,6}\s|^\s*>|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)
}

export interface Span {
  readonly is: 'text' | 'bold' | 'italic' | 'strike' | 'code' | 'link'
  readonly text: string
  readonly url?: string | undefined
}

const marks =
  /`([^`]+)`|\*\*(\S(?:[^*]*\S)?)\*\*|~~(\S(?:[^~]*\S)?)~~|(?<!\w)([*_])([^\s*_](?:[^*_]*[^\s*_])?)\4(?!\w)|\[([^\]]*)\]\(([^\s()]+)\)/g

/** The styles in a line; they do not nest here. */
export function readSpans(source: string): readonly Span[] {
  const spans: Span[] = []
  let from = 0
  for (const match of source.matchAll(marks)) {
    const [all, code, bold, strike, , italic, label, url] = match
    if (match.index > from) spans.push({ is: 'text', text: source.slice(from, match.index) })
    from = match.index + all.length
    if (code !== undefined) spans.push({ is: 'code', text: code })
    else if (bold !== undefined) spans.push({ is: 'bold', text: bold })
    else if (strike !== undefined) spans.push({ is: 'strike', text: strike })
    else if (italic !== undefined) spans.push({ is: 'italic', text: italic })
    else spans.push({ is: 'link', text: label ?? '', url })
  }
  if (from < source.length) spans.push({ is: 'text', text: source.slice(from) })
  return spans
}

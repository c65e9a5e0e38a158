// Reads our Markdown as far as the tests of the documents need it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Document {
  readonly path: string
  readonly text: string
}

export function readDocument(path: string): Document {
  return { path, text: readFileSync(path, 'utf8') }
}

/** All of what a pattern's first group finds, each once, with a line break within it as a blank. */
export function all(pattern: RegExp, text: string): readonly string[] {
  const found = [...text.matchAll(pattern)].map(([, one = '']) => one.replaceAll(/\s+/g, ' '))
  return [...new Set(found)]
}

/** Without blocks of code, which are no prose. */
function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
}

/** Pieces of code in the line: `like this`. */
export function codeIn(text: string): readonly string[] {
  return all(/`([^`]+)`/g, withoutBlocks(text))
}

/** What stands in _italics_, outside of code. */
export function italicsIn(text: string): readonly string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`]+`/g, '')
  return all(/(?<![\w])_([^_]+)_(?!\w)/g, prose)
}

/** The anchors of a document’s headings, as GitHub makes them. */
export function anchorsIn(text: string): readonly string[] {
  const seen = new Map<string, number>()
  return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}

/** Links and pictures that lead nowhere on this disk. Addresses elsewhere are not looked at. */
export function brokenLinks({ path, text }: Document): readonly string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`]+`/g, '')
  const targets = [
    ...all(/\]\(([^)\s]+)\)/g, prose),
    ...all(/\b(?:src|srcset|href)="([^"]+)"/g, prose),
  ]
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [file = '', anchor] = target.split('#', 2)
    const to = file === '' ? path : normalize(join(dirname(path), file))
    if (file !== '' && !existsSync(to)) return true
    if (anchor === undefined) return false
    return !anchorsIn(to === path ? text : readFileSync(to, 'utf8')).includes(anchor)
  })
}

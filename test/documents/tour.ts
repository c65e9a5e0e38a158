// Claims of a document about the sources: exports in files, and tests by their names. Each function returns what is wrong.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from './markdown.ts'

interface Claim {
  readonly what: string
  readonly file: string
}

function claimsIn({ path, text }: Document, pattern: RegExp): readonly Claim[] {
  return [...text.matchAll(pattern)].map(([, one = '', other = '']) => {
    const [what, link] =
      one.startsWith('../') || one.startsWith('src/') || one.startsWith('test/') ? [other, one] : [one, other]
    return { what: what.replaceAll(/\s+/g, ' '), file: join(dirname(path), link) }
  })
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** As in: `parseAlertLine` in [input.ts](../src/alert/input.ts). */
export function exportsIn(document: Document): readonly Claim[] {
  return claimsIn(document, /`([\w$]+)`\s+in\s+\[[^\]]*\]\(([^)#]+)\)/g)
}

export function missingExports(document: Document): readonly string[] {
  return exportsIn(document)
    .filter(({ what, file }) => {
      const exported = new RegExp(
        `^export (?:async )?(?:function\\*?|const|interface|type|class) ${what}\\b`,
        'm',
      )
      return !exported.test(textOf(file))
    })
    .map(({ what, file }) => `${what} in ${file}`)
}

/** As in: [replicas.test.ts](../test/full/replicas.test.ts), “send one POST”. */
export function testsIn(document: Document): readonly Claim[] {
  return claimsIn(document, /\[[^\]]*\]\(([^)]+\.test\.ts)\),\s+“([^”]+)”/g)
}

export function missingTests(document: Document): readonly string[] {
  return testsIn(document)
    .filter(({ what, file }) => {
      const titles = [...textOf(file).matchAll(/\b(?:it|describe)(?:\.each\([\s\S]*?\))?\(\s*'([^']*)'/g)]
      return !titles.some(([, title]) => title === what)
    })
    .map(({ what, file }) => `“${what}” in ${file}`)
}

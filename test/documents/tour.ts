// Claims of a document about the sources: exports in files.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from './markdown.ts'

interface Claim {
  readonly what: string
  readonly file: string
}

/** As in: `parseAlertLine` in [input.ts](../src/alert/input.ts). */
export function exportsIn({ path, text }: Document): readonly Claim[] {
  return [...text.matchAll(/`([\w$]+)`\s+in\s+\[[^\]]*\]\(([^)#]+)\)/g)].map(
    ([, what = '', link = '']) => ({
      what,
      file: join(dirname(path), link),
    }),
  )
}

/** Those that are no exports of their files. */
export function missingExports(document: Document): readonly string[] {
  return exportsIn(document)
    .filter(({ what, file }) => {
      const exported = new RegExp(
        `^export (?:async )?(?:function\\*?|const|interface|type|class) ${what}\\b`,
        'm',
      )
      return !existsSync(file) || !exported.test(readFileSync(file, 'utf8'))
    })
    .map(({ what, file }) => `${what} in ${file}`)
}

// Releases: CHANGELOG.md has each by its version and date, the newest first, and the newest is what package.json says.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { all } from './markdown.ts'

const versioned = z.object({ version: z.string() })
const { version } = versioned.parse(JSON.parse(readFileSync('package.json', 'utf8')))
const headings = all(/^(## .*)$/gm, readFileSync('CHANGELOG.md', 'utf8'))

/** `date` is undefined while it is not released. */
function read(
  heading: string,
): { readonly version: string; readonly date: string | undefined } | undefined {
  const [, own = '', rest = ''] =
    /^## (\d+\.\d+\.\d+)(, not released yet| — \d{4}-\d\d-\d\d)$/.exec(heading) ?? []
  if (own === '') return undefined
  return { version: own, date: rest.startsWith(' — ') ? rest.slice(3) : undefined }
}

/** What is wrong with headings, from the newest. */
function problemsOf(those: readonly string[]): readonly string[] {
  const releases = those.map(read)
  const order = (one: string) =>
    one
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join('.')
  return those.filter((_, at) => {
    const [one, before] = [releases[at], releases[at - 1]]
    if (one === undefined) return true
    if (Number.isNaN(Date.parse(one.date ?? '2026-01-01'))) return true
    if (at === 0) return false
    // Only the newest can be on its way.
    if (one.date === undefined || before === undefined) return true
    return order(one.version) >= order(before.version) || one.date > (before.date ?? one.date)
  })
}

describe('CHANGELOG.md', () => {
  it('has the version of package.json first, and each release by version and date', () => {
    expect(read(headings[0] ?? '')?.version).toBe(version)
    expect(problemsOf(headings)).toEqual([])
  })
})

describe('a version', () => {
  it('is the same in the lock file and on the operator’s shelf', () => {
    expect(versioned.parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).version).toBe(
      version,
    )
    const shelf = globSync('docs/operating/*').map((path) => readFileSync(path, 'utf8'))
    const named = shelf.flatMap((text) => all(/(?:bellhop:|git checkout v)(\d+\.\d+\.\d+)/g, text))
    expect(named).toEqual([version])
  })
})

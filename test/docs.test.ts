// The documents stay true: what they tell people to type, press, set, run and open is there.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { settingNames } from '../src/config/config.ts'
import { flags } from '../src/grant/flags.ts'
import { readSources } from './architecture/source.ts'
import { reasonsIn, scriptsIn, unknownLabels, unknownSettings, wrongLines } from './documents/claims.ts'
import { all, anchorsIn, brokenLinks, codeIn, italicsIn, readDocument } from './documents/markdown.ts'
import { exportsIn, missingExports, missingTests, testsIn } from './documents/tour.ts'

const documents = globSync(['*.md', 'docs/*.md', 'docs/operating/*.md']).sort().map(readDocument)
const named = (path: string) => documents.find((one) => one.path === path) ?? { path, text: '' }
const [readme, running, contributing, tour, dependenciesPage] = [
  'README.md',
  'docs/running.md',
  'CONTRIBUTING.md',
  'docs/tour.md',
  'docs/dependencies.md',
].map(named)
/** Variables that Node reads by itself. */
const ofNode = ['NODE_EXTRA_CA_CERTS']
const { scripts, dependencies } = z
  .object({ scripts: z.record(z.string(), z.string()), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const sources = [...globSync('{src,playground}/**/*.ts'), 'manifest.yml']
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

describe('documents', () => {
  it('are the ones that people look for', () => {
    const paths = documents.map(({ path }) => path)
    for (const path of ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'docs/tour.md'])
      expect(paths).toContain(path)
    expect(readFileSync('LICENSE', 'utf8')).toMatch(/^MIT License/)
  })

  it.each(documents.map((one) => [one.path, one] as const))(
    '%s names commands, labels and settings that there are',
    (_, { text }) => {
      const inCompose = all(/\$\{(\w+)/g, readFileSync('compose.yaml', 'utf8'))
      expect(wrongLines(text)).toEqual([])
      expect(unknownLabels(text, sources)).toEqual([])
      expect(unknownSettings(text, [...settingNames, ...flags, ...inCompose, ...ofNode])).toEqual([])
      expect(scriptsIn(text).filter((name) => !(name in scripts))).toEqual([])
    },
  )

  it.each(documents.map((one) => [one.path, one] as const))(
    '%s has no link, and no picture, that leads nowhere',
    (_, one) => {
      expect(brokenLinks(one)).toEqual([])
    },
  )

  it('say what each script is for', () => {
    const said = scriptsIn([readme, running, contributing].map((one) => one?.text).join('\n'))
    // Those that npm runs by itself before others look at Node.
    const own = Object.keys(scripts).filter((name) => !name.startsWith('pre'))
    expect(own.filter((name) => !said.includes(name))).toEqual([])
  })

  it('hold enough of each that looking is worth it', () => {
    expect(codeIn(readme?.text ?? '').filter((code) => /^\/(alert|grant)/.test(code)).length).toBeGreaterThan(
      15,
    )
    expect(italicsIn(readme?.text ?? '').length).toBeGreaterThan(15)
    expect(documents.flatMap(({ text }) => anchorsIn(text)).length).toBeGreaterThan(60)
  })
})

describe('docs/dependencies.md', () => {
  it('gives a reason for each production dependency, and for no other', () => {
    const reasons = reasonsIn(dependenciesPage?.text ?? '')
    expect([...reasons.keys()].toSorted()).toEqual(Object.keys(dependencies).toSorted())
    expect([...reasons].filter(([, reason]) => reason.length < 4)).toEqual([])
  })
})

describe('the README', () => {
  it('starts Bellhop without npm as package.json spells it out', () => {
    expect(codeIn(readme?.text ?? '')).toContain(scripts.start?.replace(/^exec /, ''))
  })

  it('shows every picture in docs/, in light and in dark, no other, and not more than 16', () => {
    const shown = all(/\bsrc(?:set)?="([^"]+)"/g, readme?.text ?? '')
    expect(shown.toSorted()).toEqual(globSync('docs/*.png').sort())
    expect(shown.filter((path) => path.endsWith('-dark.png'))).toHaveLength(shown.length / 2)
    expect(shown.length).toBeLessThanOrEqual(16)
  })
})

describe('the tour', () => {
  const text = tour?.text ?? ''

  it('names exports and tests that there are', () => {
    expect(missingExports(tour ?? named(''))).toEqual([])
    expect(missingTests(tour ?? named(''))).toEqual([])
    expect(exportsIn(tour ?? named('')).length).toBeGreaterThan(15)
    expect(testsIn(tour ?? named('')).length).toBeGreaterThan(9)
  })

  it('has every room in its table, and no other', () => {
    const rooms = readSources()
      .filter(({ path }) => path.startsWith('src/') && path.split('/').length > 2)
      .map(({ room }) => room)
    expect(all(/^\| `([a-z-]+)\/`/gm, text).toSorted()).toEqual([...new Set(rooms)].toSorted())
  })
})

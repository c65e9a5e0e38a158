// The documents stay true: what they tell people to type, press, set, run and open is there.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { settingNames } from '../src/config/config.ts'
import { flags } from '../src/grant/roles.ts'
import { readSources } from './architecture/source.ts'
import {
  reasonsIn,
  scriptsIn,
  unknownLabels,
  unknownSettings,
  wrongLines,
} from './documents/claims.ts'
import {
  all,
  anchorsIn,
  brokenLinks,
  codeIn,
  italicsIn,
  readDocument,
} from './documents/markdown.ts'
import { exportsIn, missingExports } from './documents/tour.ts'

const documents = globSync(['*.md', 'docs/*.md', 'docs/operating/*.md']).sort().map(readDocument)
const named = (path: string) => documents.find((one) => one.path === path) ?? { path, text: '' }
const [readme, running, contributing, tour] = [
  'README.md',
  'docs/running.md',
  'CONTRIBUTING.md',
  'docs/tour.md',
].map(named)
/** Variables that Node reads by itself. */
const ofNode = ['NODE_EXTRA_CA_CERTS']
const { scripts, dependencies } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const sources = [...globSync('{src,playground}/**/*.ts'), 'manifest.yml']
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

describe('documents', () => {
  it('are the ones that people look for', () => {
    const paths = documents.map(({ path }) => path)
    for (const path of [
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'README.md',
      'SECURITY.md',
      'docs/tour.md',
    ])
      expect(paths).toContain(path)
    expect(readFileSync('LICENSE', 'utf8')).toMatch(/^MIT License/)
  })

  it.each(documents.map((one) => [one.path, one] as const))(
    '%s names commands, labels and settings that there are',
    (_, { text }) => {
      const inCompose = all(/\$\{(\w+)/g, readFileSync('compose.yaml', 'utf8'))
      expect(wrongLines(text)).toEqual([])
      expect(unknownLabels(text, sources)).toEqual([])
      expect(unknownSettings(text, [...settingNames, ...flags, ...inCompose, ...ofNode])).toEqual(
        [],
      )
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
    expect(
      codeIn(readme?.text ?? '').filter((code) => /^\/(alert|grant)/.test(code)).length,
    ).toBeGreaterThan(15)
    expect(italicsIn(readme?.text ?? '').length).toBeGreaterThan(15)
    expect(documents.flatMap(({ text }) => anchorsIn(text)).length).toBeGreaterThan(60)
  })
})

describe('the list of dependencies', () => {
  it('gives a reason for each production dependency, and for no other', () => {
    const reasons = reasonsIn(contributing?.text ?? '')
    expect([...reasons.keys()].toSorted()).toEqual(Object.keys(dependencies).toSorted())
    expect([...reasons].filter(([, reason]) => reason.length < 4)).toEqual([])
  })
})

describe('docs/running.md', () => {
  it('starts Bellhop without npm as package.json spells it out', () => {
    expect(codeIn(running?.text ?? '')).toContain(scripts.start?.replace(/^exec /, ''))
  })

  it('is no longer than somebody reads', () => {
    expect(running?.text.split(/\s+/).length).toBeLessThan(2_500)
    expect(readme?.text.split('\n').length).toBeLessThanOrEqual(150)
    expect(tour?.text.split('\n').length).toBeLessThanOrEqual(170)
  })
})

describe('pictures', () => {
  it('are each shown once, in light and in dark, and not more than 16', () => {
    const shown = documents.flatMap(({ path, text }) =>
      all(/\bsrc(?:set)?="([^"]+)"/g, text).map((one) => join(dirname(path), one)),
    )
    expect(shown.toSorted()).toEqual(globSync('docs/*.png').sort())
    expect(shown.filter((path) => path.endsWith('-dark.png'))).toHaveLength(shown.length / 2)
    expect(shown.length).toBeLessThanOrEqual(16)
  })
})

describe('the tour', () => {
  const text = tour?.text ?? ''

  it('names exports that there are', () => {
    expect(missingExports(tour ?? named(''))).toEqual([])
    expect(exportsIn(tour ?? named('')).length).toBeGreaterThan(15)
  })

  it('has every folder in its table, and no other', () => {
    const rooms = readSources()
      .filter(({ path }) => path.startsWith('src/') && path.split('/').length > 2)
      .map(({ room }) => room)
    const [, table = ''] = text.split('\n## The folders\n')
    const listed = all(
      /`([a-z-]+)\/`/g,
      (table.split('\n## ')[0] ?? '').replaceAll(/\|[^|]*\|$/gm, ''),
    )
    expect(listed.toSorted()).toEqual([...new Set(rooms)].toSorted())
  })
})

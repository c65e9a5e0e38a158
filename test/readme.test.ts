// README.md names what there is: pictures, scripts, settings, its own sections.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { settingNames } from '../src/config.ts'
import { faults, rowOf, triedBy } from './full/faults/table.ts'

const readme = readFileSync('README.md', 'utf8')

function all(pattern: RegExp): string[] {
  return [...new Set([...readme.matchAll(pattern)].map(([, found = '']) => found))].sort()
}

it('shows every picture in docs/, in light and in dark, and no other', () => {
  const shown = all(/\bsrc(?:set)?="([^"]+)"/g)

  expect(shown).toEqual(globSync('docs/*.png').sort())
  expect(shown.filter((path) => path.endsWith('-dark.png'))).toHaveLength(shown.length / 2)
})

it('names scripts that there are', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const named = all(/\bnpm run (?:--silent )?([\w:]+)/g)

  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

it('names settings that there are', () => {
  const named = all(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)

  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([])
})

it('links to sections that it has', () => {
  const sections = all(/^#+ (.*)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, ''),
  )

  expect(all(/\]\(#([^)]+)\)/g).filter((link) => !sections.includes(link))).toEqual([])
})

it('tells of each fault that is tried, and of no other', () => {
  const [, section = ''] = readme.split('## Reliability')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Fault|---)/.test(line))

  expect(rows.length).toBeGreaterThan(40)
  expect(rows).toEqual(faults.map(rowOf))
  expect(triedBy.filter((file) => !existsSync(file))).toEqual([])
})

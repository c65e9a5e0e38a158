// The rules of the playground: what runs in a browser, where its vendors live, which of its rooms stand alone.

import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources } from './source.ts'

const inPlayground = readSources().filter(({ room }) => room === 'playground')

/** A folder of the playground, or `.` for its own files. */
function partOf(path: string): string {
  const [, part = '.', ...rest] = path.split('/')
  return rest.length === 0 ? '.' : part
}

/** Which parts a part may import from, itself apart; the product's own rooms are named `product`. */
const mayImport: Readonly<Record<string, { readonly parts: readonly string[]; readonly because: string }>> = {
  page: { parts: [], because: 'it runs in a browser, where only its own files are served' },
  slack: {
    parts: [],
    because: 'a stand-in for Slack knows neither the product, nor the service, nor the page',
  },
  monitor: { parts: [], because: 'a stand-in that shares code with the product would share its mistakes' },
  server: { parts: ['page', 'slack', 'monitor'], because: 'it joins the page to the stand-ins' },
  pictures: {
    parts: ['.', 'page', 'slack', 'monitor', 'server', 'product'],
    because: 'it shows everything there is',
  },
  '.': { parts: ['page', 'slack', 'monitor', 'server'], because: 'it starts the real bot as a process' },
}

/** What the page and the stand-in Slack share: pure readers of Block Kit, bundled for the browser as well. */
const shared = /^playground\/slack\/model\/(json|view-state)\.ts$/

/** Of the product, the stand-in Slack reads Slack’s documented limits and nothing else. */
const limits = 'src/slack/text/limits.ts'

describe('parts of the playground', () => {
  it('import only from the parts they stand on', () => {
    const broken = inPlayground.flatMap(({ path, imports }) => {
      const part = partOf(path)
      const rule = mayImport[part]
      if (rule === undefined) return [`${path}: no rule for ${part}; add a row with its reason`]
      return imports.flatMap((one) => {
        if (one.path === undefined) return []
        if (part === 'page' && shared.test(one.path)) return []
        if (part === 'slack' && one.path === limits) return []
        const target = one.path.startsWith('playground/') ? partOf(one.path) : 'product'
        return target === part || rule.parts.includes(target)
          ? []
          : [`${path} imports ${one.path}, but: ${rule.because}`]
      })
    })
    expect(broken).toEqual([])
  })

  it('that run in a browser import only the packages that a browser is meant to get', () => {
    const known = /^(\.|preact$|preact\/hooks$|htm\/preact$|slack-message-parser$)/
    const broken = inPlayground
      .filter(({ path }) => partOf(path) === 'page')
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ specifier, isTypeOnly }) => !isTypeOnly && !known.test(specifier))
          .map(({ specifier }) => `${path} imports ${specifier}`),
      )
    expect(broken).toEqual([])
  })

  it('take types alone from the page: it runs elsewhere', () => {
    const broken = inPlayground
      .filter(({ path }) => partOf(path) !== 'page')
      .filter(({ imports }) =>
        imports.some(({ path, isTypeOnly }) => path?.startsWith('playground/page/') && !isTypeOnly),
      )
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

/** Folders that lead back to themselves by what their files import, from this one on: the first such way. */
function circleFrom(
  folder: string,
  way: readonly string[],
  isDone: Set<string>,
): readonly string[] | undefined {
  if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder]
  if (isDone.has(folder)) return undefined
  const next = inPlayground
    .filter(({ path }) => dirname(path) === folder)
    .flatMap(({ imports }) => imports.flatMap(({ path }) => (path === undefined ? [] : [dirname(path)])))
  for (const other of new Set(next)) {
    const circle = other === folder ? undefined : circleFrom(other, [...way, folder], isDone)
    if (circle) return circle
  }
  isDone.add(folder)
  return undefined
}

describe('folders of the playground', () => {
  it('stand in no circle, types included: each can be read after those that it stands on', () => {
    const isDone = new Set<string>()
    const folders = new Set(inPlayground.map(({ path }) => dirname(path)))
    const circle = [...folders]
      .map((folder) => circleFrom(folder, [], isDone))
      .find((way) => way !== undefined)
    expect(circle?.join(' → ')).toBeUndefined()
  })
})

describe('vendors of the playground', () => {
  const houses: readonly { readonly vendor: RegExp; readonly house: RegExp; readonly because: string }[] = [
    {
      vendor: /^(hono|@hono\/)/,
      house: /\/server\/(server|live)\.ts$/,
      because: 'only the page has a web server of this kind',
    },
    { vendor: /^(preact|htm)/, house: /\/page\//, because: 'only the page draws' },
    { vendor: /^slack-message-parser$/, house: /\/page\/blocks\//, because: 'mrkdwn is drawn with blocks' },
    {
      vendor: /^(playwright-core|@sparticuz)/,
      house: /\/pictures\//,
      because: 'only pictures need a browser',
    },
    { vendor: /^ws$/, house: /\/slack\/wire\/socket\.ts$/, because: 'Socket Mode is one file' },
  ]

  it('stay in their houses', () => {
    const broken = inPlayground.flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier }) =>
        houses
          .filter(({ vendor, house }) => vendor.test(specifier) && !house.test(path))
          .map(({ because }) => `${path} imports ${specifier}, but: ${because}`),
      ),
    )
    expect(broken).toEqual([])
  })

  it('are development dependencies: npm start needs none of them', async () => {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
    const production = Object.keys(manifest.dependencies)
    expect(production.filter((name) => /hono|preact|htm|playwright|sparticuz|parser/.test(name))).toEqual([])
  })
})

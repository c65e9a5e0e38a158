// The rules of the playground: what runs in a browser, and which of its rooms stand alone.

import { describe, expect, it } from 'vitest'
import { readSources } from './source.ts'

const inPlayground = readSources().filter(({ room }) => room === 'playground')

/** A folder of the playground, or `.` for its own files. */
function partOf(path: string): string {
  const [, part = '.', ...rest] = path.split('/')
  return rest.length === 0 ? '.' : part
}

/** Which parts a part may import from, itself apart; the product's own rooms are named `product`. */
const mayImport: Readonly<
  Record<string, { readonly parts: readonly string[]; readonly because: string }>
> = {
  page: { parts: [], because: 'it runs in a browser, where only its own files are served' },
  slack: {
    parts: [],
    because: 'a stand-in for Slack knows neither the product, nor the service, nor the page',
  },
  monitor: {
    parts: [],
    because: 'a stand-in that shares code with the product would share its mistakes',
  },
  server: { parts: ['page', 'slack', 'monitor'], because: 'it joins the page to the stand-ins' },
  pictures: {
    parts: ['.', 'page', 'slack', 'monitor', 'server', 'product'],
    because: 'it shows everything there is',
  },
  '.': {
    parts: ['page', 'slack', 'monitor', 'server'],
    because: 'it starts the real bot as a process',
  },
}

/** What the page and the stand-in Slack share: pure readers of Block Kit, bundled for the browser as well. */
const shared = /^playground\/slack\/model\/(json|view-state)\.ts$/

/** Of the product, the stand-in Slack reads Slack’s documented limits and nothing else. */
const limits = 'src/slack/text/mrkdwn.ts'

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

// A Node that is too old: whoever starts Bellhop with it is told in words.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const { engines, scripts } = z
  .object({ engines: z.object({ node: z.string() }), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const needed = engines.node.replace('>=', '')

/** What the look at the version says, and what it ends with. */
function looksAt(node: string) {
  const said: unknown[] = []
  const run = new Function('process', 'console', readFileSync('src/terminal/check-node.js', 'utf8'))
  run(
    { versions: { node }, exit: (code: number) => said.push(code) },
    { error: (text: string) => said.push(text) },
  )
  return said
}

describe('a Node', () => {
  it.each(['12.22.12', '20.20.2', '24.14.9', '9.0.0'])(
    'of version %s is refused, with the version that is needed',
    (version) => {
      expect(looksAt(version)).toEqual([
        `Bellhop needs Node ${needed} or newer, and this is ${version}. Install a newer one (https://nodejs.org), or use the container.`,
        1,
      ])
    },
  )

  it.each([`${needed}.0`, '24.100.1', '25.0.0', '26.0.0-nightly20270101', process.versions.node])(
    'of version %s is taken',
    (version) => {
      expect(looksAt(version)).toEqual([])
    },
  )

  it('is looked at before anything else of a start', () => {
    const check = 'node src/terminal/check-node.js'
    expect([scripts.prestart, scripts['prestart:built']]).toEqual([check, check])
    const [first] =
      readFileSync('src/start.js', 'utf8')
        .match(/^import .*$/gm)
        ?.slice(1) ?? []
    expect(first).toBe("import './terminal/check-node.js'")
  })
})

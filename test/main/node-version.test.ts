// A Node that is too old: whoever starts Bellhop with it is told in words. What tells them has to be read by that Node.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nodeProblem } from '../../src/terminal/node-version.js'

const { engines, scripts } = z
  .object({ engines: z.object({ node: z.string() }), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const [, needed = ''] = /^>=(.+)$/.exec(engines.node) ?? []

describe('a Node', () => {
  it.each(['12.22.12', '18.20.4', '20.20.2', '22.21.0', '24.14.9', '9.0.0', 'unknown'])(
    'of version %s is refused, with the version that is needed',
    (version) => {
      expect(nodeProblem(version)).toBe(
        `Bellhop needs Node ${needed} or newer, and this is ${version}. Install a newer one (https://nodejs.org), or use the container.`,
      )
    },
  )

  it.each([
    `${needed}.0`,
    '24.15.0',
    '24.100.1',
    '25.0.0',
    '100.1.0',
    '26.0.0-nightly20270101',
    process.versions.node,
  ])('of version %s is taken', (version) => {
    expect(nodeProblem(version)).toBeUndefined()
  })
})

/** Of ES2020 and before: what a Node reads that has modules at all. */
const old = new Set(
  [
    'Program ImportDeclaration ImportSpecifier ExportNamedDeclaration ImportExpression MetaProperty',
    'FunctionDeclaration ArrowFunctionExpression BlockStatement ReturnStatement IfStatement ExpressionStatement',
    'VariableDeclaration VariableDeclarator CallExpression MemberExpression BinaryExpression LogicalExpression',
    'UnaryExpression AssignmentExpression Identifier Literal TemplateLiteral TemplateElement ObjectPattern Property',
  ].flatMap((line) => line.split(' ')),
)

const node = z.looseObject({ type: z.string() })

/** Whatever in a text is newer, and what it imports by name of Node, which an older one may not have. */
function tooNewIn(code: string): readonly string[] {
  const found: string[] = []
  function walk(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) walk(one)
    const { data } = node.safeParse(value)
    if (data === undefined) return
    const { source, specifiers } = data
    const from = z.object({ value: z.string() }).safeParse(source).data?.value ?? ''
    const named = z.array(node).safeParse(specifiers).data ?? []
    if (!old.has(data.type)) found.push(data.type)
    if (data.type === 'LogicalExpression' && /=/.test(String(data.operator))) found.push('logical assignment')
    if (data.type === 'AssignmentExpression' && !['=', '+='].includes(String(data.operator)))
      found.push('assignment')
    if (
      data.type === 'ImportDeclaration' &&
      from.startsWith('node:') &&
      from !== 'node:path' &&
      named.length > 0
    )
      found.push(`names of ${from}`)
    for (const one of Object.values(data)) walk(one)
  }
  walk(parseAst(code))
  return found
}

/** A file, and those that it imports before it runs. */
function readWith(path: string): readonly (readonly [path: string, code: string])[] {
  const code = readFileSync(path, 'utf8')
  const imported = [...code.matchAll(/^import (?:[^'"]*from )?'(\.[^']+)'/gm)].map(([, name = '']) =>
    normalize(join(dirname(path), name)),
  )
  return [[path, code], ...imported.flatMap(readWith)]
}

describe('where npm start begins', () => {
  it.each(readWith('src/start.js'))('is read by an old Node as well: %s', (_, code) => {
    expect(tooNewIn(code)).toEqual([])
  })

  it('begins with looking at the version', () => {
    expect(readWith('src/start.js').map(([path]) => path)).toEqual([
      'src/start.js',
      'src/terminal/check-node.js',
      'src/terminal/node-version.js',
    ])
  })

  it.each([
    ["import { enableCompileCache } from 'node:module'", 'names of node:module'],
    ["await import('./main.ts')", 'AwaitExpression'],
    ['class A { #b = 1 }', 'ClassDeclaration'],
    ['a ??= 1', 'assignment'],
  ])('would not be with %s', (code, what) => {
    expect(tooNewIn(code)).toContain(what)
  })

  it('is looked at before every command that an operator runs by npm, as Node may not know its options either', () => {
    const run = Object.keys(scripts).filter(
      (name) => /node .*\b(src|dist|playground)\//.test(scripts[name] ?? '') && !name.startsWith('pre'),
    )
    const unchecked = run.filter((name) => scripts[`pre${name}`] !== 'node src/terminal/check-node.js')
    expect(unchecked).toEqual(['screenshots'])
  })
})

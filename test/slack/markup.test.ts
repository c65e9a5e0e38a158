// What Slack marks in a text, read back; and what it must not read as markup of its own.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderStillAsking } from '../../src/alert/render/look-up.ts'
import { piecesOf, type Piece as Read } from '../../src/slack/text/markup.ts'

type Piece = Omit<Read, 'typed'>

const label = fc.stringMatching(/^[^<>]{0,8}$/)
const id = fc.stringMatching(/^[A-Z0-9]{1,5}$/)
const address = fc.stringMatching(/^[a-z0-9@./?= ]{1,12}$/)
const forms: readonly (readonly [Piece['kind'], begins: string, target: fc.Arbitrary<string>])[] = [
  ['person', '@', id.map((rest) => `U${rest}`)],
  ['group', '!subteam^', id.map((rest) => `S${rest}`)],
  ['channel', '#', id.map((rest) => `C${rest}`)],
  ['all', '!', fc.constantFrom('here', 'channel', 'everyone')],
  ['mail', 'mailto:', address],
  ['phone', 'tel:', address],
  ['link', '', address.map((rest) => `https://${rest}`)],
]
const marked = fc.oneof(
  ...forms.map(([kind, begins, targets]) =>
    fc.tuple(targets, label).map(([target, name]): Piece => {
      return { kind, source: `<${begins}${target}${name && `|${name}`}>`, target, label: name }
    }),
  ),
)
const words = fc
  .stringMatching(/^[^<]{1,8}$/)
  .map((source): Piece => ({ kind: 'words', source, target: '', label: '' }))

it('every person, group, channel and link in a text is read, and the pieces are the text', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(words, marked)), (pairs) => {
      const pieces = pairs.flat()
      const read = piecesOf(pieces.map(({ source }) => source).join(''))
      expect(read.map(({ typed: _, ...piece }) => piece)).toEqual(pieces)
    }),
  )
})

it('any text is the text of its pieces', () => {
  const unit = fc.constantFrom(
    '<',
    '>',
    '|',
    '@U1',
    '#C1',
    '!',
    'here',
    '^',
    'a',
    ':',
    '\n',
    '&lt;',
  )
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const pieces = piecesOf(text)
      expect(pieces.map(({ source }) => source).join('')).toBe(text)
    }),
  )
})

it('a key that looks like markup is shown as it was typed', () => {
  const [block] = renderStillAsking('*5HkX*').blocks
  expect(block?.type).toBe('rich_text')
  expect(JSON.stringify(block)).toContain('*5HkX*')
})

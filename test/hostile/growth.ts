// Growth of the steps that something takes with the length of a text: none may grow faster, so that nobody’s text can
// keep the bot busy. Steps are counted by V8, and no clock is looked at: `steps.ts` says how.
import { expect, it } from 'vitest'
import { further, readers } from './readers.ts'
import { stepsOf } from './steps.ts'

/** Of each the text is made by repeating it: alone, or between words. */
const awkward = [
  ...['"', '“', '”', '„', '«', '»', "'", '`', '<', '>', '(', ']', '{', '&lt;', '&amp;'],
  ...[' ', '\t', '\n', '\u00a0', ',', ';', '.', ':', '!', '@', '|', '\\', '/', '%', '*', '-'],
  ...[
    '\u200b',
    '\u0301',
    '\u202e',
    '\ud800',
    '😀',
    'ſ',
    '1',
    'a',
    '“a ',
    '"a" ',
    'a" ',
    '"a',
    '\\"',
    ' \n',
    ', ',
  ],
  ...[
    '<a|',
    '<a ',
    '<@',
    'a@',
    'a@b ',
    'a@b,',
    '@a ',
    '<mailto:',
    '<mailto:a@b|a@b>',
    '&lt;a@b&gt; ',
    '<a@b> ',
  ],
  ...[
    '<@UBOT|',
    '<@UBOT> ',
    'https://',
    '<https://a|',
    'via ',
    'ks="',
    '/alert ',
    '`a1b2 ',
    '1111 ',
    '%20',
    'token="',
    '"token":[',
    '"token":[\\"',
  ],
]
const textOf = (piece: string, length: number) =>
  `x${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}x`

/** A linear reader takes four times the steps for four times the text, and a quadratic one sixteen times. */
const times = 4
const mostGrowth = times * 1.5
/** What reading begins with is not growth. */
const beginning = 20_000
/** Steps for each character that no reader has to answer for: some only begin to work on what is longer than they take. */
const perCharacter = 8
/** Enough to see. */
const mostShown = 3

const all = [
  ...Object.entries(readers).flatMap(([file, { reads }]) =>
    Object.entries(reads).map(([name, read]) => [`${name} of ${file}`, read] as const),
  ),
  ...Object.entries(further),
]

/** @param lengths - Of the texts; each is four times the one before. */
export function growsAsTheTextDoes(lengths: readonly number[]): void {
  it.each(all)(
    'takes %s no more than four times the steps for four times the text',
    (_name, read) =>
      expect(
        grownOf(
          read,
          lengths,
          awkward.map((piece) => [piece]),
        ),
      ).toEqual([]),
    300_000,
  )
}

/** The same for all texts of a length together: quicker, and blind for what only shows in one and grows slowly there. */
export function growAsTheTextsDo(lengths: readonly number[]): void {
  it.each(all)(
    'takes %s no more than four times the steps for four times the text',
    (_name, read) => expect(grownOf(read, lengths, [awkward])).toEqual([]),
    300_000,
  )
}

/** What takes too many steps. @param together - Pieces whose texts are counted together. */
function grownOf(
  read: (text: string) => unknown,
  lengths: readonly number[],
  together: readonly (readonly string[])[],
): readonly string[] {
  const grown: string[] = []
  const before = together.map(() => Number.POSITIVE_INFINITY)
  for (const length of lengths) {
    for (const [index, pieces] of together.entries()) {
      // What grows too fast takes minutes for a longer text.
      if (grown.length >= mostShown) break
      const texts = pieces.map((piece) => textOf(piece, length))
      const steps = stepsOf(() => texts.forEach((text) => void read(text)))
      const most = Math.max(
        Math.max(beginning, before[index] ?? 0) * mostGrowth,
        perCharacter * length * pieces.length,
      )
      const which = pieces.length === 1 ? JSON.stringify(pieces[0]) : 'all texts'
      if (steps > most) grown.push(`${which}: ${before[index]} steps, ${steps} for ${length}`)
      before[index] = steps
    }
    if (grown.length > 0) break
  }
  return grown
}

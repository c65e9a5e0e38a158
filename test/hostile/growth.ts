// Growth of the steps that something takes with the length of a text: none may grow faster, so that nobody’s text can
// keep the bot busy. Steps are counted by V8, and no clock is looked at: `steps.ts` says how.
import { expect, it } from 'vitest'
import { readers } from './readers.ts'
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
/** A message that doesn’t fit is drawn once more, shorter. */
const mostGrowth = times * 2.5
/** What reading begins with is not growth. */
const beginning = 20_000
/** Steps for each character that no reader has to answer for: some only begin to work on what is longer than they take. */
const perCharacter = 8
/** Enough to see. */
const mostShown = 3

/**
 * Each text by itself. What needs next to nothing for them is read at the longest length as well, in one go: it might only
 * begin to work there.
 * @param long - Four times `short`.
 */
export function growsAsTheTextDoes(short: number, long: number, longest: number): void {
  it.each(Object.entries(readers))(
    'takes %s no more than four times the steps for four times the text',
    (_name, read) => {
      const counted = countEach(read, long)
      const least = leastAllowed(long)
      const grown = awkward.flatMap((piece) => {
        const steps = counted.get(piece) ?? 0
        if (steps <= least) return []
        const before = countTogether(read, [piece], short)
        return steps > Math.max(beginning, before) * mostGrowth
          ? [`${JSON.stringify(piece)}: ${before} steps, ${steps} for ${long}`]
          : []
      })
      expect(grown.slice(0, mostShown)).toEqual([])

      const idle = awkward.filter((piece) => (counted.get(piece) ?? 0) <= least)
      expect(countTogether(read, idle, longest)).toBeLessThanOrEqual(
        beginning + leastAllowed(longest) * idle.length,
      )
    },
    300_000,
  )
}

/** As many steps a text of this length may take, however few it takes when it is shorter. */
const leastAllowed = (length: number) => perCharacter * length

const countTogether = (read: (text: string) => unknown, pieces: readonly string[], length: number) => {
  const texts = pieces.map((piece) => textOf(piece, length))
  return stepsOf(() => texts.forEach((text) => void read(text)))
}

/**
 * Steps that each piece’s text takes. Where all of a few together stay below what one may take, that is as good as the
 * steps of each, and is returned for each: counting costs more than most reading.
 */
function countEach(read: (text: string) => unknown, length: number): ReadonlyMap<string, number> {
  const counted = new Map<string, number>()
  const least = leastAllowed(length)
  let [from, together] = [0, 1]
  while (from < awkward.length) {
    const pieces = awkward.slice(from, from + together)
    const steps = countTogether(read, pieces, length)
    if (steps > least && pieces.length > 1) {
      together = 1
      continue
    }
    for (const piece of pieces) counted.set(piece, steps)
    from += pieces.length
    const nextTogether = Math.floor(least / ((1.5 * steps) / pieces.length))
    together = Math.max(1, Math.min(mostTogether, nextTogether))
  }
  return counted
}

const mostTogether = 16

// Nobody’s text can keep the bot from its acks: whatever reads texts is done at once with the longest that Slack passes on,
// of every awkward kind, or takes no more than four times as long for four times as much.
import { expect, it } from 'vitest'
import { readers } from '../hostile/readers.ts'

const longest = 40_000
/** Of the processor, not of a clock, so that others may keep the machine busy. */
const atOnceMs = 60
/** What takes steps by the square of a text’s length takes sixteen times as many for four times as much. */
const [times, mostGrowth] = [4, 10]

/** Of each the text is made by repeating it: alone, or between words. */
const awkward = [
  ...`" “ ” „ « » ' \` < > ( ] { &lt; &amp; , ; . : ! @ | \\ / % * - ſ 1 a "a a" \\" <a| <@ a@ a@b, %20`.split(
    ' ',
  ),
  ...`<mailto: <mailto:a@b|a@b> <@UBOT| https:// <https://a| ks=" token=" "token":[ "token":[\\"`.split(' '),
  ...[
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u200b',
    '\u0301',
    '\u202e',
    '\ud800',
    '😀',
    ' \n',
    ', ',
    'via ',
    '/alert ',
  ],
  ...['“a ', '"a" ', '<a ', 'a@b ', '@a ', '&lt;a@b&gt; ', '<a@b> ', '<@UBOT> ', '`a1b2 ', '1111 '],
]

const textOf = (piece: string, length: number) =>
  `x${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}x`

function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

it.each(Object.entries(readers))('%s is never busy with a text for long', (_name, read) => {
  const grows = (piece: string) => {
    const ms = processorMs(() => read(textOf(piece, longest)))
    return ms > atOnceMs && processorMs(() => read(textOf(piece, longest * times))) > ms * mostGrowth
  }
  // Once more: garbage of what was read before may have to be collected meanwhile.
  expect(awkward.filter((piece) => grows(piece) && grows(piece))).toEqual([])
})

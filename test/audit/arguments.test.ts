// The words after `npm run audit --`: what they mean, and what is said when they mean nothing.
import { expect, it } from 'vitest'
import { parseArguments } from '../../src/terminal/audit.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const dayMs = 86_400_000
const parse = (...args: string[]) => parseArguments(args, now)

it.each([
  ['30m', now - 30 * 60_000],
  ['12h', now - dayMs / 2],
  ['7d', now - 7 * dayMs],
])('--since %s', (text, since) => {
  expect(parse('--since', text)).toMatchObject({ filter: { since } })
})

it('lists the last seven days as text when nothing else is asked', () => {
  expect(parse()).toEqual({
    filter: { since: now - 7 * dayMs, who: undefined },
    format: 'text',
  })
})

it.each([
  [['--since', 'yesterday'], '--since needs an age'],
  [['--since', '7'], '--since needs an age'],
  [['--since'], "'--since <value>' argument missing. --help lists the options."],
  [['--verify=yes'], "'--verify' does not take an argument. --help lists the options."],
  [['--format', 'xml'], '--format needs one of text, jsonl.'],
  [['--verify', '--since', '7d'], 'only one of --verify, --erase'],
  [['--verify', '--erase', 'a@example.com'], 'only one of --verify, --erase'],
  [['--erase', 'dave'], '--erase needs an email address.'],
  [['--nonsense'], "Unknown option '--nonsense'. --help lists the options."],
  [['everything'], "Unexpected argument 'everything'. --help lists the options."],
])('%j is refused in a sentence', (args, words) => {
  expect(() => parse(...args)).toThrow(words)
})

// A random walk of the grammar: words in any order, fillers, synonyms, times. Only lines in the exact form may send
// something without a question, and those have a generator of their own.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOfLinks, parseAlertLine } from '../../src/alert/input.ts'
import { fillers as alertFillers, alertWords } from '../../src/alert/words.ts'
import { fillers, grantCommands, grantWords } from '../../src/grant/input/grammar.ts'
import { flags } from '../../src/grant/roles.ts'
import { understand } from '../../src/grant/understand.ts'
import { openTyping, typist } from './typing-house.ts'

const people = ['dave@example.com', '<mailto:erin@example.com|erin@example.com>', '<@U0123ABC|bob>']
const roles = ['viewer', 'responder', 'OPERATOR', ...flags.slice(0, 6)]
const exactTimes = [
  '',
  'for 4h',
  'for 30m',
  'until 18:00',
  'until 2026-12-24',
  'until 2026-12-24 18:00',
]

/** A grant that is sent as it is typed. */
const exactGrant = fc
  .tuple(
    fc.constantFrom(...people),
    fc.subarray(roles, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...exactTimes),
    fc.constantFrom('', 'member', 'via Google'),
  )
  .chain(([who, what, time, extra]) =>
    fc.shuffledSubarray(['12', who, what.join(','), time, extra], { minLength: 5 }),
  )

const synonyms = grantCommands.flatMap((one) => [...grantWords[one].synonyms])
const times = ['for 4 hours', 'until friday', 'until 18h', 'tot morgen', 'until 6', 'untill 24.12.']
/** Each of these alone takes a line out of the exact form. */
const inexact = [...fillers, ...synonyms, ...times, 'dave', 'viewr', '+READ', 'give'].filter(
  (word) => !['for', '?', '-h', '--help', 'roles'].includes(word),
)

describe('a random walk of /grant', () => {
  it('sends exact lines, in any order', async () => {
    const house = await openTyping()
    await fc.assert(
      fc.asyncProperty(exactGrant, async (words) => {
        const found = await understand(house, typist, words.filter(Boolean).join(' '))
        expect(found).toMatchObject({ kind: 'meant', ask: { kind: 'grant' }, notes: [] })
      }),
      { numRuns: 200 },
    )
  })

  it('asks about every other line that would send something', async () => {
    const house = await openTyping()
    const others = fc.array(fc.constantFrom(...inexact), { minLength: 1, maxLength: 4 })
    const lines = fc
      .tuple(exactGrant, others, fc.array(fc.nat({ max: 9 }), { minLength: 4, maxLength: 4 }))
      .map(([exact, added, places]) =>
        added.reduce<readonly string[]>(
          (words, word, at) => words.toSpliced(places[at] ?? 0, 0, word),
          exact,
        ),
      )
    let understood = 0
    await fc.assert(
      fc.asyncProperty(lines, async (words) => {
        const found = await understand(house, typist, words.filter(Boolean).join(' '))
        const isSent = found.kind === 'meant' && found.notes.length === 0
        if (found.kind === 'meant') understood += 1
        // A change or a removal asks by itself; a form, a list and help send nothing.
        expect(isSent && (found.ask.kind === 'grant' || found.ask.kind === 'invite')).toBe(false)
      }),
      { numRuns: 600 },
    )
    // The walk is of lines that mean something.
    expect(understood).toBeGreaterThan(100)
  })

  it('never drops a word that means something', async () => {
    const house = await openTyping()
    const added = fc.constantFrom('wizardry', '“odd one”', 'bob@', 'nobody', '#general')
    await fc.assert(
      fc.asyncProperty(
        exactGrant,
        added,
        fc.constantFrom(...fillers),
        async (exact, odd, filler) => {
          const found = await understand(
            house,
            typist,
            [filler, ...exact, odd].filter(Boolean).join(' '),
          )
          expect(found.kind).toBe('unclear')
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a random walk of /alert', () => {
  const acts = Object.entries(alertWords).flatMap(([word, { acts, also = [], synonyms = [] }]) =>
    acts ? [{ exact: [word, ...also], synonyms }] : [],
  )
  const rest = fc.shuffledSubarray(['5HkX', '"A full disk"', 'me', '<@U0123ABC|bob>', '“solution”'])
  const other = fc.constantFrom(
    ...acts.flatMap(({ synonyms }) => [...synonyms]),
    'clsoe',
    'asign',
    'please close',
    'please take',
  )

  it('acts on no line that begins with another word', () => {
    fc.assert(
      fc.property(
        other,
        rest,
        fc.array(fc.constantFrom(...alertFillers), { maxLength: 2 }),
        (word, words, added) => {
          const line = [word, ...added, ...words].join(' ')
          expect(linesOfLinks(line)).toEqual([])
          expect(['problem', 'look-up']).toContain(parseAlertLine(line, undefined).kind)
        },
      ),
      { numRuns: 500 },
    )
  })
})

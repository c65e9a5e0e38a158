// Findings as a message and as text, whatever they hold and however many they are.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { record, records } from '../../playground/slack/model/json.ts'
import { type Finding, headline } from '../../src/doctor/checks/check.ts'
import { problemOf, settingProblems } from '../../src/doctor/checks/settings.ts'
import {
  detailsModal,
  type Examined,
  placesOf,
  renderExamined,
  renderReport,
  ticketModal,
  withoutSecretsOrPlaces,
} from '../../src/doctor/render.ts'

const asOf = 1_700_000_000
const examined = (findings: readonly Finding[], button: Examined['button'] = 'untested'): Examined => ({
  findings,
  asOf,
  button,
  places: [],
})
const show = (findings: readonly Finding[], button?: Examined['button']) =>
  renderExamined(examined(findings, button))

const finding = (state: Finding['state'], name = 'Thing'): Finding => ({ name, state, found: 'Found.' })

describe('what doctor says', () => {
  it('is valid whatever is found, and pings nobody', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.constantFrom('<!channel>', '<@U1>', '&'.repeat(4000), 'x'.repeat(9000), '*_~`'),
    )
    const any = fc.record(
      { name: text, state: fc.constantFrom('green', 'untested', 'amber', 'red'), found: text, mend: text },
      { requiredKeys: ['name', 'state', 'found'] },
    )
    fc.assert(
      fc.property(fc.array(any, { maxLength: 80 }), (findings) => {
        const { blocks, text: said } = show(findings)
        expect(blockErrors(records(blocks))).toEqual([])
        const views = [detailsModal(examined(findings)), ticketModal(examined(findings))]
        expect(views.flatMap((view) => viewErrors(record(view), 'modal'))).toEqual([])
        // What is in rich text and plain text notifies nobody.
        const marked = [...blocks, ...views.flatMap((view) => view.blocks)].filter(
          ({ type }) => type !== 'rich_text',
        )
        expect(`${said}${JSON.stringify(marked)}`).not.toMatch(/<!channel>|<@U1>/)
      }),
      { numRuns: 60 },
    )
  })

  it('is never more than a message holds, and says how many are left', () => {
    const many = Array.from({ length: 120 }, (_, index) => finding('red', `Thing ${index}`))

    const { blocks } = show(many)

    expect(blocks.length).toBeLessThanOrEqual(50)
    expect(JSON.stringify(blocks)).toContain('90 more need attention. Press *Details* to see them.')
    const details = JSON.stringify(detailsModal(examined(many)).blocks)
    expect(details).toContain('*Thing 97*')
    expect(details).toContain('There are 23 more. To see all, run `npm run doctor`.')
  })

  it('begins with how it stands, and counts nothing that is not tested', () => {
    expect(headline([finding('green'), finding('green'), finding('untested')])).toBe('All 2 checks passed')
    expect(headline([finding('green'), finding('amber')])).toBe('1 of 2 checks needs attention')
    expect(headline([finding('amber'), finding('red'), finding('green')])).toBe(
      '2 of 3 checks need attention',
    )
  })

  it('shows only what needs attention, worst first, and the rest behind Details', () => {
    const all = [
      finding('green', 'Fine'),
      finding('amber', 'Odd'),
      finding('untested', 'Unknown'),
      finding('red', 'Broken'),
    ]
    const said = JSON.stringify(show(all).blocks)
    expect(said).toMatch(/🔴 \*2 of 3 .*🔴 \*Broken\*.*🟡 \*Odd\*.*⚪ \*Buttons and forms\*/)
    expect(said).not.toMatch(/Fine|Unknown/)
    expect(JSON.stringify(detailsModal(examined(all)).blocks)).toMatch(
      /\*Broken\*.*\*Odd\*.*⚪ \*Unknown\*.*⚪ \*Buttons and forms\*.*🟢 \*Fine\*/,
    )
  })

  it('has no time for a press that Slack did not date, and none below zero', () => {
    const said = (tookMs: number | undefined) => JSON.stringify(show([], { tookMs }).blocks)
    expect(said(undefined)).toContain('Your press reached Bellhop.')
    expect(said(-900)).toContain('Your press reached Bellhop in 0.0 s')
    expect(said(1240)).toContain('Your press reached Bellhop in 1.2 s')
  })
})

describe('a text for a ticket', () => {
  it('holds no token, no address of a person, and no place of the operator', () => {
    const places = placesOf({
      monitorApiUrl: 'https://monitoring.internal.example:8443/api',
      publicUrl: 'https://bellhop.example.com/x',
      databaseUrl: 'postgres://bell:secret@db.internal.example:5432/bellhop',
    })
    const said = [
      'Slack refuses xoxb-1234-abcdef for dave@example.com.',
      'Nothing listens at db.internal.example:5432.',
      'monitoring.internal.example:8443 and bellhop.example.com are away. Bearer abc123',
    ].join(' ')

    const text = withoutSecretsOrPlaces(said, places)

    expect(text).toBe(
      'Slack refuses [redacted] for [address]. Nothing listens at [place]. [place] and [place] are away. Bearer [redacted]',
    )
  })

  it('leaves out the file of the database however it is named, and no ordinary word', () => {
    const of = (databaseUrl: string, text: string) =>
      withoutSecretsOrPlaces(text, placesOf({ monitorApiUrl: 'https://service/api', databaseUrl }))
    expect(of('file:./data/bell.db', './data/bell.db is full')).toBe('[place] is full')
    const queried = 'postgres://u@localhost/db?host=db.internal.example'
    expect(of(queried, 'nothing listens at db.internal.example:5432')).toBe('nothing listens at [place]')
    expect(of('postgres://u@%2Fvar%2Frun%2Fpg/db', 'db at /var/run/pg')).toBe('db at [place]')
    expect(of('file:///var/lib/a%20b.db', '/var/lib/a b.db is full')).toBe('[place] is full')
    expect(of('file:./100%.db', './100%.db is full')).toBe('[place] is full')
    expect(of('file:///100%.db', 'It is full')).toBe('It is full')
    expect(of('file:./x.db', 'The service answers.')).toBe('The service answers.')
  })

  it('stands in columns in a terminal', () => {
    const report = renderReport('2 of 3 checks need attention.', [
      { name: 'Database', state: 'red', found: 'It is locked.', mend: 'End that one.' },
      { name: 'Slack', state: 'untested', found: 'Only Slack knows.' },
      { name: 'Versions', state: 'green', found: 'Bellhop 1.' },
    ])
    expect(report.split('\n')).toEqual([
      '2 of 3 checks need attention.',
      '',
      'RED    Database  It is locked.',
      '                 Fix: End that one.',
      'GREY   Slack     Only Slack knows.',
      'GREEN  Versions  Bellhop 1.',
    ])
  })

  it('is complete however long it is, in parts that Slack takes', () => {
    const long = Array.from({ length: 40 }, (_, index) => ({
      ...finding('green', `Thing ${index}`),
      found: 'x'.repeat(index === 7 ? 9_000 : 400),
    }))

    const { blocks } = ticketModal(examined(long))

    const parts = records(record(blocks.at(-1)).elements).flatMap(({ elements }) => records(elements))
    const texts = parts.map(({ text }) => String(text))
    expect(texts.length).toBeGreaterThan(8)
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(3_000)
    expect(texts[0]).toMatch(/^Bellhop doctor, 2023/)
    expect(texts.join('').replaceAll(/[^x]/g, '')).toHaveLength(39 * 400 + 9_000)
    expect(texts.at(-1)).toContain('GREEN Thing 39: ')
  })
})

describe('a problem of a setting', () => {
  it('is cut into what is wrong and what to do', () => {
    expect(settingProblems(['PORT: is not a port. Use a number up to 65535.'])).toEqual([
      {
        name: 'Settings',
        state: 'red',
        found: 'PORT is not a port.',
        mend: 'Use a number up to 65535.',
      },
    ])
    expect(problemOf('Database', 'DATABASE_URL: nothing listens at db:5432. Start PostgreSQL.')).toEqual({
      name: 'Database',
      state: 'red',
      found: 'DATABASE_URL: nothing listens at db:5432.',
      mend: 'Start PostgreSQL.',
    })
    expect(settingProblems(['X: must end'])).toMatchObject([{ found: 'X must end', mend: 'Correct it.' }])
  })
})

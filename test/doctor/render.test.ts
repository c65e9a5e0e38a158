// Findings as a message and as text, whatever they hold and however many they are.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { record, records } from '../../playground/slack/model/json.ts'
import type { Finding } from '../../src/doctor/checks/check.ts'
import { problemOf, settingProblems } from '../../src/doctor/checks/settings.ts'
import { headline, renderExamined } from '../../src/doctor/render.ts'
import { placesOf, renderReport, withoutSecretsOrPlaces } from '../../src/doctor/render-report.ts'

const asOf = 1_700_000_000
const show = (
  findings: readonly Finding[],
  wayBack: 'not-tried' | { tookMs: number | undefined } = 'not-tried',
) => renderExamined({ findings, asOf, wayBack, places: [] })

const finding = (state: Finding['state'], name = 'Thing'): Finding => ({ name, state, found: 'Found.' })

describe('what doctor says', () => {
  it('is valid whatever is found, and pings nobody', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.constantFrom('<!channel>', '<@U1>', '&'.repeat(4000), 'x'.repeat(9000), '*_~`'),
    )
    const any = fc.record(
      { name: text, state: fc.constantFrom('green', 'amber', 'red'), found: text, mend: text },
      { requiredKeys: ['name', 'state', 'found'] },
    )
    fc.assert(
      fc.property(fc.array(any, { maxLength: 80 }), (findings) => {
        const { blocks, text: said } = show(findings)
        expect(blockErrors(records(blocks))).toEqual([])
        // What is in rich text and plain text notifies nobody.
        const marked = blocks.filter(({ type }) => type !== 'rich_text')
        expect(`${said}${JSON.stringify(marked)}`).not.toMatch(/<!channel>|<@U1>/)
      }),
      { numRuns: 60 },
    )
  })

  it('is never more than a message holds, and says how many are left', () => {
    const many = Array.from({ length: 60 }, (_, index) => finding('red', `Thing ${index}`))

    const { blocks } = show(many)

    expect(blocks.length).toBeLessThanOrEqual(50)
    expect(JSON.stringify(blocks)).toContain('30 more that are not green: run `npm run doctor`.')
  })

  it('begins with how it stands, without counting the way back', () => {
    expect(headline([finding('green')])).toBe('Bellhop is well.')
    expect(headline([finding('green'), finding('amber')])).toBe('Bellhop works, with one thing to know.')
    expect(headline([finding('amber'), finding('amber')])).toBe('Bellhop works, with 2 things to know.')
    expect(headline([finding('amber'), finding('red')])).toBe('One thing needs mending.')
    expect(headline([finding('red'), finding('red')])).toBe('2 things need mending.')
  })

  it('has no time for a press that Slack did not date, and none below zero', () => {
    const said = (tookMs: number | undefined) => JSON.stringify(show([], { tookMs }).blocks)
    expect(said(undefined)).toContain('Your press arrived: buttons')
    expect(said(-900)).toContain('Your press arrived, 0.0 s after')
    expect(said(1240)).toContain('Your press arrived, 1.2 s after')
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
    const report = renderReport('2 things need mending.', [
      { name: 'Database', state: 'red', found: 'It is locked.', mend: 'End that one.' },
      { name: 'Versions', state: 'green', found: 'Bellhop 1.' },
    ])
    expect(report.split('\n')).toEqual([
      '2 things need mending.',
      '',
      'RED    Database  It is locked.',
      '                 Mend: End that one.',
      'GREEN  Versions  Bellhop 1.',
    ])
  })

  it('is cut to what Slack takes', () => {
    const { blocks } = show(
      Array.from({ length: 40 }, () => ({ ...finding('green'), found: 'x'.repeat(400) })),
    )
    const report = records(record(blocks.at(-1)).elements).flatMap(({ elements }) => records(elements))[0]
      ?.text
    expect(String(report).length).toBeLessThanOrEqual(3000)
    expect(report).toMatch(/^Bellhop doctor, 2023[\s\S]* …$/)
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

// Findings as a message and as text, whatever they hold and however many they are.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { records } from '../../playground/slack/model/json.ts'
import { type Finding, findingsHeadline } from '../../src/doctor/check.ts'
import { renderExamined, renderReport } from '../../src/doctor/render.ts'

const asOf = 1_700_000_000
const finding = (state: Finding['state'], name = 'Thing'): Finding => ({
  name,
  state,
  found: 'Found.',
})

describe('what doctor says', () => {
  it('is valid whatever is found, and pings nobody', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.constantFrom('<!channel>', '<@U1>', '&'.repeat(4000), 'x'.repeat(9000), '*_~`'),
    )
    const any = fc.record(
      {
        name: text,
        state: fc.constantFrom('green', 'untested', 'amber', 'red'),
        found: text,
        mend: text,
      },
      { requiredKeys: ['name', 'state', 'found'] },
    )
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (findings) => {
        const { blocks, text: said } = renderExamined(findings, asOf)
        expect(blockErrors(records(blocks))).toEqual([])
        // In rich text, text is text; it would take an element to ping somebody.
        const marked = records(blocks).filter(({ type }) => type !== 'rich_text')
        expect(`${said}${JSON.stringify(marked)}`).not.toMatch(/<!channel>|<@U1>/)
        expect(JSON.stringify(blocks)).not.toMatch(/"type":"(?:user|usergroup|broadcast)"/)
      }),
      { numRuns: 60 },
    )
  })

  it('begins with how it stands, and counts apart what is not tested', () => {
    expect(findingsHeadline([finding('green'), finding('green'), finding('untested')])).toBe(
      'All 2 checks passed, 1 not tested',
    )
    expect(findingsHeadline([finding('green'), finding('amber')])).toBe(
      '1 of 2 checks needs attention',
    )
    expect(findingsHeadline([finding('amber'), finding('red'), finding('green')])).toBe(
      '2 of 3 checks need attention',
    )
  })

  it('stands in columns in a terminal, each line with what to do, without secrets', () => {
    const report = renderReport([
      { name: 'Database', state: 'red', found: 'It is locked.', mend: 'End that one.' },
      { name: 'Slack', state: 'untested', found: 'It said\nxoxb-1234-abcdef.' },
      { name: 'Versions', state: 'green', found: 'Bellhop 1.' },
    ])
    expect(report).toEqual([
      '1 of 2 checks needs attention.',
      '',
      'RED    Database  It is locked.',
      '                 Fix: End that one.',
      'GREY   Slack     It said [redacted]',
      'GREEN  Versions  Bellhop 1.',
    ])
  })
})

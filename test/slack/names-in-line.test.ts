// Names that their owner chose so that somebody else seems to be named: the handle comes first, and is nobody's to choose.
import { describe, expect, it } from 'vitest'
import { personInLine } from '../../src/slack/person.ts'

/** What others read of Mallory, who calls herself so. */
const malloryAs = (name: string) => personInLine({ handle: 'mallory', name })

const wide = ['\u3000', '\u2800'].map((blank) => blank.repeat(30))

describe('somebody in a line', () => {
  it('is named by the handle, then by the name', () => {
    expect(personInLine({ handle: 'alice', name: 'Alice Archer' })).toBe('@alice (Alice Archer)')
  })

  it.each(['alice', 'alice\u200b'])(
    'is named once where they are called by the handle: %j',
    (name) => {
      expect(personInLine({ handle: 'alice', name })).toBe('alice')
    },
  )

  it('is named by the one of both that is there', () => {
    expect(personInLine({ handle: undefined, name: 'Alice Archer' })).toBe('Alice Archer')
    expect(personInLine({ handle: 'alice', name: '' })).toBe('@alice')
    expect(malloryAs('@@alice')).toBe('@mallory')
    expect(personInLine({ handle: undefined, name: '' })).toBe('')
  })

  it.each([
    'Alice Archer (@alice)',
    'Alice Archer [＠alice]',
    'Alice Archer （﹫alice）',
    '@alice (Alice Archer)',
  ])('is not somebody else, whose handle the name has: %s', (name) => {
    expect(malloryAs(name)).toMatch(/^@mallory \([^@＠﹫]+\)$/u)
    expect(personInLine({ name })).not.toMatch(/[@＠﹫]/u)
  })

  it.each(wide)('is not somebody else, where wide spaces follow the name: %j', (blanks) => {
    expect(malloryAs(`Alice Archer${blanks}`)).toBe('@mallory (Alice Archer)')
    expect(malloryAs(`Alice Archer (@alice)${blanks}x`)).toMatch(/^@mallory \([^@]+ x\)$/)
    expect(malloryAs(`${blanks}Alice Archer`)).toBe('@mallory (Alice Archer)')
  })
})

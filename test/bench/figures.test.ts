import { describe, expect, it } from 'vitest'
import { atLeast, atMost, missedBy, takeNotes } from '../../bench/figures.ts'

describe('the figures of a bench', () => {
  it('compare one bot with another round by round', () => {
    const notes = takeNotes('acks')
    for (const [ours, theirs] of [
      [30, 10],
      [40, 20],
      [90, 30],
    ]) {
      notes.note('acks', 'Bellhop', '/s', ours)
      notes.note('acks', 'Bolt', '/s', theirs)
    }

    notes.divide('acks', 'Bellhop', 'Bolt', atLeast(2.5))

    const { comparisons } = notes.measured()
    expect(comparisons).toEqual([
      { what: 'acks: Bellhop ÷ Bolt', unit: '×', values: [3, 2, 3], goal: atLeast(2.5) },
    ])
  })

  it('leave out what could not be read', () => {
    const notes = takeNotes('memory')
    notes.note('memory', 'Bellhop', 'MB', undefined)

    notes.judge('memory', 'Bellhop', atMost(100))

    expect(notes.measured()).toMatchObject({ figures: [], comparisons: [] })
  })

  it.each([
    ['reach a goal', [1, 5, 2], atMost(2), 0],
    ['miss a most', [3, 3, 1], atMost(2), 0.5],
    ['miss a least', [1, 9, 1], atLeast(4), 0.75],
    ['miss a goal of none', [2], atMost(0), 2],
    ['have no goal', [2], undefined, 0],
  ])('tell by the median how far they %s', (_, values, goal, missed) => {
    expect(missedBy({ what: 'this', unit: '×', values, goal })).toBe(missed)
  })
})

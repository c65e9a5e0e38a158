// The sidebar's alerts look as on Bellhop's cards.
import { describe, expect, it } from 'vitest'
import { markOf } from '../../playground/page/drawer/marks.ts'
import { closedMark, severityMark } from '../../src/alert/render/state.ts'

describe('an alert in the sidebar', () => {
  it('has the mark of its severity on a card, also of one that no contract knows', () => {
    const levels = [0, 1, 2, 3, 4, 5, 6, 7, 8, -1]
    expect(levels.map((severity) => markOf({ isClosed: false, severity }))).toEqual(levels.map(severityMark))
  })

  it('has the mark of closed alerts once it is closed', () => {
    expect(markOf({ isClosed: true, severity: 2 })).toBe(closedMark)
  })
})

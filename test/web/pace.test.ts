// How often one address may come to the pages, by the clock.
import { describe, expect, it } from 'vitest'
import { createPace } from '../../src/web/pace.ts'

describe('the pace of an address', () => {
  it('goes on when the clock is set back, instead of waiting until it is as late again', () => {
    let at = 1_000_000_000
    const pace = createPace(2, () => at)
    expect([1, 2, 3].map(() => pace('203.0.113.7'))).toEqual([true, true, false])
    at -= 3_600_000
    expect([1, 2, 3].map(() => pace('203.0.113.7'))).toEqual([true, true, false])
    at += 60_000
    expect(pace('203.0.113.7')).toBe(true)
  })
})

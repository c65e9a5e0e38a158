// Lines behind `/alert maintenance`, as they are read.
import { describe, expect, it } from 'vitest'
import { readModeLine } from '../../src/maintenance/input.ts'
import { minutesUntil } from '../../src/maintenance/maintenance.ts'

describe('readModeLine', () => {
  it.each([
    ['old nas until tomorrow 6am', 'old nas', 'until tomorrow 6am'],
    ['db-03 untill 6', 'db-03', 'untill 6'],
    ['"the off for 2h"', 'the off for 2h', ''],
    ['“db 03” for 2h', 'db 03', 'for 2h'],
    ['a&b <c> for 1h', 'a&b <c>', 'for 1h'],
  ])('%s', (line, what, time) => {
    expect(readModeLine(line)).toMatchObject({
      what,
      isOff: false,
      time: time ? time.split(' ') : [],
    })
  })

  it.each([
    ['db-03 off', 'db-03'],
    ['12 END', '12'],
    ['stop', undefined],
    ['"off" over', 'off'],
  ])('%s ends it', (line, what) => {
    expect(readModeLine(line)).toMatchObject({ what, isOff: true, time: [] })
  })
})

describe('minutes that are sent', () => {
  it.each([
    [1, 1],
    [60_000, 1],
    [60_001, 2],
    [480 * 60_000, 480],
    [480 * 60_000 + 1, undefined],
    [0, undefined],
    [-1, undefined],
  ])('%i ms before the end that was shown are %s', (left, minutes) => {
    expect(minutesUntil(1_000 + left, 1_000)).toBe(minutes)
  })
})

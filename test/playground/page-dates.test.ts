// Dates in messages, as Slack's tokens and the reader's zone and day make them.
import { describe, expect, test } from 'vitest'
import { formatDate } from '../../playground/page/blocks/text/date.ts'

const hour = 3_600
const day = 24 * hour
/** Tuesday, 18 February 2014, 14:39:42 UTC; 6:39:42 in Los Angeles. */
const at = 1_392_734_382
const later = (at + 400 * day) * 1000
const zone = 'America/Los_Angeles'

describe('tokens', () => {
  test.each([
    ['{date}', 'February 18th, 2014'],
    ['{date_long}', 'Tuesday, February 18th, 2014'],
    ['{date_short_pretty}', 'Feb 18, 2014'],
    ['{time}', '6:39 AM'],
    ['{time_secs}', '6:39:42 AM'],
    ['{ago}', '1 year ago'],
    ['Posted {date} {time_secs}', 'Posted February 18th, 2014 6:39:42 AM'],
    ['{date_short_pretty} {time}', 'Feb 18, 2014 6:39 AM'],
    ['{unknown} {date}', '{unknown} February 18th, 2014'],
    ['{constructor}', '{constructor}'],
    ['no token', 'No token'],
  ])('%s', (format, shown) => {
    expect(formatDate(at, format, { zone, now: later })).toBe(shown)
  })
})

describe('near days, by the calendar of the reader', () => {
  /** 23:30 on 18 February in Los Angeles, which is the 19th in Berlin. */
  const lateEvening = at + 17 * hour - 9 * 60 - 42
  test.each([
    ['today', at, zone, at + hour, '{date_short_pretty}', 'Today'],
    ['not at the start', at, zone, at + hour, 'at {time} {date_short_pretty}', 'At 6:39 AM today'],
    ['after a space without width', at, zone, at + hour, '\u200b{date_short_pretty}', '\u200btoday'],
    ['still today before midnight', at, zone, lateEvening, '{date_short_pretty} {time}', 'Today 6:39 AM'],
    ['yesterday farther east', at, 'Europe/Berlin', lateEvening, '{date_short_pretty}', 'Yesterday'],
    ['yesterday', at, zone, at + day, '{date_short_pretty}', 'Yesterday'],
    ['tomorrow', at, zone, at - day, '{date_short_pretty}', 'Tomorrow'],
    ['two days on', at, zone, at + 2 * day, '{date_short_pretty}', 'Feb 18, 2014'],
  ])('%s', (_, then, where, now, format, shown) => {
    expect(formatDate(then, format, { zone: where, now: now * 1000 })).toBe(shown)
  })
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 9_000_000_000_000])('%d is no time', (unixSeconds) => {
  expect(formatDate(unixSeconds, '{date}', { zone, now: later })).toBeUndefined()
})

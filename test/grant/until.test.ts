// Access for a time: what people type, and the moment that they mean by it in their own zone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPieces } from '../../src/grant/input/pieces.ts'
import { momentOf, takeUntil } from '../../src/grant/input/until.ts'

const take = (line: string) => takeUntil(readPieces(line).words)
const hourMs = 60 * 60_000

describe('the end of access in a line', () => {
  it.each([
    ['12 viewer for 4h', { forMs: 4 * hourMs }, ['12', 'viewer']],
    ['FOR 30M 12 viewer', { forMs: hourMs / 2 }, ['12', 'viewer']],
    ['12 for 7D viewer', { forMs: 7 * 24 * hourMs }, ['12', 'viewer']],
    ['for 90d', { forMs: 90 * 24 * hourMs }, []],
    ['12 viewer until 18:00', { until: '18:00' }, ['12', 'viewer']],
    ['12 Until 9:05, viewer', { until: '9:05' }, ['12', 'viewer']],
    ['until 2026-12-01 12', { until: '2026-12-01' }, ['12']],
    ['until 2026-12-01 18:00 12', { until: '2026-12-01 18:00' }, ['12']],
    ['until "2026-12-01 18:00" 12', { until: '2026-12-01 18:00' }, ['12']],
    ['until 2026‑12‑01 –webhooks', { until: '2026-12-01' }, ['–webhooks']],
    ['12 viewer', undefined, ['12', 'viewer']],
  ])('%s', (line, ends, rest) => {
    expect(take(line)).toEqual({ ends, rest, problems: [] })
  })

  it.each([
    ...['for 4x', 'for 4', 'for 0m', 'for 91d', 'for 1.5h', 'for -4h', 'for', 'until', 'until 18'],
    ...['until 24:00', 'until 18:60', 'until tomorrow', 'until 2026-02-30', 'until 2026-13-01'],
  ])('is not in “%s”', (typed) => {
    const { ends, rest, problems } = take(`12 viewer ${typed}`)

    expect(ends).toBeUndefined()
    expect(rest).toEqual(['12', 'viewer'])
    expect(problems).toEqual([expect.stringContaining(`I can’t read “${typed}”. Type how long, `)])
  })

  it.each(['for 4h until 18:00', 'for 4h for 4h', 'until 18:00 until 19:00', 'for x until 18'])(
    'is said once, not as in “%s”',
    (typed) => {
      const problems = [expect.stringContaining('only once')]
      expect(take(`12 ${typed} viewer`)).toMatchObject({ ends: undefined, problems })
    },
  )
})

const [amsterdam, newYork] = ['Europe/Amsterdam', 'America/New_York']

describe('the moment', () => {
  it.each([
    ['a time still to come', '18:00', amsterdam, '2026-07-01T10:00Z', '2026-07-01T16:00Z'],
    ['a time that passed today', '11:00', amsterdam, '2026-07-01T10:00Z', '2026-07-02T09:00Z'],
    ['the time that it is', '12:00', amsterdam, '2026-07-01T10:00Z', '2026-07-02T10:00Z'],
    [
      'a time, tomorrow there',
      '08:00',
      'Pacific/Auckland',
      '2026-07-01T13:00Z',
      '2026-07-01T20:00Z',
    ],
    ['a time, yesterday there', '23:00', newYork, '2026-07-01T02:00Z', '2026-07-01T03:00Z'],
    ['a time a quarter off', '18:00', 'Asia/Kathmandu', '2026-07-01T10:00Z', '2026-07-01T12:15Z'],
    [
      'a day, from its beginning',
      '2026-12-01',
      amsterdam,
      '2026-11-01T10:00Z',
      '2026-11-30T23:00Z',
    ],
    ['a time of a day', '2026-12-01 18:00', newYork, '2026-11-01T10:00Z', '2026-12-01T23:00Z'],
    ['today’s date', '2026-07-01', amsterdam, '2026-07-01T10:00Z', undefined],
    ['a time of today that passed', '2026-07-01 11:00', amsterdam, '2026-07-01T10:00Z', undefined],
    ['90 days ahead', '2026-09-29 12:00', amsterdam, '2026-07-01T10:00Z', '2026-09-29T10:00Z'],
    ['further ahead', '2026-09-29 12:01', amsterdam, '2026-07-01T10:00Z', undefined],
    ['no real date', '2026-02-30', amsterdam, '2026-02-01T10:00Z', undefined],
    ['a time that is skipped', '02:30', amsterdam, '2026-03-28T20:00Z', '2026-03-29T01:00Z'],
    ['after clocks went forward', '03:30', amsterdam, '2026-03-28T20:00Z', '2026-03-29T01:30Z'],
    ['a time that comes twice', '02:30', amsterdam, '2026-10-24T20:00Z', '2026-10-25T00:30Z'],
    ['after clocks went back', '03:00', amsterdam, '2026-10-24T20:00Z', '2026-10-25T02:00Z'],
    [
      'a skipped time in New York',
      '2026-03-08 02:15',
      newYork,
      '2026-03-01T10:00Z',
      '2026-03-08T07:00Z',
    ],
    ['a time twice in New York', '01:30', newYork, '2026-11-01T02:00Z', '2026-11-01T05:30Z'],
    ['after it in New York', '02:00', newYork, '2026-11-01T02:00Z', '2026-11-01T07:00Z'],
    [
      'a day that begins at 01:00',
      '2026-04-24',
      'Africa/Cairo',
      '2026-04-20T10:00Z',
      '2026-04-23T22:00Z',
    ],
  ])('of %s: %s in %s', (_what, until, zone, now, moment) => {
    const found = momentOf(until, zone, Date.parse(now))
    expect(found).toBe(moment && Date.parse(moment))
  })

  it('of any time comes within 25 hours, when clocks there show that time', () => {
    const zones = [
      amsterdam,
      newYork,
      'UTC',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Kiritimati',
    ]
    // Half of the moments lie around a change of clocks.
    const days = ['03-08', '03-28', '04-04', '10-03', '10-24', '10-31']
    const changes = days.map((day) => Date.parse(`2026-${day}`))
    const hoursFrom = (from: number, hours: number) =>
      fc.integer({ min: from, max: from + hours * hourMs })
    const changing = fc.constantFrom(...changes).chain((from) => hoursFrom(from, 48))
    const now = fc.oneof(hoursFrom(Date.parse('2026-01-01'), 365 * 24), changing)
    const times = fc.integer({ min: 0, max: 24 * 60 - 1 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), times, now, (timeZone, time, asked) => {
        const until = new Date(time * 60_000).toISOString().slice(11, 16)
        const shownAt = (at: number) =>
          new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
            at,
          )

        const moment = momentOf(until, timeZone, asked) ?? 0

        expect(moment).toBeGreaterThan(asked)
        expect(moment - asked).toBeLessThanOrEqual(25 * hourMs)
        // In a gap, the clock jumps over that time in this minute.
        const isSkipped = shownAt(moment - 60_000) < until && shownAt(moment) > until
        expect(isSkipped || shownAt(moment) === until).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

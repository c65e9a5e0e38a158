// Counts of a follow, and the times of its daily message: tables of cases.
import { describe, expect, it } from 'vitest'
import { closingIn, countsSince, newTally, withBucket, withCounts } from '../../src/alert/tally.ts'
import { type Daily, dailyDue, nextDailyAt } from '../../src/follow/daily.ts'
import { dayMs, minuteMs } from '../../src/work/durations.ts'

const start = Date.parse('2026-11-30T20:00:00Z')

describe('a tally', () => {
  it('sums what happens within five minutes, people by their number', () => {
    const first = withCounts(newTally(start), { new: 2, closedBy: { 7: 1 } }, start)
    const second = withCounts(first, { new: 1, closedBy: { 7: 1, 8: 1 } }, start + 4 * minuteMs)
    const third = withCounts(second, { byItself: 1 }, start + 6 * minuteMs)
    expect(third.buckets).toHaveLength(2)
    expect(countsSince(third, start - 1)).toEqual({ new: 3, closedBy: { 7: 2, 8: 1 }, byItself: 1 })
    expect(countsSince(third, start + 5 * minuteMs)).toMatchObject({ byItself: 1 })
    expect(countsSince(third, start + 5 * minuteMs).new).toBeUndefined()
  })

  it('tells nothing twice of what a message told, whatever comes in the same five minutes', () => {
    const told = withBucket(withCounts(newTally(start), { new: 2 }, start), { at: start + 1 })
    const after = withCounts(told, { new: 1 }, start + 2)
    expect(countsSince(after, start).new).toBe(1)
  })

  it('keeps 500 times in which something happened, of seven days, and says from when it counts', () => {
    let tally = newTally(start)
    for (let at = 0; at < 600; at += 1)
      tally = withCounts(tally, { new: 1 }, start + at * 6 * minuteMs)
    expect(tally.buckets).toHaveLength(500)
    expect(tally.from).toBe(start + 100 * 6 * minuteMs)
    const later = withCounts(tally, { new: 1 }, start + 30 * dayMs)
    expect(later.buckets).toHaveLength(1)
    expect(JSON.stringify(tally).length).toBeLessThan(20_000)
  })

  it.each([
    ['Close', { userId: 7 }, { closedBy: { 7: 1 } }],
    ['Close', {}, { closedBy: { 0: 1 } }],
    ['Close', { userId: '__proto__' }, { closedBy: { 0: 1 } }],
    ['AutoClose', null, { byItself: 1 }],
    ['IndirectClose', null, { byItself: 1 }],
    ['Comment', { userId: 7 }, undefined],
  ])('counts %s %j', (kind, data, counts) => {
    expect(closingIn([{ kind, timestamp: 1, data }])).toEqual(counts)
  })
})

const daily = (clock: string, zone: string, more: Partial<Daily> = {}): Daily => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return { minutes: hours * 60 + minutes, zone, last: 0, ...more }
}
const moment = (at: number | undefined) => at && new Date(at).toISOString().slice(0, 16)

describe('the next daily time', () => {
  it.each([
    ['in winter', '08:00', 'Europe/Amsterdam', '2026-11-30T08:00Z', '2026-12-01T07:00'],
    ['later today', '08:00', 'Europe/Amsterdam', '2026-11-30T06:59Z', '2026-11-30T07:00'],
    ['in summer', '08:00', 'Europe/Amsterdam', '2026-07-01T08:00Z', '2026-07-02T06:00'],
    ['skipped: right after', '02:30', 'Europe/Amsterdam', '2026-03-28T12:00Z', '2026-03-29T01:00'],
    ['the day after that', '02:30', 'Europe/Amsterdam', '2026-03-29T01:00Z', '2026-03-30T00:30'],
    [
      'there twice: the first',
      '02:30',
      'Europe/Amsterdam',
      '2026-10-24T12:00Z',
      '2026-10-25T00:30',
    ],
    ['there twice: once', '02:30', 'Europe/Amsterdam', '2026-10-25T00:30Z', '2026-10-26T01:30'],
    ['of half hours', '08:00', 'Asia/Kolkata', '2026-11-30T03:00Z', '2026-12-01T02:30'],
    ['across the date line', '08:00', 'Pacific/Auckland', '2026-11-30T12:00Z', '2026-11-30T19:00'],
  ])('%s', (_, clock, zone, now, next) => {
    expect(moment(nextDailyAt(daily(clock, zone), Date.parse(now)))).toBe(next)
  })

  it.each([
    ['Friday', '2026-12-04T08:00Z', '2026-12-07T07:00'],
    ['Sunday', '2026-12-06T08:00Z', '2026-12-07T07:00'],
    ['Monday', '2026-12-07T08:00Z', '2026-12-08T07:00'],
  ])('on weekdays, after %s’s', (_, now, next) => {
    const one = daily('08:00', 'Europe/Amsterdam', { weekdays: true })
    expect(moment(nextDailyAt(one, Date.parse(now)))).toBe(next)
  })
})

describe('a daily message is due', () => {
  it.each([
    ['at its time', '08:00', '2026-12-01T07:00Z', '2026-12-01T07:00', false],
    ['four hours later', '08:00', '2026-12-01T11:00Z', '2026-12-01T07:00', false],
    ['not after that', '08:00', '2026-12-01T11:01Z', undefined, false],
    ['late after midnight', '23:00', '2026-12-02T01:00Z', '2026-12-01T22:00', false],
    ['on Friday night', '23:00', '2026-12-04T22:30Z', '2026-12-04T22:00', true],
    ['not on Saturday', '23:00', '2026-12-05T00:30Z', undefined, true],
  ] as const)('%s', (_, clock, now, at, weekdays) => {
    const last = Date.parse(now) - 23 * 60 * minuteMs
    const one = daily(clock, 'Europe/Amsterdam', { last, weekdays: weekdays || undefined })
    expect(moment(dailyDue(one, Date.parse(now))?.at)).toBe(at)
  })

  it('once, also where the last one lies ahead of a clock that was set back', () => {
    const now = Date.parse('2026-12-01T07:00Z')
    expect(dailyDue(daily('08:00', 'UTC', { last: now }), now)).toBeUndefined()
    const ahead = daily('08:00', 'Europe/Amsterdam', { last: now + dayMs })
    expect(dailyDue(ahead, now + minuteMs)).toBeUndefined()
    expect(moment(nextDailyAt(ahead, now + minuteMs))).toBe('2026-12-02T07:00')
  })

  it('with the last one that was let pass', () => {
    const last = Date.parse('2026-12-01T07:00Z')
    const one = daily('08:00', 'Europe/Amsterdam', { last })
    const due = dailyDue(one, Date.parse('2026-12-04T08:00Z'))
    expect(moment(due?.missedAt)).toBe('2026-12-03T07:00')
  })
})

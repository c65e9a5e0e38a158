// Reads how long access lasts, in the exact form of a line: `for 4h`, `until 18:00`, `until 2026-12-01`. The time zone is a
// parameter. Pure.

import type { Ends } from '../../send/outcome.ts'
import { quote } from '../../slack/text/typed.ts'
import { dayMs, hourMs, minuteMs } from '../../work/durations.ts'

/**
 * The end of access as typed: after a length, `forMs`, of one minute to 90 days; or at a moment, `until`, as in `18:00`,
 * `2026-12-01` or `2026-12-01 18:00`. Which moment that is, depends on the time zone: see `momentOf`.
 */
export type TypedEnds = Ends | { readonly until: string }

const unitMs: Readonly<Record<string, number>> = {
  m: minuteMs,
  h: hourMs,
  d: dayMs,
}
const longestMs = 90 * dayMs

/**
 * Takes `for 4h` or `until 18:00` out of a line, before its numbers are read as containers.
 * @param words - All words of the line but people, raw.
 * @returns `rest`: the words that are left, in order. If the line has two times, only the words before the first time.
 */
export function takeUntil(words: readonly string[]) {
  const [start, ...others] = words.flatMap((word, at) => (/^(for|until)$/i.test(word) ? [at] : []))
  if (start === undefined)
    return {
      ends: undefined,
      rest: words,
      problems: [],
    }

  if (others.length > 0)
    return {
      ends: undefined,
      rest: words.slice(0, start),
      problems: ['Say only once when access ends: for 4h, for example, or until 18:00.'],
    }

  const [kind = '', value = '', next = ''] = words.slice(start, start + 3).map(withPlainDashes)
  const isUntil = kind.toLowerCase() === 'until'
  // A day may have its time behind it: “until 2026-12-01 18:00”.
  const long = `${value} ${next}`
  const hasTime = isUntil && readUntil(long) !== undefined
  const text = hasTime ? long : value
  const ends = isUntil ? readUntil(text) && { until: text } : readFor(text)
  const typed = quote(`${kind} ${text}`.trim())
  const unreadable = `I can’t read ${typed}. Type how long, at most 90 days, as in for 4h, for 30m or for 7d, or until when, as in until 18:00 or until 2026-12-01.`

  return {
    ends,
    rest: words.toSpliced(start, hasTime ? 3 : 2),
    problems: ends === undefined ? [unreadable] : [],
  }
}

/** Replaces each kind of dash, as phones type them, by a plain one. */
export function withPlainDashes(word: string): string {
  return word.replaceAll(/[\p{Pd}−]/gu, '-')
}

/** Reads `4h`, `30m` or `7d`; undefined below a minute, above 90 days, and for any other text. */
export function readFor(text: string) {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/i.exec(text) ?? []
  const forMs = Number(count) * (unitMs[unit.toLowerCase()] ?? 0)

  return forMs >= minuteMs && forMs <= longestMs ? { forMs } : undefined
}

/** @returns `day`: undefined if only a time was typed. `time`: 00:00 if only a day was typed. */
function readUntil(text: string) {
  const [found, day, time] =
    /^(\d{4}-\d\d-\d\d)?(?:(?:^| )((?:[01]?\d|2[0-3]):[0-5]\d))?$/.exec(text) ?? []
  if (!found) return undefined
  // For Date, 30 February is 2 March, and a 13th month is null.
  if (day !== undefined && !new Date(day).toJSON()?.startsWith(day)) return undefined

  return { day, time: (time ?? '00:00').padStart(5, '0') }
}

/**
 * The next moment with this time: today’s, or tomorrow’s once today’s has passed. A day alone means its beginning,
 * 00:00.
 * @param until - As in `TypedEnds`. @param zone - IANA name. @param now - Milliseconds since 1970.
 * @returns Milliseconds since 1970. Undefined if the text is no real date or time, has passed, or is over 90 days ahead.
 * @throws RangeError for a zone that Intl doesn’t know.
 */
export function momentOf(until: string, zone: string, now: number): number | undefined {
  return momentsOf(until, zone, now).find((at) => at > now && at - now <= longestMs)
}

/** The last moment with this time; undefined for a day that lies ahead. Otherwise like `momentOf`. */
export function momentBefore(since: string, zone: string, now: number): number | undefined {
  return momentsOf(since, zone, now).findLast((at) => at <= now)
}

/**
 * Moments with this time yesterday, today and tomorrow; or on the day that is typed, on that day alone. A time that clocks
 * skip, when they are put forward, is the moment right after it. A time that comes twice, when they are put back, is its
 * first moment.
 */
function momentsOf(text: string, zone: string, now: number): readonly number[] {
  const { day, time } = readUntil(text) ?? {}
  if (time === undefined) return []

  const offsetAt = offsetsOf(zone)
  const today = now + offsetAt(now)
  const around = [today - dayMs, today, today + dayMs].map((at) => new Date(at).toISOString())
  const days = day === undefined ? around.map((one) => one.slice(0, 10)) : [day]

  return days.map((one) => firstAt(Date.parse(`${one}T${time}Z`), offsetAt))
}

/** “2026-12-01 18:00”, as the clocks of a zone show it. @throws RangeError for a zone that Intl doesn’t know. */
export function clockTime(at: number, zone: string): string {
  return new Date(at + offsetsOf(zone)(at)).toISOString().slice(0, 16).replace('T', ' ')
}

/** The first moment when clocks show this time, or a later one. @param wallMs - The time as if clocks showed UTC. */
export function firstAt(wallMs: number, offsetAt: (at: number) => number): number {
  // The search begins at the earliest moment that can be meant. Clocks change at most once in two days, by whole minutes.
  let at = wallMs - Math.max(offsetAt(wallMs - dayMs), offsetAt(wallMs + dayMs))
  while (at + offsetAt(at) < wallMs) at += minuteMs

  return at
}

/** Gives how many milliseconds a zone’s clocks are ahead of UTC at a moment. */
export function offsetsOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (at) => {
    // The value is `GMT+05:45`, or `GMT` alone.
    const { value = '' } =
      format.formatToParts(at).find(({ type }) => type === 'timeZoneName') ?? {}
    return -Date.parse(`1970-01-01T00:00${value.slice('GMT'.length) || 'Z'}`)
  }
}

// Reads how long access lasts, in the exact form of a line: `for 4h`, `until 18:00`, `until 2026-12-01`. The time zone is a
// parameter. Pure.

import type { Ends } from '../../send/outcome.ts'
import { quote } from '../../slack/text/typed.ts'
import { dayMs, hourMs, minuteMs } from '../../work/durations.ts'

/**
 * An end of access, as typed. `forMs`: one minute to 90 days. `until`: a clock time, a real day, or both, as in `18:00`,
 * `2026-12-01`, `2026-12-01 18:00`; `momentOf` reads it in a time zone.
 */
export type TypedEnds = Ends | { readonly until: string }

const unitMs: Readonly<Record<string, number>> = {
  m: minuteMs,
  h: hourMs,
  d: dayMs,
}
const longestMs = 90 * dayMs

/**
 * Takes `for 4h` or `until 18:00` out of a line. Done before numbers are read as containers: the 18 of `until 18` is no
 * container.
 * @param words - All words of the line but people, raw.
 * @returns `rest`: the other words, in order, even if there are problems; only those before the first of two times.
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
      problems: [onlyOnce],
    }

  const [kind = '', value = '', next = ''] = words.slice(start, start + 3).map(withPlainDashes)
  const isUntil = kind.toLowerCase() === 'until'
  // A day may have its time behind it: “until 2026-12-01 18:00”.
  const hasTime = isUntil && isDay.test(value) && /^\d+:\d/.test(next)
  const text = hasTime ? `${value} ${next}` : value
  const ends = isUntil ? readUntil(text) && { until: text } : readFor(text)
  const problems = ends === undefined ? [unreadable(`${kind} ${text}`.trim())] : []

  return {
    ends,
    rest: words.toSpliced(start, hasTime ? 3 : 2),
    problems,
  }
}

const onlyOnce = 'Say only once when access ends: for 4h, for example, or until 18:00.'

function unreadable(typed: string): string {
  return `I can’t read ${quote(typed)}. Type how long, at most 90 days, as in for 4h, for 30m or for 7d, or until when, as in until 18:00 or until 2026-12-01.`
}

/** Replaces any dash, such as phones type, by a plain dash. */
export function withPlainDashes(word: string): string {
  return word.replaceAll(/[\p{Pd}−]/gu, '-')
}

/** `4h`, `30m`, `7d`: a minute to 90 days. */
export function readFor(text: string) {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/i.exec(text) ?? []
  const forMs = Number(count) * (unitMs[unit.toLowerCase()] ?? 0)

  return forMs >= minuteMs && forMs <= longestMs ? { forMs } : undefined
}

const isDay = /^\d{4}-\d\d-\d\d$/

/** @returns `day`: undefined if only a time was typed. `time`: 00:00 if only a day was typed. */
function readUntil(text: string) {
  const [found, day, time] =
    /^(\d{4}-\d\d-\d\d)?(?:(?:^| )((?:[01]?\d|2[0-3]):[0-5]\d))?$/.exec(text) ?? []
  if (!found) return undefined
  // Date takes 30 February for 2 March, and gives null for a 13th month.
  if (day !== undefined && !new Date(day).toJSON()?.startsWith(day)) return undefined

  return { day, time: (time ?? '00:00').padStart(5, '0') }
}

/**
 * Finds the moment that somebody means by a time or a day.
 *
 * A time is the next moment with that time: today’s, or tomorrow’s once today’s has passed. A day alone is its 00:00: who
 * types `until 2026-12-01` expects access to end when that day begins. When clocks are put forward, a time that they skip
 * is the moment right after; when they are put back, a time that comes twice is its first moment.
 *
 * @param until - As in `TypedEnds`. @param zone - IANA name. @param now - Milliseconds since 1970.
 * @returns Milliseconds since 1970. Undefined if the text is no real date or time, has passed, or is over 90 days ahead.
 * @throws RangeError for a zone that Intl doesn’t know.
 */
export function momentOf(until: string, zone: string, now: number): number | undefined {
  const read = readUntil(until)
  if (read === undefined) return undefined

  const offsetAt = offsetsOf(zone)
  const today = now + offsetAt(now)
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  const days = read.day === undefined ? [dayOf(today), dayOf(today + dayMs)] : [read.day]
  const at = days
    .map((day) => firstAt(Date.parse(`${day}T${read.time}Z`), offsetAt))
    .find((one) => one > now)

  return at === undefined || at - now > longestMs ? undefined : at
}

/** As `momentOf`, for somebody who looks back: the last such moment. Undefined for none, or for one that lies ahead. */
export function momentBefore(since: string, zone: string, now: number): number | undefined {
  const read = readUntil(since)
  if (read === undefined) return undefined

  const offsetAt = offsetsOf(zone)
  const dayOf = (at: number) => new Date(at + offsetAt(at)).toISOString().slice(0, 10)
  const days = read.day === undefined ? [dayOf(now), dayOf(now - dayMs)] : [read.day]
  return days
    .map((day) => firstAt(Date.parse(`${day}T${read.time}Z`), offsetAt))
    .find((one) => one <= now)
}

/** “2026-12-01 18:00”, as the clocks of a zone show it. @throws RangeError for a zone that Intl doesn’t know. */
export function clockTime(at: number, zone: string): string {
  return new Date(at + offsetsOf(zone)(at)).toISOString().slice(0, 16).replace('T', ' ')
}

/** The first moment when a clock on the wall shows that time or a later one. @param wallMs - That time, as if in UTC. */
export function firstAt(wallMs: number, offsetAt: (at: number) => number): number {
  // Clocks change once in two days at most, by whole minutes.
  let at = wallMs - Math.max(offsetAt(wallMs - dayMs), offsetAt(wallMs + dayMs))
  while (at + offsetAt(at) < wallMs) at += minuteMs

  return at
}

/** Milliseconds that a zone’s clocks are ahead of UTC at a moment. */
export function offsetsOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (at) => {
    // The value is `GMT+05:45`, or `GMT` alone.
    const { value = '' } =
      format.formatToParts(at).find(({ type }) => type === 'timeZoneName') ?? {}
    return -Date.parse(`1970-01-01T00:00${value.slice('GMT'.length) || 'Z'}`)
  }
}

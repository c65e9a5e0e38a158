// Reads how long access lasts as people type it: `4 hours`, `friday`, `18h`, `24.12.`. A table reads what only looks like
// English; chrono-node, loaded by language once a text needs it, reads the rest. The time zone is a parameter.

import type { ParsedResult } from 'chrono-node'
import type { Ends } from '../../send/outcome.ts'
import { nearestTo } from '../../slack/text/typed.ts'
import { dayMs, durationWords } from '../../work/durations.ts'
import { clockTime, momentBefore, momentOf, readFor, withPlainDashes } from './until.ts'

/** One meaning of a text. `words`: the same in the exact form of a line, as in `until 2026-12-04 00:00`. */
export interface TimeMeant {
  readonly words: string
  readonly ends: Ends
}

/** The clock by which a time is read. `zone`: IANA name. `now`: milliseconds since 1970. */
interface ClockThere {
  readonly zone: string
  readonly now: number
}

/** Words before a time, in any language. */
const forWords = ['for', 'voor', 'für', 'fuer']
const untilWords = ['until', 'till', 'til', 'tot', 'bis']

/** The meaning of a word before a time, in capitals or not; slips of `until` count, as in “untill”. */
export function timeWordOf(text: string): 'for' | 'until' | undefined {
  const word = text.toLowerCase()
  if (forWords.includes(word)) return 'for'

  const isSlip = word.length > 3 && nearestTo(word, ['until']).length > 0

  return isSlip || untilWords.includes(word) ? 'until' : undefined
}

/** Characters; longer texts are no times. */
const longestTime = 40

/**
 * Meanings of a time as people type it; never a guess.
 * @param typed - With `for` or `until` before it.
 * @returns Only what lies ahead: none for what can’t be read, two for `until 6`.
 */
export async function timesMeant(
  typed: string,
  { zone, now }: ClockThere,
): Promise<readonly TimeMeant[]> {
  const [word = '', ...others] = withPlainDashes(typed).toLowerCase().split(' ')
  const text = others.join(' ')
  if (text.length > longestTime) return []

  const today = clockTime(now, zone).slice(0, 10)
  if (timeWordOf(word) === 'for') return readLength(text, today)

  const plain = [...hoursIn(text), ...daysIn(text, Number(today.slice(0, 4)))]
  const meant = plain.length > 0 ? plain : await spokenMoments(text, today, zone)
  const moments = meant.flatMap((one) => momentOf(one, zone, now) ?? [])

  return [...new Set(moments)]
    .toSorted((one, other) => one - other)
    .map((at) => ({ words: `until ${clockTime(at, zone)}`, ends: { at } }))
}

/** Reads a length, as in “4 hours”. “For a day” is 24 hours, whatever the clocks do. */
async function readLength(text: string, today: string): Promise<readonly TimeMeant[]> {
  const ends = await lengthIn(text, today)
  return ends === undefined ? [] : [{ words: `for ${shortLength(ends.forMs)}`, ends }]
}

async function lengthIn(text: string, today: string) {
  const found = await wholeOf(`in ${text}`, referenceOn(today))
  if (found === undefined || !tagsOf(found).includes('relative')) return undefined

  const minutes = (found.date().getTime() - referenceOn(today).getTime()) / 60_000
  return readFor(`${Math.round(minutes)}m`)
}

/**
 * The moment that somebody means who looks back: `18:00` is the last such time, `4h` is so long ago, and `yesterday`, or
 * `monday`, is its beginning.
 * @returns Milliseconds since 1970. Undefined for what can’t be read, or lies ahead.
 */
export async function sinceMeant(
  typed: string,
  { zone, now }: ClockThere,
): Promise<number | undefined> {
  const text = withPlainDashes(typed).toLowerCase().trim()
  if (text.length > longestTime) return undefined

  const clock = clockTime(now, zone)
  const length = readFor(text) ?? (await lengthIn(text.replace(/ ago$/, ''), clock.slice(0, 10)))
  if (length !== undefined) return now - length.forMs

  const plain = [...hoursIn(text), ...daysIn(text, Number(clock.slice(0, 4)) - 1), text]
  const moments = plain.flatMap((one) => momentBefore(one, zone, now) ?? [])
  if (moments.length > 0) return Math.max(...moments)

  const found = await wholeOf(text, new Date(`${clock.replace(' ', 'T')}Z`), false)
  if (found === undefined) return undefined

  const { start } = found
  const day = start.isCertain('hour') ? 1 : dayMs
  const at = Math.floor(found.date().getTime() / day) * day
  // The nearest Monday may lie ahead.
  const days = start.isCertain('weekday') ? [0, 7 * dayMs] : [0]
  const before = days.map((back) => momentBefore(clockTime(at - back, 'UTC'), zone, now))
  return before.find((one) => one !== undefined)
}

/** Says what a time means: “until friday” is Friday 4 December at 00:00 (Europe/Amsterdam). */
export function timeSaid(
  typed: string,
  { ends }: TimeMeant,
  { zone: timeZone }: ClockThere,
): string {
  if ('forMs' in ends) return `“${typed}” is ${durationWords(ends.forMs)}.`

  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })

  return `“${typed}” is ${format.format(ends.at)} (${timeZone}).`
}

/** “4 hours” becomes `4h`. */
export function shortLength(ms: number): string {
  return durationWords(ms).replace(/ (\w)\w*$/, '$1')
}

/** Reads `18h`, `18u`, `18.00`, `18:00` or `9h30`, as in `18:00`. Undefined for anything else. */
function clockIn(text: string): string | undefined {
  const [, hour, minute = '00'] = /^(\d{1,2})(?:[hu]|[.:h](\d\d))$/.exec(text) ?? []
  return hour === undefined ? undefined : `${hour}:${minute}`
}

/** Hours that a number may mean: “until 6” is in the morning or in the evening; “until 18” is one hour only. */
function hoursMeant(hour: number): readonly string[] {
  const hours = hour >= 1 && hour <= 12 ? [hour, (hour + 12) % 24] : [hour]
  return hours.map((one) => `${one}:00`)
}

function hoursIn(text: string): readonly string[] {
  if (/^\d{1,2}$/.test(text)) return hoursMeant(Number(text))

  const clock = clockIn(text)

  return clock === undefined ? [] : [clock]
}

const dayForm = /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}))?\.?(?: (?:at |om |um )?(\S+))?$/

/** Days that `24.12.`, `24-12-2026` or `12/24` may mean, this year’s and the next, with a time behind them or without. */
function daysIn(text: string, thisYear: number): readonly string[] {
  const [, first = '', sign = '', second = '', year, time] = dayForm.exec(text) ?? []
  const clock = time === undefined ? '' : clockIn(time)
  // “9-17” is no day: it is from nine to five.
  if (clock === undefined || sign === '' || (sign === '-' && year === undefined)) return []

  const twoDigits = (number: string) => number.padStart(2, '0')
  const days = [`${twoDigits(second)}-${twoDigits(first)}`]
  if (sign === '/') days.push(`${twoDigits(first)}-${twoDigits(second)}`)

  const years = year === undefined ? [thisYear, thisYear + 1] : [year]

  return days.flatMap((day) => years.map((one) => `${one}-${day} ${clock}`.trim()))
}

/** A day in numbers within a text, as in “friday 03/04”: each language would read it in its own way. */
const dayWithin = /(?<!\d{4}|-\d\d)[./-]\d/

/** Tags of chrono-node for lengths, and for parts of a day: these begin at no hour that everybody would name. */
const noMoment = /relative|noon|EndOf/

/** Moments in words, as in “friday 18h”. @returns Texts for `momentOf`. */
async function spokenMoments(
  text: string,
  today: string,
  zone: string,
): Promise<readonly string[]> {
  const plain = text
    .split(' ')
    .map((word) => clockIn(word) ?? word)
    .join(' ')
    .replace(/^(?:eod|end of (?:the )?day)$/, 'tomorrow')

  const found = dayWithin.test(plain) ? undefined : await wholeOf(plain, referenceOn(today))
  // “in 2 hours” is a length, no moment.
  if (found === undefined || tagsOf(found).includes('relativeDateAndTime')) return []

  const { start } = found
  const hasZone = start.isCertain('timezoneOffset')
  // “6 EST” may be in the morning or in the evening, so it isn’t read.
  if (hasZone && !start.isCertain('meridiem') && !plain.includes(':')) return []

  // A zone that was typed counts: “6pm EST” is midnight in Amsterdam.
  const shown = clockTime(start.date().getTime(), hasZone ? zone : 'UTC')
  const [day = '', time = ''] = shown.split(' ')
  const hour = start.get('hour') ?? 0
  if (!start.isCertain('hour')) return hour === noon && !noMoment.test(tagsOf(found)) ? [day] : []

  const isBare = /[^\d:]\d{1,2}$/.test(plain)
  const times = isBare ? hoursMeant(hour) : [time]
  const isOfDay = start.isCertain('day') || start.isCertain('weekday')

  return times.map((one) => (isOfDay ? `${day} ${one}` : one))
}

const tagsOf = (found: ParsedResult) => [...found.tags()].join()

const languages = [
  () => import('chrono-node/en'),
  () => import('chrono-node/nl'),
  () => import('chrono-node/de'),
]

/** The hour that chrono-node gives to a day without one. */
const noon = 12

/**
 * Half past noon, from which chrono-node counts. Noon has passed then, so that today’s weekday means next week’s. A day
 * without an hour is at noon, but “tonight” isn’t.
 */
const referenceOn = (today: string) => new Date(`${today}T${noon}:30Z`)

/**
 * Reads a text in the first language that reads all of it: English finds only 18:00 in “morgen 18:00”, and takes it for
 * today’s. @returns A moment as if clocks showed UTC; undefined if no language reads all of the text.
 */
async function wholeOf(
  text: string,
  instant: Date,
  forwardDate = true,
): Promise<ParsedResult | undefined> {
  const reference = { instant, timezone: 0 }
  // German wants the dot of “24. Dezember”, which looks like the end of a sentence.
  const dotted = text.replace(/^\d{1,2}(?= \p{L})/u, '$&.')

  for (const load of languages) {
    const { parse } = await load()

    for (const said of new Set([text, dotted])) {
      const [found] = parse(said, reference, { forwardDate })
      if (found?.text.length === said.length && !found.end) return found
    }
  }

  return undefined
}

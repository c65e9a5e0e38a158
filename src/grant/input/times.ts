// Reads how long access lasts, as people type it: `4 hours`, `friday`, `18h`, `24.12.`. Days and hours in numbers are
// read here, as each language would read them in its own way. All other times are read by the library chrono-node. It
// loads each language only once a text needs this language.

import type { ParsedResult } from 'chrono-node'
import type { Ends } from '../../send/outcome.ts'
import { nearestTo } from '../../slack/text/typed.ts'
import { dayMs, durationWords } from '../../work/durations.ts'
import { clockTime, momentBefore, momentOf, readFor, withPlainDashes } from './until.ts'

/** One meaning of a typed time. `words` say it in the exact form of a line, as in `until 2026-12-04 00:00`. */
export interface TimeMeant {
  readonly words: string
  readonly ends: Ends
}

/** The clock of whoever typed a time. `zone`: IANA name. `now`: milliseconds since 1970. */
interface ClockThere {
  readonly zone: string
  readonly now: number
}

/** Words for `for` and `until` in all languages that are read. */
const forWords = ['for', 'voor', 'für', 'fuer']
const untilWords = ['until', 'till', 'til', 'tot', 'bis']

/** Tells whether a word means `for` or `until`, in capitals or not; slips of `until` count, as in “untill”. */
export function timeWordOf(text: string): 'for' | 'until' | undefined {
  const word = text.toLowerCase()
  if (forWords.includes(word)) return 'for'

  const isSlip = word.length > 3 && nearestTo(word, ['until']).length > 0

  return isSlip || untilWords.includes(word) ? 'until' : undefined
}

/** Most characters of a time: reading takes time, and a longer text is none. */
const longestTime = 40

/**
 * All meanings of a typed time that lie ahead. `until 6` has two: 6:00 and 18:00. A time that can’t be read for sure has
 * none.
 * @param typed - Begins with `for` or `until`.
 */
export async function timesMeant(
  typed: string,
  { zone, now }: ClockThere,
): Promise<readonly TimeMeant[]> {
  const [word = '', ...others] = withPlainDashes(typed).toLowerCase().split(' ')
  const text = others.join(' ')
  if (text.length > longestTime) return []

  const today = clockTime(now, zone).slice(0, 10)
  if (timeWordOf(word) === 'for') {
    const ends = readFor(text) ?? (await lengthIn(text, today))
    return ends === undefined ? [] : [{ words: `for ${shortLength(ends.forMs)}`, ends }]
  }

  const isExact = momentOf(text, zone, now) !== undefined
  const plain = isExact ? [text] : [...hoursIn(text), ...daysIn(text, Number(today.slice(0, 4)))]
  const meant = plain.length > 0 ? plain : await spokenMoments(text, today, zone)
  const moments = meant.flatMap((one) => momentOf(one, zone, now) ?? [])

  return [...new Set(moments)]
    .toSorted((one, other) => one - other)
    .map((at) => ({ words: `until ${clockTime(at, zone)}`, ends: { at } }))
}

/** Reads a length, as in “4 hours”. A day is 24 hours, even if clocks change meanwhile. */
async function lengthIn(text: string, today: string) {
  const found = await wholeOf(`in ${text}`, referenceOn(today))
  if (found === undefined || !tagsOf(found).includes('relative')) return undefined

  const minutes = (found.date().getTime() - referenceOn(today).getTime()) / 60_000
  return readFor(`${Math.round(minutes)}m`)
}

/**
 * The past moment that a time means: the last `18:00`, the moment `4h` ago, the beginning of `yesterday` or `monday`.
 * @returns Milliseconds since 1970. Undefined if the time can’t be read, or lies ahead.
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
  const at = found.date().getTime()
  const before = (moment: number) => {
    const [day, time] = clockTime(moment, 'UTC').split(' ')
    return momentBefore(start.isCertain('hour') ? `${day} ${time}` : `${day}`, zone, now)
  }

  // For chrono-node, a weekday is the nearest one. If that lies ahead, the one a week before it is meant.
  return before(at) ?? (start.isCertain('weekday') ? before(at - 7 * dayMs) : undefined)
}

/** Tells what a typed time means, as in: “until friday” is Friday 4 December at 00:00 (Europe/Amsterdam). */
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

/** The time in `18h`, `18u`, `18.00`, `18:00` or `9h30`, with a colon; undefined for any other text. */
function clockIn(text: string): string | undefined {
  const [, hour, minute = '00'] = /^(\d{1,2})(?:[hu]|[.:h](\d\d))$/.exec(text) ?? []
  return hour === undefined ? undefined : `${hour}:${minute}`
}

/** Times that an hour without minutes may mean: 6 is 6:00 or 18:00, but 18 is 18:00 alone. */
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

/**
 * Days that `24.12.`, `24-12-2026` or `12/24` may mean, with the time that is typed behind the day, if there is one.
 * Without a year, each is given twice: in this year and in the next.
 */
function daysIn(text: string, thisYear: number): readonly string[] {
  const [, first = '', sign = '', second = '', year, time] = dayForm.exec(text) ?? []
  const clock = time === undefined ? '' : clockIn(time)
  // “9-17” isn’t read as a day: it may be from nine to five.
  if (clock === undefined || sign === '' || (sign === '-' && year === undefined)) return []

  const twoDigits = (number: string) => number.padStart(2, '0')
  const days = [`${twoDigits(second)}-${twoDigits(first)}`]
  if (sign === '/') days.push(`${twoDigits(first)}-${twoDigits(second)}`)

  const years = year === undefined ? [thisYear, thisYear + 1] : [year]

  return days.flatMap((day) => years.map((one) => `${one}-${day} ${clock}`.trim()))
}

/** A day in numbers among words, as in “friday 03/04”, which isn’t read: it may be in March or in April. */
const dayWithin = /(?<!\d{4}|-\d\d)[./-]\d/

/** Tags that chrono-node gives to lengths, and to times without a clear beginning, such as “in the afternoon”. */
const noMoment = /relative|noon|EndOf/

/** Reads a moment in words, as in “friday 18h”. @returns Its meanings, as `momentOf` takes them. */
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

  // A zone that is typed counts: “6pm EST” is midnight in Amsterdam.
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

/** The hour that chrono-node gives to a day if none is typed. */
const noon = 12

/**
 * The moment from which chrono-node counts: today at 12:30 UTC. For chrono-node, a day without an hour begins at noon,
 * so today’s noon has passed then. The name of today’s weekday therefore means the day in a week.
 */
const referenceOn = (today: string) => new Date(`${today}T${noon}:30Z`)

/**
 * Reads a text in the first language that reads all of it: of “morgen 18:00”, English would read 18:00 alone.
 * @returns A moment as if clocks showed UTC; undefined if no language reads all of the text.
 */
async function wholeOf(
  text: string,
  instant: Date,
  forwardDate = true,
): Promise<ParsedResult | undefined> {
  const reference = { instant, timezone: 0 }
  // chrono-node reads the German “24. Dezember” only with its dot. An earlier step took the dot away as the end of a
  // sentence, so it is put back here.
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

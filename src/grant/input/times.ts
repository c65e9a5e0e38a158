// Reads how long access lasts as people type it: `4 hours`, `friday`, `18h`, `24.12.`. A table reads what only looks like
// English; chrono-node, loaded by language once a text needs it, reads the rest. Knows a zone, but not whose.

import type { ParsedResult } from 'chrono-node'
import type { Ends } from '../../send/outcome.ts'
import { nearestTo } from '../../slack/text/typed.ts'
import { dayMs, durationWords } from '../../work/durations.ts'
import { clockTime, momentOf, offsetsOf, readFor, withPlainDashes } from './until.ts'

/** One meaning of a text. `words`: the same in the exact form of a line, as in `until 2026-12-04 00:00`. */
export interface TimeMeant {
  readonly words: string
  readonly ends: Ends
}

/** Whose clock counts. `zone`: IANA name. `now`: milliseconds since 1970. */
interface Clock {
  readonly zone: string
  readonly now: number
}

const languages = {
  en: () => import('chrono-node/en'),
  nl: () => import('chrono-node/nl'),
  de: () => import('chrono-node/de'),
} as const
type Language = keyof typeof languages

interface TimeWord {
  readonly kind: 'for' | 'until'
  readonly language: Language
}

/** Words before a time, in any language. */
export const timeWords = {
  for: { kind: 'for', language: 'en' },
  voor: { kind: 'for', language: 'nl' },
  für: { kind: 'for', language: 'de' },
  fuer: { kind: 'for', language: 'de' },
  until: { kind: 'until', language: 'en' },
  till: { kind: 'until', language: 'en' },
  til: { kind: 'until', language: 'en' },
  tot: { kind: 'until', language: 'nl' },
  bis: { kind: 'until', language: 'de' },
} as const satisfies Readonly<Record<string, TimeWord>>

/** In any case. */
export function timeWordOf(text: string): TimeWord | undefined {
  const words: Readonly<Record<string, TimeWord>> = timeWords
  const word = text.toLowerCase()
  if (Object.hasOwn(words, word)) return words[word]
  // Also a slip, as in “untill”.
  return word.length > 3 && nearestTo(word, ['until']).length > 0 ? timeWords.until : undefined
}

/** chrono-node reads a length only with its language’s word before it. */
const beforeLengths: Readonly<Record<Language, string>> = { en: 'for', nl: 'voor', de: 'für' }

/** Characters; longer texts are no times. */
const longestTime = 40

/** @returns Meanings that lie ahead: none for what can’t be read, two for `until 6`. Never a guess. */
export async function readTime(
  { kind, language }: TimeWord,
  typed: string,
  clock: Clock,
): Promise<readonly TimeMeant[]> {
  const text = withPlainDashes(typed).trim().replaceAll(/\s+/g, ' ').toLowerCase()
  if (text === '' || text.length > longestTime) return []
  const order = [...new Set([language, 'en', 'nl', 'de'] as const)]
  return kind === 'for' ? readLength(text, order, clock) : readMoment(text, order, clock)
}

async function readLength(
  text: string,
  order: readonly Language[],
  clock: Clock,
): Promise<readonly TimeMeant[]> {
  const short = readFor(text)
  if (short !== undefined) return [lasting(short.forMs)]
  for (const language of order) {
    const found = await wholeOf(language, `${beforeLengths[language]} ${text}`, clock)
    if (found === undefined) continue
    // Also for days: “for a day” is 24 hours, whatever the clocks do.
    const minutes = Math.round((found.date().getTime() - clock.now) / 60_000)
    const read = readFor(`${minutes}m`)
    return read === undefined ? [] : [lasting(read.forMs)]
  }
  return []
}

/** “until friday” is Friday 4 December at 00:00 (Europe/Amsterdam). */
export function timeSaid(typed: string, { ends }: TimeMeant, { zone: timeZone }: Clock): string {
  if ('forMs' in ends) return `“${typed}” is ${durationWords(ends.forMs)}.`
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const parts = { ...day, hour: '2-digit', minute: '2-digit', timeZone } as const
  return `“${typed}” is ${new Intl.DateTimeFormat('en-GB', parts).format(ends.at)} (${timeZone}).`
}

function lasting(forMs: number): TimeMeant {
  return { words: `for ${shortLength(forMs)}`, ends: { forMs } }
}

/** “4 hours” becomes `4h`. */
export function shortLength(ms: number): string {
  return durationWords(ms).replace(/ (\w)\w*$/, '$1')
}

async function readMoment(
  text: string,
  order: readonly Language[],
  clock: Clock,
): Promise<readonly TimeMeant[]> {
  const { zone, now } = clock
  const meant = plainMoments(text, clock) ?? (await spokenMoments(text, order, clock))
  const moments = meant.flatMap((one) => {
    const at = typeof one === 'number' ? one : momentOf(one, zone, now)
    return at === undefined ? [] : [Math.floor(at / 60_000) * 60_000]
  })
  return [...new Set(moments)].toSorted((one, other) => one - other).flatMap(ending)

  function ending(at: number): readonly TimeMeant[] {
    const until = clockTime(at, zone)
    // Where clocks are put back, the exact form has a word for the first of two equal times alone.
    return momentOf(until, zone, now) === at ? [{ words: `until ${until}`, ends: { at } }] : []
  }
}

const twoDigits = (text: string | number) => String(text).padStart(2, '0')

/** `18h`, `18u`, `18.00`, `18:00`, `9h30`: as `18:00`. Undefined for anything else. */
function clockIn(text: string): string | undefined {
  const [found, hour = '', minute = '00'] = /^(\d{1,2})(?:[hu]|[.:h](\d\d))$/.exec(text) ?? []
  const isTime = found !== undefined && Number(hour) < 24 && Number(minute) < 60
  return isTime ? `${twoDigits(hour)}:${minute}` : undefined
}

const dateForm = /^(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}))?\.?(?: (?:at |om |um )?(\S+))?$/

/**
 * Reads what a language would take for something else, or would have to guess.
 * @returns Texts for `momentOf`, one for each meaning; undefined where a language is to be asked.
 */
function plainMoments(text: string, { zone, now }: Clock): readonly string[] | undefined {
  if (/^(?:eod|end of (?:the )?day)$/.test(text))
    return [clockTime(now, zone).slice(0, 10)].map(dayAfter)
  if (/^\d{1,2}$/.test(text)) return hoursMeant(Number(text))
  const clock = clockIn(text)
  const days = daysIn(text, clockTime(now, zone).slice(0, 10))
  if (clock === undefined) return days
  return [clock, ...(days ?? [])]
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

/** “until 6” is in the morning or in the evening; “until 18” is not. */
function hoursMeant(hour: number): readonly string[] {
  if (hour > 23) return []
  const hours = hour >= 1 && hour <= 12 ? [hour, (hour + 12) % 24] : [hour]
  return hours.map((one) => `${twoDigits(one)}:00`)
}

/** Days of `24.12.`, `24-12-2026` or `12/24`, with a time behind it or without. Undefined for other texts. */
function daysIn(text: string, today: string): readonly string[] | undefined {
  const [found, first = '', sign, second = '', year, time] = dateForm.exec(text) ?? []
  if (found === undefined || (sign === '-' && year === undefined)) return undefined
  const dayFirst = [second, first] as const
  const monthFirst = [first, second] as const
  const orders = sign === '/' ? [dayFirst, monthFirst] : [dayFirst]
  const clock = time === undefined ? '' : clockIn(time)
  if (clock === undefined) return []
  return orders.flatMap(([month, day]) => {
    const inYear = (one: string) => `${one}-${twoDigits(month)}-${twoDigits(day)}`
    const thisYear = today.slice(0, 4)
    const isOver = inYear(thisYear) < today
    const date = inYear(year ?? String(Number(thisYear) + (isOver ? 1 : 0)))
    return `${date} ${clock}`.trim()
  })
}

/** Parts of a day, and lengths of time, begin at no hour that everybody would name. */
const notADay =
  /night|morning|evening|afternoon|abend|nacht|mittag|früh|avond|ochtend|middag|\b(?:hours?|days?|dag(?:en)?|tage?n?|weeks?|weken|wochen?|months?|maand(?:en)?|monate?n?|years?|jaar|jahre?n?)\b/

/** @returns Texts for `momentOf`, or milliseconds since 1970 where a zone was typed. */
async function spokenMoments(
  text: string,
  order: readonly Language[],
  clock: Clock,
): Promise<readonly (string | number)[]> {
  const plain = text
    .split(' ')
    .map((word) => clockIn(word) ?? word)
    .join(' ')
  // “friday 03/04” has a date in it that a language would read its own way.
  if (/(?<![\d-])\d{1,2}[./-]\d{1,2}(?![\d:])/.test(plain)) return []
  for (const language of order) {
    // The dot of “24. Dezember” is taken for the end of a sentence.
    const said = language === 'de' ? plain.replace(/^\d{1,2}(?= \p{L})/u, '$&.') : plain
    const found = await wholeOf(language, said, clock)
    if (found === undefined) continue
    const { start } = found
    const day = ['year', 'month', 'day'] as const
    const date = day.map((part) => twoDigits(start.get(part) ?? 0)).join('-')
    if (!start.isCertain('hour')) return notADay.test(plain) ? [] : [date]
    if (start.isCertain('timezoneOffset')) return [found.date().getTime()]
    const isOfDay = (['day', 'weekday'] as const).some((part) => start.isCertain(part))
    const hour = start.get('hour') ?? 0
    const isBare = /\D\d{1,2}$/.test(plain) && !/:\d\d$/.test(plain)
    const times = isBare
      ? hoursMeant(hour)
      : [`${twoDigits(hour)}:${twoDigits(start.get('minute') ?? 0)}`]
    return times.map((time) => (isOfDay ? `${date} ${time}` : time))
  }
  return []
}

/** What a language reads, only where it is all of the text: English finds 18:00 in “morgen 18:00”, and that is today. */
async function wholeOf(
  language: Language,
  text: string,
  { zone, now }: Clock,
): Promise<ParsedResult | undefined> {
  const { parse } = await languages[language]()
  const reference = { instant: new Date(now), timezone: offsetsOf(zone)(now) / 60_000 }
  const [found, ...others] = parse(text, reference, { forwardDate: true })
  const isWhole = found?.index === 0 && found.text.length === text.length && !found.end
  return isWhole && others.length === 0 ? found : undefined
}

// Times of messages, in the zone of whoever reads, by the clock that dates in messages have.
import { now } from '../../state/clock.ts'

/** Slack’s default language: two clocks on one screen would be read twice. */
const locale = 'en-US'

const clockForm = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
const dayForm = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const exactForm = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })

const DAY_MS = 24 * 60 * 60 * 1_000

export function dateOf(ts: string): Date {
  return new Date(Number(ts) * 1_000)
}

/** Such as `10:42 AM`. */
export function clock(ts: string): string {
  // Intl puts a narrow space before AM and PM, which not every font has.
  return clockForm.format(dateOf(ts)).replaceAll('\u202f', ' ')
}

/** Such as `Monday, March 3, 2025 at 10:42:07 AM GMT+1`. */
export function exactly(ts: string): string {
  return exactForm.format(dateOf(ts))
}

/** `Today`, `Yesterday` or such as `Monday, March 3`. */
export function dayOf(ts: string, at: number = now()): string {
  const day = dateOf(ts)
  if (isSameDay(day, new Date(at))) return 'Today'
  if (isSameDay(day, new Date(at - DAY_MS))) return 'Yesterday'
  return dayForm.format(day)
}

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString()
}

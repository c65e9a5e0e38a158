// Times of messages, in the zone and the clock of whoever reads.

/** The page is in English: readers of English have their own clock, everybody else gets 24 hours. */
const own = new Intl.DateTimeFormat().resolvedOptions().locale
const locale = own.startsWith('en') ? own : 'en-GB'

const clockForm = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
const dayForm = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const exactForm = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })

const DAY_MS = 24 * 60 * 60 * 1_000

export function dateOf(ts: string): Date {
  return new Date(Number(ts) * 1_000)
}

/** Such as `10:42`. */
export function clock(ts: string): string {
  return clockForm.format(dateOf(ts))
}

/** Such as `Monday 3 March 2025 at 10:42:07 CET`. */
export function exactly(ts: string): string {
  return exactForm.format(dateOf(ts))
}

/** `Today`, `Yesterday` or such as `Monday 3 March`. */
export function dayOf(ts: string, now: number = Date.now()): string {
  const day = dateOf(ts)
  if (isSameDay(day, new Date(now))) return 'Today'
  if (isSameDay(day, new Date(now - DAY_MS))) return 'Yesterday'
  return dayForm.format(day)
}

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString()
}

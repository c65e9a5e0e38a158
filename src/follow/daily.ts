// The daily message of a follow: when it is due, by the clocks of a zone. Pure.

import { firstAt, offsetsOf } from '../grant/input/until.ts'
import { dayMs, hourMs, minuteMs } from '../work/durations.ts'

/** Times are milliseconds since 1970. */
export interface Daily {
  /** Minutes after midnight. */
  readonly minutes: number
  /** IANA name. */
  readonly zone: string
  readonly weekdays?: true | undefined
  /** The time for which the last one was posted; at first, when this was set. */
  readonly last: number
  /** A post that Slack hasn’t confirmed: tried again, though it may be there. */
  readonly unconfirmed?: { readonly tries: number; readonly againAt: number } | undefined
}

/** How late it still comes. */
const lateMs = 4 * hourMs
/** So many days are looked through: a week, and a weekend. */
const mostDays = 9

export function isSameDaily(one: Daily | undefined, other: Daily | undefined): boolean {
  return (
    one?.minutes === other?.minutes &&
    one?.zone === other?.zone &&
    one?.weekdays === other?.weekdays
  )
}

/** The setting that was agreed to; a message that was posted meanwhile counts. */
export function settingKept(stored: Daily | undefined, agreed: Daily | undefined) {
  return isSameDaily(stored, agreed) ? stored : agreed
}

/** “every day at 8:00 AM (Europe/Amsterdam)”. */
export function dailyInWords(daily: Daily | undefined): string {
  if (daily === undefined) return 'never'

  const { minutes, zone, weekdays } = daily
  const hour = Math.floor(minutes / 60)
  const time = `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')}`
  return `every ${weekdays ? 'weekday' : 'day'} at ${time} ${hour < 12 ? 'AM' : 'PM'} (${zone})`
}

/** False for a zone that has no clocks here. */
export function hasClock(zone: string): boolean {
  try {
    offsetsOf(zone)
    return true
  } catch {
    return false
  }
}

/** The days of a zone, each by its midnight, as if that were UTC. */
function daysOf({ zone, weekdays }: Daily) {
  const offsetAt = offsetsOf(zone)
  return {
    offsetAt,
    dayOf: (at: number) => Math.floor((at + offsetAt(at)) / dayMs) * dayMs,
    isAsked(day: number) {
      const isWeekend = [0, 6].includes(new Date(day).getUTCDay())
      return !(weekdays && isWeekend)
    },
  }
}

/** Times for which it was asked, after one and up to another, the earliest first. */
function timesWithin(daily: Daily, after: number, until: number): readonly number[] {
  const { offsetAt, dayOf, isAsked } = daysOf(daily)
  const last = dayOf(until)
  const first = Math.max(dayOf(after), last - mostDays * dayMs)
  const times: number[] = []
  for (let day = first; day <= last; day += dayMs) {
    if (!isAsked(day)) continue
    // Clocks that are put forward may skip it; put back, they may show it twice.
    const at = firstAt(day + daily.minutes * minuteMs, offsetAt)
    if (at > after && at <= until) times.push(at)
  }
  return times
}

/** The next time that lies ahead. */
export function nextDailyAt(daily: Daily, now: number): number | undefined {
  return timesWithin(daily, now, now + 4 * dayMs)[0]
}

export interface DailyDue {
  readonly at: number
  /** Times since the last one that were let pass. */
  readonly missed: readonly number[]
}

/** The message that is due; undefined for none, or where it would be too late. */
export function dailyDue(daily: Daily | undefined, now: number): DailyDue | undefined {
  if (daily === undefined) return undefined

  const { last, unconfirmed } = daily
  const times = timesWithin(daily, Math.min(last, now), now)
  const at = times.at(-1)
  const isWaiting = unconfirmed !== undefined && unconfirmed.againAt > now
  if (at === undefined || isWaiting || now - at > lateMs) return undefined

  const { dayOf, isAsked } = daysOf(daily)
  return isAsked(dayOf(now)) ? { at, missed: times.slice(0, -1) } : undefined
}

/** When a follow looks whatever its interval; undefined for never. */
export function ownTime(
  { daily }: { readonly daily?: Daily | undefined },
  now: number,
): number | undefined {
  return daily && nextDailyAt(daily, now)
}

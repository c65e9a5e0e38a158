// Reads and reckons when a follow posts its daily message (how the night went), by the clocks of a time zone. Pure.

import { firstAt, offsetsOf } from '../grant/input/until.ts'
import { dayMs, hourMs, minuteMs } from '../work/durations.ts'

/** The setting of a daily message. Times are milliseconds since 1970. */
export interface Daily {
  /** Minutes after midnight. */
  readonly minutes: number
  /** IANA name of the time zone. */
  readonly zone: string
  /** True: on Monday to Friday alone. */
  readonly weekdays?: true | undefined
  /** The due time of the last message that was posted; before the first one, the time when this was set. */
  readonly last: number
  /** Set after a post that Slack hasn’t confirmed: the message is tried again at this time, though it may have arrived. */
  readonly againAt?: number | undefined
}

/** A daily message that is later than this isn’t posted. */
const lateMs = 4 * hourMs
/** Most days that are searched back for due times: a week and a weekend. */
const mostDays = 9

const typedTime = /^(\w+) (\d{1,2})(?::([0-5]\d))? ?([ap])?(m)?(?: (\S+))?$/i

/**
 * Reads “weekdays 8:30 pm”.
 * @param zone - The time zone of whoever types, unless the text names one, as the line of a button does.
 * @returns Undefined for text that is no time, such as “daily 8”: the 8 may as well be a container.
 */
export function readDaily(typed: string, zone: string, now: number): Daily | undefined {
  const [, word, hours, minutes, half = '', isHalf, zoneTyped = zone] = typedTime.exec(typed) ?? []
  const hour = Number(hours)
  const isReal = half === '' ? minutes !== undefined && hour < 24 : hour > 0 && hour <= 12
  if (!isReal || Boolean(half) !== Boolean(isHalf) || !hasClock(zoneTyped)) return undefined

  const noon = half.toLowerCase() === 'p' ? 12 : 0
  const ofDay = half === '' ? hour : (hour % 12) + noon
  const weekdays = word?.toLowerCase() === 'weekdays' || undefined
  return {
    minutes: ofDay * 60 + Number(minutes ?? 0),
    zone: zoneTyped,
    weekdays,
    last: now,
  }
}

function hasClock(zone: string): boolean {
  try {
    offsetsOf(zone)
    return true
  } catch {
    return false
  }
}

function clockOf(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** The setting as somebody would type it: “weekdays 20:30 Europe/Amsterdam”. */
export function dailyLine(daily: Daily | undefined): string {
  if (daily === undefined) return 'daily off'

  const { minutes, zone, weekdays } = daily
  return `${weekdays ? 'weekdays' : 'daily'} ${clockOf(minutes)} ${zone}`
}

/** “every day at 8:00 AM (Europe/Amsterdam)”. */
export function dailyInWords({ minutes, zone, weekdays }: Daily): string {
  const half = minutes < 720 ? 'AM' : 'PM'
  const time = clockOf(((minutes + 660) % 720) + 60)
  return `every ${weekdays ? 'weekday' : 'day'} at ${time} ${half} (${zone})`
}

export function isSameDaily(one: Daily | undefined, other: Daily | undefined): boolean {
  return dailyLine(one) === dailyLine(other)
}

/** The setting to store. If the stored one says the same as the agreed one, it stays: it knows what was posted last. */
export function settingKept(stored: Daily | undefined, agreed: Daily | undefined) {
  return isSameDaily(stored, agreed) ? stored : agreed
}

/** The clocks of a zone. `dayOf`: the date that they show at a moment, as the time of that date’s midnight in UTC. */
function clockDays(zone: string) {
  const offsetAt = offsetsOf(zone)
  const dayOf = (at: number) => Math.floor((at + offsetAt(at)) / dayMs) * dayMs
  return { offsetAt, dayOf }
}

function isAskedOn({ weekdays }: Daily, day: number): boolean {
  return !weekdays || ![0, 6].includes(new Date(day).getUTCDay())
}

/** The due times of the daily message later than `after`, up to and with `until`, the earliest first. */
function timesWithin(daily: Daily, after: number, until: number): readonly number[] {
  const { offsetAt, dayOf } = clockDays(daily.zone)
  const last = dayOf(until)
  const first = Math.max(dayOf(after), last - mostDays * dayMs)
  const times: number[] = []
  for (let day = first; day <= last; day += dayMs) {
    if (!isAskedOn(daily, day)) continue
    // Clocks that are put forward may skip the time of day; put back, they may show it twice.
    const at = firstAt(day + daily.minutes * minuteMs, offsetAt)
    if (at > after && at <= until) times.push(at)
  }
  return times
}

/** The next due time after `now`. */
export function nextDailyAt(daily: Daily, now: number): number | undefined {
  return timesWithin(daily, now, now + 4 * dayMs)[0]
}

/** A daily message that is due. Times are milliseconds since 1970. */
export interface DailyDue {
  readonly at: number
  /** Earlier due times, since the last message, for which none was posted. */
  readonly missed: readonly number[]
}

/**
 * The daily message that is due now. Undefined if there is none; if it would be too late, or come on a day without one; or
 * before the next try (`againAt`).
 */
export function dailyDue(daily: Daily | undefined, now: number): DailyDue | undefined {
  if (daily === undefined) return undefined

  const { last, zone, againAt = 0 } = daily
  const times = timesWithin(daily, Math.min(last, now), now)
  const at = times.at(-1)
  if (at === undefined || now < againAt || now - at > lateMs) return undefined

  const isAsked = isAskedOn(daily, clockDays(zone).dayOf(now))
  return isAsked ? { at, missed: times.slice(0, -1) } : undefined
}

/** The next time at which a follow has to look whatever its interval: its daily message is due. Undefined without one. */
export function ownTime(
  { daily }: { readonly daily?: Daily | undefined },
  now: number,
): number | undefined {
  return daily && nextDailyAt(daily, now)
}

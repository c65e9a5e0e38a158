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
  /** After a post that Slack hasn’t confirmed: tried again then, though it may be there. */
  readonly againAt?: number | undefined
}

/** How late it still comes. */
const lateMs = 4 * hourMs
/** So many days are looked through: a week, and a weekend. */
const mostDays = 9

const typedTime = /^(\w+) (\d{1,2})(?::([0-5]\d))? ?([ap])?(m)?(?: (\S+))?$/i

/**
 * Reads “weekdays 8:30 pm”.
 * @param zone - Of whoever types it: the line of a button has its own.
 * @returns Undefined for what is no time: “daily 8” may as well name a container.
 */
export function readDaily(typed: string, zone: string, now: number): Daily | undefined {
  const [, word, hours, minutes, half = '', isHalf, zoneTyped = zone] = typedTime.exec(typed) ?? []
  const hour = Number(hours)
  const isReal = half === '' ? minutes !== undefined && hour < 24 : hour > 0 && hour <= 12
  if (!isReal || Boolean(half) !== Boolean(isHalf) || !hasClock(zoneTyped)) return undefined

  const ofDay = half === '' ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
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

/** As it is typed. */
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

/** The setting that was agreed to; a message that was posted meanwhile counts. */
export function settingKept(stored: Daily | undefined, agreed: Daily | undefined) {
  return isSameDaily(stored, agreed) ? stored : agreed
}

/** The day, as clocks there show it: its midnight, as if that were UTC. */
function clockDays(zone: string) {
  const offsetAt = offsetsOf(zone)
  const dayOf = (at: number) => Math.floor((at + offsetAt(at)) / dayMs) * dayMs
  return { offsetAt, dayOf }
}

function isAskedOn({ weekdays }: Daily, day: number): boolean {
  return !weekdays || ![0, 6].includes(new Date(day).getUTCDay())
}

/** Times for which it was asked, after one and up to another, the earliest first. */
function timesWithin(daily: Daily, after: number, until: number): readonly number[] {
  const { offsetAt, dayOf } = clockDays(daily.zone)
  const last = dayOf(until)
  const first = Math.max(dayOf(after), last - mostDays * dayMs)
  const times: number[] = []
  for (let day = first; day <= last; day += dayMs) {
    if (!isAskedOn(daily, day)) continue
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

  const { last, zone, againAt = 0 } = daily
  const times = timesWithin(daily, Math.min(last, now), now)
  const at = times.at(-1)
  if (at === undefined || now < againAt || now - at > lateMs) return undefined

  const isAsked = isAskedOn(daily, clockDays(zone).dayOf(now))
  return isAsked ? { at, missed: times.slice(0, -1) } : undefined
}

/** When a follow looks whatever its interval; undefined for never. */
export function ownTime(
  { daily }: { readonly daily?: Daily | undefined },
  now: number,
): number | undefined {
  return daily && nextDailyAt(daily, now)
}

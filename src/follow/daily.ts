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
  /** The time when the last message was posted; before the first one, the time when this was set. */
  readonly last: number
  /** Time of the next try after a post that Slack hasn’t confirmed: the message may have arrived. */
  readonly againAt?: number | undefined
}

/** A daily message that is later than this isn’t posted. */
const lateMs = 4 * hourMs

const typedTime = /^(\w+) (\d{1,2})(?::([0-5]\d))?(?: ?([ap])m)?(?: (\S+))?$/i

/**
 * Reads “weekdays 8:30 pm”.
 * @param zone - The time zone of whoever types, unless the text names one, as the line of a button does.
 * @returns Undefined for text that is no time, such as “daily 8”: the 8 may be the number of a container.
 */
export function readDaily(typed: string, zone: string, now: number): Daily | undefined {
  const [, word, hours, minutes, half, zoneTyped = zone] = typedTime.exec(typed) ?? []
  const hour = Number(hours)
  const isReal = half === undefined ? minutes !== undefined && hour < 24 : hour > 0 && hour <= 12
  if (!isReal || !hasClock(zoneTyped)) return undefined

  const noon = half?.toLowerCase() === 'p' ? 12 : 0
  const ofDay = half === undefined ? hour : (hour % 12) + noon
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

/**
 * The setting to store. If the agreed setting is the same as the stored one, the stored one stays, as it also has the
 * time of the last message.
 */
export function settingKept(stored: Daily | undefined, agreed: Daily | undefined) {
  return isSameDaily(stored, agreed) ? stored : agreed
}

/** The date that clocks of the zone show, as the time of that date’s midnight in UTC. */
function dayIn(zone: string, at: number): number {
  return Math.floor((at + offsetsOf(zone)(at)) / dayMs) * dayMs
}

function isAskedOn({ weekdays }: Daily, day: number): boolean {
  return !weekdays || ![0, 6].includes(new Date(day).getUTCDay())
}

/** The due times of the daily message from some days ago to some days ahead, the earliest first. */
function timesAround(daily: Daily, now: number): readonly number[] {
  const today = dayIn(daily.zone, now)
  const days = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((away) => today + away * dayMs)
  // If clocks skip this time of day, the message is due right after the gap; if they show it twice, the first time.
  return days
    .filter((day) => isAskedOn(daily, day))
    .map((day) => firstAt(day + daily.minutes * minuteMs, offsetsOf(daily.zone)))
}

/** The next due time after `now`. */
export function nextDailyAt(daily: Daily | undefined, now: number): number | undefined {
  return daily && timesAround(daily, now).find((at) => at > now)
}

/** A daily message that is due. Times are milliseconds since 1970. */
export interface DailyDue {
  readonly at: number
  /** The due time before `at`, if no message was posted for it. */
  readonly missedAt: number | undefined
}

/**
 * The daily message that is due now; undefined if there is none. It isn’t due when it is too late, on a day without a
 * message, or before the time at which an unconfirmed message is tried again.
 */
export function dailyDue(daily: Daily | undefined, now: number): DailyDue | undefined {
  if (daily === undefined) return undefined

  const { last, zone, againAt = 0 } = daily
  const [at, missedAt] = timesAround(daily, now)
    .filter((time) => time > last && time <= now)
    .toReversed()
  if (at === undefined || now < againAt || now - at > lateMs) return undefined

  return isAskedOn(daily, dayIn(zone, now)) ? { at, missedAt } : undefined
}

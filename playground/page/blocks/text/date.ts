// Dates in texts, by those of Slack's tokens that Bellhop and the page use, in the reader's zone. Pure.
// Source: docs.slack.dev/messaging/formatting-message-text, “Date formatting”.

export interface Reader {
  /** An IANA zone; undefined for that of this machine. */
  readonly zone: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The latest time that JavaScript can show, in seconds. */
const latest = 8_640_000_000_000
const dayMs = 86_400_000

/** Making one takes far longer than using it, and a channel shows hundreds of dates. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(
  zone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, options])
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options })
  formatters.set(key, made)
  return made
}

/** Days since 1970 by the reader's calendar. */
function dayNumber(at: Date | number, zone: string | undefined): number {
  const [month, day, year] = formatter(zone, {}).format(at).split('/').map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day) / dayMs
}

function ordinal(day: string): string {
  const number = Number(day)
  const isTeen = number > 10 && number < 14
  const ending = (isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'
  return `${number}${ending}`
}

function time(at: Date, zone: string | undefined, hasSeconds: boolean): string {
  const shown = formatter(zone, {
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    ...(hasSeconds ? { second: '2-digit' } : {}),
  }).format(at)
  // Intl puts a narrow space before AM and PM; Slack a plain one.
  return shown.replaceAll('\u202f', ' ')
}

const agoForm = new Intl.RelativeTimeFormat('en')

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

function ago(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1000)
  const [unit, length] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1]
  if (seconds === 0) return 'just now'
  return agoForm.format(Math.trunc(seconds / length), unit)
}

const nearDays = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
])

/**
 * The format with its tokens replaced; an unknown token stays as it is. The first letter becomes a capital, as
 * in Slack.
 *
 * @param unixSeconds - What is shown.
 * @returns Undefined when there is no such time: then the fallback is for the reader.
 */
export function formatDate(
  unixSeconds: number,
  format: string,
  { zone, now }: Reader,
): string | undefined {
  if (!Number.isFinite(unixSeconds) || Math.abs(unixSeconds) > latest || format === '')
    return undefined
  const at = new Date(unixSeconds * 1000)
  const part = (options: Intl.DateTimeFormatOptions) => formatter(zone, options).format(at)
  const [month, day, year] = [
    part({ month: 'long' }),
    part({ day: 'numeric' }),
    part({ year: 'numeric' }),
  ]
  const date = `${month} ${ordinal(day)}, ${year}`
  // Only what the format asks for: a page writes all of its dates whenever something on it changes.
  const tokens: Readonly<Record<string, () => string>> = {
    date_long: () => `${part({ weekday: 'long' })}, ${date}`,
    date_short_pretty: () =>
      nearDays.get(dayNumber(at, zone) - dayNumber(now, zone)) ??
      `${month.slice(0, 3)} ${day}, ${year}`,
    time: () => time(at, zone, false),
    time_secs: () => time(at, zone, true),
    ago: () => ago(at, now),
  }
  const shown = format.replace(/\{(\w+)\}/g, (raw, token: string) =>
    Object.hasOwn(tokens, token) ? (tokens[token]?.() ?? raw) : raw,
  )
  return shown.slice(0, 1).toUpperCase() + shown.slice(1)
}

/** What the pointer is told: the day and the time to the second. */
export function exactDate(unixSeconds: number, reader: Reader): string | undefined {
  return formatDate(unixSeconds, '{date_long} at {time_secs}', reader)
}

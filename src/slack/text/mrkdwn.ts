// Text for Slack, within its limits: escaping, cutting to length, links, mentions, times in each reader's zone. Pure.
import type { MrkdwnElement, PlainTextElement, RichTextElement } from '@slack/types'

/**
 * Replaces the three characters that Slack reads as markup, so that text from outside pings nobody.
 * Half a surrogate pair becomes U+FFFD: it cannot be sent.
 */
export function escapeText(text: string): string {
  return text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

const cutMark = ' …'
/** Of one character, escaped: `&amp;`. */
const longestEscape = 5

/**
 * Cuts raw text so that its *escaped* form has at most `max` characters, never inside a surrogate pair.
 * What was cut ends in “ …”. The result is raw, still to be escaped.
 */
export function cut(text: string, max: number): string {
  if (text.length * longestEscape <= max || escapeText(text).length <= max) return text.toWellFormed()
  let length = cutMark.length
  let kept = ''
  for (const character of text.toWellFormed()) {
    length += escapeText(character).length
    if (length > max) break
    kept += character
  }
  return kept + cutMark
}

/**
 * A web address as Slack takes it in blocks: ASCII, the host in punycode, and no bar, which would end a link in mrkdwn.
 * Undefined for what is no web address, or too long. Source: prometheus/alertmanager#2344, louislam/uptime-kuma#5312.
 */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  const address = url.href.replaceAll('|', '%7C')
  return address.length <= limits.buttonUrl ? address : undefined
}

/** Words that lead to an address. @param words - Raw; a bar in them would end them. */
export function linkTo(address: string, words: string): string {
  return `<${escapeText(address)}|${escapeText(words).replaceAll('|', '¦')}>`
}

/** A mrkdwn object that Slack takes as it stands: `@channel` and bare links in it are not turned into anything. */
export function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true }
}

/** Words of the bot's own. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: true }
}

/** Words of others: nothing in them becomes an emoji. */
export function literal(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false }
}

// Slack refuses dates outside what JavaScript and its own clients can show.
const latestSeconds = 253_402_300_799

/** `2023-11-14 22:13 UTC`, for readers that cannot show a date in their own zone. */
export function utc(unixSeconds: number): string {
  const date = new Date(Math.min(Math.max(unixSeconds, 0), latestSeconds) * 1000)
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/**
 * A space without width before a format: Slack writes a capital where a format begins, as in “Today”, and within a
 * sentence it is “today”.
 */
const within = '\u200b'
const dateFormat = '{date_short_pretty} {time}'

/** An element of rich text that shows Unix times, in seconds, in each reader's own zone. */
const rich = (format: string) => (timestamp: number) =>
  Number.isSafeInteger(timestamp) && timestamp > 0 && timestamp <= latestSeconds
    ? ({ type: 'date', timestamp, format, fallback: utc(timestamp) } as const)
    : ({ type: 'text', text: `Unix time ${timestamp}` } as const)

function marked(format: string) {
  const shown = rich(format)
  return (unixSeconds: number): string => {
    const time = shown(unixSeconds)
    return time.type === 'text' ? time.text : `<!date^${time.timestamp}^${format}|${time.fallback}>`
  }
}

/** A time within a sentence. */
export const date = marked(`${within}${dateFormat}`)
/** As `date`, without the day: for what is shown within the hour. */
export const time = marked('{time}')
/** As `date`, to the second: two that are close together can be told apart. */
export const exactDate = marked(`${within}{date_short_pretty} {time_secs}`)
/** How long ago, as each reader's own Slack counts it: “3 hours ago”. */
export const since = marked(`${within}{ago}`)
/** At the beginning of a line. */
export const richDate = rich(dateFormat)
export const richDateWithin = rich(`${within}${dateFormat}`)
export const richSince = rich(`${within}{ago}`)

/** People and user groups that the bot may mention, as somebody has set them: ids (`U…`, `W…`; `S…`), each once. */
export type MentionIds = readonly string[]

/** Notifies each of them. */
export function mentionElements(mention: MentionIds): RichTextElement[] {
  return mention.flatMap((id, index) => [
    ...(index === 0 ? [] : [{ type: 'text' as const, text: ' ' }]),
    id.startsWith('S')
      ? ({ type: 'usergroup', usergroup_id: id } as const)
      : ({ type: 'user', user_id: id } as const),
  ])
}

/** In mrkdwn: in a message it notifies each of them; a form notifies nobody. */
export function mentionLinks(mention: MentionIds): string {
  return mention.map((id) => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`)).join(' ')
}

/** Those of Slack's limits that texts and forms come near. */
export const limits = {
  sectionText: 3_000,
  buttonText: 75,
  buttonValue: 2_000,
  buttonUrl: 3_000,
  optionText: 75,
  optionValue: 150,
  selectOptions: 100,
  leastOverflowOptions: 2,
  plainTextInput: 3_000,
} as const

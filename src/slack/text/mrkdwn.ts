// Text for Slack, within its limits: escaping, cutting, links, mentions, times in each reader's zone. Pure.
import type { MrkdwnElement, PlainTextElement, RichTextElement } from '@slack/types'

/** Escapes markup, so that text from outside pings nobody. Half a surrogate pair can't be sent: it becomes U+FFFD. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

const cutMark = ' …'
/** Length of `&amp;`. */
const longestEscape = 5

/** Cuts so that the *escaped* form has at most `max` characters, “ …” included; splits no surrogate pair. Raw. */
export function cut(text: string, max: number): string {
  if (text.length * longestEscape <= max || escapeText(text).length <= max)
    return text.toWellFormed()
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
 * Undefined when it is not one, or too long. Source: prometheus/alertmanager#2344, louislam/uptime-kuma#5312.
 */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  const address = url.href.replaceAll('|', '%7C')
  return address.length <= limits.buttonUrl ? address : undefined
}

/** @param words - Raw. A bar would end them, so another sign stands in for it. */
export function linkTo(address: string, words: string): string {
  return `<${escapeText(address)}|${escapeText(words).replaceAll('|', '¦')}>`
}

/** mrkdwn in which Slack does not turn `@channel` or bare links into anything. */
export function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true }
}

/** Bellhop's own words. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: true }
}

/** Other people's words: nothing in them becomes an emoji. */
export function literal(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false }
}

// The end of the year 9999: Slack refuses later dates, which its clients can't show.
const latestSeconds = 253_402_300_799

/** `2023-11-14 22:13 UTC`, for clients that can't show a date in the reader's zone. */
export function utc(unixSeconds: number): string {
  const date = new Date(Math.min(Math.max(unixSeconds, 0), latestSeconds) * 1000)
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** A zero-width space before a format, for “today” within a sentence: Slack writes “Today” where a format begins. */
const within = '\u200b'
const dateFormat = '{date_short_pretty} {time}'

/** A Unix time, in seconds, as rich text in each reader's zone; plain words for a time that Slack would refuse. */
const rich = (format: string) => (timestamp: number) =>
  Number.isSafeInteger(timestamp) && timestamp > 0 && timestamp <= latestSeconds
    ? ({ type: 'date', timestamp, format, fallback: utc(timestamp) } as const)
    : ({ type: 'text', text: `Unix time ${timestamp}` } as const)

function dateIn(format: string) {
  const shown = rich(format)
  return (unixSeconds: number): string => {
    const time = shown(unixSeconds)
    return time.type === 'text' ? time.text : `<!date^${time.timestamp}^${format}|${time.fallback}>`
  }
}

/** Unix seconds of a time in milliseconds. */
export const seconds = (ms: number) => Math.floor(ms / 1000)

/** Day and time, within a sentence. */
export const date = dateIn(`${within}${dateFormat}`)
/** The time alone, for text shown within the hour. */
export const time = dateIn('{time}')
/** “3 hours ago”, as the reader's client counts it. */
export const since = dateIn(`${within}{ago}`)
/** `date` as rich text, for the beginning of a line. */
export const richDate = rich(dateFormat)
export const richDateWithin = rich(`${within}${dateFormat}`)
export const richSince = rich(`${within}{ago}`)

/** Ids of people (`U…`, `W…`) and user groups (`S…`) to mention, each once. */
export type MentionIds = readonly string[]

export function mentionElements(mention: MentionIds): RichTextElement[] {
  return mention.flatMap((id, index) => [
    ...(index === 0 ? [] : [{ type: 'text' as const, text: ' ' }]),
    id.startsWith('S')
      ? ({ type: 'usergroup', usergroup_id: id } as const)
      : ({ type: 'user', user_id: id } as const),
  ])
}

/** Mentions in mrkdwn. A message notifies each of them; a form notifies nobody. */
export function mentionLinks(mention: MentionIds): string {
  return mention.map((id) => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`)).join(' ')
}

/** Slack's limits that texts and forms come near. */
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
  /**
   * Characters of all blocks of a message, as JSON: Slack counts fewer than the JSON has, and was seen to refuse only more.
   */
  messageSize: 12_000,
} as const

/** “READ, API and BILLING”. Node’s own `Intl.ListFormat` takes 7 MB, and a fortieth of the start. */
export function inList(words: readonly string[], last = 'and'): string {
  const [before, end] = [words.slice(0, -1), words.slice(-1)]
  return before.length === 0 ? end.join('') : `${before.join(', ')} ${last} ${end.join('')}`
}

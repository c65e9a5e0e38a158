// The state of an alert in words: its headline, its severity, the line below, and the sentence that stands for a whole
// card. Pure.
import type { RichTextBlock, RichTextElement } from '@slack/types'
import { type Action, type Alert, closings, type Data } from '../../monitor/schema.ts'
import { type Names, personNamed } from '../../names/names.ts'
import { cut, escapeText, richSince, since } from '../../slack/text/mrkdwn.ts'

/** Eight names of the operator’s, the highest severity first. */
export interface SeverityNames {
  readonly severityNames: readonly string[]
}

/** By level: of one size, and no two alike. */
const marks: readonly string[] = ['🚨', '🟣', '🔴', '🟠', '🟡', '🔵', '⚪', '⚫']
/** Of a severity outside the contract. */
const oddMark = '🟤'
/** Of an alert that is closed, whatever its severity was. */
export const closedMark = '✅'

/** “🔴” for 2. Never alone: the word stands beside or below it. @param level - 0 is the highest and 7 the lowest. */
function severityMark(level: number): string {
  return marks[level] ?? oddMark
}

const longestName = 80

/** “CRITICAL”, as the operator calls it; a severity outside the contract goes by its number. Raw. */
export function severityName({ severityNames }: SeverityNames, level: number): string {
  return cut(severityNames[level] ?? `severity ${level}`, longestName)
}

/** “🔴 CRITICAL”. Raw. */
export function severityWords(settings: SeverityNames, level: number): string {
  return `${severityMark(level)} ${severityName(settings, level)}`
}

/** Raw. */
interface Headline {
  readonly headline: string
  /** Empty when the headline says it all. */
  readonly rest: string
}

const longestHeadline = 150

/** Of a message without any words, the headline says so. */
export function headlineOf(message: string): Headline {
  const text = message.toWellFormed().trim()
  if (text === '') return { headline: '(no message)', rest: '' }
  const end = text.search(/[\r\n\v\f\u0085\u2028\u2029]/)
  const line = end === -1 ? text : text.slice(0, end).trimEnd()
  const below = end === -1 ? '' : text.slice(end).trim()
  if (line.length <= longestHeadline) return { headline: line, rest: below }
  // Between two words where there are two, and never inside a character.
  const at = line.slice(0, longestHeadline - 2).replace(/\s\S{0,40}$|[\ud800-\udbff]$/, '').length
  const continued = `… ${line.slice(at).trimStart()}`
  return {
    headline: `${line.slice(0, at).trimEnd()} …`,
    rest: below === '' ? continued : `${continued}\n${below}`,
  }
}

/** An alert that is closed. */
type ClosedAlert = Alert & { readonly closedTimestamp: number }

export function isClosed(alert: Alert): alert is ClosedAlert {
  return alert.closedTimestamp !== null
}

/** “, was WARNING”; nothing for one that is as grave as it was. Raw. */
function before(settings: SeverityNames, { severity, lastSeverity }: Alert): string {
  return severity === lastSeverity ? '' : `, was ${severityName(settings, severity)}`
}

/** “🔴”, or “✅” of one that is closed: it begins a headline, and the line below has the word. */
export function markOf(alert: Alert): string {
  return isClosed(alert) ? closedMark : severityMark(alert.lastSeverity)
}

/** “CRITICAL · opened 2 hours ago”, “Closed 5 minutes ago · was CRITICAL”. In mrkdwn. */
export function briefState(settings: SeverityNames, alert: Alert): string {
  const { lastSeverity, timestamp, closedTimestamp } = alert
  const name = escapeText(severityName(settings, lastSeverity))
  return closedTimestamp === null
    ? `${name} · opened ${since(timestamp)}`
    : `Closed ${since(closedTimestamp)} · was ${name}`
}

/** Words, raw, and when that was, in Unix seconds. */
type Fact = readonly [words: string, at?: number]

function factsOf(alert: Alert, names: Names): readonly Fact[] {
  if (isClosed(alert)) {
    const { how } = closingOf(alert.actions, names)
    const after = span(alert.closedTimestamp - alert.timestamp)
    return [[how, alert.closedTimestamp], ...(after === undefined ? [] : [[`after ${after}`] as const])]
  }
  return [
    ['opened', alert.timestamp],
    ...(alert.timestamp === alert.lastTimestamp ? [] : [['last seen', alert.lastTimestamp] as const]),
    [ownerWords(alert, names)],
  ]
}

/**
 * The state of an alert, as one line of its card: “CRITICAL, was WARNING · opened 2 hours ago · last seen 3 minutes ago ·
 * assigned to Alice Archer”, “Closed by Alice Archer 5 minutes ago, after 2 h 14 min · was CRITICAL”.
 */
export function stateBlock(settings: SeverityNames, alert: Alert, names: Names): RichTextBlock {
  const closed = isClosed(alert)
  const facts = factsOf(alert, names).flatMap(([words, at], index) => {
    const between = index > 0 ? (closed ? ', ' : ' · ') : ''
    return [text(`${between}${words}`), ...(at === undefined ? [] : [text(' '), richSince(at)])]
  })
  const name = severityName(settings, alert.lastSeverity)
  const line = closed
    ? [...facts, text(` · was ${name}`)]
    : [text(`${name}${before(settings, alert)} · `), ...facts]
  return paragraph(...line)
}

/** One paragraph, of which Slack interprets nothing. */
export function paragraph(...elements: RichTextElement[]): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
}

function text(words: string): RichTextElement {
  return { type: 'text', text: words }
}

/** A number is nobody’s name. */
function ownerWords({ ownerId }: Alert, names: Names): string {
  const name = personNamed(names, ownerId)
  return ownerId === null ? 'unassigned' : name === undefined ? 'assigned' : `assigned to ${name}`
}

/** State and message: “CRITICAL, was WARNING: Disk /var is 96 % full.” @returns Escaped. */
export function firstSentence(settings: SeverityNames, alert: Alert): string {
  const name = severityName(settings, alert.lastSeverity)
  const state = isClosed(alert) ? `Closed, was ${name}` : `${name}${before(settings, alert)}`
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim(), 300) || 'no message'
  return escapeText(stopped(`${state}: ${message}`))
}

/** With a full stop, unless it ends as a sentence does. */
function stopped(text: string): string {
  return /[.!?…]”?$/.test(text) ? text : `${text}.`
}

/**
 * The sentences that stand for a card in notifications and screen readers: state and message come first, as little else
 * is seen on a locked phone. Times there are in nobody’s own zone, so ages are told.
 * @param asOf - When it was true, in Unix seconds.
 * @returns Escaped.
 */
export function sentences(settings: SeverityNames, alert: Alert, names: Names, asOf: number): string {
  const told = factsOf(alert, names)
    .flatMap(([words, at]) => {
      const age = at === undefined ? '' : ago(at, asOf)
      // Of an age that cannot be, nothing is said.
      return age === undefined ? (isClosed(alert) ? words : []) : `${words} ${age}`.trim()
    })
    .join(', ')
  const words = isClosed(alert) ? closingOf(alert.actions, names).words.replaceAll(/\s+/g, ' ').trim() : ''
  const story = words === '' ? told : `${told}: “${cut(words, 300)}”`
  const first = story[0]?.toUpperCase() ?? ''
  return `${firstSentence(settings, alert)} ${escapeText(`${stopped(first + story.slice(1))} Key ${cut(alert.ks, 200)}.`)}`
}

/** “2 h 14 min ago”. Undefined for what is still to come. Both in Unix seconds. */
export function ago(at: number, asOf: number): string | undefined {
  const seconds = asOf - at
  if (at <= 0 || seconds < 0) return undefined
  return seconds < 60 ? 'just now' : `${span(seconds)} ago`
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const longest = 100 * 365 * day

/** A time in its two largest units: “30 s”, “14 min”, “2 h 14 min”, “3 days 4 h”. Undefined where it says nothing. */
export function span(seconds: number): string | undefined {
  if (!(seconds >= 0 && seconds < longest)) return undefined
  if (seconds < minute) return `${seconds} s`
  const days = Math.floor(seconds / day)
  const hours = Math.floor((seconds % day) / hour)
  const minutes = Math.floor((seconds % hour) / minute)
  return [
    ...(days === 0 ? [] : [days === 1 ? '1 day' : `${days} days`]),
    ...(hours === 0 ? [] : [`${hours} h`]),
    ...(minutes === 0 || days > 0 ? [] : [`${minutes} min`]),
  ].join(' ')
}

/** `what` happened, and the rest of the action's data behind it. Raw text. */
export interface ActionWords {
  readonly what: string
  readonly details: string
}

/** Stands for whoever it was where no name is known: a number is nobody’s name. */
const somebody = 'Somebody'

/** How an action reads. Kinds that the contract does not name go by their own name. */
export function actionInWords({ kind, data }: Action, names: Names): ActionWords {
  const fields = data ?? {}
  const { message, integration } = fields
  const what = happened(kind, fields, names)
  if (what === undefined) return { what: kind, details: rest(fields, []).join(' · ') }
  // A call names what was called first, without a name for that.
  const called = kind === 'IntegrationCall' && isWords(integration) ? [integration] : []
  const said = isWords(message) ? [`“${message}”`] : []
  const used = ['userId', 'ownerId', 'message', ...(called.length > 0 ? ['integration'] : [])]
  return { what, details: [...called, ...said, ...rest(fields, used)].join(' · ') }
}

/** Undefined for a kind that the contract does not name. */
function happened(kind: string, fields: Data, names: Names): string | undefined {
  const { userId, message } = fields
  const isSaid = typeof userId === 'number' || typeof userId === 'string'
  const by = isSaid ? (personNamed(names, userId) ?? somebody) : undefined
  switch (kind) {
    case 'Assign':
      return assigned(fields, by, names)
    case 'Comment':
      if (by === undefined) return 'Comment'
      // Somebody with a name is quoted: “Alice Archer: “Old logs.””
      return by !== somebody && isWords(message) ? by : `${by} commented`
    case 'Close':
      return by === undefined ? 'Closed' : `${by} closed it`
    case 'AutoClose':
      return 'Closed automatically'
    case 'IndirectClose':
      return 'Closed along with another alert'
    case 'IntegrationCall':
      return 'Integration'
  }
}

/** @param by - Who did it; undefined where the service doesn’t say. */
function assigned({ userId, ownerId }: Data, by: string | undefined, names: Names): string {
  if (ownerId === null) return by === undefined ? 'Unassigned' : `${by} unassigned it`
  if (by !== undefined && userId === ownerId) return `${by} took it`
  const name = personNamed(names, ownerId)
  return `${by === undefined ? 'Assigned' : `${by} assigned it`}${name === undefined ? '' : ` to ${name}`}`
}

function isWords(raw: unknown): raw is string {
  return typeof raw === 'string' && raw !== ''
}

/** What sentences did not use, as “name: value”. */
function rest(fields: Data, used: readonly string[]): readonly string[] {
  return Object.entries(fields)
    .filter(([name, raw]) => !used.includes(name) && raw !== null && raw !== undefined)
    .map(([name, raw]) => `${name}: ${typeof raw === 'string' ? raw : JSON.stringify(raw)}`)
}

/** How an alert was closed, and what was said. Raw. */
interface Closing {
  /** “Closed”, “Closed by Alice Archer”, “Closed automatically”. */
  readonly how: string
  /** Empty when nothing was said. */
  readonly words: string
}

/** Of an alert that is closed; also when no action says so. */
export function closingOf(actions: readonly Action[], names: Names): Closing {
  const last = actions.findLast(({ kind }) => closings.has(kind))
  if (last === undefined) return { how: 'Closed', words: '' }
  const { message, userId } = last.data ?? {}
  const by = personNamed(names, userId)
  const byWhom = by === undefined ? 'Closed' : `Closed by ${by}`
  return {
    how: last.kind === 'Close' ? byWhom : actionInWords(last, names).what,
    words: typeof message === 'string' ? message.trim() : '',
  }
}

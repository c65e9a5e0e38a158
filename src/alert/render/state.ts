// The state of an alert in words: its headline, its severity, and the line below. Pure.
import { type Action, type Alert, closings, type Data } from '../../monitor/schema.ts'
import { type Names, personNamed } from '../../names/names.ts'
import { type Line, words } from '../../slack/outbound/message.ts'
import { cut, richSince } from '../../slack/text/mrkdwn.ts'

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

const longestHeadline = 150

/** Of a message without any words, the headline says so. @returns Raw; `rest` is empty when the headline says it all. */
export function headlineOf(message: string): { readonly headline: string; readonly rest: string } {
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

/** “🔴”, or “✅” of one that is closed: it begins a headline, and the line below has the word. */
export function markOf(alert: Alert): string {
  return isClosed(alert) ? closedMark : severityMark(alert.lastSeverity)
}

/** “CRITICAL, was WARNING”, “Closed, was CRITICAL”: before the headline in notifications, which show no marks. Raw. */
export function standing(settings: SeverityNames, alert: Alert): string {
  const { severity, lastSeverity } = alert
  const name = severityName(settings, lastSeverity)
  if (isClosed(alert)) return `Closed, was ${name}`
  return severity === lastSeverity ? name : `${name}, was ${severityName(settings, severity)}`
}

/**
 * The line below the headline of a card: “CRITICAL, was WARNING · opened 2 hours ago · last seen 3 minutes ago · assigned to
 * Alice Archer”, “Closed by Alice Archer 5 minutes ago, after 2 h 14 min · was CRITICAL”. A notification says ages, and
 * nothing of one that can’t be.
 * @param asOf - When it was true, in Unix seconds.
 */
export function stateLine(settings: SeverityNames, alert: Alert, names: Names, asOf: number): Line {
  const { timestamp, lastTimestamp, closedTimestamp } = alert
  const unsaid = (text: string) => words(text, '')
  const since = (at: number, inWords: (age: string) => string) => {
    const age = ago(at, asOf)
    return { ...richSince(at), said: age === undefined ? '' : inWords(age) }
  }
  if (closedTimestamp !== null) {
    const after = span(closedTimestamp - timestamp)
    return [
      closingOf(alert.actions, names).how,
      unsaid(' '),
      since(closedTimestamp, (age) => ` ${age}`),
      after === undefined ? '' : `, after ${after}`,
      unsaid(` · was ${severityName(settings, alert.lastSeverity)}`),
    ]
  }
  const seen = since(lastTimestamp, (age) => `last seen ${age}, `)
  return [
    unsaid(`${standing(settings, alert)} · opened `),
    since(timestamp, (age) => `opened ${age}, `),
    ...(timestamp === lastTimestamp ? [] : [unsaid(' · last seen '), seen]),
    unsaid(' · '),
    ownerWords(alert, names),
  ]
}

/** A number is nobody’s name. */
function ownerWords({ ownerId }: Alert, names: Names): string {
  const name = personNamed(names, ownerId)
  return ownerId === null ? 'unassigned' : name === undefined ? 'assigned' : `assigned to ${name}`
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

/**
 * Of an alert that is closed; also when no action says so.
 * @returns Raw. `how`: “Closed by Alice Archer”, “Closed automatically”; `words`: empty when nothing was said.
 */
export function closingOf(
  actions: readonly Action[],
  names: Names,
): { readonly how: string; readonly words: string } {
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

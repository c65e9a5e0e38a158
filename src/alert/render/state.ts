// Puts an alert’s state into words: headline, severity, the line below the headline, and its actions. Pure.
import { type Action, type Alert, closings, type Data } from '../../monitor/schema.ts'
import { type Names, personNamed } from '../../names/names.ts'
import { bold, type Line, words } from '../../slack/outbound/message.ts'
import { cut, richSince } from '../../slack/text/mrkdwn.ts'

/** The highest severity first. */
export interface SeverityNames {
  readonly severityNames: readonly string[]
}

/** Marks by severity, 0 the highest: of one size, and no two alike. */
const marks: readonly string[] = ['🚨', '🟣', '🔴', '🟠', '🟡', '🔵', '⚪', '⚫']
export const closedMark = '✅'

/** A severity’s mark, always shown with the severity’s name. All severities outside the contract have the same mark. */
function severityMark(level: number) {
  return marks[level] ?? '🟤'
}

const longestName = 80

/** The operator’s name for a severity, as “CRITICAL”; “severity 9” for one outside the contract. Raw. */
export function severityName({ severityNames }: SeverityNames, level: number): string {
  return cut(severityNames[level] ?? `severity ${level}`, longestName)
}

export function severityWords(settings: SeverityNames, level: number): string {
  return `${severityMark(level)} ${severityName(settings, level)}`
}

/** “🔴 CRITICAL”, “✅ closed”. Raw. */
export function standingWords(settings: SeverityNames, stands: number | 'closed'): string {
  return stands === 'closed' ? `${closedMark} closed` : severityWords(settings, stands)
}

const longestHeadline = 150

/** @returns Raw; `rest` is empty when the headline says it all. */
export function headlineOf(message: string): { readonly headline: string; readonly rest: string } {
  const text = message.toWellFormed().trim()
  if (text === '') return { headline: '(no message)', rest: '' }

  const end = text.search(/[\r\n\v\f\u0085\u2028\u2029]/)
  const line = end === -1 ? text : text.slice(0, end).trimEnd()
  const below = end === -1 ? '' : text.slice(end).trim()
  if (line.length <= longestHeadline) return { headline: line, rest: below }
  // The cut is between words if possible, and never inside a character.
  const at = line.slice(0, longestHeadline - 2).replace(/\s\S{0,40}$|[\ud800-\udbff]$/, '').length
  const continued = `… ${line.slice(at).trimStart()}`

  return {
    headline: `${line.slice(0, at).trimEnd()} …`,
    rest: below === '' ? continued : `${continued}\n${below}`,
  }
}

export function isClosed(alert: Alert): alert is Alert & { readonly closedTimestamp: number } {
  return alert.closedTimestamp !== null
}

export function markOf(alert: Alert): string {
  return isClosed(alert) ? closedMark : severityMark(alert.lastSeverity)
}

/** The severity in words, without a mark: “CRITICAL, was WARNING”, “Closed, was CRITICAL”. Raw. */
export function standing(settings: SeverityNames, alert: Alert): string {
  const { severity, lastSeverity } = alert
  const name = severityName(settings, lastSeverity)
  if (isClosed(alert)) return `Closed, was ${name}`

  return severity === lastSeverity ? name : `${name}, was ${severityName(settings, severity)}`
}

/**
 * A card’s line below the headline: “db-03 · CRITICAL, was WARNING · opened 2 hours ago · last seen 3 minutes ago ·
 * assigned to Alice Archer”, “Closed by Alice Archer 5 minutes ago, after 2 h 14 min · was CRITICAL”. Notifications leave
 * out the asset, which they name earlier, and an age that a wrong clock makes impossible.
 * @param asOf - Time of the reading, in Unix seconds.
 */
export function stateLine(
  settings: SeverityNames,
  alert: Alert,
  names: Names,
  asOf: number,
  asset?: string,
): Line {
  const { timestamp, lastTimestamp, closedTimestamp } = alert
  const unsaid = (text: string) => words(text, '')
  const where = asset ? [bold(asset, ''), unsaid(' · ')] : []
  const since = (at: number, inWords: (age: string) => string) => {
    const age = ago(at, asOf)
    return { ...richSince(at), said: age ? inWords(age) : '' }
  }
  if (closedTimestamp !== null) {
    const after = span(closedTimestamp - timestamp)
    return [
      ...where,
      closingOf(alert.actions, names).how,
      unsaid(' '),
      since(closedTimestamp, (age) => ` ${age}`),
      after ? `, after ${after}` : '',
      unsaid(` · was ${severityName(settings, alert.lastSeverity)}`),
    ]
  }

  const seen = since(lastTimestamp, (age) => `last seen ${age}, `)
  return [
    ...where,
    unsaid(`${standing(settings, alert)} · opened `),
    since(timestamp, (age) => `opened ${age}, `),
    ...(timestamp === lastTimestamp ? [] : [unsaid(' · last seen '), seen]),
    unsaid(' · '),
    ownerWords(alert, names),
  ]
}

/** Leaves an unknown name out: a number is nobody’s name. */
function ownerWords({ ownerId }: Alert, names: Names): string {
  if (ownerId === null) return 'unassigned'

  const name = personNamed(names, ownerId)
  return name ? `assigned to ${name}` : 'assigned'
}

/** Age at `asOf` in words; undefined if `at` is 0, or later than `asOf`. Both in Unix seconds. */
export function ago(at: number, asOf: number): string | undefined {
  const seconds = asOf - at
  if (at <= 0 || seconds < 0) return undefined

  return seconds < 60 ? 'just now' : `${span(seconds)} ago`
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const longest = 100 * 365 * day

/** “30 s”, “14 min”, “2 h 14 min”, “3 days 4 h”. Undefined below zero, and from 100 years on. */
export function span(seconds: number): string | undefined {
  if (!(seconds >= 0 && seconds < longest)) return undefined
  if (seconds < minute) return `${seconds} s`

  const days = Math.floor(seconds / day)
  const hours = Math.floor((seconds % day) / hour)
  const minutes = Math.floor((seconds % hour) / minute)
  const inDays = days === 1 ? '1 day' : `${days} days`
  const parts = [
    days > 0 && inDays,
    hours > 0 && `${hours} h`,
    minutes > 0 && days === 0 && `${minutes} min`,
  ]

  return parts.filter(Boolean).join(' ')
}

/** An action in words, raw: what happened, and details, which may be empty. */
export interface ActionWords {
  readonly what: string
  readonly details: string
}

const somebody = 'Somebody'

/** An action of a kind outside the contract goes by the kind’s own name. */
export function actionInWords({ kind, data }: Action, names: Names): ActionWords {
  const fields = data ?? {}
  const { message, integration } = fields
  const what = happened(kind, fields, names)
  if (what === undefined) return { what: kind, details: rest(fields, []).join(' · ') }
  // The details of an integration’s call begin with the integration, without a label.
  const called = kind === 'IntegrationCall' && isWords(integration) ? [integration] : []
  const said = isWords(message) ? [`“${message}”`] : []
  const used = ['userId', 'ownerId', 'message', ...(called.length > 0 ? ['integration'] : [])]

  return { what, details: [...called, ...said, ...rest(fields, used)].join(' · ') }
}

function happened(kind: string, fields: Data, names: Names): string | undefined {
  const { userId, message } = fields
  const isSaid = typeof userId === 'number' || typeof userId === 'string'
  const by = isSaid ? (personNamed(names, userId) ?? somebody) : undefined
  if (kind === 'Assign') return assigned(fields, by, names)
  if (kind === 'Close') return by ? `${by} closed it` : 'Closed'
  // A comment of somebody known is quoted behind their name: “Alice Archer: “Old logs.””
  if (kind === 'Comment' && by) return by !== somebody && isWords(message) ? by : `${by} commented`

  return Object.hasOwn(ownWords, kind) ? ownWords[kind] : undefined
}

/** Words for kinds of actions that name no person. */
const ownWords: Readonly<Record<string, string>> = {
  Comment: 'Comment',
  AutoClose: 'Closed automatically',
  IndirectClose: 'Closed along with another alert',
  IntegrationCall: 'Integration',
}

/** @param by - Who did it; undefined if the service doesn’t say. */
function assigned({ userId, ownerId }: Data, by: string | undefined, names: Names): string {
  if (ownerId === null) return by ? `${by} unassigned it` : 'Unassigned'
  if (by && userId === ownerId) return `${by} took it`

  const name = personNamed(names, ownerId)
  const assigned = by ? `${by} assigned it` : 'Assigned'
  return name ? `${assigned} to ${name}` : assigned
}

function isWords(raw: unknown): raw is string {
  return typeof raw === 'string' && raw !== ''
}

function rest(fields: Data, used: readonly string[]) {
  return Object.entries(fields)
    .filter(([name, raw]) => !used.includes(name) && raw != null)
    .map(([name, raw]) => `${name}: ${typeof raw === 'string' ? raw : JSON.stringify(raw)}`)
}

/** @returns Raw. `how`: “Closed by Alice Archer”, “Closed automatically”; `words`: empty when nothing was said. */
export function closingOf(
  actions: readonly Action[],
  names: Names,
): { readonly how: string; readonly words: string } {
  const last = actions.findLast(({ kind }) => closings.has(kind))
  if (!last) return { how: 'Closed', words: '' }

  const { message, userId } = last.data ?? {}
  const by = personNamed(names, userId)
  const byWhom = by ? `Closed by ${by}` : 'Closed'

  return {
    how: last.kind === 'Close' ? byWhom : actionInWords(last, names).what,
    words: typeof message === 'string' ? message.trim() : '',
  }
}

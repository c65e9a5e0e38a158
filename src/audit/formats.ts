// Formats in which lines of the trail are printed: for people, for spreadsheets, for programs.
import { access } from '../send/words.ts'
import type { TrailLine } from './listing.ts'
import type { AlertStanding } from './trail.ts'

export type Format = 'text' | 'csv' | 'jsonl'

/** What stands above the lines, with its line end; nothing in JSON lines. */
export function headOf(format: Format): string {
  switch (format) {
    case 'text':
      return row(['Time (UTC)', 'Who', 'Act', 'Outcome', 'On what'])
    case 'csv':
      return csvRow(columns)
    case 'jsonl':
      return ''
    default:
      return format satisfies never
  }
}

/** A line, with its line end. */
export function formatLine(line: TrailLine, format: Format): string {
  switch (format) {
    case 'text':
      return row([textTime(line.at), line.userId ?? '-', line.act, line.outcome, onWhat(line)])
    case 'csv':
      return csvRow(columns.map((column) => cellOf(line, column)))
    case 'jsonl':
      return `${escaped(JSON.stringify(fieldsOf(line)))}\n`
    default:
      return format satisfies never
  }
}

const widths = [19, 11, 10, 26]

function row(cells: readonly string[]): string {
  const padded = cells.map((cell, index) => printable(cell).padEnd(widths[index] ?? 0))
  return `${padded.join('  ').trimEnd()}\n`
}

/** What people and the service wrote could steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\uFFFD')
}

/** The same JSON, in which those are spelled out that JSON.stringify leaves as they are. */
function escaped(json: string): string {
  return json.replaceAll(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function textTime(at: number): string {
  return time(at).slice(0, 19).replace('T', ' ')
}

function onWhat(line: TrailLine): string {
  const { ks, containerId, permissions, askerId, approverId, cause, reference, seq } = line
  const email = line.isErased ? '(erased)' : line.email
  const pieces = [
    ks,
    email,
    containerId === undefined ? undefined : `container ${containerId}`,
    permissions === undefined ? undefined : access(line),
    askerId === undefined ? undefined : `asked by ${askerId}`,
    approverId === undefined ? undefined : `approved by ${approverId}`,
    cause,
    ...changePieces(line),
    line.isCorrection === true ? 'correction' : undefined,
    reference === undefined ? undefined : `ref ${reference}`,
    seq === undefined ? undefined : `record ${seq}`,
  ]
  return pieces.filter((piece) => piece !== undefined).join(' · ')
}

/** Ids of the service's people, as in the rest of the trail there are no names. */
function changePieces({ before, after }: TrailLine): readonly string[] {
  const owner = (of: AlertStanding) => (of.ownerId === null ? 'nobody' : `user ${of.ownerId}`)
  const state = (of: AlertStanding) => (of.isClosed ? 'closed' : 'open')
  const change = (name: string, read: (of: AlertStanding) => string) =>
    `${name} ${before ? read(before) : '?'} → ${after ? read(after) : '?'}`
  return before === undefined && after === undefined ? [] : [change('owner', owner), change('state', state)]
}

const columns = [
  ...(['time', 'workspace', 'who', 'act', 'outcome', 'ks', 'container', 'email', 'erased', 'flags'] as const),
  ...(['member', 'provider', 'asker', 'approver', 'cause', 'reference', 'record'] as const),
  ...(['owner_before', 'owner_after', 'closed_before', 'closed_after', 'correction'] as const),
] as const

type Column = (typeof columns)[number]

function fieldsOf(line: TrailLine): Readonly<Partial<Record<Column, unknown>>> {
  return {
    time: time(line.at),
    workspace: line.workspaceId,
    who: line.userId,
    act: line.act,
    outcome: line.outcome,
    ks: line.ks,
    container: line.containerId,
    email: line.email,
    erased: line.isErased ? true : undefined,
    flags: line.permissions,
    member: line.member,
    provider: line.authProvider,
    asker: line.askerId,
    approver: line.approverId,
    cause: line.cause,
    reference: line.reference,
    record: line.seq,
    ...standingFields(line),
    correction: line.isCorrection,
  }
}

/** `none` while unassigned; left out where nobody knows. */
function standingFields({ before, after }: TrailLine) {
  return {
    owner_before: before && (before.ownerId ?? 'none'),
    owner_after: after && (after.ownerId ?? 'none'),
    closed_before: before?.isClosed,
    closed_after: after?.isClosed,
  }
}

function cellOf(line: TrailLine, column: Column): string {
  const value = fieldsOf(line)[column]
  if (value === undefined) return ''
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** RFC 4180. */
function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${tame(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/** Spreadsheets take such a cell for a formula; an apostrophe in front makes it text. A cell may have several lines. */
function tame(cell: string): string {
  const text = cell.replaceAll(/(?![\t\r\n])\p{C}/gu, '\uFFFD')
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

// A time that is out of range was not written by Bellhop.
const latestMs = 253_402_300_799_999

function time(at: number): string {
  return new Date(Math.min(Math.max(at, 0), latestMs)).toISOString()
}

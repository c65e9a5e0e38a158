// Lists the trail, oldest first, as lines for people or for programs.
import { setImmediate as letOthersOn } from 'node:timers/promises'
import type { ShownAlert } from '../send/outcome.ts'
import { foldEmail } from './chain.ts'
import { access } from './render-line.ts'
import { type AuditRecords, beginning, type ChainedRecord, type Entry } from './trail.ts'

/** Records that are read at a time: a million of them would fill the memory. */
const pageSize = 500

export async function* readOn(
  records: Pick<AuditRecords, 'page'>,
  from: { readonly after: number; readonly since?: number },
): AsyncGenerator<ChainedRecord, undefined> {
  let { after } = from
  for (;;) {
    const page = await records.page({ ...from, after, most: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.seq
    // SQLite answers at once: without this pause, nothing else would happen in the process until all is read.
    await letOthersOn()
  }
}

export interface Filter {
  /** Milliseconds since 1970. */
  readonly since: number
  /** A person's id in Slack, or a mail address. */
  readonly who: string | undefined
}

export async function* list(
  records: Pick<AuditRecords, 'page'>,
  filter: Filter,
): AsyncGenerator<TrailLine> {
  const { since, who } = filter
  for await (const record of readOn(records, { after: beginning.seq, since })) {
    const line = recordLine(record)
    if (isAbout(line, who)) yield line
  }
}

function isAbout(line: TrailLine, who: string | undefined): boolean {
  if (who === undefined) return true
  const { userId, askerId, approverId, email } = line
  return [userId, askerId, approverId].includes(who) || email === foldEmail(who)
}

export type TrailLine = ReturnType<typeof recordLine>

type RecordBody = Omit<Entry, 'workspaceId' | 'key' | 'email'>

function recordLine({ seq, at, workspaceId, body, email }: ChainedRecord) {
  // Read without a check, as Bellhop wrote the body. If somebody changed it, verifying the trail says so.
  const { emailDigest, ...rest }: RecordBody & { readonly emailDigest?: string } = JSON.parse(body)
  return {
    ...rest,
    seq,
    at,
    workspaceId,
    email: email ?? undefined,
    isErased: emailDigest !== undefined && email === null,
  }
}

export const formats = ['text', 'jsonl'] as const
type Format = (typeof formats)[number]

/** The heading of the list, with its line end; empty for JSON lines. */
export function headOf(format: Format): string {
  return format === 'jsonl' ? '' : row(['Time (UTC)', 'Who', 'Act', 'Outcome', 'On what'])
}

/** A line, with its line end. */
export function formatLine(line: TrailLine, format: Format): string {
  const { at, seq, workspaceId, isErased, ...rest } = line
  const time = new Date(at).toISOString()
  const known = {
    time,
    record: seq,
    workspace: workspaceId,
    ...rest,
    ...(isErased && { erased: true }),
  }
  if (format === 'jsonl') return `${JSON.stringify(known).replaceAll(steering, '\uFFFD')}\n`
  return row([
    time.slice(0, 19).replace('T', ' '),
    line.userId ?? '-',
    line.act,
    line.outcome,
    onWhat(line),
  ])
}

/** Characters with which texts of people and of the service could steer the terminal. */
const steering = /\p{C}/gu

const widths = [19, 11, 10, 26]

function row(cells: readonly string[]): string {
  const columns = cells.map((cell, index) =>
    cell.replaceAll(steering, '\uFFFD').padEnd(widths[index] ?? 0),
  )
  return `${columns.join('  ').trimEnd()}\n`
}

function onWhat(line: TrailLine): string {
  const { ks, containerId, permissions, had, has, askerId, approverId, cause, reference, seq } =
    line
  const { asset, mode, personId } = line
  const named = (name: string, value: string | number | undefined) => value && `${name} ${value}`
  const pieces = [
    ks,
    line.isErased ? '(erased)' : line.email,
    named('user', personId),
    named('container', containerId),
    named('asset', asset),
    mode,
    permissions && access(line),
    had && `flags ${had.join(', ') || 'none'} → ${has?.join(', ') ?? '?'}`,
    named('asked by', askerId),
    named('approved by', approverId),
    cause,
    ...changePieces(line),
    named('ref', reference),
    named('record', seq),
  ]
  return pieces.filter(Boolean).join(' · ')
}

/** Changes of an alert's owner and state. An owner is an id of the service's, as the trail has no names. */
function changePieces({ before, after }: TrailLine): readonly string[] {
  const owner = (of: ShownAlert) => (of.ownerId === null ? 'nobody' : `user ${of.ownerId}`)
  const state = (of: ShownAlert) => (of.isClosed ? 'closed' : 'open')
  const change = (name: string, read: (of: ShownAlert) => string) => {
    const [from, to] = [before, after].map((of) => (of ? read(of) : '?'))
    return `${name} ${from} → ${to}`
  }
  return before === undefined && after === undefined
    ? []
    : [change('owner', owner), change('state', state)]
}

// Verifies the trail, record by record, for `npm run audit -- --verify`, and puts what was found into words.
import { utc } from '../slack/text/mrkdwn.ts'
import { type Chain, type Judgement, startAfter, wordsOf } from './chain.ts'
import { readOn } from './listing.ts'
import { type AuditRecords, beginning, type ChainedRecord, type Link, mostSeq } from './trail.ts'

/** @returns `isSound`: everything was verified, and nothing was touched. */
export async function verify(records: Pick<AuditRecords, 'newestCut' | 'page'>, chain: Chain) {
  /** Records up to this one were deleted, as they were old. */
  const start = startAfter(await records.newestCut())
  const lines: string[] = []
  const unknownKeys = new Set<string>()
  let first: ChainedRecord | undefined
  let last: ChainedRecord | undefined

  // Without a cut, reading begins before the first number: any record found there was put in by somebody.
  const after = start.seq === beginning.seq ? -mostSeq - 1 : start.seq
  for await (const record of readOn(records, { after })) {
    const judgement = chain.judge(record, last ?? start)
    const fault = faultAt(record.seq, last ?? start, judgement)
    if (fault !== undefined) {
      // Records behind a fault can’t be judged.
      lines.push(fault)
      break
    }
    if (judgement === 'unknown-key') unknownKeys.add(record.keyId)
    first ??= record
    last = record
  }

  if (unknownKeys.size > 0) {
    const keys = [...unknownKeys].join(', ')
    lines.push(`Some records can’t be verified: their keys aren’t in ENCRYPTION_KEYS (${keys}).`)
  }
  const isSound = lines.length === 0
  if (first === undefined || last === undefined)
    return { lines: isSound ? ['The audit trail has no records yet.'] : lines, isSound }
  const word = isSound ? 'The audit trail is intact' : 'Read'
  lines.push(`${word}: records ${first.seq} to ${last.seq}, from ${at(first)} to ${at(last)}.`)
  if (start.seq > 0)
    lines.push(`Records 1 to ${start.seq} were older than AUDIT_DAYS and have been deleted.`)
  lines.push(
    `It ends at ${wordsOf(last)}`,
    'If the newest auditHead in the log is another one, the newest records are missing or were replaced.',
  )
  return { lines, isSound }
}

function faultAt(seq: number, before: Link, judgement: Judgement): string | undefined {
  if (seq > before.seq + 1) return `Records ${before.seq + 1} to ${seq - 1} are missing.`
  if (seq > before.seq && judgement !== 'changed') return undefined
  return `Record ${seq} was changed or added: Bellhop wrote something else there.`
}

function at(record: ChainedRecord): string {
  return utc(Math.floor(record.at / 1000))
}

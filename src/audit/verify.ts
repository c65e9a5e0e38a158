// Verifies the trail, record by record, for `npm run audit -- --verify`, and puts what was found into words.
import { utc } from '../slack/text/mrkdwn.ts'
import { type Chain, type Judgement, startAfter, wordsOf } from './chain.ts'
import { readOn } from './listing.ts'
import { type AuditRecords, beginning, type ChainedRecord, type Link } from './trail.ts'

export type TrailVerdict = Awaited<ReturnType<typeof verify>>

export async function verify(records: AuditRecords, chain: Chain) {
  /** Records up to this one were deleted, as they were old. */
  const start = startAfter(await records.newestCut())
  /** Records whose key is not there, by its id. */
  const unknownKeys = new Map<string, { readonly first: number; readonly count: number }>()
  /** Records that were read, and those of them whose address was erased. */
  let [count, erased] = [0, 0]
  /** The first thing that shows that somebody touched the trail. Behind it, nothing can be said. */
  let fault: string | undefined
  let first: ChainedRecord | undefined
  let last: ChainedRecord | undefined

  // Whatever stands before the first record was put in.
  const after = start.seq === beginning.seq ? Number.MIN_SAFE_INTEGER : start.seq
  for await (const record of readOn(records, { after })) {
    const { seq, keyId } = record
    const judgement = chain.judge(record, last ?? start)
    fault = faultAt(seq, last ?? start, judgement)
    if (fault !== undefined) break
    if (judgement === 'unknown-key') {
      const known = unknownKeys.get(keyId)
      unknownKeys.set(keyId, { first: known?.first ?? seq, count: (known?.count ?? 0) + 1 })
    }
    first ??= record
    last = record
    count += 1
    if (record.email === undefined && record.body.includes('"emailDigest":')) erased += 1
  }

  return { start, fault, unknownKeys, count, first, last, erased }
}

function faultAt(seq: number, before: Link, judgement: Judgement): string | undefined {
  if (seq > before.seq + 1) return `Records ${before.seq + 1} to ${seq - 1} are missing.`
  if (seq > before.seq && judgement !== 'changed') return undefined
  return `Record ${seq} was changed or added: Bellhop wrote something else there.`
}

/** @returns `isSound`: everything was verified, and nothing was touched. */
export function reportOn({ start, fault, unknownKeys, count, first, last, erased }: TrailVerdict) {
  const unverified = [...unknownKeys].map(
    ([keyId, unknown]) =>
      `Records that can’t be verified: ${unknown.count}, from record ${unknown.first} on. Key ${shown(keyId)} is not in ENCRYPTION_KEYS.`,
  )
  const lines = [...(fault === undefined ? [] : [fault]), ...unverified]
  const isSound = lines.length === 0
  if (first === undefined || last === undefined)
    return { lines: isSound ? ['The audit trail has no records yet.'] : lines, isSound }
  const times = `from ${at(first.at)} to ${at(last.at)}`
  const word = isSound ? 'The audit trail is intact' : 'Read'
  lines.push(`${word}: records ${first.seq} to ${last.seq} (${count}), ${times}.`)
  if (start.seq > 0) lines.push(`Records 1 to ${start.seq} were older than AUDIT_DAYS and have been deleted.`)
  if (erased > 0) lines.push(`Records without their address, as it was removed: ${erased}.`)
  lines.push(
    `It ends at ${wordsOf(last)}`,
    'If the newest auditHead in the log is another one, the newest records are missing or were replaced.',
  )
  return { lines, isSound }
}

function at(milliseconds: number): string {
  return utc(Math.floor(milliseconds / 1000))
}

/** A key id, without characters that steer a terminal: anybody may have written it into the database. */
function shown(keyId: string): string {
  return keyId.replaceAll(/[^\w-]/g, '?').slice(0, 40)
}

// Words for what `npm run audit -- --verify` has found. Pure.
import { utc } from '../slack/text/mrkdwn.ts'
import { type Fault, type TrailVerdict, wordsOf } from './chain.ts'

export interface Report {
  readonly lines: readonly string[]
  /** Everything was verified, and nothing was touched. */
  readonly isSound: boolean
}

export function reportOn({ start, fault, unknownKeys, count, first, last, erased }: TrailVerdict): Report {
  const lines = fault === undefined ? [] : [faultProblem(fault)]
  for (const [keyId, unknown] of unknownKeys)
    lines.push(
      `Records that can’t be verified: ${unknown.count}, from record ${unknown.first} on. Key ${shown(keyId)} is not in ENCRYPTION_KEYS.`,
    )
  const isSound = lines.length === 0
  if (first === undefined || last === undefined)
    return {
      lines: [...lines, isSound ? 'The audit trail has no records yet.' : 'No record could be verified.'],
      isSound,
    }
  const word = isSound ? 'The audit trail is intact' : fault === undefined ? 'Read' : 'Intact before that'
  const times = `from ${at(first.at)} to ${at(last.at)}`
  lines.push(`${word}: records ${first.seq} to ${last.seq} (${count}), ${times}.`)
  if (start.seq > 0) lines.push(`Records 1 to ${start.seq} were older than AUDIT_DAYS and have been deleted.`)
  if (erased > 0) lines.push(`Records without their address, as it was removed: ${erased}.`)
  lines.push(
    `It ends at ${wordsOf(last)}`,
    'If the newest auditHead in the log is another one, the newest records are missing or were replaced.',
  )
  return { lines, isSound }
}

function faultProblem(fault: Fault): string {
  return fault.kind === 'missing'
    ? `Records ${fault.from} to ${fault.to} are missing.`
    : `Record ${fault.seq} was changed or added: Bellhop wrote something else there.`
}

function at(milliseconds: number): string {
  return utc(Math.floor(milliseconds / 1000))
}

/** A key id, without characters that steer a terminal: anybody may have written it into the database. */
function shown(keyId: string): string {
  return keyId.replaceAll(/[^\w-]/g, '?').slice(0, 40)
}

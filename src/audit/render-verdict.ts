// Words for what `npm run audit -- --verify` has found. Pure.
import { utc } from '../slack/text/mrkdwn.ts'
import { type Fault, type TrailVerdict, wordsOf } from './chain.ts'

export interface Report {
  readonly lines: readonly string[]
  /** Everything was verified, and nothing was touched. */
  readonly isSound: boolean
}

export function reportOn(verdict: TrailVerdict): Report {
  const { fault, unknownKeys } = verdict
  const problems = [
    ...(fault === undefined ? [] : [faultProblem(fault)]),
    ...Array.from(
      unknownKeys,
      ([keyId, { first, count }]) =>
        `Records that can’t be verified: ${count}, from record ${first} on. Key ${shown(keyId)} is not in ENCRYPTION_KEYS.`,
    ),
  ]
  return { lines: [...problems, ...summary(verdict, problems.length === 0)], isSound: problems.length === 0 }
}

function faultProblem(fault: Fault): string {
  return fault.kind === 'missing'
    ? `Records ${fault.from} to ${fault.to} are missing.`
    : `Record ${fault.seq} was changed or added: Bellhop wrote something else there.`
}

/** @param holds - Nothing is wrong with what is there. */
function summary(verdict: TrailVerdict, holds: boolean): readonly string[] {
  const { start, fault, count, first, last, erased } = verdict
  const lines: string[] = []
  if (first === undefined || last === undefined) {
    lines.push(holds ? 'The audit trail has no records yet.' : 'No record could be verified.')
  } else {
    const word = holds ? 'The audit trail is intact' : fault === undefined ? 'Read' : 'Intact before that'
    lines.push(
      `${word}: records ${first.seq} to ${last.seq} (${count}), from ${at(first.at)} to ${at(last.at)}.`,
    )
  }
  if (start.seq > 0) {
    lines.push(`Records 1 to ${start.seq} were older than AUDIT_DAYS and have been deleted.`)
  }
  if (erased > 0) lines.push(`Records without their address, as it was removed: ${erased}.`)
  if (last !== undefined)
    lines.push(
      `It ends at ${wordsOf(last)}`,
      'If the newest auditHead in the log is another one, the newest records are missing or were replaced.',
    )
  return lines
}

function at(milliseconds: number): string {
  return utc(Math.floor(milliseconds / 1000))
}

/** A key id, without characters that steer a terminal: anybody may have written it into the database. */
function shown(keyId: string): string {
  return keyId.replaceAll(/[^\w-]/g, '?').slice(0, 40)
}

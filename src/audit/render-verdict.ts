// Words for what `npm run audit -- --verify` has found. Pure.
import { utc } from '../slack/text/mrkdwn.ts'
import type { Checkpoint } from './trail.ts'
import type { HeadVerdict, TrailVerdict } from './verify.ts'

export interface Report {
  readonly lines: readonly string[]
  /** Everything was verified, and nothing was touched. */
  readonly isSound: boolean
}

export function reportOn(verdict: TrailVerdict): Report {
  const { checkpoint, checkpointFault, fault, unknownKeys, head } = verdict
  const problems = [
    ...(checkpointFault === undefined ? [] : [checkpointProblem(checkpointFault, checkpoint)]),
    ...(fault === undefined ? [] : [faultProblem(fault)]),
    ...unknownKeys.map(unknownKeyProblem),
    // Behind a fault nothing was read, so that nothing can be said of the end.
    ...(head === undefined || fault !== undefined ? [] : headProblem(head, verdict)),
  ]
  return { lines: [...problems, ...summary(verdict, problems.length === 0)], isSound: problems.length === 0 }
}

function checkpointProblem(fault: 'changed' | 'unknown-key', checkpoint: Checkpoint | undefined): string {
  if (fault === 'changed') return 'The checkpoint was changed: it is not what Bellhop wrote.'
  return `The checkpoint cannot be verified: key ${shown(checkpoint?.keyId)} is not in ENCRYPTION_KEYS.`
}

function faultProblem(fault: NonNullable<TrailVerdict['fault']>): string {
  switch (fault.kind) {
    case 'missing':
      return fault.from === fault.to
        ? `Record ${fault.from} is missing.`
        : `Records ${fault.from} to ${fault.to} are missing.`
    case 'changed':
      return `Record ${fault.seq} was changed or put in: it is not what Bellhop wrote there.`
    case 'address':
      return `The address beside record ${fault.seq} was changed: it is not the one that was recorded.`
    default:
      return fault satisfies never
  }
}

function unknownKeyProblem({ keyId, first, count }: TrailVerdict['unknownKeys'][number]): string {
  const which = count === 1 ? `Record ${first}` : `${count} records, from record ${first} on,`
  return `${which} cannot be verified: key ${shown(keyId)} is not in ENCRYPTION_KEYS.`
}

function headProblem({ expected, kind }: HeadVerdict, { last, checkpoint }: TrailVerdict): readonly string[] {
  switch (kind) {
    case 'there':
    case 'pruned':
      return []
    case 'another':
      return [`Record ${expected.seq} is another than the head that was given: the trail was replaced.`]
    case 'beyond-end': {
      const end = last?.seq ?? checkpoint?.seq ?? 0
      return [
        `The trail ends at record ${end}, before the head that was given, record ${expected.seq}: its newest records are missing.`,
      ]
    }
    default:
      return kind satisfies never
  }
}

function summary(verdict: TrailVerdict, isSound: boolean): readonly string[] {
  const { checkpoint, fault, count, first, last, erased, head } = verdict
  const lines: string[] = []
  if (first === undefined || last === undefined) {
    lines.push(isSound ? 'The audit trail holds no records.' : 'No record could be verified.')
  } else {
    const span = `${records(count)} (${first.seq} to ${last.seq}), from ${at(first.at)} to ${at(last.at)}.`
    lines.push(
      isSound ? `The audit trail holds: ${span}` : `${fault === undefined ? 'Read' : 'Before it'}: ${span}`,
    )
  }
  if (checkpoint !== undefined) {
    lines.push(`Records 1 to ${checkpoint.seq} were pruned, last on ${at(checkpoint.at)}.`)
    if (checkpoint.unverified > 0) {
      lines.push(`${records(checkpoint.unverified)} of them could not be verified first: their key was gone.`)
    }
  }
  if (erased > 0) lines.push(`The address was erased from ${records(erased)}.`)
  if (head?.kind === 'there') lines.push(`The head that was given, record ${head.expected.seq}, is there.`)
  if (head?.kind === 'pruned') {
    lines.push(`The head that was given, record ${head.expected.seq}, was pruned since: give a newer one.`)
  }
  if (last !== undefined) lines.push(`It ends at ${last.seq}:${last.mac}`)
  return lines
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${count} records`
}

function at(milliseconds: number): string {
  return utc(Math.floor(milliseconds / 1000))
}

/** It comes from the database, where anybody may have written it. */
function shown(keyId: string | undefined): string {
  return (keyId ?? '').replaceAll(/[^\w-]/g, '?').slice(0, 40)
}

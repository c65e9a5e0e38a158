// Words for what `npm run audit -- --verify` has found. Pure.
import { utc } from '../slack/text/mrkdwn.ts'
import type { HeadVerdict, TrailVerdict } from './chain.ts'
import type { Checkpoint } from './trail.ts'

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
  const deleted = deletedProblem(checkpoint?.unverified ?? 0)
  return {
    lines: [...problems, ...deleted, ...summary(verdict, problems.length === 0)],
    isSound: problems.length + deleted.length === 0,
  }
}

/** Nobody will ever know whether they held. */
function deletedProblem(unverified: number): readonly string[] {
  if (unverified === 0) return []
  const which =
    unverified === 1 ? '1 record that has been deleted' : `${unverified} records that have been deleted`
  return [`${which} couldn’t be verified before that: the key was not in ENCRYPTION_KEYS.`]
}

function checkpointProblem(fault: 'changed' | 'unknown-key', checkpoint: Checkpoint | undefined): string {
  if (fault === 'changed') return 'The checkpoint was changed: Bellhop wrote something else.'
  return `The checkpoint can’t be verified: key ${shown(checkpoint?.keyId)} is not in ENCRYPTION_KEYS.`
}

function faultProblem(fault: NonNullable<TrailVerdict['fault']>): string {
  switch (fault.kind) {
    case 'missing':
      return fault.from === fault.to
        ? `Record ${fault.from} is missing.`
        : `Records ${fault.from} to ${fault.to} are missing.`
    case 'changed':
      return `Record ${fault.seq} was changed or added: Bellhop wrote something else there.`
    case 'address':
      return `The address of record ${fault.seq} was changed: Bellhop recorded another one.`
    default:
      return fault satisfies never
  }
}

function unknownKeyProblem({ keyId, first, count }: TrailVerdict['unknownKeys'][number]): string {
  const which = count === 1 ? `Record ${first}` : `${count} records, from record ${first} on,`
  return `${which} can’t be verified: key ${shown(keyId)} is not in ENCRYPTION_KEYS.`
}

function headProblem({ expected, kind }: HeadVerdict, { last, checkpoint }: TrailVerdict): readonly string[] {
  switch (kind) {
    case 'there':
    case 'pruned':
      return []
    case 'another':
      return [`Record ${expected.seq} differs from the head you gave: the trail was replaced.`]
    case 'beyond-end': {
      const end = last?.seq ?? checkpoint?.seq ?? 0
      return [
        `The trail ends at record ${end}, but the head you gave is record ${expected.seq}: the newest records are missing.`,
      ]
    }
    default:
      return kind satisfies never
  }
}

/** @param holds - Nothing is wrong with what is there. */
function summary(verdict: TrailVerdict, holds: boolean): readonly string[] {
  const { checkpoint, fault, count, first, last, erased, head } = verdict
  const lines: string[] = []
  if (first === undefined || last === undefined) {
    lines.push(holds ? none(checkpoint) : 'No record could be verified.')
  } else {
    const span = `${records(count)} (${first.seq} to ${last.seq}), from ${at(first.at)} to ${at(last.at)}.`
    const intact =
      (checkpoint?.unverified ?? 0) === 0
        ? 'The audit trail is intact'
        : 'The rest of the audit trail is intact'
    lines.push(`${holds ? intact : fault === undefined ? 'Read' : 'Intact before that'}: ${span}`)
  }
  if (checkpoint !== undefined) {
    lines.push(
      `Records 1 to ${checkpoint.seq} were older than AUDIT_DAYS and have been deleted, most recently on ${at(checkpoint.at)}.`,
    )
  }
  if (erased > 0) lines.push(`Addresses were removed from ${records(erased)}.`)
  if (head?.kind === 'there') lines.push(`The head you gave, record ${head.expected.seq}, is there.`)
  if (head?.kind === 'pruned') {
    lines.push(
      `The head you gave, record ${head.expected.seq}, has been deleted since because of its age: give a newer one.`,
    )
  }
  if (last !== undefined) lines.push(`It ends at ${last.seq}:${last.mac}`)
  return lines
}

function none(checkpoint: Checkpoint | undefined): string {
  return checkpoint === undefined
    ? 'The audit trail has no records yet.'
    : 'The audit trail has no records left: all were older than AUDIT_DAYS.'
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${count} records`
}

function at(milliseconds: number): string {
  return utc(Math.floor(milliseconds / 1000))
}

/** A key id, without characters that steer a terminal: anybody may have written it into the database. */
function shown(keyId: string | undefined): string {
  return (keyId ?? '').replaceAll(/[^\w-]/g, '?').slice(0, 40)
}

// Verifies the whole trail: the checkpoint, each record after it, and, where somebody kept an earlier head, that too.
import { type Chain, type Fault, walk } from './chain.ts'
import { type AuditRecords, beginning, type Checkpoint, type Link } from './trail.ts'

export interface TrailVerdict {
  readonly checkpoint: Checkpoint | undefined
  /** What is wrong with the checkpoint itself. */
  readonly checkpointFault: 'changed' | 'unknown-key' | undefined
  /** The first of the records that shows that the trail was touched. */
  readonly fault: Exclude<Fault, { readonly kind: 'unknown-key' }> | undefined
  /** Records whose key is not there, by its id. */
  readonly unknownKeys: readonly { readonly keyId: string; readonly first: number; readonly count: number }[]
  /** Records that were read, up to a fault. */
  readonly count: number
  readonly first: { readonly seq: number; readonly at: number } | undefined
  readonly last: (Link & { readonly at: number }) | undefined
  /** How many of them had an address that was erased. */
  readonly erased: number
  readonly head: HeadVerdict | undefined
}

/** What became of a head that somebody kept. `pruned`: it lies before the checkpoint. */
export interface HeadVerdict {
  readonly expected: Link
  readonly kind: 'there' | 'another' | 'pruned' | 'beyond-end'
}

/** A bot that prunes meanwhile moves the checkpoint; then all is read again. */
const mostTries = 5

export async function verify(records: AuditRecords, chain: Chain, expected?: Link): Promise<TrailVerdict> {
  for (let tries = 1; ; tries += 1) {
    const checkpoint = await records.checkpoint()
    const verdict = await verifyFrom(records, chain, checkpoint, expected)
    const isSound = verdict.fault === undefined && verdict.checkpointFault === undefined
    if (isSound || tries === mostTries) return verdict
    if ((await records.checkpoint())?.seal === checkpoint?.seal) return verdict
  }
}

async function verifyFrom(
  records: AuditRecords,
  chain: Chain,
  checkpoint: Checkpoint | undefined,
  expected: Link | undefined,
): Promise<TrailVerdict> {
  const judgement = checkpoint === undefined ? 'holds' : chain.judgeCheckpoint(checkpoint)
  const start: Link = checkpoint ?? beginning
  const unknown = new Map<string, { first: number; count: number }>()
  let fault: TrailVerdict['fault']
  let first: TrailVerdict['first']
  let last: TrailVerdict['last']
  let count = 0
  let erased = 0
  let found: Link | undefined = expected?.seq === start.seq ? start : undefined

  for await (const step of walk(records, chain, start)) {
    const { seq, mac, at } = step.record
    if (step.fault !== undefined && step.fault.kind !== 'unknown-key') {
      fault = step.fault
      break
    }
    if (step.fault !== undefined) {
      const { keyId } = step.fault
      const known = unknown.get(keyId)
      unknown.set(keyId, { first: known?.first ?? seq, count: (known?.count ?? 0) + 1 })
    }
    first ??= { seq, at }
    last = { seq, mac, at }
    count += 1
    if (step.record.email === undefined && step.record.body.includes('"emailDigest":')) erased += 1
    if (seq === expected?.seq) found = last
  }

  return {
    checkpoint,
    checkpointFault: judgement === 'holds' ? undefined : judgement,
    fault,
    unknownKeys: [...unknown].map(([keyId, where]) => ({ keyId, ...where })),
    count,
    first,
    last,
    erased,
    head: expected && { expected, kind: whereIs(expected, start, found) },
  }
}

function whereIs(expected: Link, start: Link, found: Link | undefined): HeadVerdict['kind'] {
  if (found !== undefined) return found.mac === expected.mac ? 'there' : 'another'
  return expected.seq < start.seq ? 'pruned' : 'beyond-end'
}

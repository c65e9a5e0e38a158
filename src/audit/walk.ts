// Walks the chain from a link on, oldest record first, and says of each whether it holds.
import { setImmediate as letOthersOn } from 'node:timers/promises'
import type { Chain } from './chain.ts'
import { type AuditRecords, beginning, type ChainedRecord, type Link } from './trail.ts'

/** What is wrong with a record, or before it. */
export type Fault =
  /** Those from `from` to `to` are missing. */
  | { readonly kind: 'missing'; readonly from: number; readonly to: number }
  /** It is not what was written: it was changed, or put in. */
  | { readonly kind: 'changed'; readonly seq: number }
  /** It holds, but the plain address beside it is another's. */
  | { readonly kind: 'address'; readonly seq: number }
  /** Nobody can tell: its key is not in ENCRYPTION_KEYS. */
  | { readonly kind: 'unknown-key'; readonly seq: number; readonly keyId: string }

export interface Step {
  readonly record: ChainedRecord
  readonly fault: Fault | undefined
}

/** A page: a million records do not fill the memory. */
const pageSize = 500
/** Whatever stands before the first record was put in. */
const lowest = Number.MIN_SAFE_INTEGER

/** Ends after the first fault, as nothing can be said of what comes behind; goes on after `unknown-key`. */
export async function* walk(records: AuditRecords, chain: Chain, from: Link): AsyncGenerator<Step> {
  let before = from
  let after = from.seq === beginning.seq ? lowest : from.seq
  for (;;) {
    const page = await records.page({ after, most: pageSize })
    for (const record of page) {
      const fault = faultOf(chain, record, before)
      yield { record, fault }
      if (fault !== undefined && fault.kind !== 'unknown-key') return
      before = record
      after = record.seq
    }
    if (page.length < pageSize) return
    // SQLite answers without a pause, in which nothing else of the process would happen for as long as this takes.
    await letOthersOn()
  }
}

function faultOf(chain: Chain, record: ChainedRecord, before: Link): Fault | undefined {
  const { seq, keyId } = record
  if (seq <= before.seq) return { kind: 'changed', seq }
  if (seq > before.seq + 1) return { kind: 'missing', from: before.seq + 1, to: seq - 1 }
  const judgement = chain.judge(record, before)
  switch (judgement) {
    case 'holds':
      return undefined
    case 'unknown-key':
      return { kind: 'unknown-key', seq, keyId }
    default:
      return { kind: judgement, seq }
  }
}

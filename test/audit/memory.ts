// An audit trail in memory, which a test can touch as somebody could who writes to the database but has no key.
import { createSecretKey } from 'node:crypto'
import type { EncryptionKey } from '../../src/account/vault.ts'
import type { Chain } from '../../src/audit/chain.ts'
import {
  type AuditRecords,
  beginning,
  type ChainedRecord,
  type Entry,
} from '../../src/audit/trail.ts'

export const keyOf = (id: string, byte: number): EncryptionKey => ({
  id,
  key: createSecretKey(Buffer.alloc(32, byte)),
})

export function grantOf(index: number, changes: Partial<Entry> = {}): Entry {
  return {
    workspaceId: 'T1',
    key: `grant:g${index}:done`,
    userId: 'U1',
    act: 'grant',
    outcome: 'done',
    containerId: 12,
    email: `p${index}@example.com`,
    permissions: ['READ', 'API'],
    member: false,
    reference: `g${index}`,
    ...changes,
  }
}

export interface Memory extends AuditRecords {
  rows: ChainedRecord[]
  now: number
}

/** Writes an entry at the end. */
export async function write(records: Pick<AuditRecords, 'append'>, chain: Chain, entry: Entry) {
  const [written] = await records.append([entry], chain.seal)
  return written ?? beginning
}

export function memoryOf(): Memory {
  const bySeq = (rows: readonly ChainedRecord[]) =>
    rows.toSorted((one, other) => one.seq - other.seq)
  const memory: Memory = {
    rows: [],
    now: 1_800_000_000_000,
    append: async (entries, seal) =>
      entries.map((entry) => {
        const { workspaceId, key } = entry
        const known = memory.rows.find((row) => row.workspaceId === workspaceId && row.key === key)
        if (known !== undefined) return { ...known, isNew: false }
        const newest = bySeq(memory.rows).at(-1) ?? { ...beginning, at: 0 }
        const record = seal(entry, { ...newest, now: memory.now })
        memory.rows.push(record)
        return { ...record, isNew: true }
      }),
    page: async ({ after, since = 0, most }) =>
      bySeq(memory.rows)
        .filter(({ seq, at }) => seq > after && at >= since)
        .slice(0, most),
    async erase(email) {
      const before = memory.rows.filter((row) => row.email === email).length
      memory.rows = memory.rows.map((row) => (row.email === email ? { ...row, email: null } : row))
      return before
    },
    newestOlderThan: async (ms) =>
      memory.rows
        .filter(({ at }) => at < memory.now - ms)
        .toSorted((one, other) => one.at - other.at || one.seq - other.seq)
        .at(-1),
    newestCut: async () => bySeq(memory.rows.filter(({ key }) => key.startsWith('cut:'))).at(-1),
    async drop(upTo) {
      memory.rows = memory.rows.filter(({ seq }) => seq > upTo)
      return upTo
    },
  }
  return memory
}

// An audit trail in memory, which a test can touch as somebody could who writes to the database but has no key.
import { createSecretKey } from 'node:crypto'
import type { ChainKey } from '../../src/audit/chain.ts'
import { type AuditRecords, beginning, type ChainedRecord, type Entry } from '../../src/audit/trail.ts'

export const keyOf = (id: string, byte: number): ChainKey => ({
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

export function memoryOf(): Memory {
  const memory: Memory = {
    rows: [],
    now: 1_800_000_000_000,
    async head() {
      const newest = memory.rows.toSorted((one, other) => one.seq - other.seq).at(-1)
      const { seq, mac, at } = newest ?? { ...beginning, at: 0 }
      return { seq, mac, at, now: memory.now }
    },
    async append(record) {
      const isTaken = memory.rows.some(
        ({ seq, workspaceId, key }) =>
          seq >= record.seq || (workspaceId === record.workspaceId && key === record.key),
      )
      if (isTaken) return false
      memory.rows.push(record)
      return true
    },
    numberOf: async (workspaceId, key) =>
      memory.rows.find((row) => row.workspaceId === workspaceId && row.key === key)?.seq,
    page: async ({ after, since = 0, most }) =>
      memory.rows
        .filter(({ seq, at }) => seq > after && at >= since)
        .toSorted((one, other) => one.seq - other.seq)
        .slice(0, most),
    async erase(email) {
      const before = memory.rows.filter((row) => row.email === email).length
      memory.rows = memory.rows.map((row) => (row.email === email ? { ...row, email: undefined } : row))
      return before
    },
    newestCut: async () =>
      memory.rows
        .filter(({ key }) => key.startsWith('cut:'))
        .toSorted((one, other) => one.seq - other.seq)
        .at(-1),
    async drop(upTo) {
      memory.rows = memory.rows.filter(({ seq }) => seq > upTo)
    },
  }
  return memory
}

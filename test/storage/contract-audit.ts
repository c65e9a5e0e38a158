// The contract of the audit trail: one chain between all processes.
import { createSecretKey } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../src/audit/audit.ts'
import { createChain, wordsOf } from '../../src/audit/chain.ts'
import type { Entry } from '../../src/audit/trail.ts'
import { verify } from '../../src/audit/verify.ts'
import { createLog } from '../../src/log/log.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { write } from '../audit/memory.ts'
import type { OpenPair } from './pair.ts'

const chain = createChain([{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }])

const entry = (key: string, changes: Partial<Entry> = {}): Entry => ({
  workspaceId: 'T1',
  key,
  userId: 'U1',
  act: 'grant',
  outcome: 'done',
  ...changes,
})

const append = ({ auditRecords }: Storage, key: string, changes: Partial<Entry> = {}) =>
  write(auditRecords, chain, entry(key, changes))

async function numbers({ auditRecords }: Storage): Promise<readonly number[]> {
  return (await auditRecords.page({ after: 0, most: 1_000 })).map(({ seq }) => seq)
}

export function auditContract(open: OpenPair): void {
  describe('audit records', () => {
    it('are appended in order, by the database’s clock, and read back as they were', async () => {
      const { storage, other, clock } = await open()
      const records = storage.auditRecords
      const first = await append(storage, 'a', { email: 'Dave@example.com' })
      expect(first).toEqual({ seq: 1, mac: expect.any(String), isNew: true })
      clock.now += 5_000
      await append(other, 'b')

      const page = await records.page({ after: 0, most: 10 })

      expect(page[0]).toEqual({
        seq: 1,
        at: clock.now - 5_000,
        workspaceId: 'T1',
        key: 'a',
        keyId: 'k1',
        mac: first.mac,
        body: expect.stringContaining('emailDigest'),
        email: 'dave@example.com',
      })
      expect(page[1]).toMatchObject({ seq: 2, at: clock.now, key: 'b', email: null })
      expect(await records.page({ after: 1, most: 10 })).toEqual(page.slice(1))
      expect(await records.page({ after: 0, most: 1 })).toEqual(page.slice(0, 1))
      expect(await records.page({ after: 0, since: clock.now, most: 10 })).toEqual(page.slice(1))
      expect(await records.newestOlderThan(4_999)).toEqual(page[0])
      expect(await records.newestOlderThan(5_000)).toBeUndefined()
      clock.now += 5_000
      expect(await records.newestOlderThan(4_999)).toEqual(page[1])
    })

    it('take a key of a workspace once, and say where it is', async () => {
      const { storage, other } = await open()
      const first = await append(storage, 'a')
      expect(await append(other, 'a')).toEqual({ ...first, isNew: false })
      expect(await append(other, 'a', { workspaceId: 'T2' })).toMatchObject({ seq: 2, isNew: true })
      expect(await numbers(storage)).toEqual([1, 2])
    })

    it('of many writers at once make one chain, each entry in it once', async () => {
      const { storage, other } = await open()
      const log = createLog({ level: 'silent' })
      const recorded: string[] = []
      const recorders = [storage, other, storage, other].map(({ auditRecords: records }) =>
        createRecorder({ records, chain, log, now: Date.now, wait: (ms) => delay(ms) }, ({ key }) =>
          recorded.push(key),
        ),
      )
      const own = recorders.flatMap((recorder, writer) =>
        Array.from({ length: 20 }, (_, index) => recorder.record(entry(`w${writer}.${index}`))),
      )
      const same = recorders.flatMap((recorder) =>
        Array.from({ length: 10 }, (_, index) => recorder.record(entry(`same.${index}`))),
      )
      await Promise.all([...own, ...same])

      const { isSound, lines } = await verify(other.auditRecords, chain)
      expect([isSound, lines[0]]).toEqual([true, expect.stringContaining('records 1 to 90,')])
      expect(new Set(recorded).size).toBe(90)
      expect(recorded).toHaveLength(90)
    })

    it('are dropped up to a number, and the newest cut is found', async () => {
      const { storage, other } = await open()
      for (const key of ['a', 'b']) await append(storage, key)
      expect(await storage.auditRecords.newestCut()).toBeUndefined()
      const end = await append(storage, 'c')
      const cut = { workspaceId: '', act: 'cut', reference: wordsOf(end) } as const
      for (const key of ['cut:1', 'cut:2']) await append(storage, key, cut)
      expect(await other.auditRecords.newestCut()).toMatchObject({ seq: 5, key: 'cut:2' })

      await other.auditRecords.drop(3)

      expect(await numbers(storage)).toEqual([4, 5])
      expect(await verify(storage.auditRecords, chain)).toMatchObject({ isSound: true })
    })
  })
}

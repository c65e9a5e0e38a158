// The contract of the audit trail: one chain between all processes, and look-ups beside it.
import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createChain, verify, wordsOf } from '../../src/audit/chain.ts'
import { list } from '../../src/audit/listing.ts'
import { createLookUpBatches, createRecorder } from '../../src/audit/recorder.ts'
import type { Entry, KeptLookUp } from '../../src/audit/trail.ts'
import { createLog } from '../../src/log/log.ts'
import type { Storage } from '../../src/storage/storage.ts'
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

async function append({ auditRecords }: Storage, key: string, changes: Partial<Entry> = {}) {
  return auditRecords.append(chain.seal(entry(key, changes), await auditRecords.head()))
}

async function numbers({ auditRecords }: Storage): Promise<readonly number[]> {
  return (await auditRecords.page({ after: 0, most: 1_000 })).map(({ seq }) => seq)
}

const lookUp = (id: string, ageMs = 0) => ({ id, workspaceId: 'T1', userId: 'U1', body: '{}', ageMs })

export function auditContract(open: OpenPair): void {
  describe('audit records', () => {
    it('are appended in order, by the database’s clock, and read back as they were', async () => {
      const { storage, other, clock } = await open()
      const records = storage.auditRecords
      expect(await records.head()).toEqual({ seq: 0, mac: '', at: 0, now: clock.now })
      const first = chain.seal(entry('a', { email: 'Dave@example.com' }), await records.head())
      expect(await records.append(first)).toBe(true)
      clock.now += 5_000
      expect(await other.auditRecords.head()).toEqual({
        seq: 1,
        mac: first.mac,
        at: first.at,
        now: clock.now,
      })
      await append(other, 'b')

      const page = await records.page({ after: 0, most: 10 })

      expect(page[0]).toEqual(first)
      expect(page[1]).toMatchObject({ seq: 2, at: clock.now, key: 'b', email: undefined })
      expect(await records.page({ after: 1, most: 10 })).toEqual(page.slice(1))
      expect(await records.page({ after: 0, most: 1 })).toEqual(page.slice(0, 1))
      expect(await records.page({ after: 0, since: clock.now, most: 10 })).toEqual(page.slice(1))
    })

    it('take a place, and a key of a workspace, once', async () => {
      const { storage, other } = await open()
      const head = await storage.auditRecords.head()
      const rivals = [
        storage.auditRecords.append(chain.seal(entry('a'), head)),
        other.auditRecords.append(chain.seal(entry('b'), head)),
      ]
      expect((await Promise.all(rivals)).toSorted()).toEqual([false, true])

      expect(await append(storage, 'c')).toBe(true)
      expect(await append(other, 'c')).toBe(false)
      expect(await append(other, 'c', { workspaceId: 'T2' })).toBe(true)
      expect(await storage.auditRecords.numberOf('T1', 'c')).toBe(2)
      expect(await storage.auditRecords.numberOf('T3', 'c')).toBeUndefined()
      expect(await numbers(storage)).toEqual([1, 2, 3])
    })

    it('of many writers at once make one chain, each entry in it once', async () => {
      const { storage, other } = await open()
      const log = createLog({ level: 'silent' })
      const recorded: string[] = []
      const recorders = [storage, other, storage, other].map(({ auditRecords: records }) =>
        createRecorder({
          ...{ records, chain, log },
          onRecorded: ({ key }) => recorded.push(key),
          wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        }),
      )
      const own = recorders.flatMap((recorder, writer) =>
        Array.from({ length: 20 }, (_, index) => recorder.record(entry(`w${writer}.${index}`))),
      )
      const same = recorders.flatMap((recorder) =>
        Array.from({ length: 10 }, (_, index) => recorder.record(entry(`same.${index}`))),
      )
      await Promise.all([...own, ...same])

      const verdict = await verify(other.auditRecords, chain)
      expect(verdict).toMatchObject({ fault: undefined, unknownKeys: [], count: 90 })
      expect(new Set(recorded).size).toBe(90)
      expect(recorded).toHaveLength(90)
    })

    it('lose an address, whoever’s record it is in, and hold', async () => {
      const { storage, other } = await open()
      for (const key of ['a', 'b']) await append(storage, key, { email: 'dave@example.com' })
      await append(storage, 'c', { email: 'erin@example.com' })

      expect(await other.auditRecords.erase('dave@example.com')).toBe(2)

      expect(await storage.auditRecords.erase('dave@example.com')).toBe(0)
      const emails = (await storage.auditRecords.page({ after: 0, most: 9 })).map(({ email }) => email)
      expect(emails).toEqual([undefined, undefined, 'erin@example.com'])
      expect(await verify(storage.auditRecords, chain)).toMatchObject({ fault: undefined, erased: 2 })
    })

    it('are dropped up to a number, however many they are, and the newest cut is found', async () => {
      const { storage, other, clock } = await open()
      let head = await storage.auditRecords.head()
      for (let index = 0; index < 1_001; index += 1) {
        const record = chain.seal(entry(`k${index}`), head)
        await storage.auditRecords.append(record)
        head = { ...record, now: clock.now }
      }
      expect(await storage.auditRecords.newestCut()).toBeUndefined()
      const cut = { workspaceId: '', act: 'cut', reference: wordsOf(head) } as const
      for (const key of ['cut:1', 'cut:2']) await append(storage, key, cut)
      expect(await other.auditRecords.newestCut()).toMatchObject({ seq: 1_003, key: 'cut:2' })

      await other.auditRecords.drop(1_001)

      expect(await numbers(storage)).toEqual([1_002, 1_003])
      expect(await verify(storage.auditRecords, chain)).toMatchObject({ fault: undefined, count: 2 })
    })

    it('are not appended in a place that was pruned, by somebody who has slept meanwhile', async () => {
      const { storage, other } = await open()
      const asleep = await other.auditRecords.head()
      for (const key of ['a', 'b']) await append(storage, key)
      await storage.auditRecords.drop(1)

      expect(await other.auditRecords.append(chain.seal(entry('c'), asleep))).toBe(false)
      expect(await numbers(storage)).toEqual([2])
    })
  })

  describe('look-ups', () => {
    const all = async ({ auditLookUps }: Storage, most = 1_000): Promise<readonly string[]> => {
      const ids: string[] = []
      for (let after: KeptLookUp | undefined; ; ) {
        const page = await auditLookUps.page({ after, since: 0, most })
        ids.push(...page.map(({ id }) => id))
        after = page.at(-1)
        if (after === undefined || page.length < most) return ids
      }
    }

    it('are kept by when they were, and written twice are there once', async () => {
      const { storage, other, clock } = await open()
      await storage.auditLookUps.add([])
      await storage.auditLookUps.add([lookUp('new'), lookUp('old', 60_000)])
      await other.auditLookUps.add([lookUp('old', 50_000), lookUp('newer')])
      expect(await all(other)).toEqual(['old', 'new', 'newer'])
      expect(await all(other, 1)).toEqual(['old', 'new', 'newer'])
      const [old] = await storage.auditLookUps.page({ after: undefined, since: 0, most: 1 })
      expect(old).toEqual({
        ...{ id: 'old', workspaceId: 'T1', userId: 'U1', body: '{}' },
        at: clock.now - 60_000,
      })
      const recent = await storage.auditLookUps.page({ after: undefined, since: clock.now, most: 9 })
      expect(recent.map(({ id }) => id)).toEqual(['new', 'newer'])
    })

    it('are forgotten by age, however many they are', async () => {
      const { storage, other, clock } = await open()
      const many = Array.from({ length: 1_001 }, (_, index) => lookUp(`old${index}`, 2_000))
      await storage.auditLookUps.add(many)
      await storage.auditLookUps.add([lookUp('edge', 1_000), lookUp('new')])
      await other.auditLookUps.prune(clock.now - 1_000)
      expect(await all(storage)).toEqual(['edge', 'new'])
    })

    it('of a thousand a second come in batches, and are read with the records, oldest first', async () => {
      const { storage, other, clock } = await open()
      const log = createLog({ level: 'silent' })
      const batches = createLookUpBatches({ lookUps: storage.auditLookUps, log, now: () => clock.now })
      await append(storage, 'before')
      clock.now += 1
      const times = Array.from({ length: 1_200 }, (_, index) => index)
      for (const index of times) {
        batches.add({ workspaceId: 'T1', userId: 'U1', ks: `ks${index}`, outcome: 'done' })
      }
      await batches.stop()
      clock.now += 1
      await append(other, 'after')

      const stores = { records: other.auditRecords, lookUps: other.auditLookUps }
      const acts: string[] = []
      const filter = { since: 0, until: undefined, who: undefined, act: undefined }
      for await (const { act } of list(stores, filter)) acts.push(act)
      expect(acts).toEqual(['grant', ...times.map(() => 'look-up'), 'grant'])
    })
  })
}

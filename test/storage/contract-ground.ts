// The contract of what stores stand on: what is kept until a time, and documents with a life of their own.
import { describe, expect, it } from 'vitest'
import { type DocKey, docsOf, keptOf } from '../../src/storage/docs.ts'
import type { Database } from '../../src/storage/problem.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const minuteMs = 60_000

interface Doc extends DocKey {
  readonly ownerId: string
  readonly state: 'open' | 'ended'
  readonly about: string
  readonly count: number
  readonly dueAt: number | null
  readonly lists?: Readonly<Record<string, number>>
}

const docsIn = (database: Database, kind = 'test') =>
  docsOf<Doc>(database, kind, ({ ownerId, about, state, dueAt, lists }) => ({
    ownerId,
    ref: about,
    claim: state === 'open' ? about : null,
    dueAt,
    lists,
  }))
const docOf = (id: string, more: Partial<Doc> = {}): Doc => ({
  workspaceId: 'T1',
  id,
  ownerId: 'U1',
  state: 'open',
  about: id,
  count: 0,
  dueAt: null,
  ...more,
})
const key = { workspaceId: 'T1', id: 'd1' }

export function groundContract(open: OpenPair): void {
  async function openBoth<T>(of: (database: Database) => T) {
    const { databases, clock } = await open()
    const [one, other] = databases.map(of)
    if (one === undefined || other === undefined) throw new Error('two databases are opened')
    return { one, other, clock }
  }
  const openKept = () => openBoth((database) => keptOf(database, 'test'))
  const openDocs = () => openBoth((database) => docsIn(database))

  describe('what is kept', () => {
    it('is found by its key in its workspace until its time is over, the last that was put there', async () => {
      const { one, other, clock } = await openKept()
      await one.put({ ...alice, key: 'k', value: 'a', forMs: minuteMs })
      await other.put({ ...alice, key: 'k', value: 'b', forMs: 2 * minuteMs })
      expect(await one.find({ workspaceId: 'T1', key: 'k' })).toMatchObject({
        value: 'b',
        userId: 'U1',
      })
      expect(await one.find({ workspaceId: 'T2', key: 'k' })).toBeUndefined()
      expect(await other.find({ key: 'k' })).toMatchObject({ workspaceId: 'T1', value: 'b' })
      clock.now += 2 * minuteMs
      expect([
        await one.find({ workspaceId: 'T1', key: 'k' }),
        await one.find({ key: 'k' }),
      ]).toEqual([undefined, undefined])
    })

    it('is added by one of those who try at the same moment, and again when it is over', async () => {
      const { one, other, clock } = await openKept()
      const add = (kept: typeof one) =>
        kept.add({ workspaceId: 'T1', key: 'k', value: '', forMs: minuteMs })
      const added = await Promise.all([one, other, one, other].map(add))
      expect(added.filter((isFirst) => isFirst)).toHaveLength(1)
      clock.now += minuteMs - 1
      expect(await add(other)).toBe(false)
      clock.now += 1
      expect(await add(other)).toBe(true)
    })

    it('is taken by one of those who try at the same moment', async () => {
      const { one, other } = await openKept()
      await one.put({ ...alice, key: 'k', value: 'a' })
      const taken = await Promise.all([one, other].map((kept) => kept.take('T1', 'k')))
      expect(taken.flatMap((row) => row?.value ?? [])).toEqual(['a'])
    })
  })

  describe('documents', () => {
    it('are inserted once, and one holds a claim until it gives it up', async () => {
      const { one, other } = await openDocs()
      const both = [one, other].map((docs) => docs.insert(() => docOf('d1')))
      expect((await Promise.all(both)).toSorted()).toEqual([false, true])
      expect(await other.insert(() => docOf('d2', { about: 'd1' }))).toBe(false)
      expect(await other.list({ workspaceId: 'T1', claim: 'd1' })).toEqual([docOf('d1')])
      await one.change(key, (doc) => ({ ...doc, state: 'ended' }))
      expect(await other.insert(() => docOf('d2', { about: 'd1' }))).toBe(true)
    })

    it('stand in the lists that they say, in their places, until they say otherwise or go', async () => {
      const { one, other } = await openDocs()
      await one.insert(() => docOf('d1', { lists: { alice: 7, bob: 7 } }))
      await one.insert(() => docOf('d2', { lists: { alice: 3 } }))
      await one.insert(() => docOf('d3', { workspaceId: 'T2', lists: { alice: 5 } }))
      const inList = async (list: string, workspaceId?: string) =>
        (await other.inList(list, workspaceId)).map(({ id }) => id)
      expect(await inList('alice', 'T1')).toEqual(['d2', 'd1'])
      expect(await inList('alice')).toEqual(['d2', 'd1', 'd3'])
      expect(await other.count('alice')).toEqual({ count: 3, first: 3 })

      await one.change(key, (doc) => ({ ...doc, lists: { alice: 1, carol: 2 } }))
      expect(await inList('alice', 'T1')).toEqual(['d1', 'd2'])
      expect(await inList('bob')).toEqual([])
      expect(await inList('carol')).toEqual(['d1'])

      await one.change(key, () => 'gone')
      expect(await one.drop({ workspaceId: 'T1', id: 'd2' })).toBe(true)
      expect(await one.drop({ workspaceId: 'T1', id: 'd2' })).toBe(false)
      expect(await inList('alice')).toEqual(['d3'])
      expect(await other.count('carol')).toEqual({ count: 0, first: null })
      expect(await other.countAll()).toBe(1)
    })

    it('stand in lists as the last of many steps says, whoever makes them', async () => {
      const { one, other } = await openDocs()
      await one.insert(() => docOf('d1'))
      const joins = Array.from({ length: 20 }, (_, n) =>
        [one, other][n % 2]?.change(key, (doc) => {
          const { [`list ${n - 1}`]: _left, ...lists } = doc.lists ?? {}
          return { ...doc, lists: { ...lists, [`list ${n}`]: n, all: doc.count }, count: n }
        }),
      )
      await Promise.all(joins)
      const { lists = {} } = (await one.find(key)) ?? {}
      const names = ['all', ...Array.from({ length: 20 }, (_, n) => `list ${n}`)]
      const found = await Promise.all(names.map((list) => one.count(list)))
      expect(found.map(({ first }) => first)).toEqual(names.map((list) => lists[list] ?? null))
    })

    it('are changed by steps that follow one another, whoever makes them', async () => {
      const { one, other } = await openDocs()
      await one.insert(() => docOf('d1'))
      const step = (doc: Doc) => ({ ...doc, count: doc.count + 1 })
      const steps = [one, other, one, other, one, other].map((docs) => docs.change(key, step))
      expect((await Promise.all(steps)).map((doc) => doc?.count).toSorted()).toEqual([
        1, 2, 3, 4, 5, 6,
      ])
      expect(await other.find(key)).toMatchObject({ count: 6 })
    })

    it('are changed as they stand, though somebody has seen them otherwise', async () => {
      const { one, other } = await openDocs()
      await one.insert(() => docOf('d1'))
      const seen = docOf('d1')
      const step = (doc: Doc) => ({ ...doc, count: doc.count + 1 })
      expect(await other.change(key, step, seen)).toMatchObject({ count: 1 })
      expect(await one.change(key, step, seen)).toMatchObject({ count: 2 })
      await other.change(key, () => 'gone')
      expect(await one.change(key, step, seen)).toBeUndefined()
      expect(await other.find(key)).toBeUndefined()
    })

    it('stay as they are where a step says nothing, or throws, and go where it says so', async () => {
      const { one, other } = await openDocs()
      await one.insert(() => docOf('d1'))
      expect(await one.change(key, () => undefined)).toBeUndefined()
      const failed = one.change(key, () => {
        throw new Error('no such step')
      })
      await expect(failed).rejects.toThrow('no such step')
      expect(await other.find(key)).toEqual(docOf('d1'))
      expect(await one.change({ workspaceId: 'T2', id: 'd1' }, (doc) => doc)).toBeUndefined()
      expect(await one.change(key, () => 'gone')).toBeUndefined()
      expect(await other.find(key)).toBeUndefined()
    })

    it('are due in time, each for one of those who ask at the same moment', async () => {
      const { one, other, clock } = await openDocs()
      const due = clock.now + minuteMs
      for (const id of ['d1', 'd2']) await one.insert((now) => docOf(id, { dueAt: now + minuteMs }))
      await one.insert(() => docOf('never'))
      const take = (docs: typeof one) =>
        docs.takeDue((doc, now) => ({ ...doc, dueAt: now + minuteMs }), 50)
      expect(await take(one)).toEqual([])
      clock.now = due
      const taken = (await Promise.all([take(one), take(other)])).flat()
      expect(taken.map(({ id }) => id).toSorted()).toEqual(['d1', 'd2'])
      expect(await take(other)).toEqual([])
    })

    it('are taken so many at a time, the longest due first, and those that nobody can move hold up no others', async () => {
      const { one, clock } = await openDocs()
      for (let n = 10; n < 30; n += 1)
        await one.insert((now) =>
          docOf(`d${n}`, { dueAt: now - n, state: n < 25 ? 'open' : 'ended' }),
        )
      const take = () =>
        one.takeDue(
          (doc, now) => (doc.state === 'ended' ? undefined : { ...doc, dueAt: now + minuteMs }),
          4,
        )
      const turns = [await take(), await take()].map((docs) => docs.map(({ id }) => id))
      expect(turns).toEqual([
        ['d24', 'd23', 'd22', 'd21'],
        ['d20', 'd19', 'd18', 'd17'],
      ])
      clock.now -= 10 * minuteMs
      const back = await one.takeDue((doc, now) => ({ ...doc, dueAt: now }), 50, 2 * minuteMs)
      expect(back.map(({ id }) => id)).toContain('d10')
    })

    it('are listed by whose they are and what they are about, the oldest first', async () => {
      const { one, clock } = await openDocs()
      for (const [id, ownerId, about] of [
        ['d1', 'U1', 'a'],
        ['d2', 'U2', 'b'],
        ['d3', 'U1', 'c'],
      ] as const) {
        await one.insert(() => docOf(id, { ownerId, about }))
        clock.now += 1
      }
      const ids = async (by: Parameters<typeof one.list>[0]) =>
        (await one.list(by)).map(({ id }) => id)
      expect(await ids({ workspaceId: 'T1', newest: 2 })).toEqual(['d3', 'd2'])
      expect(await ids({ workspaceId: 'T1', ownerId: 'U1' })).toEqual(['d1', 'd3'])
      expect(await ids({ workspaceId: 'T1', ref: 'b' })).toEqual(['d2'])
      expect(await ids({ workspaceId: 'T2', newest: 2 })).toEqual([])
    })

    it('are forgotten when they are old, hold nothing, and none of a kind that keeps them goes by their id', async () => {
      const { one, other, clock } = await openBoth((database) => ({
        docs: docsIn(database),
        live: docsIn(database, 'live'),
      }))
      await one.docs.insert(() => docOf('d1'))
      await one.docs.insert(() => docOf('d2', { ownerId: 'U2', state: 'ended' }))
      await one.docs.insert(() => docOf('d3', { state: 'ended' }))
      await other.live.insert(() => docOf('d3', { state: 'ended' }))
      const left = async () =>
        (await one.docs.list({ workspaceId: 'T1', newest: 9 })).map(({ id }) => id).toSorted()

      await one.docs.prune(clock.now + 1, 'live')
      expect(await left()).toEqual(['d1', 'd3'])

      await other.live.drop({ workspaceId: 'T1', id: 'd3' })
      await one.docs.prune(clock.now + 1, 'live')
      expect(await left()).toEqual(['d1'])
    })
  })
}

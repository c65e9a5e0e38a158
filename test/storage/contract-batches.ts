// The contract of batches: one sender each, a sender that died is found out, and a result that is told once.
import { describe, expect, it } from 'vitest'
import type { NewBatch } from '../../src/grant/batches.ts'
import type { OpenPair } from './contract.ts'

const asker = { workspaceId: 'T1', userId: 'U1' }
const about = {
  ...{ name: 'alert “Disk full” (5HkX)', isForAll: true, isDirect: false },
  ...{ channelId: 'C1', threadTs: '1700000000.000100' },
}
const how = { leaseMs: 15_000, joinMs: 10_000, askedAfter: 0 }
const stands = { stands: true, corrects: false, tellingMs: how.leaseMs }

function batch(id: string, changes: Partial<NewBatch['wish']> = {}): NewBatch {
  const wish = {
    containerId: 12,
    emails: ['dave@example.com', 'erin@example.com'],
    authProvider: undefined,
    member: false,
    permissions: ['READ', 'API'] as const,
    ...changes,
  }
  return { id, asker, wish, channelId: 'C1' }
}

export function batchesContract(open: OpenPair): void {
  describe('batches that are asked', () => {
    it('wait as they were asked; the first of an id stands', async () => {
      const { storage, other, clock } = await open()
      const first = { ...batch('b1', { authProvider: 'Google', member: true, permissions: [] }), about }
      await storage.batches.ask(first)
      await other.batches.ask({ ...batch('b1'), channelId: undefined })

      const kept = { ...first, state: 'asked', isHandedOver: false, askedAt: clock.now }
      expect(await other.batches.find('T1', 'b1')).toEqual(kept)
      expect(await other.batches.find('T2', 'b1')).toBeUndefined()
    })

    it('are given up once, by their asker, and are gone then', async () => {
      const { storage, other } = await open()
      await storage.batches.ask(batch('b1'))

      expect(await storage.batches.cancel({ ...asker, userId: 'U2' }, 'b1')).toBe(false)
      const answers = [storage.batches.cancel(asker, 'b1'), other.batches.cancel(asker, 'b1')]
      expect((await Promise.all(answers)).toSorted()).toEqual([false, true])
      expect(await storage.batches.begin(asker, 'b1', how)).toEqual({ kind: 'gone' })
    })

    it('know whether they were given up for approval, by whoever was first', async () => {
      const { storage, other } = await open()
      await storage.batches.ask(batch('b1'))
      await storage.batches.ask(batch('b2'))

      expect(await storage.batches.cancel(asker, 'b1', { isHandedOver: true })).toBe(true)
      expect(await storage.batches.cancel(asker, 'b2')).toBe(true)
      expect(await storage.batches.cancel(asker, 'b2', { isHandedOver: true })).toBe(false)

      expect(await other.batches.find('T1', 'b1')).toMatchObject({ state: 'cancelled', isHandedOver: true })
      expect(await other.batches.find('T1', 'b2')).toMatchObject({ state: 'cancelled', isHandedOver: false })
    })

    it('are gone when unknown, somebody else’s, or asked too long ago', async () => {
      const { storage, clock } = await open()
      await storage.batches.ask(batch('b1'))

      expect(await storage.batches.begin(asker, 'unknown', how)).toEqual({ kind: 'gone' })
      expect(await storage.batches.begin({ ...asker, userId: 'U2' }, 'b1', how)).toEqual({ kind: 'gone' })
      const late = { ...how, askedAfter: clock.now + 1 }
      expect(await storage.batches.begin(asker, 'b1', late)).toEqual({ kind: 'gone' })
      const inTime = { ...how, askedAfter: clock.now }
      expect(await storage.batches.begin(asker, 'b1', inTime)).toMatchObject({ kind: 'begun' })
    })
  })

  describe('batches that begin', () => {
    it('have one sender, whoever presses how often', async () => {
      const { storage, other } = await open()
      await storage.batches.ask(batch('b1'))

      const all = [storage, other, storage, other, storage, other]
      const begun = await Promise.all(all.map(({ batches }) => batches.begin(asker, 'b1', how)))

      expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
      expect(begun.filter(({ kind }) => kind === 'repeated')).toHaveLength(5)
      for (const one of begun) expect(one).toMatchObject({ batch: { id: 'b1', state: 'sending' } })
      expect(await storage.batches.cancel(asker, 'b1')).toBe(false)
    })

    it('join an equal one that is under way, or was settled within ten seconds, for good', async () => {
      const { storage, other, clock } = await open()
      const turned = ['erin@example.com', 'dave@example.com']
      await storage.batches.ask(batch('b1'))
      await storage.batches.ask(batch('b2', { emails: turned, permissions: ['API', 'READ'] }))
      for (const id of ['b3', 'b4', 'b5']) await storage.batches.ask(batch(id))
      await storage.batches.begin(asker, 'b1', how)

      expect(await other.batches.begin(asker, 'b2', how)).toMatchObject({
        ...{ kind: 'joined', batch: { id: 'b1', state: 'sending' } },
      })
      await storage.batches.settle('T1', 'b1', stands)
      clock.now += how.joinMs
      expect(await other.batches.begin(asker, 'b3', how)).toMatchObject({
        ...{ kind: 'joined', batch: { id: 'b1', state: 'settled' } },
      })
      clock.now += 1
      expect(await other.batches.begin(asker, 'b4', how)).toMatchObject({ kind: 'begun' })
      expect(await other.batches.begin(asker, 'b2', how)).toMatchObject({
        ...{ kind: 'repeated', batch: { id: 'b1' } },
      })
      expect(await other.batches.find('T1', 'b3')).toMatchObject({ id: 'b1' })
    })

    it('have one sender among equal ones, and each of the others joins it once', async () => {
      const { storage, other } = await open()
      const ids = ['b1', 'b2', 'b3', 'b4']
      for (const id of ids) await storage.batches.ask(batch(id))

      const begun = await Promise.all(
        ids.flatMap((id) => [storage, other].map(({ batches }) => batches.begin(asker, id, how))),
      )

      expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
      expect(begun.filter(({ kind }) => kind === 'joined')).toHaveLength(3)
      expect(begun.filter(({ kind }) => kind === 'repeated')).toHaveLength(4)
      expect(new Set(begun.map((one) => (one.kind === 'gone' ? 'gone' : one.batch.id))).size).toBe(1)
    })

    it('join no settled one when they are asked again on purpose', async () => {
      const { storage, clock } = await open()
      for (const id of ['b1', 'b2']) await storage.batches.ask(batch(id))
      await storage.batches.begin(asker, 'b1', how)
      await storage.batches.settle('T1', 'b1', stands)
      clock.now += 1

      expect(await storage.batches.begin(asker, 'b2', { ...how, joinMs: 0 })).toMatchObject({ kind: 'begun' })
    })

    it('join none whose token was refused: with another token they are sent at once', async () => {
      const { storage } = await open()
      for (const id of ['b1', 'b2']) await storage.batches.ask(batch(id))
      await storage.batches.begin(asker, 'b1', how)
      await storage.batches.settle('T1', 'b1', { ...stands, stands: false })

      expect(await storage.batches.begin(asker, 'b2', how)).toMatchObject({ kind: 'begun' })
    })

    it('do not join what differs, or is somebody else’s', async () => {
      const { storage } = await open()
      const different = [
        batch('b1'),
        batch('b2', { containerId: 13 }),
        batch('b3', { emails: ['dave@example.com', 'frank@example.com'] }),
        batch('b4', { authProvider: 'Google' }),
        batch('b5', { member: true }),
        batch('b6', { permissions: ['READ'] }),
        { ...batch('b7'), asker: { ...asker, userId: 'U2' } },
        { ...batch('b8'), asker: { ...asker, workspaceId: 'T2' } },
      ]
      for (const one of different) {
        await storage.batches.ask(one)
        expect(await storage.batches.begin(one.asker, one.id, how)).toMatchObject({ kind: 'begun' })
      }
    })
  })

  describe('batches that end', () => {
    it('are settled once, and only when they were begun', async () => {
      const { storage, other } = await open()
      await storage.batches.ask(batch('b1'))
      expect(await storage.batches.settle('T1', 'b1', stands)).toBe(false)
      await storage.batches.begin(asker, 'b1', how)

      const settled = [storage, other].map(({ batches }) => batches.settle('T1', 'b1', stands))
      expect((await Promise.all(settled)).toSorted()).toEqual([false, true])
    })

    it('have lapsed when their sender’s lease has run out, and not while it is renewed', async () => {
      const { storage, other, clock } = await open()
      await storage.batches.ask(batch('b1'))
      await storage.batches.begin(asker, 'b1', how)
      clock.now += how.leaseMs - 1
      await storage.batches.renew('T1', 'b1', how.leaseMs)
      clock.now += how.leaseMs - 1
      expect(await other.batches.lapsed()).toEqual([])
      await other.batches.settleLapsed('T1', 'b1')
      expect(await other.batches.find('T1', 'b1')).toMatchObject({ state: 'sending' })

      clock.now += 1
      expect(await other.batches.lapsed()).toMatchObject([{ id: 'b1' }])
      await other.batches.settleLapsed('T1', 'b1')

      expect(await other.batches.find('T1', 'b1')).toMatchObject({ state: 'settled' })
      expect(await storage.batches.settle('T1', 'b1', stands)).toBe(false)
      await storage.batches.renew('T1', 'b1', how.leaseMs)
      expect(await storage.batches.find('T1', 'b1')).toMatchObject({ state: 'settled' })
    })

    it('in place of their sender are handed at once to one who tells, and again when that one falls silent', async () => {
      const { storage, other, clock } = await open()
      await storage.batches.ask(batch('b1'))
      await storage.batches.begin(asker, 'b1', how)
      clock.now += how.leaseMs
      await storage.batches.settleLapsed('T1', 'b1')

      const claims = [storage, other].map(({ batches }) => batches.claimUntold(30_000))
      expect((await Promise.all(claims)).flat()).toMatchObject([{ id: 'b1' }])
      clock.now += 29_999
      expect(await other.batches.claimUntold(30_000)).toEqual([])
      clock.now += 1
      expect(await other.batches.claimUntold(30_000)).toMatchObject([{ id: 'b1' }])
      expect(await other.batches.told('T1', 'b1')).toBe(true)
      expect(await storage.batches.told('T1', 'b1')).toBe(false)
      clock.now += 30_000
      expect(await other.batches.claimUntold(30_000)).toEqual([])
    })

    it('by a sender that cannot tell them are handed out at once, unless they were told', async () => {
      const { storage, other } = await open()
      for (const [index, id] of ['b1', 'b2', 'b3'].entries()) {
        await storage.batches.ask(batch(id, { containerId: index + 1 }))
        await storage.batches.begin(asker, id, how)
        if (id !== 'b3') await storage.batches.settle('T1', id, stands)
      }
      await storage.batches.told('T1', 'b2')

      for (const id of ['b1', 'b2', 'b3']) await other.batches.leaveUntold('T1', id)

      expect(await other.batches.claimUntold(30_000)).toMatchObject([{ id: 'b1' }])
      // What is under way keeps its lease.
      expect(await other.batches.lapsed()).toEqual([])
    })

    it('by their sender are told by others when it did not say in time that it has', async () => {
      const { storage, other, clock } = await open()
      for (const [index, id] of ['b1', 'b2'].entries()) {
        await storage.batches.ask(batch(id, { containerId: index + 1 }))
        await storage.batches.begin(asker, id, how)
        await storage.batches.settle('T1', id, stands)
      }
      await storage.batches.told('T1', 'b2')

      clock.now += how.leaseMs - 1
      expect(await other.batches.claimUntold(30_000)).toEqual([])
      clock.now += 1
      expect(await other.batches.claimUntold(30_000)).toMatchObject([{ id: 'b1' }])
    })

    it('are left to whoever tells them, for as long as that one says so', async () => {
      const { storage, other, clock } = await open()
      await storage.batches.ask(batch('b1'))
      await storage.batches.begin(asker, 'b1', how)
      await storage.batches.settle('T1', 'b1', stands)

      for (let renewals = 0; renewals < 3; renewals += 1) {
        clock.now += how.leaseMs - 1
        await storage.batches.renewTelling('T1', 'b1', how.leaseMs)
        expect(await other.batches.claimUntold(30_000)).toEqual([])
      }

      clock.now += how.leaseMs
      expect(await other.batches.claimUntold(30_000)).toMatchObject([{ id: 'b1' }])
    })

    it('in place of their sender are told once more by a sender that comes back and knows more', async () => {
      const { storage, other, clock } = await open()
      await storage.batches.ask(batch('b1'))
      await storage.batches.begin(asker, 'b1', how)
      clock.now += how.leaseMs
      await other.batches.settleLapsed('T1', 'b1')
      await other.batches.claimUntold(30_000)
      await other.batches.told('T1', 'b1')

      expect(await storage.batches.settle('T1', 'b1', stands)).toBe(false)
      expect(await storage.batches.settle('T1', 'b1', { ...stands, corrects: true })).toBe(true)
      expect(await storage.batches.settle('T1', 'b1', { ...stands, corrects: true })).toBe(false)

      clock.now += how.leaseMs
      expect(await other.batches.claimUntold(30_000)).toMatchObject([{ id: 'b1' }])
      await other.batches.told('T1', 'b1')
      clock.now += 30_000
      expect(await other.batches.claimUntold(30_000)).toEqual([])
    })

    it('are shared by one of those who press at the same time, until it could not be done', async () => {
      const { storage, other } = await open()
      await storage.batches.ask(batch('b1'))
      expect(await storage.batches.shared('T1', 'b1')).toBe(false)
      await storage.batches.begin(asker, 'b1', how)
      await storage.batches.settle('T1', 'b1', stands)

      const shares = [storage.batches.shared('T1', 'b1'), other.batches.shared('T1', 'b1')]
      expect((await Promise.all(shares)).toSorted()).toEqual([false, true])
      await other.batches.notShared('T1', 'b1')
      expect(await storage.batches.shared('T1', 'b1')).toBe(true)
    })

    it('are forgotten by age, but not while under way, and by workspace', async () => {
      const { storage, clock } = await open()
      await storage.batches.ask(batch('waits'))
      await storage.batches.ask(batch('flies', { containerId: 13 }))
      await storage.batches.begin(asker, 'flies', how)

      await storage.batches.prune(clock.now)
      expect(await storage.batches.find('T1', 'waits')).toBeDefined()
      await storage.batches.prune(clock.now + 1)
      expect(await storage.batches.find('T1', 'waits')).toBeUndefined()
      expect(await storage.batches.find('T1', 'flies')).toBeDefined()

      await storage.batches.forgetWorkspace('T2')
      expect(await storage.batches.find('T1', 'flies')).toBeDefined()
      await storage.batches.forgetWorkspace('T1')
      expect(await storage.batches.find('T1', 'flies')).toBeUndefined()
    })
  })
}

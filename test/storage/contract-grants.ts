// The contract of grants: at most one sender per intent and per equal wish, and an outcome that is told.
import { describe, expect, it } from 'vitest'
import { type GrantOutcome, lapsed, type NewGrant } from '../../src/grant/grants.ts'
import type { OpenPair } from './contract.ts'

const asker = { workspaceId: 'T1', userId: 'U1' }
const granted: GrantOutcome = { kind: 'granted' }
const about = {
  ...{ name: 'alert “Disk full” (5HkX)', isForAll: true, isDirect: false },
  ...{ channelId: 'C1', threadTs: '1700000000.000100' },
}
const how = { leaseMs: 15_000, joinMs: 10_000, askedAfter: 0 }

function wish(id: string, changes: Partial<NewGrant['request']> = {}): NewGrant {
  const request = {
    containerId: 12,
    email: 'dave@example.com',
    authProvider: undefined,
    member: false,
    permissions: ['READ', 'API'] as const,
    ...changes,
  }
  return { id, asker, request, channelId: 'C1' }
}

export function grantsContract(open: OpenPair): void {
  describe('grants that are asked', () => {
    it('wait as they were asked; the first of an id stands', async () => {
      const { storage, other } = await open()
      const first = { ...wish('g1', { authProvider: 'Google', member: true, permissions: [] }), about }
      await storage.grants.ask(first)
      await other.grants.ask({ ...wish('g1'), channelId: undefined })

      expect(await other.grants.find('T1', 'g1')).toEqual({
        ...{ ...first, state: 'asked', isHandedOver: false, wasDoubted: false },
      })
      expect(await other.grants.find('T2', 'g1')).toBeUndefined()
      await other.grants.ask({ ...wish('g2'), channelId: undefined })
      expect(await other.grants.find('T1', 'g2')).toMatchObject({ channelId: undefined })
    })

    it('are given up once, by their asker, and are gone then', async () => {
      const { storage, other } = await open()
      await storage.grants.ask(wish('g1'))

      expect(await storage.grants.cancel({ ...asker, userId: 'U2' }, 'g1')).toBe(false)
      const answers = [storage.grants.cancel(asker, 'g1'), other.grants.cancel(asker, 'g1')]
      expect((await Promise.all(answers)).toSorted()).toEqual([false, true])
      expect(await storage.grants.begin(asker, 'g1', how)).toEqual({ kind: 'gone' })
    })

    it('know whether they were given up for approval, by whoever was first', async () => {
      const { storage, other } = await open()
      const cancelled = { state: 'cancelled', isHandedOver: false }
      await storage.grants.askAll([wish('g1'), wish('g2')])

      expect(await storage.grants.cancel(asker, 'g1', { isHandedOver: true })).toBe(true)
      expect(await storage.grants.cancel(asker, 'g2')).toBe(true)
      expect(await storage.grants.cancel(asker, 'g2', { isHandedOver: true })).toBe(false)

      expect(await other.grants.find('T1', 'g1')).toMatchObject({ ...cancelled, isHandedOver: true })
      expect(await other.grants.find('T1', 'g2')).toMatchObject(cancelled)
    })

    it('are gone when unknown, somebody else’s, or asked too long ago', async () => {
      const { storage, clock } = await open()
      await storage.grants.ask(wish('g1'))

      expect(await storage.grants.begin(asker, 'unknown', how)).toEqual({ kind: 'gone' })
      expect(await storage.grants.begin({ ...asker, userId: 'U2' }, 'g1', how)).toEqual({ kind: 'gone' })
      const late = { ...how, askedAfter: clock.now + 1 }
      expect(await storage.grants.begin(asker, 'g1', late)).toEqual({ kind: 'gone' })
      const inTime = { ...how, askedAfter: clock.now }
      expect(await storage.grants.begin(asker, 'g1', inTime)).toMatchObject({ kind: 'begun' })
    })
  })

  describe('grants that are asked together', () => {
    const together = (['g1', 'g2', 'g3'] as const).map((id, index) => wish(id, { containerId: index + 1 }))

    it('wait as if each were asked alone; the first of an id stands', async () => {
      const { storage, other } = await open()
      await storage.grants.ask(wish('g2', { containerId: 77 }))
      await storage.grants.askAll([])
      await Promise.all([storage.grants.askAll(together), other.grants.askAll(together)])

      const found = await Promise.all(together.map(({ id }) => other.grants.find('T1', id)))
      expect(found.map((grant) => grant?.request.containerId)).toEqual([1, 77, 3])
    })

    it('are given up together, but for those that were sent and those of somebody else', async () => {
      const { storage, other } = await open()
      const ids = ['g1', 'g2', 'g3', 'theirs', 'unknown']
      await storage.grants.askAll([...together, { ...wish('theirs'), asker: { ...asker, userId: 'U2' } }])
      await storage.grants.begin(asker, 'g2', how)

      await other.grants.cancelAll(asker, [])
      await other.grants.cancelAll(asker, ids)

      const found = await Promise.all(ids.map((id) => storage.grants.find('T1', id)))
      const states = found.map((grant) => grant?.state)
      expect(states).toEqual(['cancelled', 'sending', 'cancelled', 'asked', undefined])
      expect(await storage.grants.begin(asker, 'g1', how)).toEqual({ kind: 'gone' })
    })

    it('either begin or are given up, whoever comes first', async () => {
      const { storage, other } = await open()
      await storage.grants.askAll(together)

      const [begun] = await Promise.all([
        Promise.all(together.map(({ id }) => storage.grants.begin(asker, id, how))),
        other.grants.cancelAll(
          asker,
          together.map(({ id }) => id),
        ),
      ])

      for (const [index, { id }] of together.entries()) {
        const state = begun[index]?.kind === 'begun' ? 'sending' : 'cancelled'
        expect(await storage.grants.find('T1', id)).toMatchObject({ state })
      }
    })
  })

  describe('grants that begin', () => {
    it('have one sender, whoever presses how often', async () => {
      const { storage, other } = await open()
      await storage.grants.ask(wish('g1'))

      const all = [storage, other, storage, other, storage, other]
      const begun = await Promise.all(all.map(({ grants }) => grants.begin(asker, 'g1', how)))

      const sending = {
        ...wish('g1'),
        state: 'sending',
        isHandedOver: false,
        outcome: undefined,
        wasDoubted: false,
      }
      expect(begun.filter(({ kind }) => kind === 'begun')).toEqual([{ kind: 'begun', grant: sending }])
      expect(begun.filter(({ kind }) => kind === 'joined')).toHaveLength(5)
      expect(await storage.grants.cancel(asker, 'g1')).toBe(false)
    })

    it('have one sender among equal ones of the same person', async () => {
      const { storage, other } = await open()
      const ids = ['g1', 'g2', 'g3', 'g4', 'g5', 'g6']
      for (const id of ids)
        await storage.grants.ask(wish(id, id === 'g2' ? { permissions: ['API', 'READ'] } : {}))

      const begun = await Promise.all(
        ids.map((id, index) => (index % 2 === 0 ? storage : other).grants.begin(asker, id, how)),
      )

      const winners = ids.filter((_, index) => begun[index]?.kind === 'begun')
      expect(winners).toHaveLength(1)
      for (const one of begun) expect(one).toMatchObject({ grant: { id: winners[0] } })
      for (const id of ids) expect(await other.grants.find('T1', id)).toMatchObject({ id: winners[0] })
    })

    it('do not join what differs, or is somebody else’s', async () => {
      const { storage } = await open()
      const different = [
        wish('g1'),
        wish('g2', { containerId: 13 }),
        wish('g3', { email: 'eve@example.com' }),
        wish('g4', { authProvider: 'Google' }),
        wish('g5', { member: true }),
        wish('g6', { permissions: ['READ'] }),
        { ...wish('g7'), asker: { ...asker, userId: 'U2' } },
        { ...wish('g8'), asker: { ...asker, workspaceId: 'T2' } },
      ]
      for (const one of different) {
        await storage.grants.ask(one)
        expect(await storage.grants.begin(one.asker, one.id, how)).toMatchObject({ kind: 'begun' })
      }
    })

    it('join an equal one until ten seconds after it was settled', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['g1', 'g2', 'g3']) await storage.grants.ask(wish(id))
      await storage.grants.begin(asker, 'g1', how)
      clock.now += 60_000
      await storage.grants.settle('T1', 'g1', granted, how.leaseMs)

      clock.now += how.joinMs
      const joined = await other.grants.begin(asker, 'g2', how)
      expect(joined).toMatchObject({ kind: 'joined', grant: { id: 'g1', outcome: granted } })

      clock.now += 1
      expect(await other.grants.begin(asker, 'g3', how)).toMatchObject({ kind: 'begun' })
    })

    it('stay joined: the same intent replayed much later sends nothing', async () => {
      const { storage, clock } = await open()
      for (const id of ['g1', 'g2']) await storage.grants.ask(wish(id))
      await storage.grants.begin(asker, 'g1', how)
      await storage.grants.settle('T1', 'g1', granted, how.leaseMs)
      await storage.grants.begin(asker, 'g2', how)

      clock.now += 3_600_000
      for (const id of ['g1', 'g2']) {
        expect(await storage.grants.begin(asker, id, how)).toMatchObject({
          kind: 'joined',
          grant: { id: 'g1' },
        })
      }
    })

    it('do not join one that was refused for its token: with another token they are sent at once', async () => {
      const { storage } = await open()
      for (const id of ['g1', 'g2']) await storage.grants.ask(wish(id))
      await storage.grants.begin(asker, 'g1', how)
      await storage.grants.settle('T1', 'g1', { kind: 'not-granted', code: 'refused' }, how.leaseMs)
      expect(await storage.grants.begin(asker, 'g2', how)).toMatchObject({ kind: 'begun' })
    })
  })

  describe('grants that end', () => {
    it('keep their first outcome', async () => {
      const { storage } = await open()
      const outcomes: readonly GrantOutcome[] = [
        granted,
        { kind: 'not-granted', code: 'forbidden' },
        { kind: 'uncertain', doubt: 'timed-out' },
      ]
      for (const [index, outcome] of outcomes.entries()) {
        const id = `g${index}`
        await storage.grants.ask(wish(id, { containerId: index + 1 }))
        await storage.grants.settle('T1', id, granted, how.leaseMs)
        expect(await storage.grants.find('T1', id)).toMatchObject({ state: 'asked', outcome: undefined })

        await storage.grants.begin(asker, id, how)
        await storage.grants.settle('T1', id, outcome, how.leaseMs)
        await storage.grants.settle('T1', id, { kind: 'uncertain', doubt: 'odd-answer' }, how.leaseMs)
        expect(await storage.grants.find('T1', id)).toMatchObject({ state: 'settled', outcome })
      }
    })

    it('are judged uncertain when their sender’s lease has run out, and not before', async () => {
      const { storage, other, clock } = await open()
      await storage.grants.ask(wish('g1'))
      await storage.grants.begin(asker, 'g1', how)

      clock.now += how.leaseMs - 1
      await other.grants.lapse()
      expect(await other.grants.find('T1', 'g1')).toMatchObject({ state: 'sending' })

      clock.now += 1
      await other.grants.lapse()
      const outcome = { kind: 'uncertain', doubt: 'stopped' }
      expect(await other.grants.find('T1', 'g1')).toMatchObject({ state: 'settled', outcome })
    })

    it('that have lapsed take the outcome of their sender, when it comes back; nobody had told the doubt', async () => {
      const { storage, other, clock } = await open()
      await storage.grants.ask(wish('g1'))
      await storage.grants.begin(asker, 'g1', how)
      clock.now += how.leaseMs
      await other.grants.lapse()

      expect(await storage.grants.settle('T1', 'g1', granted, how.leaseMs)).toEqual({ wasDoubted: false })

      expect(await other.grants.find('T1', 'g1')).toMatchObject({ outcome: granted, wasDoubted: false })
      expect(await other.grants.claimUntold(30_000)).toEqual([])
      clock.now += how.leaseMs
      expect(await other.grants.claimUntold(30_000)).toMatchObject([{ id: 'g1', outcome: granted }])
    })

    it.each(['being told', 'told'])(
      'owe the outcome of their sender as well where the doubt is %s',
      async (doubtIs) => {
        const { storage, other, clock } = await open()
        await storage.grants.ask(wish('g1'))
        await storage.grants.begin(asker, 'g1', how)
        clock.now += how.leaseMs
        await other.grants.lapse()
        const [doubt] = await other.grants.claimUntold(30_000)
        expect(doubt).toMatchObject({ outcome: lapsed })
        if (doubtIs === 'told') await other.grants.told('T1', 'g1', lapsed)

        expect(await storage.grants.settle('T1', 'g1', granted, how.leaseMs)).toEqual({ wasDoubted: true })
        // Whoever was telling the doubt has done so now, and that was not the outcome.
        expect(await other.grants.told('T1', 'g1', lapsed)).toBe(false)

        expect(await other.grants.claimUntold(30_000)).toEqual([])
        clock.now += how.leaseMs
        const corrected = { id: 'g1', outcome: granted, wasDoubted: true }
        expect(await other.grants.claimUntold(30_000)).toMatchObject([corrected])
        expect(await other.grants.told('T1', 'g1', granted)).toBe(true)
        expect(await storage.grants.told('T1', 'g1', granted)).toBe(false)
        clock.now += 30_000
        expect(await storage.grants.claimUntold(30_000)).toEqual([])
        // A second word of a sender changes nothing.
        await storage.grants.settle('T1', 'g1', { kind: 'not-granted', code: 'busy' }, how.leaseMs)
        expect(await storage.grants.find('T1', 'g1')).toMatchObject(corrected)
      },
    )

    it('that have lapsed do not stand in the way of an equal one that was asked since, when their sender comes back', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['g1', 'g2']) await storage.grants.ask(wish(id))
      await storage.grants.begin(asker, 'g1', how)
      clock.now += how.leaseMs
      await other.grants.lapse()
      clock.now += how.joinMs + 1
      expect(await other.grants.begin(asker, 'g2', how)).toMatchObject({ kind: 'begun' })

      await storage.grants.settle('T1', 'g1', granted, how.leaseMs)

      expect(await storage.grants.find('T1', 'g1')).toMatchObject({ outcome: granted })
      expect(await storage.grants.find('T1', 'g2')).toMatchObject({ state: 'sending' })
    })

    it('that have lapsed and are told elsewhere stay so, and say that they were doubted', async () => {
      const { storage, other, clock } = await open()
      await storage.grants.ask({ ...wish('g1'), isToldElsewhere: true })
      await storage.grants.begin(asker, 'g1', how)
      clock.now += how.leaseMs
      await other.grants.lapse()

      expect(await storage.grants.settle('T1', 'g1', granted, undefined)).toEqual({ wasDoubted: true })

      clock.now += 1_000_000
      expect(await other.grants.claimUntold(30_000)).toEqual([])
    })

    it('are shared by one of those who press at the same time, until it could not be done', async () => {
      const { storage, other } = await open()
      await storage.grants.ask(wish('g1'))
      expect(await storage.grants.shared('T1', 'g1')).toBe(false)
      await storage.grants.begin(asker, 'g1', how)
      await storage.grants.settle('T1', 'g1', granted, how.leaseMs)

      const shares = [storage.grants.shared('T1', 'g1'), other.grants.shared('T1', 'g1')]
      expect((await Promise.all(shares)).toSorted()).toEqual([false, true])
      await other.grants.notShared('T1', 'g1')
      expect(await storage.grants.shared('T1', 'g1')).toBe(true)
    })

    it('that nobody told are handed to one who tells, and again when that one falls silent', async () => {
      const { storage, other, clock } = await open()
      for (const [index, id] of ['g1', 'g2', 'g3'].entries()) {
        await storage.grants.ask(wish(id, { containerId: index + 1 }))
        await storage.grants.begin(asker, id, how)
        await storage.grants.settle('T1', id, granted, how.leaseMs)
        clock.now += 1
      }
      await storage.grants.told('T1', 'g2', granted)
      clock.now += how.leaseMs - 4
      expect(await storage.grants.claimUntold(30_000)).toEqual([])
      clock.now += 3

      const claims = [storage.grants.claimUntold(30_000), other.grants.claimUntold(30_000)]
      const claimed = (await Promise.all(claims)).flat()
      expect(claimed.map(({ id }) => id)).toEqual(['g1', 'g3'])

      await storage.grants.told('T1', 'g1', granted)
      clock.now += 29_999
      expect(await storage.grants.claimUntold(30_000)).toEqual([])
      clock.now += 1
      const again = await other.grants.claimUntold(30_000)
      expect(again).toMatchObject([{ ...wish('g3', { containerId: 3 }), state: 'settled', outcome: granted }])
    })

    it('that are told elsewhere are never handed out', async () => {
      const { storage, clock } = await open()
      await storage.grants.ask({ ...wish('g1'), isToldElsewhere: true })
      await storage.grants.begin(asker, 'g1', how)
      clock.now += how.leaseMs
      await storage.grants.lapse()
      clock.now += 1_000_000

      expect(await storage.grants.claimUntold(30_000)).toEqual([])
    })

    it('whose sender is gone are handed out at once', async () => {
      const { storage, clock } = await open()
      await storage.grants.ask(wish('g1'))
      await storage.grants.begin(asker, 'g1', how)
      clock.now += how.leaseMs
      await storage.grants.lapse()

      const [claimed] = await storage.grants.claimUntold(30_000)

      expect(claimed).toMatchObject({ id: 'g1', outcome: { kind: 'uncertain', doubt: 'stopped' } })
    })

    it('whose sender cannot tell them are handed out at once, unless they were told', async () => {
      const { storage, other } = await open()
      for (const [index, id] of ['g1', 'g2', 'g3'].entries()) {
        await storage.grants.ask(wish(id, { containerId: index }))
        await storage.grants.begin(asker, id, how)
      }
      await storage.grants.settle('T1', 'g1', granted, how.leaseMs)
      await storage.grants.settle('T1', 'g2', granted, how.leaseMs)
      await storage.grants.told('T1', 'g2', granted)

      for (const id of ['g1', 'g2', 'g3']) await other.grants.leaveUntold('T1', id)

      // What is under way keeps its lease.
      await storage.grants.lapse()
      expect(await storage.grants.claimUntold(30_000)).toMatchObject([{ id: 'g1', outcome: granted }])
      expect(await storage.grants.find('T1', 'g3')).toMatchObject({ state: 'sending' })
      await storage.grants.settle('T1', 'g3', granted, how.leaseMs)
      expect(await storage.grants.claimUntold(30_000)).toEqual([])
    })

    it('are forgotten by age, but not while under way, and by workspace', async () => {
      const { storage, clock } = await open()
      await storage.grants.ask(wish('waits'))
      await storage.grants.ask(wish('flies', { containerId: 13 }))
      await storage.grants.begin(asker, 'flies', how)

      await storage.grants.prune(clock.now)
      expect(await storage.grants.find('T1', 'waits')).toBeDefined()
      await storage.grants.prune(clock.now + 1)
      expect(await storage.grants.find('T1', 'waits')).toBeUndefined()
      expect(await storage.grants.find('T1', 'flies')).toBeDefined()

      await storage.grants.forgetWorkspace('T2')
      expect(await storage.grants.find('T1', 'flies')).toBeDefined()
      await storage.grants.forgetWorkspace('T1')
      expect(await storage.grants.find('T1', 'flies')).toBeUndefined()
    })
  })
}

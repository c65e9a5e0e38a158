// The contract of limits that processes share, and of who shares them.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }
const one = { perMinute: 10, cost: 1, needed: 1 }
const how = { perMinute: 10, toldEveryMs: 20_000 }

export function sharedLimitsContract(open: OpenPair): void {
  describe('a limit that processes share', () => {
    it('lets as many through as one would, however many are taken at the same moment', async () => {
      const { storage, other } = await open()
      const takes = Array.from({ length: 50 }, (_, at) =>
        (at % 2 === 0 ? storage : other).sharedLimits.charge(alice, one),
      )
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(10)
      expect(await other.sharedLimits.charge(bob, one)).toBe(true)
      expect(await other.sharedLimits.charge(aliceElsewhere, one)).toBe(true)
    })

    it('fills up again by the minute, to a full bucket and no further', async () => {
      const { storage, other, clock } = await open()
      for (let at = 0; at < 10; at += 1) await storage.sharedLimits.charge(alice, one)
      clock.now += 5_999
      expect(await other.sharedLimits.charge(alice, one)).toBe(false)
      clock.now += 1
      expect(await other.sharedLimits.charge(alice, one)).toBe(true)
      expect(await other.sharedLimits.charge(alice, one)).toBe(false)
      clock.now += 3_600_000
      const takes = Array.from({ length: 12 }, () => storage.sharedLimits.charge(alice, one))
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(10)
    })

    it('says what is left to whom it was not enough for, and that they are to be told, once in a while', async () => {
      const { storage, other, clock } = await open()
      await storage.sharedLimits.charge(alice, { perMinute: 10, cost: 19, needed: 9 })
      expect(await storage.sharedLimits.holdBack(alice, how)).toEqual({ left: -9, isToBeTold: true })
      clock.now += 3_000
      const again = await other.sharedLimits.holdBack(alice, how)
      expect(again.left).toBeCloseTo(-8.5)
      expect(again.isToBeTold).toBe(false)
      clock.now += 17_000
      expect((await other.sharedLimits.holdBack(alice, how)).isToBeTold).toBe(true)
    })

    it('has one of many told who have to wait at the same moment', async () => {
      const { storage, other } = await open()
      await storage.sharedLimits.charge(alice, { perMinute: 10, cost: 10, needed: 10 })
      const held = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? storage : other).sharedLimits.holdBack(alice, how),
        ),
      )
      expect(held.filter(({ isToBeTold }) => isToBeTold)).toHaveLength(1)
    })

    it('gives nothing when the clock is set back, and goes on from there', async () => {
      const { storage, other, clock } = await open()
      for (let at = 0; at < 10; at += 1) await storage.sharedLimits.charge(alice, one)
      clock.now -= 3_600_000
      expect(await storage.sharedLimits.charge(alice, one)).toBe(false)
      expect((await other.sharedLimits.holdBack(alice, how)).isToBeTold).toBe(true)
      clock.now += 6_000
      expect(await storage.sharedLimits.charge(alice, one)).toBe(true)
    })

    it('counts what was taken in a process that did not know of others', async () => {
      const { storage, other } = await open()
      await storage.sharedLimits.add([{ person: alice, cost: 6 }], 10)
      expect((await other.sharedLimits.holdBack(alice, how)).left).toBeCloseTo(4)
      await other.sharedLimits.add([{ person: alice, cost: 3 }], 10)
      expect((await other.sharedLimits.holdBack(alice, how)).left).toBeCloseTo(1)
      // What both let through meanwhile is not waited for twice.
      await other.sharedLimits.add([{ person: alice, cost: 10 }], 10)
      expect((await other.sharedLimits.holdBack(alice, how)).left).toBeCloseTo(0)
      // A wish for many that one of them let through is.
      await other.sharedLimits.add([{ person: bob, cost: 19 }], 10)
      expect((await other.sharedLimits.holdBack(bob, how)).left).toBeCloseTo(-9)
    })

    it('counts what was taken of thousands, in two processes at once', async () => {
      const { storage, other } = await open()
      const taken = Array.from({ length: 1_200 }, (_, at) => ({
        person: { workspaceId: 'T1', userId: `U${at}` },
        cost: 3,
      }))
      await Promise.all([storage.sharedLimits.add(taken, 10), other.sharedLimits.add(taken.toReversed(), 10)])
      const known = await storage.sharedLimits.notFull(10, 5_000)
      expect(known).toHaveLength(1_200)
      expect(known.every(({ left }) => Math.abs(left - 4) < 0.001)).toBe(true)
    })

    it('knows who has less than a full bucket, the newest first', async () => {
      const { storage, other, clock } = await open()
      await storage.sharedLimits.charge(alice, one)
      clock.now += 1_000
      await storage.sharedLimits.charge(bob, { perMinute: 10, cost: 5, needed: 5 })
      const known = await other.sharedLimits.notFull(10, 10)
      expect(known.map(({ person }) => person)).toEqual([bob, alice])
      expect(known[0]?.left).toBeCloseTo(5)
      expect(await other.sharedLimits.notFull(10, 1)).toHaveLength(1)
      clock.now += 6_000
      expect((await other.sharedLimits.notFull(10, 10)).map(({ person }) => person)).toEqual([bob])
    })

    it('forgets whoever has asked nothing for long, and a workspace with its people', async () => {
      const { storage, clock } = await open()
      const known = async () => (await storage.sharedLimits.notFull(10, 10)).map(({ person }) => person)
      const all = { perMinute: 10, cost: 10, needed: 1 }
      await storage.sharedLimits.charge(alice, all)
      clock.now += 1_001
      await storage.sharedLimits.charge(bob, all)
      await storage.sharedLimits.charge(aliceElsewhere, all)
      await storage.sharedLimits.prune(1_000)
      expect(await known()).not.toContainEqual(alice)
      await storage.forgetWorkspace('T1')
      expect(await known()).toEqual([aliceElsewhere])
    })
  })

  describe('processes on one database', () => {
    it('know how many they are, until one leaves or falls silent', async () => {
      const { storage, other, clock } = await open()
      expect(await storage.processes.renew('A', 20_000)).toBe(1)
      expect(await other.processes.renew('B', 20_000)).toBe(2)
      expect(await other.processes.renew('C', 20_000)).toBe(3)
      await other.processes.leave('B')
      expect(await storage.processes.renew('A', 20_000)).toBe(2)
      clock.now += 20_000
      expect(await storage.processes.renew('A', 20_000)).toBe(1)
      // It was only suspended.
      expect(await other.processes.renew('C', 20_000)).toBe(2)
    })

    it('are forgotten when they were silent for long', async () => {
      const { storage, other, clock } = await open()
      await storage.processes.renew('A', 20_000)
      clock.now += 20_000
      await other.processes.renew('B', 20_000)
      await other.processes.prune(10_000)
      expect(await other.processes.renew('B', 3_600_000)).toBe(1)
    })
  })
}

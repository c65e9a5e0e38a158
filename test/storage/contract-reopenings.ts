// The contract of closed alerts that may open again.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const one = { workspaceId: 'T1', userId: 'U1', cardId: 'card' }
const forMs = 900_000
const leaseMs = 15_000

export function reopeningsContract(open: OpenPair): void {
  describe('closed alerts that may open again', () => {
    it('are due in time, for one of those who ask at the same moment, and again after its lease', async () => {
      const { storage, other, clock } = await open()
      await storage.reopenings.keep(one, { forMs, inMs: 5_000 })
      expect(await other.reopenings.claim(leaseMs)).toEqual([])
      clock.now += 5_000
      const all = await Promise.all([storage.reopenings.claim(leaseMs), other.reopenings.claim(leaseMs)])
      expect(all.flat()).toEqual([one])
      clock.now += leaseMs
      expect(await storage.reopenings.claim(leaseMs)).toEqual([one])
      await storage.reopenings.renew(one, 60_000)
      clock.now += leaseMs
      expect(await other.reopenings.claim(leaseMs)).toEqual([])
    })

    it('are kept once for a card, with whoever closed it last', async () => {
      const { storage, other } = await open()
      await storage.reopenings.keep(one, { forMs, inMs: 0 })
      const later = { ...one, userId: 'U2' }
      await other.reopenings.keep(later, { forMs, inMs: 0 })
      expect(await storage.reopenings.claim(leaseMs)).toEqual([later])
    })

    it('end by themselves, with their person, and with the workspace', async () => {
      const { storage, clock } = await open()
      const { reopenings } = storage
      const [two, three] = [
        { ...one, userId: 'U2', cardId: 'second' },
        { ...one, workspaceId: 'T2' },
      ]
      const keepAll = async () => {
        for (const each of [one, two, three]) await reopenings.keep(each, { forMs, inMs: 0 })
      }
      const due = async () => (await reopenings.claim(0)).length
      await keepAll()
      await reopenings.end(one)
      expect(await due()).toBe(2)
      await reopenings.endAllOf({ workspaceId: 'T1', userId: 'U2' })
      expect(await due()).toBe(1)
      await storage.forgetWorkspace('T2')
      expect(await due()).toBe(0)
      await keepAll()
      clock.now += forMs
      expect(await due()).toBe(0)
    })
  })
}

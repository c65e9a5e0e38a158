// The contract of who somebody is at the service.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const elsewhere = { workspaceId: 'T2', userId: 'U1' }

export function namesContract(open: OpenPair): void {
  describe('who somebody is at the service', () => {
    it('is kept in their workspace, the last that was kept', async () => {
      const { storage, other } = await open()
      await storage.ownIds.keep(alice, { userId: 7, isMatched: false })
      expect(await other.ownIds.find(alice)).toEqual({ userId: 7, isMatched: false })
      expect(await other.ownIds.find(elsewhere)).toBeUndefined()
      // Numbers may be larger than 32 bits.
      await storage.ownIds.keep(alice, { userId: 9_007_199_254_740_991, isMatched: true })
      expect(await other.ownIds.find(alice)).toEqual({ userId: 9_007_199_254_740_991, isMatched: true })
    })

    it('leads back to them, first to whoever is matched', async () => {
      const { storage, other } = await open()
      await storage.ownIds.keep(alice, { userId: 7, isMatched: false })
      expect(await other.ownIds.personOf('T1', 7)).toEqual(alice)
      await storage.ownIds.keep(bob, { userId: 7, isMatched: true })
      expect(await other.ownIds.personOf('T1', 7)).toEqual(bob)
      expect(await other.ownIds.personOf('T2', 7)).toBeUndefined()
    })

    it('is forgotten with their account, and with the workspace', async () => {
      const { storage } = await open()
      for (const owner of [alice, bob, elsewhere])
        await storage.ownIds.keep(owner, { userId: 7, isMatched: true })
      const known = () =>
        Promise.all([alice, bob, elsewhere].map(async (owner) => (await storage.ownIds.find(owner))?.userId))
      await storage.ownIds.forget(alice)
      expect(await known()).toEqual([undefined, 7, 7])
      await storage.forgetWorkspace('T1')
      expect(await known()).toEqual([undefined, undefined, 7])
    })
  })
}

// The contract of one-time links to the token page.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const elsewhere = { workspaceId: 'T2', userId: 'U1' }
const minute = 60_000
const lifeMs = 10 * minute

export function connectLinksContract(open: OpenPair): void {
  describe('links to the token page', () => {
    it('are found as long as they work, with whose they are and where they stand', async () => {
      const { storage, other } = await open()
      await storage.connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, lifeMs)
      await storage.connectLinks.keep(alice, { hash: 'over', what: 'sealed' }, -1)

      const found = { owner: alice, what: 'sealed', prompt: undefined }
      expect(await other.connectLinks.find('h1')).toEqual(found)
      expect(await other.connectLinks.find('over')).toBeUndefined()
      expect(await other.connectLinks.find('h2')).toBeUndefined()

      await storage.connectLinks.setPrompt(bob, 'h1', 'of somebody else')
      expect(await other.connectLinks.find('h1')).toEqual(found)
      await storage.connectLinks.setPrompt(alice, 'h1', 'where')
      expect(await other.connectLinks.find('h1')).toEqual({ ...found, prompt: 'where' })
    })

    it('are used once', async () => {
      const { storage, other } = await open()
      await storage.connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, lifeMs)
      const both = [storage, other].map(({ connectLinks }) => connectLinks.use('h1'))
      expect((await Promise.all(both)).toSorted()).toEqual([false, true])
      expect(await other.connectLinks.find('h1')).toBeUndefined()
    })

    it('are forgotten with their person, with their workspace, and when they are over', async () => {
      const { storage, clock } = await open()
      const { connectLinks } = storage
      const keepAll = async () => {
        for (const [index, owner] of [alice, bob, elsewhere].entries())
          await connectLinks.keep(owner, { hash: `h${index}`, what: 'sealed' }, lifeMs)
      }
      const left = async () => {
        const found = await Promise.all(['h0', 'h1', 'h2'].map((hash) => connectLinks.find(hash)))
        return found.flatMap((link) => (link === undefined ? [] : [link.owner]))
      }
      await keepAll()
      await connectLinks.forgetAll(alice)
      expect(await left()).toEqual([bob, elsewhere])
      await storage.forgetWorkspace('T1')
      expect(await left()).toEqual([elsewhere])
      clock.now += lifeMs
      expect(await left()).toEqual([])
    })
  })
}

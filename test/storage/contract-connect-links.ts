// The contract of one-time links to the token page.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const elsewhere = { workspaceId: 'T2', userId: 'U1' }
const minute = 60_000
const usual = { lifeMs: 10 * minute, tries: 2 }

export function connectLinksContract(open: OpenPair): void {
  describe('links to the token page', () => {
    it('are found as long as they work, with whose they are and where they stand', async () => {
      const { storage, other } = await open()
      await storage.connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, usual)
      await storage.connectLinks.keep(alice, { hash: 'over', what: 'sealed' }, { ...usual, lifeMs: -1 })

      const found = { owner: alice, what: 'sealed', prompt: undefined }
      expect(await other.connectLinks.find('h1')).toEqual(found)
      expect(await other.connectLinks.find('over')).toBeUndefined()
      expect(await other.connectLinks.find('h2')).toBeUndefined()

      await storage.connectLinks.setPrompt(bob, 'h1', 'of somebody else')
      expect(await other.connectLinks.find('h1')).toEqual(found)
      await storage.connectLinks.setPrompt(alice, 'h1', 'where')
      expect(await other.connectLinks.find('h1')).toEqual({ ...found, prompt: 'where' })
    })

    it('are held by one of those who try at the same moment', async () => {
      const { storage, other } = await open()
      await storage.connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, usual)

      const tried = await Promise.all(
        [storage, other, storage, other].map(({ connectLinks }) => connectLinks.hold('h1', minute)),
      )

      expect(tried.filter((one) => one === 'busy')).toHaveLength(3)
      await storage.connectLinks.release('h1')
      expect(await other.connectLinks.hold('h1', minute)).toMatchObject({ owner: alice })
    })

    it('can be tried again when whoever held one has died', async () => {
      const { storage, other } = await open()
      await storage.connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, usual)
      await storage.connectLinks.hold('h1', -1)
      expect(await other.connectLinks.hold('h1', minute)).toMatchObject({ owner: alice })
    })

    it('are gone after the last try, and once used', async () => {
      const { storage, other } = await open()
      const { connectLinks } = storage
      await connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, usual)
      for (const _ of [1, 2]) {
        expect(await connectLinks.hold('h1', minute)).toMatchObject({ owner: alice })
        await connectLinks.release('h1')
      }
      expect(await other.connectLinks.hold('h1', minute)).toBeUndefined()
      expect(await other.connectLinks.find('h1')).toBeUndefined()

      await connectLinks.keep(alice, { hash: 'h2', what: 'sealed' }, usual)
      expect(await Promise.all([connectLinks.use('h2'), other.connectLinks.use('h2')])).toContain(false)
      expect(await connectLinks.hold('h2', minute)).toBeUndefined()
    })

    it('say that they were used, as long as they are kept, and not where they stood', async () => {
      const { storage, other } = await open()
      const { connectLinks } = storage
      await connectLinks.keep(alice, { hash: 'h1', what: 'sealed' }, { ...usual, tries: 1 })
      await connectLinks.setPrompt(alice, 'h1', 'where')
      await connectLinks.setUsed('h1', 'not used yet')
      expect(await other.connectLinks.findUsed('h1')).toBeUndefined()
      expect(await connectLinks.hold('h1', minute)).toMatchObject({ what: 'sealed' })

      expect(await connectLinks.use('h1')).toBe(true)

      const used = { owner: alice, what: 'sealed', prompt: undefined }
      expect(await other.connectLinks.findUsed('h1')).toEqual(used)
      expect(await other.connectLinks.find('h1')).toBeUndefined()
      expect(await other.connectLinks.use('h1')).toBe(false)
      // By somebody who had held it as well.
      await other.connectLinks.release('h1')
      await connectLinks.setUsed('h1', 'what came of it')
      expect(await other.connectLinks.findUsed('h1')).toEqual({ ...used, what: 'what came of it' })
      await connectLinks.forgetAll(alice)
      expect(await other.connectLinks.findUsed('h1')).toBeUndefined()
    })

    it('that were not used say nothing of the kind', async () => {
      const { storage } = await open()
      const { connectLinks } = storage
      await connectLinks.keep(alice, { hash: 'over', what: 'sealed' }, { ...usual, lifeMs: -1 })
      await connectLinks.keep(alice, { hash: 'tried', what: 'sealed' }, { ...usual, tries: 1 })
      await connectLinks.hold('tried', minute)
      await connectLinks.release('tried')
      for (const hash of ['over', 'tried', 'none']) expect(await connectLinks.findUsed(hash)).toBeUndefined()
    })

    it('are forgotten with their person, with their workspace, and when they are over', async () => {
      const { storage } = await open()
      const { connectLinks } = storage
      const keepAll = async () => {
        for (const [index, owner] of [alice, bob, elsewhere].entries())
          await connectLinks.keep(owner, { hash: `h${index}`, what: 'sealed' }, usual)
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
      await connectLinks.prune(0)
      expect(await left()).toEqual([elsewhere])
      await connectLinks.prune(Number.MAX_SAFE_INTEGER)
      expect(await left()).toEqual([])
    })
  })
}

// The contract of links of alerts, and of the keys they lead to.
import { describe, expect, it, vi } from 'vitest'
import type { AlertLink } from '../../src/alert/link.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const other = { workspaceId: 'T2', userId: 'U1' }
const link: AlertLink = {
  asset: '34',
  timestamp: '1700000000',
  container: '12',
  condition: '5',
  item: '/var <&>',
}

export function alertLinksContract(open: OpenPair): void {
  describe('links of alerts', () => {
    it('lead to their keys and back, for the person whose token showed it, on each process', async () => {
      const { storage, other: process } = await open()
      await storage.alertLinks.keep(alice, link, '5HkX')

      const reordered = {
        item: '/var <&>',
        container: '12',
        condition: '5',
        timestamp: '1700000000',
        asset: '34',
      }
      expect(await process.alertLinks.keyOf(alice, reordered)).toBe('5HkX')
      expect(await process.alertLinks.linkTo(alice, '5HkX')).toEqual(link)
      expect(await process.alertLinks.keyOf(alice, { ...link, item: undefined })).toBeUndefined()
      for (const owner of [bob, other]) {
        expect(await process.alertLinks.keyOf(owner, link)).toBeUndefined()
        expect(await process.alertLinks.linkTo(owner, '5HkX')).toBeUndefined()
      }
    })

    it('may be several to one key, of which the last counts, and as long as links are', async () => {
      const { storage, clock } = await open()
      const long = { ...link, item: '🔥'.repeat(900) }
      await storage.alertLinks.keep(alice, link, '5HkX')
      // PostgreSQL has a clock of its own.
      await vi.waitFor(async () => {
        await storage.alertLinks.keep(alice, long, '5HkX')
        clock.now += 1
        expect(await storage.alertLinks.linkTo(alice, '5HkX')).toEqual(long)
      })
      expect(await storage.alertLinks.keyOf(alice, link)).toBe('5HkX')
    })

    it('lead elsewhere once they were found to', async () => {
      const { storage } = await open()
      await storage.alertLinks.keep(alice, link, 'old')
      await storage.alertLinks.keep(alice, link, 'new')

      expect(await storage.alertLinks.keyOf(alice, link)).toBe('new')
      expect(await storage.alertLinks.linkTo(alice, 'old')).toBeUndefined()
    })

    it('are forgotten with their person, and with the workspace', async () => {
      const { storage } = await open()
      for (const owner of [alice, bob, other]) await storage.alertLinks.keep(owner, link, '5HkX')
      const known = () =>
        Promise.all([alice, bob, other].map((owner) => storage.alertLinks.keyOf(owner, link)))

      await storage.alertLinks.forget(alice)
      expect(await known()).toEqual([undefined, '5HkX', '5HkX'])
      await storage.forgetWorkspace('T1')
      expect(await known()).toEqual([undefined, undefined, '5HkX'])
    })
  })
}

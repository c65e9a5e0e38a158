// The contract of what is to happen once.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const hourMs = 3_600_000

export function onceContract(open: OpenPair): void {
  describe('what is to happen once', () => {
    it('does, for one of those who say it at the same moment, in each workspace', async () => {
      const { storage, other } = await open()
      const said = await Promise.all(
        [storage, other, storage, other].map(({ once }) => once.claim('T1', 'event Ev1')),
      )
      expect(said.filter((isFirst) => isFirst)).toHaveLength(1)
      expect(await storage.once.claim('T2', 'event Ev1')).toBe(true)
      expect(await storage.once.claim('T1', 'event Ev2')).toBe(true)
    })

    it('may happen once more when its time is over, or it did not happen', async () => {
      const { storage, other, clock } = await open()
      expect(await storage.once.claim('T1', 'help', hourMs)).toBe(true)
      clock.now += hourMs - 1
      expect(await other.once.claim('T1', 'help', hourMs)).toBe(false)
      clock.now += 1
      expect(await other.once.claim('T1', 'help', hourMs)).toBe(true)
      await storage.once.release('T1', 'help')
      expect(await storage.once.claim('T1', 'help', hourMs)).toBe(true)
    })

    it('is known for a month, requests for an hour, and no longer than its workspace', async () => {
      const { storage, clock } = await open()
      await storage.once.claim('T1', 'a')
      await storage.once.claim('T2', 'a')
      expect(await storage.once.claim('T1', 'request a')).toBe(true)
      clock.now += hourMs
      expect(await storage.once.claim('T1', 'request a')).toBe(true)
      expect(await storage.once.claim('T1', 'a')).toBe(false)
      await storage.once.forgetWorkspace('T1')
      expect(await storage.once.claim('T1', 'a')).toBe(true)
      expect(await storage.once.claim('T2', 'a')).toBe(false)
      clock.now += 31 * 24 * hourMs
      expect(await storage.once.claim('T2', 'a')).toBe(true)
    })
  })
}

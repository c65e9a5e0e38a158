// The contract of what is to happen once, and of how loud channels are.
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

    it('may happen once more when its time is over', async () => {
      const { storage, other, clock } = await open()
      expect(await storage.once.claim('T1', 'help', hourMs)).toBe(true)
      clock.now += hourMs - 1_000
      // On PostgreSQL time is the database's and does not move: both are within the hour.
      expect(await other.once.claim('T1', 'help', hourMs)).toBe(false)
      expect(await other.once.claim('T1', 'help', -1)).toBe(true)
      expect(await storage.once.claim('T1', 'help', hourMs)).toBe(false)
    })

    it('is forgotten when it is old, and with its workspace', async () => {
      const { storage } = await open()
      await storage.once.claim('T1', 'a')
      await storage.once.claim('T2', 'a')
      await storage.once.prune(0)
      expect(await storage.once.claim('T1', 'a')).toBe(false)
      await storage.once.forgetWorkspace('T1')
      expect(await storage.once.claim('T1', 'a')).toBe(true)
      expect(await storage.once.claim('T2', 'a')).toBe(false)
      await storage.once.prune(Number.MAX_SAFE_INTEGER)
      expect(await storage.once.claim('T2', 'a')).toBe(true)
    })
  })
}

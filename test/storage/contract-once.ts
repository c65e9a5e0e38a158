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

    it('is known to have happened for so long, and nowhere else', async () => {
      const { storage, other, clock } = await open()
      expect(await storage.once.wasClaimed('T1', 'a', hourMs)).toBe(false)
      await storage.once.claim('T1', 'a')
      expect(await other.once.wasClaimed('T1', 'a', hourMs)).toBe(true)
      expect(await other.once.wasClaimed('T2', 'a', hourMs)).toBe(false)
      expect(await other.once.wasClaimed('T1', 'b', hourMs)).toBe(false)
      clock.now += hourMs
      // On PostgreSQL time is the database's and does not move: there it is asked of no time at all.
      expect(await other.once.wasClaimed('T1', 'a', -1)).toBe(false)
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

  describe('how loud channels are', () => {
    it('is as it was set last, and by whom', async () => {
      const { storage, other } = await open()
      expect(await storage.channelStyles.of('T1', 'C1')).toBeUndefined()
      await storage.channelStyles.set('T1', 'C1', 'quiet', 'Älice <&>')
      expect(await other.channelStyles.of('T1', 'C1')).toEqual({
        style: 'quiet',
        setBy: 'Älice <&>',
        setAt: expect.any(Number),
      })
      await other.channelStyles.set('T1', 'C1', 'thread', 'Bob')
      expect(await storage.channelStyles.of('T1', 'C1')).toMatchObject({ style: 'thread', setBy: 'Bob' })
    })

    it('is forgotten for one channel alone', async () => {
      const { storage, other } = await open()
      await storage.channelStyles.set('T1', 'C1', 'quiet', 'Alice')
      await storage.channelStyles.set('T1', 'C2', 'quiet', 'Alice')
      await storage.channelStyles.set('T2', 'C1', 'quiet', 'Alice')
      await other.channelStyles.forget('T1', 'C1')
      expect(await storage.channelStyles.of('T1', 'C1')).toBeUndefined()
      expect(await storage.channelStyles.of('T1', 'C2')).toBeDefined()
      expect(await storage.channelStyles.of('T2', 'C1')).toBeDefined()
    })

    it('is set for one channel of one workspace, and forgotten with it', async () => {
      const { storage } = await open()
      await storage.channelStyles.set('T1', 'C1', 'quiet', 'Alice')
      await storage.channelStyles.set('T2', 'C1', 'quiet', 'Alice')
      expect(await storage.channelStyles.of('T1', 'C2')).toBeUndefined()
      await storage.forgetWorkspace('T1')
      expect(await storage.channelStyles.of('T1', 'C1')).toBeUndefined()
      expect(await storage.channelStyles.of('T2', 'C1')).toBeDefined()
    })
  })
}

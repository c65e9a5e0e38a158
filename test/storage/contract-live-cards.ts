// The contract of live cards: in whose hands they are, and what a look leaves behind.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'
import {
  byA,
  byB,
  card,
  hourMs,
  idsOf,
  leased,
  live,
  looked,
  shown,
  stopped,
  watch,
} from './watch-samples.ts'

export function liveCardsContract(open: OpenPair): void {
  describe('live cards', () => {
    it('are due at once, and come with all that is known', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      const since = clock.now
      clock.now += 700

      expect(await storage.watches.lease(byA)).toEqual([
        {
          workspaceId: 'T1',
          cardId: 'c1',
          since,
          posted: { channelId: 'C1', ts: '1.2' },
          watchers: [
            {
              userId: 'U1',
              name: 'name of U1',
              until: since + hourMs,
              isOver: false,
              ended: undefined,
            },
          ],
          shown,
          isSeen: false,
          readMsAgo: undefined,
          drawnMsAgo: undefined,
          failures: 0,
          pokes: 0,
        },
      ])
    })

    it('are in the hands of one at a time, until the lease runs out', async () => {
      const { storage, other, clock } = await open()
      await live({ storage }, 'c1')
      await leased(storage)
      expect(await other.watches.lease(byB)).toEqual([])
      clock.now += 45_001
      expect(idsOf(await other.watches.lease(byB))).toEqual(['c1'])
    })

    it('are due when the clock was set back as well', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      await storage.watches.looked('A', await leased(storage), { ...looked, inMs: 30_000 })
      clock.now -= hourMs
      expect(await storage.watches.lease(byA)).toEqual([])
      expect(idsOf(await storage.watches.lease({ ...byA, farthestMs: 60_000 }))).toEqual(['c1'])
    })

    it('are shared out among those who ask at the same moment, each to one', async () => {
      const { storage, other } = await open()
      const ids = Array.from({ length: 30 }, (_, index) => `c${index}`)
      await Promise.all(ids.map((id) => storage.cards.keep(card(id))))
      for (const id of ids) await storage.watches.start(watch(id), 50)

      const taken = await Promise.all(
        ['A', 'B', 'A', 'B', 'A', 'B'].map((owner, index) =>
          (index % 2 ? storage : other).watches.lease({ ...byA, owner, most: 7 }),
        ),
      )

      const all = [...taken.flat(), ...(await storage.watches.lease({ ...byA, owner: 'C', most: 30 }))]
      expect(idsOf(all).toSorted()).toEqual(ids.toSorted())
      expect(taken.every((some) => some.length <= 7)).toBe(true)
    })

    it('that have waited longest come first', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      clock.now += 10
      await live({ storage }, 'c2')
      clock.now += 10
      await live({ storage }, 'c3')
      expect(idsOf(await storage.watches.lease({ ...byA, most: 2 }))).toEqual(['c1', 'c2'])
      expect(idsOf(await storage.watches.lease({ ...byB, most: 2 }))).toEqual(['c3'])
    })

    it('keep what a look found, and are due again when it says', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      const first = await leased(storage)
      await storage.watches.looked('A', first, { ...looked, drawn: shown, isSeen: true })

      clock.now += 29_999
      expect(await storage.watches.lease(byB)).toEqual([])
      clock.now += 1
      const second = await leased(storage, byB)
      expect(second).toMatchObject({
        shown,
        isSeen: true,
        readMsAgo: 30_000,
        drawnMsAgo: 30_000,
        failures: 0,
      })

      await storage.watches.looked('B', second, { ...looked, isRead: false, failures: 1, inMs: 60_000 })
      clock.now += 60_000
      expect(await leased(storage)).toMatchObject({ shown, isSeen: true, readMsAgo: 90_000, failures: 1 })
    })

    it('change nothing by the word of somebody whose lease has gone to another', async () => {
      const { storage, other, clock } = await open()
      await live({ storage }, 'c1')
      const mine = await leased(storage)
      clock.now += 45_001
      await leased(other, byB)

      await storage.watches.looked('A', mine, { ...looked, drawn: { ...shown, look: 'another' } })
      expect(await storage.watches.finish('A', mine)).toBe(false)
      await storage.watches.drop('A', mine, ['U1'])

      clock.now += 45_001
      expect(await leased(storage)).toMatchObject({
        cardId: 'c1',
        shown,
        watchers: [{ userId: 'U1' }],
      })
    })

    it('mark a watch as ended once, and not when somebody has poked them', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1')
      const first = await leased(storage)
      expect(await storage.watches.isStill('A', first)).toBe(true)
      expect(await storage.watches.isStill('B', first)).toBe(false)
      await storage.watches.start(watch('c1'), 20)
      expect(await storage.watches.isStill('A', first)).toBe(false)
      expect(await storage.watches.markEnded('A', first, 'U1', { kind: 'refused' })).toBe(false)
      await storage.watches.looked('A', first, looked)

      const second = await leased(storage)
      expect(await storage.watches.markEnded('A', second, 'U1', { kind: 'refused' })).toBe(true)
      expect(await storage.watches.markEnded('A', second, 'U1', { kind: 'refused' })).toBe(false)
    })

    it('begin another time of being live when somebody watches again before the end is told', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      const first = await leased(storage)
      await storage.watches.end('T1', 'c1', 'U1', stopped)
      clock.now += 5
      await storage.watches.start(watch('c1'), 20)
      await storage.watches.release('A')
      const second = await leased(storage)
      expect(second.since).toBe(first.since + 5)
      await storage.watches.start(watch('c1', 'U2'), 20)
      await storage.watches.release('A')
      expect((await leased(storage)).since).toBe(second.since)
    })

    it('begin another time of being live when the time of all who watched is over', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      const first = await leased(storage)
      clock.now += hourMs
      await storage.watches.start(watch('c1', 'U2'), 20)
      await storage.watches.release('A')

      const second = await leased(storage)
      expect(second.since).toBe(first.since + hourMs)
      expect(await storage.watches.liveOf('T1', 'c1')).toMatchObject({ names: ['name of U2'] })
      expect(await storage.watches.listOf({ workspaceId: 'T1', userId: 'U1' })).toEqual([])
    })

    it('keep their card from being forgotten by age', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      await storage.cards.keep(card('c2'))
      await storage.cards.prune(clock.now + 1)
      expect(await storage.cards.find('T1', 'c1')).toBeDefined()
      expect(await storage.cards.find('T1', 'c2')).toBeUndefined()
    })

    it('that are poked during a look are due again at once', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1')
      const first = await leased(storage)
      await storage.watches.start(watch('c1', 'U2'), 20)

      await storage.watches.looked('A', first, { ...looked, isSeen: true })

      const second = await leased(storage)
      expect(second).toMatchObject({ isSeen: false, watchers: [{ userId: 'U1' }, { userId: 'U2' }] })
      await storage.watches.end('T1', 'c1', 'U1', stopped)
      await storage.watches.drop('A', second, ['U1', 'U2'])
      expect(await storage.watches.finish('A', second)).toBe(false)
      expect((await leased(storage)).watchers).toHaveLength(2)
    })

    it('that somebody else has drawn are drawn again in their time', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      await storage.watches.looked('A', await leased(storage), { ...looked, isSeen: true })
      await storage.watches.forgetLook('T1', 'c1')

      expect(await storage.watches.lease(byA)).toEqual([])
      clock.now += 30_000
      expect(await leased(storage)).toMatchObject({ isSeen: false })
    })

    it('are finished with their watches, and can become live anew', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      const first = await leased(storage)

      expect(await storage.watches.finish('A', first)).toBe(true)

      expect(await storage.watches.watchersOf('T1', 'c1')).toEqual([])
      clock.now += 1
      expect(await storage.watches.start(watch('c1'), 1)).toBe('started')
      expect((await leased(storage)).since).toBe(first.since + 1)
    })

    it('drop those who ended, and say whose time is over', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      clock.now += hourMs - 1
      await storage.watches.start(watch('c1', 'U2'), 20)
      await storage.watches.looked('A', await leased(storage), { ...looked, inMs: 1 })
      clock.now += 1
      const due = await leased(storage)
      expect(due.watchers.map(({ userId, isOver }) => [userId, isOver])).toEqual([
        ['U1', true],
        ['U2', false],
      ])

      await storage.watches.drop('A', due, ['U1'])
      await storage.watches.looked('A', due, { ...looked, inMs: 0 })

      expect((await leased(storage)).watchers.map(({ userId }) => userId)).toEqual(['U2'])
    })

    it('are given back all at once', async () => {
      const { storage, other } = await open()
      await live({ storage }, 'c1', 'c2')
      await storage.watches.lease(byA)
      await storage.watches.release('B')
      expect(await other.watches.lease(byB)).toEqual([])
      await storage.watches.release('A')
      expect(idsOf(await other.watches.lease(byB)).toSorted()).toEqual(['c1', 'c2'])
    })

    it('are behind once they were not drawn by the time they say', async () => {
      const { storage, clock } = await open()
      const nextBy = (atMs: number) => ({ ...shown, asOf: 0, nextBy: Math.floor(atMs / 1000) })
      expect(await storage.watches.countOverdue()).toBe(0)
      await live({ storage }, 'c1', 'c2', 'c3')
      const drawn = new Map([
        ['c1', nextBy(clock.now + 600_000)],
        ['c2', nextBy(clock.now + 1_200_000)],
        // Says nothing yet: taken to be good for ten minutes.
        ['c3', { ...shown, asOf: Math.floor(clock.now / 1000) + 60 }],
      ])
      for (const one of await storage.watches.lease(byA)) {
        await storage.watches.looked('A', one, { ...looked, drawn: drawn.get(one.cardId), inMs: 3_000_000 })
      }
      clock.now += 602_000
      expect(await storage.watches.countOverdue()).toBe(1)
      clock.now += 60_000
      expect(await storage.watches.countOverdue()).toBe(2)
      expect([await storage.watches.countLive('T1'), await storage.watches.countLive('T2')]).toEqual([3, 0])
    })

    it.each(['\u0000', 'half of a pair: \ud800', '"nextBy":1,"asOf":1', '{"nextBy":1'])(
      'are behind by what they say themselves, whatever their alert says: %j',
      async (message) => {
        const { storage, clock } = await open()
        const alert = { ...shown.alert, message, lastMessage: message }
        const soon = Math.floor(clock.now / 1000) + 60
        await storage.cards.keep(card('c1'))
        await storage.watches.start({ ...watch('c1'), shown: { ...shown, alert, nextBy: soon } }, 20)
        await storage.cards.keep(card('c2'))
        await storage.watches.start({ ...watch('c2'), shown: { ...shown, alert, asOf: soon } }, 20)

        expect(await storage.watches.countOverdue()).toBe(0)
        clock.now += 61_000
        expect(await storage.watches.countOverdue()).toBe(1)
        clock.now += 600_000
        expect(await storage.watches.countOverdue()).toBe(2)
      },
    )

    it('of two workspaces are not mixed up', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1')
      await storage.cards.keep({ ...card('c1', 'T2'), ks: 'another' })
      await storage.watches.start(watch('c1', 'U7', 'T2'), 20)

      const both = await storage.watches.lease(byA)

      expect(both.map((one) => [one.workspaceId, one.watchers.map(({ userId }) => userId)])).toEqual([
        ['T1', ['U1']],
        ['T2', ['U7']],
      ])
    })
  })
}

// The contract of watches: who may have how many, and how they end.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'
import { byA, card, hourMs, live, looked, shown, stopped, watch } from './watch-samples.ts'

export function watchesContract(open: OpenPair): void {
  describe('watches', () => {
    it('are started once a person and card, and extended after that', async () => {
      const { storage, other, clock } = await open()
      await live({ storage }, 'c1')
      const until = clock.now + hourMs
      expect(await other.watches.watchersOf('T1', 'c1')).toEqual([
        { userId: 'U1', name: 'name of U1', until, isOver: false, ended: undefined },
      ])

      clock.now += 1000
      expect(await storage.watches.start({ ...watch('c1'), name: 'new name' }, 20)).toBe('extended')
      expect(await storage.watches.start(watch('c1', 'U2'), 20)).toBe('started')

      expect(await storage.watches.watchersOf('T1', 'c1')).toMatchObject([
        { userId: 'U1', name: 'new name', until: until + 1000 },
        { userId: 'U2' },
      ])
      expect(await storage.watches.liveOf('T1', 'c1')).toEqual({
        names: ['new name', 'name of U2'],
        until: until + 1000,
      })
      expect(await storage.watches.liveOf('T2', 'c1')).toBeUndefined()
    })

    it('have as many places as a person may have, also when they are asked for at the same moment', async () => {
      const { storage, other } = await open()
      const ids = Array.from({ length: 9 }, (_, index) => `c${index}`)
      for (const id of ids) await storage.cards.keep(card(id))

      const tries = ids.map((id, index) => (index % 2 ? storage : other).watches.start(watch(id), 4))

      const started = await Promise.all(tries)
      expect(started.filter((one) => one === 'started')).toHaveLength(4)
      expect(started.filter((one) => one === 'too-many')).toHaveLength(5)
      expect(await storage.watches.listOf({ workspaceId: 'T1', userId: 'U1' })).toHaveLength(4)
      // Those that were turned away are not live.
      expect(await storage.watches.lease({ ...byA, most: 20 })).toHaveLength(4)
      expect(await storage.watches.start(watch('c0', 'U2'), 4)).toBe('started')
    })

    it('that end make room, and can be started again', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1', 'c2')
      expect(await storage.watches.start(watch('c3'), 2)).toBe('too-many')

      expect(await storage.watches.end('T1', 'c1', 'U1', stopped)).toBe(true)
      expect(await storage.watches.end('T1', 'c1', 'U1', stopped)).toBe(false)
      expect(await storage.watches.end('T1', 'c2', 'U9', stopped)).toBe(false)
      expect(await storage.watches.watchersOf('T1', 'c1')).toEqual([])

      await storage.cards.keep(card('c3'))
      expect(await storage.watches.start(watch('c3'), 2)).toBe('started')
      expect(await storage.watches.start(watch('c1'), 2)).toBe('too-many')
      expect(await storage.watches.start(watch('c1'), 3)).toBe('started')
    })

    it('are listed for their owner, oldest first, with what their cards show', async () => {
      const { storage, clock } = await open()
      await live({ storage }, 'c1')
      clock.now += 1
      await live({ storage }, 'c2')
      await storage.watches.start(watch('c2', 'U2'), 20)
      const [first] = await storage.watches.lease({ ...byA, most: 1 })
      if (first) await storage.watches.looked('A', first, { ...looked, drawn: { ...shown, look: 'new' } })

      expect(await storage.watches.listOf({ workspaceId: 'T1', userId: 'U1' })).toEqual([
        {
          cardId: 'c1',
          ks: 'ks of c1',
          posted: { channelId: 'C1', ts: '1.2' },
          until: expect.any(Number),
          shown: { ...shown, look: 'new' },
        },
        {
          cardId: 'c2',
          ks: 'ks of c2',
          posted: { channelId: 'C1', ts: '1.2' },
          until: expect.any(Number),
          shown,
        },
      ])
      expect(await storage.watches.listOf({ workspaceId: 'T2', userId: 'U1' })).toEqual([])
    })

    it('end for one, for all of a card, or for all of a person', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1', 'c2', 'c3')
      await storage.watches.start(watch('c1', 'U2'), 20)
      await storage.watches.start(watch('c2', 'U2'), 20)

      expect(await storage.watches.end('T1', 'c1', undefined, stopped)).toBe(true)
      await storage.watches.endAllOf({ workspaceId: 'T1', userId: 'U1' }, { kind: 'disconnected' })
      await storage.watches.endAllOf({ workspaceId: 'T9', userId: 'U2' }, { kind: 'disconnected' })

      const due = await storage.watches.lease(byA)
      expect(due.map(({ cardId, watchers }) => [cardId, watchers.map(({ ended }) => ended?.kind)])).toEqual([
        ['c1', ['stopped', 'stopped']],
        ['c2', ['disconnected', undefined]],
        ['c3', ['disconnected']],
      ])
    })

    it('end for all who watch in a channel', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1')
      await storage.watches.start(watch('c1', 'U2'), 20)
      await storage.watches.start({ ...watch('c2'), posted: { channelId: 'D1', ts: '1.2' } }, 20)

      await storage.watches.endAllIn('T9', 'C1', { kind: 'shared' })
      expect(await storage.watches.watchersOf('T1', 'c1')).toHaveLength(2)
      await storage.watches.endAllIn('T1', 'C1', { kind: 'shared' })

      expect(await storage.watches.watchersOf('T1', 'c1')).toEqual([])
      expect(await storage.watches.watchersOf('T1', 'c2')).toHaveLength(1)
      const leased = await storage.watches.lease(byA)
      const inChannel = leased.find(({ cardId }) => cardId === 'c1')
      expect(inChannel?.watchers.map(({ ended }) => ended?.kind)).toEqual(['shared', 'shared'])
    })

    it('are forgotten with their workspace', async () => {
      const { storage } = await open()
      await live({ storage }, 'c1')
      await storage.watches.forgetWorkspace('T2')
      expect(await storage.watches.liveOf('T1', 'c1')).toBeDefined()
      await storage.watches.forgetWorkspace('T1')
      expect(await storage.watches.liveOf('T1', 'c1')).toBeUndefined()
      expect(await storage.watches.lease(byA)).toEqual([])
    })

    it('are found by their alert: in a channel or direct message, or somebody’s own', async () => {
      const { storage, clock } = await open()
      await storage.cards.keep({ ...card('c1'), ks: 'same' })
      await storage.cards.keep({ ...card('own'), ks: 'same', isPrivate: true })
      await storage.cards.keep({ ...card('asked'), ks: 'asked' })
      const inC1 = () => storage.watches.liveCardOf('T1', ['same'], { channelId: 'C1' })
      expect(await inC1()).toBeUndefined()
      await storage.watches.start(watch('c1'), 20)
      await storage.watches.start({ ...watch('own'), posted: { channelId: 'D1', ts: '3.4' } }, 20)
      const posted = { channelId: 'C1', ts: '1.2', threadTs: undefined }
      expect(await inC1()).toEqual({ workspaceId: 'T1', cardId: 'c1', posted })
      expect(await storage.watches.liveCardOf('T1', ['same'], { ownerId: 'U1' })).toMatchObject({
        cardId: 'own',
      })
      expect(await storage.watches.liveCardOf('T1', ['same'], { ownerId: 'U2' })).toBeUndefined()
      await storage.watches.start({ ...watch('asked'), posted: { channelId: 'D1', ts: '5.6' } }, 20)
      expect(await storage.watches.liveCardOf('T1', ['asked'], { ownerId: 'U1' })).toMatchObject({
        cardId: 'asked',
      })
      expect(await storage.watches.liveCardOf('T1', ['asked'], { ownerId: 'U2' })).toBeUndefined()
      expect(await storage.watches.liveCardOf('T1', ['same'], { channelId: 'D1' })).toMatchObject({
        cardId: 'own',
      })
      expect(await storage.watches.liveCardOf('T1', ['other'], { channelId: 'C1' })).toBeUndefined()
      expect(await storage.watches.liveCardOf('T2', ['same'], { channelId: 'C1' })).toBeUndefined()
      clock.now += hourMs + 1
      expect(await inC1()).toBeUndefined()
    })

    it('are due at once where something happened to their alert, and others are not', async () => {
      const { storage } = await open()
      for (const id of ['c1', 'c2']) {
        await live({ storage }, id)
        const [held] = await storage.watches.lease(byA)
        if (held === undefined) throw new Error('nothing was due')
        await storage.watches.looked('A', held, looked)
      }
      expect(await storage.watches.lease(byA)).toEqual([])
      const ks = (await storage.cards.find('T1', 'c1'))?.ks ?? ''
      await storage.watches.makeDue('T2', [ks])
      await storage.watches.makeDue('T1', ['none'])
      await storage.watches.makeDue('T1', [ks], 'c1')
      expect(await storage.watches.lease(byA)).toEqual([])
      await storage.watches.makeDue('T1', [ks])
      expect((await storage.watches.lease(byA)).map(({ cardId }) => cardId)).toContain('c1')
    })
  })
}

// The contract of posted cards.
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/alert/cards.ts'
import { parseAlertAnswer } from '../../src/monitor/schema.ts'
import type { OpenPair } from './pair.ts'

const card: Card = {
  id: 'c1',
  workspaceId: 'T1',
  ks: 'a key/with "everything" 🔥',
  title: 'Disk full',
  asker: { workspaceId: 'T1', userId: 'U1' },
  askerName: 'Älice <&>',
  channelId: 'C1',
  isPrivate: false,
  layout: 'thread',
  told: ['x', 'x', 'y'],
  version: 0,
  posted: { channelId: 'C1', ts: '1.2' },
}

/** What JSON may say and PostgreSQL doesn’t keep: U+0000, and half of a pair. */
const unkept = 'Disk\u0000 full\ud800'

export function cardsContract(open: OpenPair): void {
  describe('cards', () => {
    it('of an alert whose texts no database keeps are kept with what can be read of them', async () => {
      const { storage, other } = await open()
      const texts = { ks: 'k1', message: unkept, lastMessage: unkept, severity: 1, lastSeverity: 1 }
      const rest = { timestamp: 1, lastTimestamp: 1, ownerId: null, closedTimestamp: null, actions: [] }
      const { message } = parseAlertAnswer(JSON.stringify({ ...texts, ...rest }))

      await storage.cards.keep({ ...card, id: 'c4', title: message })

      expect(await other.cards.find('T1', 'c4')).toMatchObject({ title: 'Disk\uFFFD full\uFFFD' })
    })

    it('come back as they were kept, in their own workspace', async () => {
      const { storage, other } = await open()
      const inThread: Card = {
        ...card,
        id: 'c3',
        posted: { channelId: 'C1', ts: '1.3', threadTs: '1.1' },
        link: { asset: '34', timestamp: '1700000000', item: '/var <&> 🔥' },
        names: { people: { 7: 'Alice <&>', 8: '__proto__' }, container: { id: 12, name: 'Customer 1' } },
      }
      await storage.cards.keep(inThread)
      expect(await other.cards.find('T1', 'c3')).toEqual(inThread)
      const elsewhere: Card = {
        ...card,
        id: 'c2',
        channelId: undefined,
        isPrivate: true,
        layout: 'one-message',
        told: [],
      }
      await storage.cards.keep(card)
      await storage.cards.keep(elsewhere)

      expect(await other.cards.find('T1', 'c1')).toEqual(card)
      expect(await other.cards.find('T1', 'c2')).toEqual(elsewhere)
      expect(await other.cards.find('T2', 'c1')).toBeUndefined()
    })

    it('are found by their thread, at its head and in it, in their own channel and workspace', async () => {
      const { storage, other } = await open()
      const at = (id: string, posted: Card['posted'], workspaceId = 'T1') =>
        storage.cards.keep({ ...card, id, posted, workspaceId, asker: { workspaceId, userId: 'U1' } })
      await at('head', { channelId: 'C1', ts: '1.1' })
      await at('reply', { channelId: 'C1', ts: '1.2', threadTs: '1.1' })
      await at('another', { channelId: 'C1', ts: '1.3' })
      await at('elsewhere', { channelId: 'C2', ts: '1.1' })
      await at('theirs', { channelId: 'C1', ts: '1.1' }, 'T2')
      await at('nowhere', undefined)

      const found = await other.cards.inThread('T1', 'C1', '1.1')

      expect(found.map(({ id }) => id).toSorted()).toEqual(['head', 'reply'])
      expect(await other.cards.inThread('T1', 'C3', '1.1')).toEqual([])
    })

    it('have other names from then on that they are noted', async () => {
      const { storage, other } = await open()
      await storage.cards.keep(card)
      for (const names of [
        { people: { 7: 'Alice 🔥' }, container: { id: 12, name: undefined } },
        { people: {}, container: undefined },
      ]) {
        await storage.cards.noteNames('T1', 'c1', names)
        await storage.cards.noteNames('T2', 'c1', { people: { 7: 'Mallory' }, container: undefined })
        expect(await other.cards.find('T1', 'c1')).toEqual({ ...card, names })
      }
    })

    it('are told on by one of those who try at the same time', async () => {
      const { storage, other } = await open()
      await storage.cards.keep(card)

      const tries = [storage, other, storage, other].map(({ cards }, index) =>
        cards.replaceTold('T1', 'c1', 0, [`told by ${index}`]),
      )
      const won = await Promise.all(tries)

      expect(won.filter(Boolean)).toHaveLength(1)
      const told = [`told by ${won.indexOf(true)}`]
      expect(await storage.cards.find('T1', 'c1')).toEqual({ ...card, told, version: 1 })
      expect(await storage.cards.replaceTold('T1', 'c1', 1, ['more'])).toBe(true)
      expect(await storage.cards.replaceTold('T2', 'c1', 2, ['more'])).toBe(false)
      expect(await storage.cards.replaceTold('T1', 'unknown', 0, [])).toBe(false)
    })

    it('remember how they were delivered in the end', async () => {
      const { storage } = await open()
      await storage.cards.keep(card)
      await storage.cards.keepLanding('T1', 'c1', {
        isPrivate: true,
        layout: 'one-message',
        posted: undefined,
      })
      expect(await storage.cards.find('T1', 'c1')).toEqual({
        ...card,
        isPrivate: true,
        layout: 'one-message',
        posted: undefined,
      })
    })

    it('are forgotten by age and by workspace', async () => {
      const { storage, clock } = await open()
      await storage.cards.keep(card)
      const kept = clock.now
      clock.now += 1
      await storage.cards.keep({ ...card, id: 'c2' })

      await storage.cards.prune(kept + 1)
      expect(await storage.cards.find('T1', 'c1')).toBeUndefined()
      expect(await storage.cards.find('T1', 'c2')).toBeDefined()

      await storage.cards.forgetWorkspace('T2')
      expect(await storage.cards.find('T1', 'c2')).toBeDefined()
      await storage.cards.forgetWorkspace('T1')
      expect(await storage.cards.find('T1', 'c2')).toBeUndefined()
    })
  })
}

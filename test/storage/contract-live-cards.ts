// The contract of live cards between processes: one has each, and what happens meanwhile is not put off.
import { describe, expect, it } from 'vitest'
import { givenBack, type LiveCard, newLiveCard } from '../../src/live/live-cards.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { poked, takenBy } from '../../src/work/lease.ts'
import type { OpenPair } from './pair.ts'

const key = { workspaceId: 'T1', id: 'card' }
const leaseMs = 90_000
const alert = {
  ks: 'k',
  message: 'm',
  severity: 1,
  timestamp: 1,
  lastMessage: 'm',
  lastSeverity: 1,
  lastTimestamp: 1,
  ownerId: null,
  closedTimestamp: null,
  actions: [],
}
const card = { ...key, ks: 'k', posted: { channelId: 'C1', ts: '1.2' }, alert }

const take = ({ liveCards }: Storage, holder: string) =>
  liveCards.takeDue((live, now) => takenBy(live, holder, leaseMs, now), 50)

async function taken(storage: Storage): Promise<LiveCard> {
  await storage.liveCards.insert((now) => newLiveCard(card, now))
  const [live] = await take(storage, 'A')
  if (live === undefined) throw new Error('nothing was due')
  return live
}

export function liveCardsContract(open: OpenPair): void {
  describe('a live card', () => {
    it('that is due is taken by one process, and given back until it is due again', async () => {
      const { storage, other, clock } = await open()
      const live = await taken(storage)
      expect(await take(other, 'B')).toEqual([])
      await storage.liveCards.change(key, (one, now) => givenBack(one, live, { inMs: 30_000 }, now))
      clock.now += 29_000
      expect(await take(other, 'B')).toEqual([])
      clock.now += 1_000
      expect(await take(other, 'B')).toHaveLength(1)
    })

    it('is another’s once its holder was silent for long, and what that one found is not kept then', async () => {
      const { storage, other, clock } = await open()
      const live = await taken(storage)
      clock.now += leaseMs
      expect(await take(other, 'B')).toHaveLength(1)
      expect(
        await storage.liveCards.change(key, (one, now) =>
          givenBack(one, live, { isOver: true }, now),
        ),
      ).toBeUndefined()
      expect(await other.liveCards.find(key)).toMatchObject({ holder: 'B' })
    })

    it('to which something happens while it is looked at is due at once, and does not end', async () => {
      const { storage, other } = await open()
      const live = await taken(storage)
      await other.liveCards.change(key, poked)
      const outcome = { inMs: 30_000, isOver: true }
      await storage.liveCards.change(key, (one, now) => givenBack(one, live, outcome, now))
      expect(await take(other, 'B')).toHaveLength(1)
    })
  })
}

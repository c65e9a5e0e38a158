// The contract of what somebody did of late.
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/alert/cards.ts'
import type { Settled } from '../../src/send/outcome.ts'
import type { NewWish } from '../../src/send/wishes.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }
const begins = { leaseMs: 15_000, askedAfter: 0 }

function card(id: string, changes: Partial<Card> = {}): Card {
  const asker = changes.asker ?? alice
  return {
    id,
    workspaceId: asker.workspaceId,
    ks: id,
    title: `About ${id}`,
    asker,
    askerName: 'alice',
    channelId: 'C1',
    isPrivate: false,
    layout: 'thread',
    at: 0,
    told: [],
    posted: { channelId: 'C1', ts: '1.2', threadTs: undefined },
    ...changes,
  }
}

const keep = ({ cards }: Storage, one: Card) => cards.insert((at) => ({ ...one, at }))

/** @param changes.people - Default: somebody of this name. */
function grant(
  id: string,
  { people = [id], ...changes }: Partial<NewWish> & { readonly people?: readonly string[] } = {},
): NewWish {
  const rest = { containerId: 12, authProvider: undefined, member: false, permissions: ['READ'] }
  const writes = people.map((name) => ({
    ...({ kind: 'add-user', email: `${name}@example.com`, ...rest } as const),
  }))
  return { id, sender: alice, writes, channelId: 'C1', ...changes }
}

async function begin({ wishes }: Storage, asked: NewWish): Promise<void> {
  await wishes.keep(asked)
  expect(await wishes.begin(asked.sender, asked.id, begins)).toMatchObject({ kind: 'begun' })
}

async function sendTo(storage: Storage, n: number, { id: wishId, sender }: NewWish): Promise<boolean> {
  const key = { workspaceId: sender.workspaceId, wishId, n }
  return storage.sends.begin(key, 12_000)
}

/** For one person. */
async function send(storage: Storage, asked: NewWish): Promise<void> {
  await begin(storage, asked)
  expect(await sendTo(storage, 1, asked)).toBe(true)
}

async function settle({ wishes, sends }: Storage, wishId: string, outcome: Settled): Promise<void> {
  await sends.settle({ workspaceId: 'T1', wishId, n: 1 }, outcome)
  await wishes.settle('T1', wishId, 12_000)
}

export function recentContract(open: OpenPair): void {
  describe('what somebody did of late', () => {
    it('is their own, newest first, and no more than was asked for', async () => {
      const { storage, other, clock } = await open()
      await keep(storage, card('old'))
      clock.now += 1
      await send(storage, grant('g1'))
      await settle(storage, 'g1', { kind: 'done' })
      clock.now += 1
      await send(storage, grant('g2'))
      clock.now += 1
      await keep(storage, card('new', { posted: undefined }))
      await keep(storage, card('bobs', { asker: bob }))
      await keep(storage, card('far', { asker: aliceElsewhere }))
      await send(storage, grant('bobs', { sender: bob }))

      const newest = { at: clock.now, ks: 'new', title: 'About new', posted: undefined }
      expect(await other.recent.lookUpsOf(alice, 10)).toEqual([
        newest,
        {
          at: clock.now - 3,
          ks: 'old',
          title: 'About old',
          posted: { channelId: 'C1', ts: '1.2', threadTs: undefined },
        },
      ])
      expect(await other.recent.lookUpsOf(alice, 1)).toEqual([newest])
      const granted = { at: clock.now - 2, containerId: 12, permissions: ['READ'] }
      const later = { ...granted, at: clock.now - 1, people: [{ email: 'g2@example.com', end: 'under-way' }] }
      expect(await other.recent.grantsOf(alice, 10)).toEqual([
        later,
        { ...granted, people: [{ email: 'g1@example.com', end: 'done' }] },
      ])
      expect(await other.recent.grantsOf(alice, 1)).toEqual([later])
      expect(await other.recent.keysOf(alice, 10)).toEqual(['new', 'old'])
      expect(await other.recent.keysOf(alice, 1)).toEqual(['new'])
    })

    it('has no grants that were never sent, and says how the others ended', async () => {
      const { storage, clock } = await open()
      await storage.wishes.keep(grant('asked'))
      await storage.wishes.keep(grant('cancelled'))
      await storage.wishes.cancel(alice, 'cancelled')
      for (const id of ['sent', 'refused', 'doubtful']) {
        clock.now += 1
        await send(storage, grant(id))
      }
      await settle(storage, 'refused', { kind: 'not-done', code: 'bad-request' })
      await settle(storage, 'doubtful', { kind: 'uncertain', doubt: 'timed-out' })

      const last = await storage.recent.grantsOf(alice, 10)
      expect(last.flatMap(({ people }) => people)).toEqual([
        { email: 'doubtful@example.com', end: 'uncertain' },
        { email: 'refused@example.com', end: 'not-done' },
        { email: 'sent@example.com', end: 'under-way' },
      ])
    })

    it('tells a grant to several people as one, person by person', async () => {
      const { storage } = await open()
      const several = grant('several', { people: ['a', 'b', 'c', 'd', 'e'] })
      const before = grant('before', { people: ['b'] })
      await send(storage, before)
      await settle(storage, 'before', { kind: 'not-done', code: 'bad-request' })
      await begin(storage, several)
      for (const n of [1, 2, 3, 4]) expect(await sendTo(storage, n, several)).toBe(true)
      await storage.sends.settle({ workspaceId: 'T1', wishId: 'several', n: 1 }, { kind: 'done' })
      const busy = { kind: 'not-done', code: 'busy' } as const
      for (const n of [2, 3]) await storage.sends.settle({ workspaceId: 'T1', wishId: 'several', n }, busy)

      const ends = async () =>
        (await storage.recent.grantsOf(alice, 10)).flatMap(({ people }) =>
          people.length > 1 ? [people.map(({ end }) => end)] : [],
        )
      expect(await ends()).toEqual([['done', 'not-done', 'not-done', 'under-way', 'under-way']])

      await storage.sends.giveUp('T1', 'several')
      expect(await ends()).toEqual([['done', 'not-done', 'not-done', 'under-way', 'not-sent']])
      expect(await storage.recent.grantsOf(alice, 10)).toHaveLength(2)
    })
  })
}

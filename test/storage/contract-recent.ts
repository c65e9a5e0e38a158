// The contract of what somebody did of late.
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/alert/cards.ts'
import type { NewGrant } from '../../src/grant/grants.ts'
import { grantsOf } from '../../src/grant/wish.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './contract.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }
const how = { leaseMs: 15_000, joinMs: 10_000, askedAfter: 0 }

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
    form: 'thread',
    told: [],
    version: 0,
    posted: { channelId: 'C1', ts: '1.2', threadTs: undefined },
    reply: undefined,
    ...changes,
  }
}

function grant(id: string, changes: Partial<NewGrant> = {}): NewGrant {
  const request = {
    containerId: 12,
    email: `${id}@example.com`,
    authProvider: undefined,
    member: false,
    permissions: ['READ'] as const,
  }
  return { id, asker: alice, request, channelId: 'C1', ...changes }
}

async function send(storage: Storage, asked: NewGrant): Promise<void> {
  await storage.grants.ask(asked)
  await storage.grants.begin(asked.asker, asked.id, how)
}

export function recentContract(open: OpenPair): void {
  describe('what somebody did of late', () => {
    it('is their own, newest first, and no more than was asked for', async () => {
      const { storage, other, clock } = await open()
      await storage.cards.keep(card('old'))
      clock.now += 1
      await send(storage, grant('g1'))
      await storage.grants.settle('T1', 'g1', { kind: 'granted' }, 12_000)
      clock.now += 1
      await storage.cards.keep(card('new', { posted: undefined }))
      await storage.cards.keep(card('bobs', { asker: bob }))
      await storage.cards.keep(card('far', { asker: aliceElsewhere }))
      await send(storage, grant('bobs', { asker: bob }))

      const newest = { kind: 'look-up', at: clock.now, ks: 'new', title: 'About new', posted: undefined }
      const granted = { kind: 'grant', at: clock.now - 1, containerId: 12 }
      expect(await other.recent.lastOf(alice, 10)).toEqual([
        newest,
        { ...granted, people: [{ email: 'g1@example.com', end: 'granted' }] },
        {
          kind: 'look-up',
          at: clock.now - 2,
          ks: 'old',
          title: 'About old',
          posted: { channelId: 'C1', ts: '1.2', threadTs: undefined },
        },
      ])
      expect(await other.recent.lastOf(alice, 1)).toEqual([newest])
    })

    it('has no grants that were never sent, and says how the others ended', async () => {
      const { storage, clock } = await open()
      await storage.grants.ask(grant('asked'))
      await storage.grants.ask(grant('cancelled'))
      await storage.grants.cancel(alice, 'cancelled')
      for (const id of ['sent', 'refused', 'doubtful']) {
        clock.now += 1
        await send(storage, grant(id))
      }
      await storage.grants.settle('T1', 'refused', { kind: 'not-granted', code: 'bad-request' }, 12_000)
      await storage.grants.settle('T1', 'doubtful', { kind: 'uncertain', doubt: 'timed-out' }, 12_000)
      await storage.grants.ask(grant('twice', { request: grant('sent').request }))
      expect(await storage.grants.begin(alice, 'twice', how)).toMatchObject({ kind: 'joined' })

      const last = await storage.recent.lastOf(alice, 10)
      expect(last.flatMap((one) => (one.kind === 'grant' ? one.people : []))).toEqual([
        { email: 'doubtful@example.com', end: 'uncertain' },
        { email: 'refused@example.com', end: 'not-granted' },
        { email: 'sent@example.com', end: 'under-way' },
      ])
    })

    it('tells a grant to several people as one, person by person', async () => {
      const { storage } = await open()
      const wish = {
        containerId: 14,
        emails: ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`),
        authProvider: undefined,
        member: false,
        permissions: ['READ'] as const,
      }
      const batch = { id: 'several:b1', asker: alice, wish, channelId: 'C1' }
      const [a, b, c, d] = grantsOf(batch.id, wish, batch)
      if (!a || !b || !c || !d) throw new TypeError('five people have five grants')
      await storage.batches.ask(batch)
      await storage.batches.begin(alice, batch.id, how)
      await send(storage, a)
      await storage.grants.settle('T1', a.id, { kind: 'granted' }, 12_000)
      // An equal grant of a moment ago stands for this one.
      await send(storage, { ...b, id: 'before' })
      await storage.grants.settle('T1', 'before', { kind: 'not-granted', code: 'bad-request' }, 12_000)
      await send(storage, b)
      await storage.grants.ask(c)
      await storage.grants.cancel(alice, c.id)
      await send(storage, d)

      const ends = async () =>
        (await storage.recent.lastOf(alice, 10)).flatMap((one) =>
          one.kind === 'grant' && one.containerId === 14 && one.people.length > 1
            ? [one.people.map(({ end }) => end)]
            : [],
        )
      expect(await ends()).toEqual([['granted', 'not-granted', 'not-sent', 'under-way', 'under-way']])

      await storage.batches.settle('T1', batch.id, { stands: true, corrects: false, tellingMs: 12_000 })
      expect(await ends()).toEqual([['granted', 'not-granted', 'not-sent', 'under-way', 'not-sent']])
      expect(await storage.recent.lastOf(alice, 10)).toHaveLength(2)
    })
  })

  describe('what the service was seen to let somebody do', () => {
    it('is what it allowed and refused since then, newest first', async () => {
      const { storage, other, clock } = await open()
      await storage.cards.keep(card('before'))
      await storage.recent.refused(alice, { kind: 'forbidden', ks: 'before' })
      clock.now += 1
      const since = clock.now
      await storage.cards.keep(card('read'))
      clock.now += 1
      for (const id of ['may', 'may-not', 'mistyped', 'doubtful', 'unknown']) await send(storage, grant(id))
      clock.now += 1
      await storage.grants.settle('T1', 'may', { kind: 'granted' }, 12_000)
      clock.now += 1
      await storage.grants.settle('T1', 'may-not', { kind: 'not-granted', code: 'forbidden' }, 12_000)
      await storage.grants.settle('T1', 'mistyped', { kind: 'not-granted', code: 'bad-request' }, 12_000)
      await storage.grants.settle('T1', 'doubtful', { kind: 'uncertain', doubt: 'stopped' }, 12_000)
      clock.now += 1
      await storage.grants.settle('T1', 'unknown', { kind: 'not-granted', code: 'refused' }, 12_000)

      expect(await other.recent.evidenceOf(alice, since)).toEqual([
        { kind: 'refused', at: since + 4 },
        { kind: 'not-granted', at: since + 3, containerId: 12 },
        { kind: 'granted', at: since + 2, containerId: 12 },
        { kind: 'read', at: since },
      ])
      expect(await other.recent.evidenceOf(bob, since)).toEqual([])
      expect(await other.recent.evidenceOf(aliceElsewhere, since)).toEqual([])
    })

    it('keeps the last refusal of each kind', async () => {
      const { storage, other, clock } = await open()
      await storage.recent.refused(alice, { kind: 'forbidden', ks: 'first' })
      clock.now += 1
      await other.recent.refused(alice, { kind: 'forbidden', ks: 'second' })
      await storage.recent.refused(bob, { kind: 'forbidden', ks: undefined })
      clock.now += 1
      await other.recent.refused(alice, { kind: 'refused', ks: 'second' })

      expect(await storage.recent.evidenceOf(alice, 0)).toEqual([
        { kind: 'refused', at: clock.now },
        { kind: 'not-read', at: clock.now - 1, ks: 'second' },
      ])
      expect(await storage.recent.evidenceOf(bob, 0)).toEqual([
        { kind: 'not-read', at: clock.now - 1, ks: undefined },
      ])
    })

    it('drops a refusal once the same person has looked up the same alert', async () => {
      const { storage, clock } = await open()
      await storage.recent.refused(alice, { kind: 'forbidden', ks: 'k1' })
      clock.now += 1
      await storage.cards.keep(card('c1', { ks: 'other' }))
      await storage.cards.keep(card('c2', { ks: 'k1', asker: bob }))
      expect(await storage.recent.evidenceOf(alice, 0)).toMatchObject([
        { kind: 'read' },
        { kind: 'not-read', ks: 'k1' },
      ])

      await storage.cards.keep(card('c3', { ks: 'k1' }))
      expect(await storage.recent.evidenceOf(alice, 0)).toMatchObject([{ kind: 'read' }])
    })

    it('forgets refusals by age and by workspace', async () => {
      const { storage, clock } = await open()
      const forbidden = { kind: 'forbidden', ks: 'k1' } as const
      await storage.recent.refused(alice, forbidden)
      clock.now += 1
      await storage.recent.refused(bob, forbidden)
      await storage.recent.refused(aliceElsewhere, forbidden)

      await storage.recent.prune(clock.now)
      expect(await storage.recent.evidenceOf(alice, 0)).toEqual([])
      expect(await storage.recent.evidenceOf(bob, 0)).toHaveLength(1)

      await storage.recent.forgetWorkspace('T1')
      expect(await storage.recent.evidenceOf(bob, 0)).toEqual([])
      expect(await storage.recent.evidenceOf(aliceElsewhere, 0)).toHaveLength(1)
    })
  })
}

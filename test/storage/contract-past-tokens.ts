// The contract of tokens that people gave up.
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const hour = 3_600_000
const ttl = 24 * hour
const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }

async function hadToken(storage: Storage, owner: typeof alice, fingerprint: string): Promise<void> {
  await storage.accounts.keep(owner, `sealed.${fingerprint}`, fingerprint)
  await storage.accounts.forget(owner)
}

function ask(storage: Storage, id: string, asker: typeof alice, recipientIds: readonly string[] = []) {
  const wish = {
    ...{ containerId: 12, emails: ['dave@example.com'], permissions: [], member: false },
    authProvider: undefined,
  }
  const user = { part: 'requester', userId: 7, personId: 'U1' } as const
  const barred = { asker: 'k1.frozen', recipientIds, recipients: ['k1.frozen'], users: [user] }
  const frozen = {
    askerName: 'somebody',
    wish,
    container: undefined,
    reason: 'On call',
    channelId: 'C1',
    threadTs: undefined,
  }
  return storage.approvals.ask({ id, wishId: id, asker, barred, ...frozen }, { ttlMs: ttl, claimMs: 1 })
}

export function pastTokensContract(open: OpenPair): void {
  describe('a token that somebody gave up', () => {
    it('is known by its fingerprint, for them alone, after it was forgotten or replaced', async () => {
      const { storage, other } = await open()
      await storage.accounts.keep(alice, 'sealed.one', 'k1.one')
      expect(await other.pastTokens.compare([alice], ['k1.one'])).toBe('other')

      await storage.accounts.keep(alice, 'sealed.two', 'k1.two')
      expect(await other.pastTokens.compare([bob, alice], ['k1.one'])).toBe('same')
      expect(await other.pastTokens.compare([alice], ['k1.two'])).toBe('other')

      await other.accounts.forget(alice)
      expect(await storage.pastTokens.compare([alice], ['k0.two', 'k1.two'])).toBe('same')
      expect(await storage.pastTokens.compare([bob], ['k1.two'])).toBe('other')
      expect(await storage.pastTokens.compare([aliceElsewhere], ['k1.two'])).toBe('other')
      expect(await storage.pastTokens.compare([], ['k1.two'])).toBe('other')
    })

    it('is not one that is connected once more, or that nobody marked', async () => {
      const { storage } = await open()
      await storage.accounts.keep(alice, 'sealed.one', 'k1.one')
      await storage.accounts.keep(alice, 'sealed.again', 'k1.one')
      expect(await storage.pastTokens.compare([alice], ['k1.one'])).toBe('other')

      await storage.accounts.keep(bob, 'sealed.of-an-older-version')
      expect(await storage.accounts.forget(bob)).toBe(true)
      expect(await storage.pastTokens.compare([bob], ['k1.any'])).toBe('other')
    })

    it('cannot be compared without the key that marked it', async () => {
      const { storage } = await open()
      await hadToken(storage, alice, 'k1.one')
      expect(await storage.pastTokens.compare([bob, alice], ['k2.other'])).toBe('unknown')
      expect(await storage.pastTokens.compare([bob], ['k2.other'])).toBe('other')
      await hadToken(storage, alice, 'k2.two')
      expect(await storage.pastTokens.compare([alice], ['k2.two'])).toBe('same')
    })

    it('is none that got lost, however many connect and disconnect one person at once', async () => {
      const { storage, other } = await open()
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      await Promise.all(
        names.map((name, at) =>
          (at % 2 === 0 ? storage : other).accounts.keep(alice, `sealed.${name}`, `k1.${name}`),
        ),
      )
      const last = await storage.accounts.fingerprintOf(alice)
      await Promise.all([storage, other, storage].map(({ accounts }) => accounts.forget(alice)))
      expect(names.map((name) => `k1.${name}`)).toContain(last)
      for (const name of names) {
        expect(await storage.pastTokens.compare([alice], [`k1.${name}`])).toBe('same')
      }
    })

    it('is kept however many connect one person at once in one process: nobody is turned away', async () => {
      const { storage } = await open()
      const names = Array.from({ length: 100 }, (_, at) => `token-${at}`)
      await Promise.all(names.map((name) => storage.accounts.keep(alice, `sealed.${name}`, `k1.${name}`)))
      await storage.accounts.forget(alice)
      for (const name of names) {
        expect(await storage.pastTokens.compare([alice], [`k1.${name}`])).toBe('same')
      }
    })

    it('is forgotten after the time a request stays open, and counts anew when it is given up again', async () => {
      const { storage, clock } = await open()
      await hadToken(storage, alice, 'k1.one')
      await hadToken(storage, alice, 'k1.two')
      clock.now += ttl - 1
      await hadToken(storage, alice, 'k1.two')
      await storage.pastTokens.prune(ttl)
      expect(await storage.pastTokens.compare([alice], ['k1.one'])).toBe('same')

      clock.now += 1
      await storage.pastTokens.prune(ttl)

      expect(await storage.pastTokens.compare([alice], ['k1.one'])).toBe('other')
      expect(await storage.pastTokens.compare([alice], ['k1.two'])).toBe('same')
    })

    it.each([
      ['by its owner', 'U1', []],
      ['for its owner', 'U7', ['U5', 'U1']],
    ] as const)(
      'is kept for a request %s that was asked in that time, until that has ended',
      async (_, userId, ids) => {
        const { storage, clock } = await open()
        await hadToken(storage, alice, 'k1.one')
        await hadToken(storage, bob, 'k1.bobs')
        clock.now += ttl - 1
        await ask(storage, 'r1', { workspaceId: 'T1', userId }, ids)
        clock.now += ttl - 1
        await storage.pastTokens.prune(ttl)
        expect(await storage.pastTokens.compare([alice], ['k1.one'])).toBe('same')
        expect(await storage.pastTokens.compare([bob], ['k1.bobs'])).toBe('other')

        // The next one is asked when that time is over: it does not hold on to it.
        await ask(storage, 'r2', { workspaceId: 'T1', userId }, ids)
        clock.now += 1
        await storage.approvals.expire()
        await storage.pastTokens.prune(ttl)

        expect(await storage.pastTokens.compare([alice], ['k1.one'])).toBe('other')
        expect((await storage.approvals.find('T1', 'r2'))?.state).toBe('open')
      },
    )

    it('goes with its workspace', async () => {
      const { storage } = await open()
      await hadToken(storage, alice, 'k1.one')
      await hadToken(storage, aliceElsewhere, 'k1.one')
      await storage.forgetWorkspace('T1')
      expect(await storage.pastTokens.compare([alice], ['k1.one'])).toBe('other')
      expect(await storage.pastTokens.compare([aliceElsewhere], ['k1.one'])).toBe('same')
    })

    it('needs its key, and says so', async () => {
      const { storage, clock } = await open()
      await hadToken(storage, alice, 'k1.one')
      clock.now += hour
      await hadToken(storage, bob, 'k1.one')
      await hadToken(storage, bob, 'k2.two')
      const uses = await storage.keyUses.pastTokens()
      expect(uses.toSorted((one, next) => one.keyId.localeCompare(next.keyId))).toEqual([
        { keyId: 'k1', count: 2, newest: clock.now },
        { keyId: 'k2', count: 1, newest: clock.now },
      ])
    })
  })

  describe('a request that has ended', () => {
    it('names nobody’s token any more', async () => {
      const { storage, other, clock } = await open()
      await ask(storage, 'withdrawn', alice)
      await ask(storage, 'expired', bob)
      await storage.approvals.withdraw(alice, 'withdrawn', 1)
      clock.now += ttl
      await storage.approvals.expire()
      for (const id of ['withdrawn', 'expired'])
        expect((await other.approvals.find('T1', id))?.barred).toEqual({
          ...{ asker: undefined, recipientIds: [], recipients: [], users: [] },
        })
    })
  })
}

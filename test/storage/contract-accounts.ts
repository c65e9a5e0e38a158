// The contract of accounts.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }

export function accountsContract(open: OpenPair): void {
  describe('accounts', () => {
    it('keep one token a person, the newest', async () => {
      const { storage, other } = await open()
      expect(await storage.accounts.find(alice)).toBeUndefined()

      await storage.accounts.keep(alice, 'k.one')
      await storage.accounts.keep(alice, 'k.two')

      expect(await other.accounts.find(alice)).toMatchObject({ token: 'k.two' })
      expect(await other.accounts.find(bob)).toBeUndefined()
      expect(await other.accounts.find(aliceElsewhere)).toBeUndefined()
    })

    it('are resealed only when nobody has changed them meanwhile', async () => {
      const { storage, other } = await open()
      await storage.accounts.keep(alice, 'old.one')

      expect(await storage.accounts.reseal(alice, 'old.one', 'new.one')).toBe(true)
      expect(await other.accounts.reseal(alice, 'old.one', 'new.late')).toBe(false)
      expect(await other.accounts.reseal(bob, 'old.one', 'new.stray')).toBe(false)

      expect(await storage.accounts.find(alice)).toMatchObject({ token: 'new.one' })
      expect(await storage.accounts.find(bob)).toBeUndefined()
    })

    it('of other keys than one are listed: a key whose id begins as its is another key', async () => {
      const { storage, other } = await open()
      await storage.accounts.keep(alice, 'old.a')
      await storage.accounts.keep(bob, 'new.b')
      await storage.accounts.keep(aliceElsewhere, 'newer.c')
      expect(await other.accounts.sealedByOthers('new')).toEqual(
        expect.arrayContaining([
          { ...alice, token: 'old.a' },
          { ...aliceElsewhere, token: 'newer.c' },
        ]),
      )
      expect(await other.accounts.sealedByOthers('new')).toHaveLength(2)
    })

    it('are forgotten one by one, once', async () => {
      const { storage, other } = await open()
      await storage.accounts.keep(alice, 'k.a')
      await storage.accounts.keep(bob, 'k.b')

      const answers = await Promise.all([
        storage.accounts.forget(alice),
        other.accounts.forget(alice),
      ])

      expect(answers.toSorted()).toEqual([false, true])
      expect(await storage.accounts.find(alice)).toBeUndefined()
      expect(await storage.accounts.find(bob)).toMatchObject({ token: 'k.b' })
    })

    it('of a workspace are forgotten together, and counted', async () => {
      const { storage } = await open()
      for (const person of [alice, bob, aliceElsewhere]) await storage.accounts.keep(person, 'k.x')
      expect(await storage.forgetWorkspace('T1')).toBe(2)
      expect(await storage.forgetWorkspace('T1')).toBe(0)
      expect(await storage.accounts.find(aliceElsewhere)).toMatchObject({ token: 'k.x' })
    })
  })

  it('accounts of those who connected long enough ago are found, the earliest first', async () => {
    const { storage, other, clock } = await open()
    const hour = 3_600_000
    for (const owner of [bob, alice, aliceElsewhere]) {
      await storage.accounts.keep(owner, 'k.one')
      clock.now += 1_000
    }
    clock.now += hour - 2_000
    expect(await other.accounts.keptFor(hour)).toEqual([bob, alice])
  })
}

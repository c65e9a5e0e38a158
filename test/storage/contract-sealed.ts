// The contract of what is sealed, read across the other stores and sealed anew row by row.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const people = ['U1', 'U2', 'U3'].map((userId) => ({ workspaceId: 'T1', userId }))
const [alice, bob] = people

export function sealedContract(open: OpenPair): void {
  describe('sealed rows', () => {
    it('are read by page, without those of the key that is asked for', async () => {
      const { storage, other } = await open()
      for (const [at, person] of people.entries()) await storage.accounts.keep(person, `old.${at}`)
      await storage.accounts.keep({ workspaceId: 'T1', userId: 'U4' }, 'new.x')
      // A key whose id begins as the other's does is another key.
      await storage.accounts.keep({ workspaceId: 'T2', userId: 'U1' }, 'newer.x')

      const first = await other.sealedRows.sealedByOtherKeys('token', 'new', { after: undefined, most: 2 })
      const rest = await other.sealedRows.sealedByOtherKeys('token', 'new', {
        after: first.at(-1)?.place,
        most: 9,
      })

      expect(first.map(({ sealed }) => sealed)).toEqual(['old.0', 'old.1'])
      expect(first[0]?.boundTo).toEqual({ purpose: 'token', workspaceId: 'T1', userId: 'U1' })
      expect(rest.map(({ sealed }) => sealed)).toEqual(['old.2', 'newer.x'])
      expect(await other.sealedRows.count('token')).toBe(5)
    })

    it('are replaced only when nobody has changed or taken them meanwhile', async () => {
      const { storage, other } = await open()
      if (alice === undefined || bob === undefined) throw new Error('nobody')
      await storage.accounts.keep(alice, 'old.a')
      await storage.waiting.keep(bob, { id: 'w1', what: 'old.w', since: 1 })
      const page = { after: undefined, most: 9 }
      const [account] = await other.sealedRows.sealedByOtherKeys('token', 'new', page)
      const [command] = await other.sealedRows.sealedByOtherKeys('waiting', 'new', page)
      if (account === undefined || command === undefined) throw new Error('nothing was read')

      expect(await other.sealedRows.replace(account, 'new.a')).toBe(true)
      expect(await other.sealedRows.replace(account, 'new.late')).toBe(false)
      expect(await storage.waiting.take(bob, 'w1')).toMatchObject({ what: 'old.w' })
      expect(await other.sealedRows.replace(command, 'new.w')).toBe(false)

      expect(await storage.accounts.find(alice)).toBe('new.a')
      expect(await storage.sealedRows.count('waiting')).toBe(0)
    })

    it('and what shows whose keys sealed them: one for each key, and whether that is still needed', async () => {
      const { storage, other } = await open()
      if (alice === undefined) throw new Error('nobody')
      await storage.accounts.keep(alice, 'old.a')
      for (const keyId of ['old', 'ol', 'new'])
        await storage.keyChecks.add({ keyId, sealed: `${keyId}.known` })
      await other.keyChecks.add({ keyId: 'old', sealed: 'old.other' })

      expect(await other.keyChecks.all()).toEqual([
        { keyId: 'new', sealed: 'new.known', isUsed: false },
        { keyId: 'ol', sealed: 'ol.known', isUsed: false },
        { keyId: 'old', sealed: 'old.known', isUsed: true },
      ])
      expect(await storage.keyChecks.remove('ol')).toBe(true)
      expect(await other.keyChecks.remove('ol')).toBe(false)
    })
  })
}

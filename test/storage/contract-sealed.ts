// The contract of what shows whose keys sealed the tokens.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }

export function sealedContract(open: OpenPair): void {
  describe('checks of keys', () => {
    it('are one for each key, and say whether that is still needed', async () => {
      const { storage, other } = await open()
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

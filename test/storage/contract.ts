// The contract of every storage, whatever engine is below it. Run by one file per engine.
import { describe, expect, it } from 'vitest'
import { accountsContract } from './contract-accounts.ts'
import { auditContract } from './contract-audit.ts'
import { groundContract } from './contract-ground.ts'
import { liveCardsContract } from './contract-live-cards.ts'
import { requestsContract } from './contract-requests.ts'
import { sealedContract } from './contract-sealed.ts'
import { smallContract } from './contract-small.ts'
import type { OpenPair } from './pair.ts'

export function storageContract(engine: string, open: OpenPair): void {
  describe(`storage on ${engine}`, () => {
    it('is reachable until it is closed, and can be closed twice', async () => {
      const { storage } = await open()
      expect(await storage.problem()).toBeUndefined()
      await storage.close()
      await storage.close()
      expect(await storage.problem()).toBe('away')
    })

    groundContract(open)
    smallContract(open)
    accountsContract(open)
    requestsContract(open)
    liveCardsContract(open)
    auditContract(open)
    sealedContract(open)
  })
}

// The contract of what somebody did of late.
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/alert/cards.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }
const posted = { channelId: 'C1', ts: '1.2', threadTs: undefined }

const card = (id: string, asker = alice, changes: Partial<Card> = {}): Card => ({
  ...{ id, workspaceId: asker.workspaceId, ks: id, title: `About ${id}`, asker, askerName: 'alice' },
  ...{ channelId: 'C1', isPrivate: false, at: 0, told: [], posted },
  ...changes,
})

export function recentContract(open: OpenPair): void {
  describe('what somebody did of late', () => {
    it('is their own, newest first, and no more than was asked for', async () => {
      const { storage, other, clock } = await open()
      const look = (one: Card) => storage.cards.insert((at) => ({ ...one, at }))
      await look(card('old'))
      clock.now += 3
      await look(card('new', alice, { posted: undefined }))
      await look(card('bobs', bob))
      await look(card('far', aliceElsewhere))

      const keysOf = async (most: number) => (await other.recent.lookUpsOf(alice, most)).map(({ ks }) => ks)
      expect(await keysOf(10)).toEqual(['new', 'old'])
      expect(await keysOf(1)).toEqual(['new'])
    })
  })
}

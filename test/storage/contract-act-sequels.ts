// The contract of what follows acts: who follows one up, when others do, and what is done once.
import { describe, expect, it } from 'vitest'
import type { CloseAlert } from '../../src/send/writes.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const leaseMs = 12_000
const key = { workspaceId: 'T1', wishId: 'w' }
const of = { ...key, userId: 'U1' }
const close: CloseAlert = {
  ...{ kind: 'close', ks: 'k1', message: '', isSolution: false },
  ...{ shown: undefined, senderId: 7, cardId: 'c1' },
}

/** Its request has kept it, and the act has its outcome. */
async function sent({ actSequels, wishes, sends }: Storage): Promise<void> {
  await wishes.keep({ id: 'w', sender: alice, writes: [close], channelId: 'C1' })
  await actSequels.keep(of, leaseMs)
  await wishes.begin(alice, 'w', { leaseMs, askedAfter: 0 })
  const send = { ...key, n: 1 }
  await sends.begin(alice, send, { leaseMs, joinableMs: 0 })
  await sends.settle(send, { kind: 'done', on: 'seen' }, { tellingMs: leaseMs })
  await wishes.settle('T1', 'w', { tellingMs: leaseMs, corrects: false })
}

export function actSequelsContract(open: OpenPair): void {
  describe('what follows an act', () => {
    it('is its request’s while that renews it, and then one other’s', async () => {
      const { storage, other, clock } = await open()
      await sent(storage)
      clock.now += leaseMs - 1
      expect(await other.actSequels.claim(leaseMs)).toEqual([])
      await storage.actSequels.renew(key, leaseMs)
      clock.now += leaseMs - 1
      expect(await other.actSequels.claim(leaseMs)).toEqual([])
      clock.now += 1

      const all = await Promise.all([storage.actSequels.claim(leaseMs), other.actSequels.claim(leaseMs)])

      expect(all.flat()).toEqual([{ ...of, step: 'act', ageMs: 2 * leaseMs - 1, isOver: false }])
      clock.now += leaseMs
      expect(await storage.actSequels.claim(leaseMs)).toHaveLength(1)
    })

    it('waits for its outcome', async () => {
      const { storage, clock } = await open()
      await storage.wishes.keep({ id: 'w', sender: alice, writes: [close], channelId: 'C1' })
      await storage.actSequels.keep(of, leaseMs)
      clock.now += leaseMs
      expect(await storage.actSequels.claim(leaseMs)).toEqual([])
    })

    it('is over for good, though its act is sent again', async () => {
      const { storage, other, clock } = await open()
      await sent(storage)
      await storage.actSequels.end(key)
      await other.actSequels.keep(of, leaseMs)
      await other.actSequels.renew(key, 1)
      await other.actSequels.awaitReopening(key, { forMs: 900_000, inMs: 1 })
      clock.now += leaseMs
      expect(await other.actSequels.claim(leaseMs)).toEqual([])
    })

    it('may be a reopening, until its time is over', async () => {
      const { storage, other, clock } = await open()
      await sent(storage)
      await storage.actSequels.awaitReopening(key, { forMs: 900_000, inMs: 5_000 })
      // The same act, sent again by Slack, does not begin it anew.
      await storage.actSequels.awaitReopening(key, { forMs: 2_000_000, inMs: 5_000 })
      await storage.actSequels.keep(of, leaseMs)
      clock.now += 5_000
      expect(await other.actSequels.claim(leaseMs)).toMatchObject([{ step: 'reopening', isOver: false }])
      clock.now += 895_000
      expect(await other.actSequels.claim(leaseMs)).toMatchObject([{ step: 'reopening', isOver: true }])
    })

    it('ends with its person’s account', async () => {
      const { storage, clock } = await open()
      await sent(storage)
      await storage.actSequels.awaitReopening(key, { forMs: 900_000, inMs: 5_000 })
      await storage.actSequels.endAllOf({ workspaceId: 'T1', userId: 'U2' })
      await storage.actSequels.endAllOf({ workspaceId: 'T2', userId: 'U1' })
      clock.now += 5_000
      expect(await storage.actSequels.claim(1)).toHaveLength(1)
      await storage.actSequels.endAllOf(alice)
      clock.now += 5_000
      expect(await storage.actSequels.claim(1)).toEqual([])
    })

    it('tells a new owner once', async () => {
      const { storage, other } = await open()
      await sent(storage)
      const takes = [storage, other].map(({ actSequels }) => actSequels.takeNotice(key))
      expect((await Promise.all(takes)).toSorted()).toEqual([false, true])
      expect(await other.actSequels.takeNotice({ ...key, workspaceId: 'T2' })).toBe(false)
    })

    it('tells a new owner once more where nothing was told', async () => {
      const { storage, other } = await open()
      await sent(storage)
      await storage.actSequels.takeNotice(key)
      await storage.actSequels.releaseNotice({ ...key, workspaceId: 'T2' })
      expect(await other.actSequels.takeNotice(key)).toBe(false)
      await storage.actSequels.releaseNotice(key)
      expect(await other.actSequels.takeNotice(key)).toBe(true)
      expect(await storage.actSequels.takeNotice(key)).toBe(false)
    })

    it('is forgotten after its time, and with its workspace', async () => {
      const { storage, clock } = await open()
      await sent(storage)
      clock.now += leaseMs
      await storage.actSequels.prune(clock.now - leaseMs)
      expect(await storage.actSequels.claim(1)).toHaveLength(1)
      await storage.actSequels.forgetWorkspace('T2')
      clock.now += 1
      expect(await storage.actSequels.claim(1)).toHaveLength(1)
      await storage.forgetWorkspace('T1')
      expect(await storage.actSequels.takeNotice(key)).toBe(false)
      await sent(storage)
      await storage.actSequels.prune(clock.now + 1)
      expect(await storage.actSequels.takeNotice(key)).toBe(false)
    })
  })
}

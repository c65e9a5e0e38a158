// The contract of what Bellhop remembers of grants.
import { describe, expect, it } from 'vitest'
import type { Settled } from '../../src/send/outcome.ts'
import type { NewWish } from '../../src/send/wishes.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const aliceElsewhere = { workspaceId: 'T2', userId: 'U1' }
const day = 24 * 60 * 60_000
const month = 30 * day

interface Sent extends Partial<Pick<NewWish, 'sender' | 'askerId'>> {
  readonly emails?: readonly string[]
  readonly containerId?: number
  readonly permissions?: readonly string[]
  readonly outcome?: Settled
}

async function sends({ wishes, sends }: Storage, id: string, sent: Sent = {}): Promise<void> {
  const { sender = alice, emails = ['dave@example.com'], containerId = 12, permissions = ['READ'] } = sent
  const access = { containerId, permissions, member: false, authProvider: undefined }
  const writes = emails.map((email) => ({ kind: 'add-user', ...access, email }) as const)
  const asked = { id, sender, writes, channelId: 'C1' }
  await wishes.keep(sent.askerId === undefined ? asked : { ...asked, askerId: sent.askerId })
  await wishes.begin(sender, id, { leaseMs: 15_000, askedAfter: 0 })
  for (const [index] of writes.entries()) {
    const key = { workspaceId: sender.workspaceId, wishId: id, n: index + 1 }
    await sends.begin(sender, key, { leaseMs: 15_000, joinableMs: 0 })
    await sends.settle(key, sent.outcome ?? { kind: 'done' })
  }
  await wishes.settle(sender.workspaceId, id, { tellingMs: 12_000, corrects: false })
}

export function pastGrantsContract(open: OpenPair): void {
  describe('a notice to somebody who got access', () => {
    const notice = (wishId: string, n = 1) => ({ workspaceId: 'T1', wishId, n })

    it('is taken by the first of those who would send it, once for each person', async () => {
      const { storage, other } = await open()
      await sends(storage, 'several', { emails: ['a@example.com', 'b@example.com'] })
      const both = [storage, other].map(({ grantNotices }) => grantNotices.take(notice('several')))
      expect((await Promise.all(both)).toSorted()).toEqual([false, true])
      expect(await other.grantNotices.take(notice('several', 2))).toBe(true)
      expect(await storage.grantNotices.take(notice('several', 2))).toBe(false)
    })

    it('is for what its sender granted alone', async () => {
      const { storage } = await open()
      await sends(storage, 'refused', { outcome: { kind: 'not-done', code: 'forbidden' } })
      await sends(storage, 'doubtful', { outcome: { kind: 'uncertain', doubt: 'stopped' } })
      await sends(storage, 'unsaid', { permissions: ['API'], outcome: { kind: 'done', on: 'unsaid' } })
      for (const id of ['refused', 'doubtful', 'unsaid', 'unknown']) {
        expect(await storage.grantNotices.take(notice(id))).toBe(false)
      }
    })
  })

  describe('a past grant', () => {
    const daveOn12 = { workspaceId: 'T1', containerId: 12, emails: ['dave@example.com'] }

    it('is found by its person and container, whatever case the address is written in, the newest alone', async () => {
      const { storage, other, clock } = await open()
      await sends(storage, 'old', { permissions: ['READ', 'API'] })
      clock.now += 1
      await sends(storage, 'new', { emails: ['Dave@Example.com'], permissions: ['BILLING'], sender: bob })
      await sends(storage, 'elsewhere', { containerId: 13 })
      await sends(storage, 'another', { emails: ['erin@example.com'] })
      await sends(storage, 'far', { sender: aliceElsewhere })

      const newest = { permissions: ['BILLING'], at: clock.now, senderId: 'U2', askerId: 'U2' }
      expect(await other.pastGrants.newest(daveOn12, month)).toEqual([
        { email: 'dave@example.com', ...newest },
      ])
      const shouted = { ...daveOn12, emails: ['nobody@example.com', 'DAVE@EXAMPLE.COM'] }
      expect(await other.pastGrants.newest(shouted, month)).toEqual([
        { email: 'DAVE@EXAMPLE.COM', ...newest },
      ])
    })

    it('is somebody’s own when they sent it or asked for it', async () => {
      const { storage, clock } = await open()
      await sends(storage, 'approved', { sender: bob, askerId: 'U3' })
      const own = (of: string) => storage.pastGrants.newest({ ...daveOn12, of }, month)

      const approved = { email: 'dave@example.com', permissions: ['READ'], senderId: 'U2', askerId: 'U3' }
      expect(await own('U2')).toEqual([{ ...approved, at: clock.now }])
      expect(await own('U3')).toEqual([{ ...approved, at: clock.now }])
      expect(await own('U1')).toEqual([])
      expect(await storage.pastGrants.newest({ ...daveOn12, workspaceId: 'T2', of: 'U2' }, month)).toEqual([])
    })

    it('is one that was certainly made, by its sender', async () => {
      const { storage } = await open()
      await sends(storage, 'refused', { outcome: { kind: 'not-done', code: 'bad-request' } })
      await sends(storage, 'doubtful', { outcome: { kind: 'uncertain', doubt: 'timed-out' } })
      await sends(storage, 'by anybody', { permissions: ['API'], outcome: { kind: 'done', on: 'unsaid' } })
      await storage.wishes.keep({
        id: 'asked',
        sender: alice,
        channelId: 'C1',
        writes: [
          {
            kind: 'add-user',
            ...{ containerId: 12, email: 'dave@example.com', authProvider: undefined },
            ...{ member: false, permissions: ['READ'] },
          },
        ],
      })

      expect(await storage.pastGrants.newest(daveOn12, month)).toEqual([])
    })

    it('is given for each of several people in the order in which they are asked for', async () => {
      const { storage } = await open()
      await sends(storage, 'several', { emails: ['a@example.com', 'b@example.com'] })
      const several = { ...daveOn12, emails: ['b@example.com', 'c@example.com', 'a@example.com'] }

      const found = await storage.pastGrants.newest(several, month)

      expect(found.map(({ email }) => email)).toEqual(['b@example.com', 'a@example.com'])
      expect(await storage.pastGrants.newest({ ...several, emails: [] }, month)).toEqual([])
    })

    it('is forgotten after this time, and with its workspace', async () => {
      const { storage, clock } = await open()
      await sends(storage, 'one')
      clock.now += month
      expect(await storage.pastGrants.newest(daveOn12, month)).toHaveLength(1)
      clock.now += 1
      expect(await storage.pastGrants.newest(daveOn12, month)).toEqual([])

      await storage.forgetWorkspace('T1')
      expect(await storage.pastGrants.newest(daveOn12, 2 * month)).toEqual([])
    })
  })
}

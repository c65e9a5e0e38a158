// The contract of requests for approval: one who decides, and what is owed is handed to one who does it.
import { describe, expect, it } from 'vitest'
import type { NewApproval } from '../../src/approval/approvals.ts'
import type { Result } from '../../src/grant/wish.ts'
import type { OpenPair } from './pair.ts'

const bob = { workspaceId: 'T1', userId: 'U2' }
const carol = { userId: 'U3', name: 'carol' }
const how = { ttlMs: 3_600_000, claimMs: 60_000 }
const granted: readonly Result[] = [{ email: 'dave@example.com', outcome: { kind: 'done' } }]

function request(id: string, changes: Partial<NewApproval> = {}): NewApproval {
  return {
    id,
    asker: bob,
    askerName: 'bob',
    wish: {
      containerId: 12,
      emails: ['dave@example.com', 'erin@example.com'],
      authProvider: 'Google',
      member: true,
      permissions: ['READ', 'API'],
    },
    container: 'Customer 1 (12)',
    reason: 'On call',
    barred: { asker: 'hash of bob', recipientIds: ['U4'], recipients: ['hash of dave'] },
    channelId: 'C1',
    threadTs: '1.5',
    ...changes,
  }
}

export function approvalsContract(open: OpenPair): void {
  describe('requests for approval', () => {
    it('are kept as they were asked', async () => {
      const { storage, other, clock } = await open()
      const plain = request('a2', {
        wish: { containerId: 1, emails: ['e@x'], authProvider: undefined, member: false, permissions: [] },
        container: undefined,
        barred: { asker: undefined, recipientIds: [], recipients: [] },
        threadTs: undefined,
      })
      for (const one of [request('a1'), plain]) {
        expect((await storage.approvals.ask(one, how)).isNew).toBe(true)
        expect(await other.approvals.find('T1', one.id)).toEqual({
          ...one,
          state: 'open',
          attempt: 0,
          approver: undefined,
          ending: undefined,
          tried: undefined,
          until: clock.now + how.ttlMs,
          card: undefined,
          version: 1,
          isAskerTold: false,
          isApproverTold: false,
          endedAt: undefined,
        })
      }
      expect(await other.approvals.find('T2', 'a1')).toBeUndefined()
    })

    it('are asked once, at the same moment too, and can be asked again only where they were forgotten', async () => {
      const { storage, other } = await open()
      const both = [storage, other, storage, other].map(({ approvals }) => approvals.ask(request('a1'), how))
      const asked = await Promise.all(both)
      expect(asked.filter(({ isNew }) => isNew)).toHaveLength(1)
      await storage.approvals.withdraw(bob, 'a1', 0)
      expect((await storage.approvals.ask(request('a1'), how)).isNew).toBe(false)

      await other.approvals.forget('T1', 'a1')
      expect((await storage.approvals.ask(request('a1'), how)).isNew).toBe(true)
    })

    it('of one person that are open are listed, the oldest first', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['a1', 'a2', 'a3', 'a4']) {
        await storage.approvals.ask(request(id), id === 'a1' ? { ...how, ttlMs: 3 } : how)
        clock.now += 1
      }
      await storage.approvals.ask(request('b1', { asker: { ...bob, userId: 'U9' } }), how)
      await storage.approvals.withdraw(bob, 'a3', 0)
      await storage.approvals.begin('T1', 'a2', carol, 1000)
      expect((await other.approvals.openOf(bob)).map(({ id }) => id)).toEqual(['a2', 'a4'])
    })

    it('of a workspace that can be approved are listed, those that expire first before the others', async () => {
      const { storage, other, clock } = await open()
      const askFor = (id: string, ttlMs: number, changes = {}) =>
        storage.approvals.ask(request(id, changes), { ...how, ttlMs })
      await askFor('late', 9000)
      await askFor('soon', 1000, { asker: { ...bob, userId: 'U9' } })
      await askFor('expired', 3)
      await askFor('granting', 2000)
      await askFor('withdrawn', 2000)
      await askFor('elsewhere', 2000, { asker: { ...bob, workspaceId: 'T2' } })
      clock.now += 5
      await storage.approvals.begin('T1', 'granting', carol, 1000)
      await storage.approvals.withdraw(bob, 'withdrawn', 0)
      const openIn = async (most: number) => (await other.approvals.openIn('T1', most)).map(({ id }) => id)
      expect(await openIn(10)).toEqual(['soon', 'late'])
      expect(await openIn(1)).toEqual(['soon'])
    })
  })

  describe('deciding on a request', () => {
    it('is for one of those who try at the same moment', async () => {
      const { storage, other } = await open()
      await storage.approvals.ask(request('a1'), how)
      const stores = [storage, other, storage, other]
      const tries = stores.flatMap(({ approvals }) => [
        approvals.begin('T1', 'a1', carol, 1000),
        approvals.decline('T1', 'a1', { by: carol, reason: 'No', claimMs: 0 }),
        approvals.withdraw(bob, 'a1', 0),
      ])
      const won = (await Promise.all(tries)).filter((one) => one !== undefined)
      expect(won).toHaveLength(1)
      expect(await other.approvals.find('T1', 'a1')).toEqual(won[0])
    })

    it('goes back to open, and the next attempt is another', async () => {
      const { storage, other } = await open()
      await storage.approvals.ask(request('a1'), how)
      const first = await storage.approvals.begin('T1', 'a1', carol, 1000)
      expect(first).toMatchObject({ state: 'granting', attempt: 1, approver: carol, version: 2 })
      if (first === undefined) return
      expect(await other.approvals.withdraw(bob, 'a1', 0)).toBeUndefined()
      const busy: readonly Result[] = [{ email: 'd@x', outcome: { kind: 'not-done', code: 'busy' } }]
      const isOpen = { state: 'open', version: 3, ending: undefined, tried: busy, isApproverTold: false }
      expect(await other.approvals.reopen(first, busy, 0)).toMatchObject(isOpen)
      expect(await storage.approvals.reopen(first, busy, 0)).toBeUndefined()
      expect(await storage.approvals.end(first, granted, 0)).toBeUndefined()

      const second = await other.approvals.begin('T1', 'a1', { userId: 'U5', name: 'eve' }, 1000)
      expect(second).toMatchObject({ attempt: 2, approver: { userId: 'U5' } })
      expect(await storage.approvals.end(first, granted, 0)).toBeUndefined()
      if (second === undefined) return
      const ending = { kind: 'approved', results: granted }
      expect(await storage.approvals.end(second, granted, 0)).toMatchObject({ state: 'ended', ending })
      expect(await other.approvals.begin('T1', 'a1', carol, 1000)).toBeUndefined()
    })

    it('is corrected by one of those who have seen the same, and what was told of that stays told', async () => {
      const { storage, other } = await open()
      await storage.approvals.ask(request('a1'), how)
      const begun = await storage.approvals.begin('T1', 'a1', carol, 1000)
      const doubt: Result = { email: 'dave@example.com', outcome: { kind: 'uncertain', doubt: 'not-seen' } }
      const ended = begun && (await storage.approvals.end(begun, [doubt], 0))
      if (ended === undefined) throw new Error('it did not end')
      await storage.approvals.markTold(ended, 'asker')
      const seen: readonly Result[] = [{ email: 'dave@example.com', outcome: { kind: 'done', on: 'seen' } }]

      const tries = [storage, other].map(({ approvals }) => approvals.correct(ended, seen, 0))
      const [corrected, ...more] = (await Promise.all(tries)).filter((one) => one !== undefined)

      expect(more).toEqual([])
      const ending = { kind: 'approved', results: seen }
      expect(corrected).toMatchObject({ ending, isAskerTold: false, version: ended.version + 1 })
      if (corrected === undefined) return
      await other.approvals.markTold(corrected, 'asker')
      expect(await storage.approvals.correct(ended, seen, 0)).toBeUndefined()
      expect(await storage.approvals.find('T1', 'a1')).toMatchObject({ ending, isAskerTold: true })
      expect(await storage.approvals.correct(ended, granted, 0)).toMatchObject({ isAskerTold: false })
    })

    it('keeps every kind of outcome', async () => {
      const { storage, other } = await open()
      const results: readonly Result[] = [
        { email: 'a@x', outcome: { kind: 'done' } },
        { email: 'b@x', outcome: { kind: 'not-done', code: 'busy' } },
        { email: 'c@x', outcome: { kind: 'uncertain', doubt: 'stopped' } },
        { email: 'd@x', outcome: { kind: 'not-sent' } },
      ]
      await storage.approvals.ask(request('a1'), how)
      const begun = await storage.approvals.begin('T1', 'a1', carol, 1000)
      if (begun !== undefined) await storage.approvals.end(begun, results, 0)
      expect(await other.approvals.find('T1', 'a1')).toMatchObject({ ending: { kind: 'approved', results } })
    })

    it('is for its asker alone when it is withdrawn, and keeps who declined it and why', async () => {
      const { storage, other } = await open()
      await storage.approvals.ask(request('a1'), how)
      expect(await storage.approvals.withdraw({ ...bob, userId: 'U3' }, 'a1', 0)).toBeUndefined()
      expect(await storage.approvals.withdraw({ ...bob, workspaceId: 'T2' }, 'a1', 0)).toBeUndefined()
      await storage.approvals.decline('T1', 'a1', { by: carol, reason: 'No', claimMs: 0 })
      const ending = { kind: 'declined', by: carol, reason: 'No' }
      expect(await other.approvals.find('T1', 'a1')).toMatchObject({ state: 'ended', ending })
    })

    it('is over with its time, to the millisecond, whether that was seen or not', async () => {
      const { storage, other, clock } = await open()
      await storage.approvals.ask(request('a1'), how)
      clock.now += how.ttlMs - 1
      await storage.approvals.expire()
      expect(await other.approvals.find('T1', 'a1')).toMatchObject({ state: 'open' })
      clock.now += 1
      const expired = { state: 'ended', ending: { kind: 'expired' } }
      expect(await other.approvals.find('T1', 'a1')).toMatchObject({ ...expired, version: 1 })
      expect(await storage.approvals.begin('T1', 'a1', carol, 1000)).toBeUndefined()
      await storage.approvals.expire()
      await other.approvals.expire()
      expect(await other.approvals.find('T1', 'a1')).toMatchObject({ ...expired, version: 2 })
    })

    it('is judged by one other when the sender’s lease has run out, and by none before', async () => {
      const { storage, other, clock } = await open()
      await storage.approvals.ask(request('a1'), how)
      const begun = await storage.approvals.begin('T1', 'a1', carol, 1000)
      if (begun === undefined) throw new Error('not begun')
      clock.now += 999
      await storage.approvals.renew(begun, 1000)
      clock.now += 999
      expect(await other.approvals.claimLapsed(1000)).toEqual([])
      clock.now += 1
      const claims = [other.approvals.claimLapsed(1000), storage.approvals.claimLapsed(1000)]
      expect((await Promise.all(claims)).flat()).toEqual([begun])
    })
  })

  describe('what is owed about a request', () => {
    it('is handed to one, and again when that one falls silent, until it is done', async () => {
      const { storage, other, clock } = await open()
      await storage.approvals.ask(request('a1'), how)
      expect(await other.approvals.claimOwed(1000)).toEqual([])
      clock.now += how.claimMs
      const claims = [other.approvals.claimOwed(1000), storage.approvals.claimOwed(1000)]
      const [claimed, ...more] = (await Promise.all(claims)).flat()
      expect(more).toEqual([])
      clock.now += 1000
      expect(await other.approvals.claimOwed(1000)).toHaveLength(1)
      if (claimed !== undefined) await storage.approvals.clearOwed(claimed)
      clock.now += 1000
      expect(await other.approvals.claimOwed(1000)).toEqual([])
    })

    it('is handed out again after the time that it is put off for', async () => {
      const { storage, other, clock } = await open()
      const { approval } = await storage.approvals.ask(request('a1'), how)
      await storage.approvals.putOff(approval, 1000)
      clock.now += 999
      expect(await other.approvals.claimOwed(1000)).toEqual([])
      clock.now += 1
      expect(await other.approvals.claimOwed(1000)).toEqual([approval])
    })

    it('stays owed when it has changed since it was done', async () => {
      const { storage, other } = await open()
      const { approval } = await storage.approvals.ask(request('a1'), how)
      const withdrawn = await other.approvals.withdraw(bob, 'a1', 0)
      await storage.approvals.clearOwed(approval)
      expect(await other.approvals.claimOwed(0)).toEqual([withdrawn])
    })

    it('knows what was told, and where the card stands', async () => {
      const { storage, other } = await open()
      await storage.approvals.ask(request('a1'), how)
      const begun = await storage.approvals.begin('T1', 'a1', carol, 1000)
      const ended = begun && (await storage.approvals.end(begun, granted, 0))
      if (begun === undefined || ended === undefined) throw new Error('it did not end')
      expect(await storage.approvals.markTold(begun, 'asker')).toBe(false)
      const untold = { isAskerTold: false, isApproverTold: false }
      expect(await other.approvals.find('T1', 'a1')).toMatchObject(untold)
      for (const whom of ['asker', 'approver'] as const) {
        expect(await storage.approvals.markTold(ended, whom)).toBe(true)
        expect(await other.approvals.markTold(ended, whom)).toBe(false)
      }
      const told = { isAskerTold: true, isApproverTold: true }
      expect(await other.approvals.find('T1', 'a1')).toMatchObject(told)
      const card = { channelId: 'C1', ts: '1.2', mentioned: ['U2', 'S1'] }
      await storage.approvals.keepPlace('T1', 'a1', card)
      expect(await other.approvals.find('T1', 'a1')).toMatchObject({ card })
    })
  })

  describe('old requests', () => {
    it('are forgotten by age, but not while open, and by workspace', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['a1', 'a2']) await storage.approvals.ask(request(id), how)
      await storage.approvals.withdraw(bob, 'a1', 0)
      await storage.approvals.prune(clock.now)
      expect(await other.approvals.find('T1', 'a1')).toBeDefined()
      await storage.approvals.prune(clock.now + 1)
      expect(await other.approvals.find('T1', 'a1')).toBeUndefined()
      expect(await other.approvals.find('T1', 'a2')).toBeDefined()
      await storage.approvals.forgetWorkspace('T2')
      expect(await other.approvals.find('T1', 'a2')).toBeDefined()
      await storage.approvals.forgetWorkspace('T1')
      expect(await other.approvals.find('T1', 'a2')).toBeUndefined()
    })
  })
}

// Leases of senders and tellers that live, and need long: nobody takes what is theirs.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Wish } from '../../src/grant/wish.ts'
import { sendWish } from '../../src/send/send.ts'
import { leaseMs, renewMs, tellEach } from '../../src/work/lease.ts'
import { newWish, openSends, sender } from './send-house.ts'

function stopIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Through the writes of the database. */
async function breathe(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

describe('a wish that takes longer to send than a lease', () => {
  it('is not ended by others while its sender lives', async () => {
    stopIntervals()
    let now = 1_700_000_000_000
    const underWay: ((outcome: { readonly kind: 'done' }) => void)[] = []
    const house = await openSends(
      { addUser: () => new Promise((resolve) => underWay.push(resolve)) },
      { now: () => now },
    )
    const { wishes } = house.storage
    const wish: Wish = {
      ...{ containerId: 12, authProvider: undefined, member: false, permissions: ['READ', 'API'] },
      emails: Array.from({ length: 20 }, (_, index) => `p${index + 1}@example.com`),
    }
    await wishes.keep({ ...newWish('w', wish), isToldElsewhere: false })
    const sending = sendWish(house, sender, 'token', 'w', { askedAfter: 0, onSending: breathe })

    for (let passed = 0; passed < 3 * leaseMs; passed += renewMs) {
      await breathe()
      // No request takes as long as a lease, and all together take several.
      for (const answer of underWay.splice(0, 2)) answer({ kind: 'done' })
      await breathe()
      now += renewMs
      vi.advanceTimersByTime(renewMs)
      await breathe()
      await wishes.endLapsed()
      expect(await wishes.claimUntold(leaseMs)).toEqual([])
      expect(await wishes.find('T1', 'w')).toMatchObject({ state: 'sending' })
    }

    while ((await wishes.find('T1', 'w'))?.state === 'sending') {
      for (const answer of underWay.splice(0)) answer({ kind: 'done' })
      await breathe()
    }
    const { kind, wish: ended } = await sending
    expect(kind).toBe('settled')
    expect(ended?.sends.map(({ outcome }) => outcome)).toEqual(wish.emails.map(() => ({ kind: 'done' })))
  })
})

describe('outcomes that one process has taken to tell them', () => {
  it('stay with it, those too whose turn has not come, until each is told', async () => {
    stopIntervals()
    const renewed: string[] = []
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const told: string[] = []
    const telling = tellEach(
      ['first', 'second'],
      async (one) => {
        await turns[told.length]?.promise
        told.push(one)
      },
      async (one) => void renewed.push(one),
    )

    vi.advanceTimersByTime(renewMs)
    expect(renewed).toEqual(['first', 'second'])
    turns[0]?.resolve()
    await breathe()
    vi.advanceTimersByTime(renewMs)
    expect(renewed).toEqual(['first', 'second', 'second'])
    turns[1]?.resolve()
    await telling
    vi.advanceTimersByTime(leaseMs)
    expect(renewed).toHaveLength(3)
    expect(told).toEqual(['first', 'second'])
  })
})

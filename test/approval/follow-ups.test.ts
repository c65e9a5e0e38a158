// Timing: what takes long is left to whoever does it.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { request } from '../../playground/pictures/gallery/approval-sample.ts'
import { approve } from '../../src/approval/decide.ts'
import { followUp } from '../../src/approval/follow-ups.ts'
import { nowhere } from '../../src/slack/outbound/delivery.ts'
import { leaseMs } from '../../src/work/lease.ts'
import { openApprovals } from './approval-house.ts'

describe('an end that takes long to tell, as Slack asks to wait', () => {
  afterEach(() => void vi.useRealTimers())

  it('is left to whoever tells it, until they are done', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const claims: number[] = []
    const posted = Promise.withResolvers<{ readonly channelId: string; readonly ts: string }>()
    const isDone = Promise.withResolvers<void>()
    const ended = request({ state: 'ended', ending: { kind: 'expired' }, isApproverTold: true })
    const house = await openApprovals({
      approvals: {
        find: async () => ended,
        markTold: async () => true,
        clearOwed: async () => isDone.resolve(),
        putOff: async (_, ms) => void claims.push(ms),
      },
      slack: { post: () => posted.promise },
    })
    const telling = followUp(house, ended)
    vi.advanceTimersByTime(2 * leaseMs)
    expect(claims.length).toBeGreaterThan(2)
    expect(new Set(claims)).toEqual(new Set([leaseMs]))
    posted.resolve({ channelId: 'C1', ts: '1.2' })
    await Promise.all([telling, isDone.promise])
    const before = claims.length
    vi.advanceTimersByTime(2 * leaseMs)
    expect(claims).toHaveLength(before)
  })
})

describe('an approval that takes long', () => {
  afterEach(() => void vi.useRealTimers())

  it('renews its lease until it has ended, so that nobody takes it for dead', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const begun = request({ state: 'granting', attempt: 1, approver: { userId: 'U3', name: 'carol' } })
    const renewals: number[] = []
    const sent = Promise.withResolvers<{ readonly kind: 'done' }>()
    const sending = Promise.withResolvers<void>()
    const house = await openApprovals({
      approvals: {
        find: async () => request(),
        begin: async () => begun,
        renew: async (_, ms) => void renewals.push(ms),
        end: async () => undefined,
      },
      addUser: () => {
        sending.resolve()
        return sent.promise
      },
    })
    const asker = { workspaceId: 'T1', userId: 'U3', name: 'carol', handle: undefined }
    const approved = approve(house, {
      ...{ asker, place: nowhere(asker), moveTo: (place) => ({ asker, place }), answer: async () => {} },
      ...{ value: begun.id, pressedAt: 0, triggerId: '', view: undefined },
    })
    await sending.promise
    vi.advanceTimersByTime(2 * leaseMs)
    expect(renewals.length).toBeGreaterThan(2)
    expect(new Set(renewals)).toEqual(new Set([leaseMs]))
    sent.resolve({ kind: 'done' })
    await approved
    const before = renewals.length
    vi.advanceTimersByTime(2 * leaseMs)
    expect(renewals).toHaveLength(before)
  })
})

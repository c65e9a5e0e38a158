// Timing of what is owed: how long a failure is put off, and that a long approval stays alive.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { request } from '../../playground/pictures/gallery/grants/approval-sample.ts'
import { createApproving } from '../../src/approval/approve.ts'
import { createOwed } from '../../src/approval/follow-ups.ts'
import { createLog } from '../../src/log/log.ts'
import { noLimit } from '../../src/slack/gate/person-limit.ts'
import { leaseMs } from '../../src/work/lease.ts'
import { openSendRoom } from '../send/send-room.ts'

const log = createLog({ level: 'silent' })
const quietly = async () => {}

describe('what fails', () => {
  it('is put off for twice as long each time, up to an hour, and from the start once it was done', async () => {
    const pauses: number[] = []
    const approval = request({ card: { kind: 'posted', channelId: 'C1', ts: '1.2' } })
    let isDown = true
    const owed = createOwed({
      approvals: {
        find: async () => approval,
        placed: quietly,
        told: async () => true,
        done: quietly,
        putOff: async (_, ms) => void pauses.push(ms),
      },
      outbound: {
        in: () => ({
          post: async () => ({ channelId: 'C1', ts: '1.2' }),
          update: async () => {
            if (isDown) throw new Error('no network')
          },
          respond: quietly,
        }),
      },
      delivery: { privately: quietly },
      sharing: { in: () => ({ wasShared: async () => false }) },
      connectFirst: { ask: quietly },
      record: quietly,
      observer: { told: () => undefined },
      log,
    })
    for (let tries = 0; tries < 9; tries += 1) await owed.fulfil(approval)
    isDown = false
    await owed.fulfil(approval)
    isDown = true
    await owed.fulfil(approval)
    const seconds = pauses.map((ms) => ms / 1000)
    expect(seconds).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 30])
  })
})

describe('an end that takes long to tell, as Slack asks to wait', () => {
  afterEach(() => void vi.useRealTimers())

  it('is left to whoever tells it, until they are done', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const claims: number[] = []
    const posted = Promise.withResolvers<{ readonly channelId: string; readonly ts: string }>()
    const isDone = Promise.withResolvers<void>()
    const ended = request({ state: 'ended', ending: { kind: 'expired' }, isApproverTold: true })
    const owed = createOwed({
      approvals: {
        find: async () => ended,
        placed: quietly,
        told: async () => true,
        done: async () => isDone.resolve(),
        putOff: async (_, ms) => void claims.push(ms),
      },
      outbound: { in: () => ({ post: () => posted.promise, update: quietly, respond: quietly }) },
      delivery: { privately: quietly },
      sharing: { in: () => ({ wasShared: async () => false }) },
      connectFirst: { ask: quietly },
      record: quietly,
      observer: { told: () => undefined },
      log,
    })
    const telling = owed.fulfil(ended)
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
    const sent = Promise.withResolvers<{ readonly kind: 'granted' }>()
    const sending = Promise.withResolvers<void>()
    const send = await openSendRoom({
      addUser: () => {
        sending.resolve()
        return sent.promise
      },
    })
    const approving = createApproving({
      send,
      limit: noLimit,
      approvals: {
        find: async () => request(),
        begin: async () => begun,
        renew: async (_, ms) => void renewals.push(ms),
        reopen: async () => undefined,
        end: async () => undefined,
        correct: async () => undefined,
      },
      fourEyes: {
        barredFor: async () => begun.barred,
        checkPerson: async () => undefined,
        checkToken: async () => undefined,
      },
      owed: { fulfil: quietly, show: quietly },
      tokens: { find: async () => 'carol-token' },
      connectFirst: { ask: quietly },
      delivery: { privately: quietly },
      record: quietly,
    })
    const asker = { workspaceId: 'T1', userId: 'U3', name: 'carol' }
    const place = {
      workspaceId: 'T1',
      userId: 'U3',
      channelId: 'C1',
      responseUrl: undefined,
      isDirect: false,
    }
    const approved = approving.approve({ asker, place, isCard: true }, begun.id)
    await sending.promise
    vi.advanceTimersByTime(2 * leaseMs)
    expect(renewals.length).toBeGreaterThan(2)
    expect(new Set(renewals)).toEqual(new Set([leaseMs]))
    sent.resolve({ kind: 'granted' })
    await approved
    const before = renewals.length
    vi.advanceTimersByTime(2 * leaseMs)
    expect(renewals).toHaveLength(before)
  })
})

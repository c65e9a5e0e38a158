// Writes about alerts through the engine, on a database and the stand-in service: one request at most, and a verdict by
// what the alert shows, whenever whoever sent it dies.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Monitor, WriteResult } from '../../src/monitor/client.ts'
import { lookAgain, lookBeforeTelling } from '../../src/send/looks.ts'
import type { SendOutcome } from '../../src/send/outcome.ts'
import type { SendRoom } from '../../src/send/room.ts'
import { sendWish } from '../../src/send/send.ts'
import { noteTold } from '../../src/send/telling.ts'
import type { KeptWish } from '../../src/send/wishes.ts'
import type { AlertWrite } from '../../src/send/writes.ts'
import { leaseMs } from '../../src/work/lease.ts'
import { connectTo, startService } from '../monitor/setup.ts'
import { temporaryFile } from '../storage/files.ts'
import { openSendRoom, type StandIn, sender } from './send-room.ts'

const [carol, bob] = [9, 8] as const
const token = 'carol-secret-0123456789'
const seconds = 1_000

const about = { ks: 'k1', shown: { ownerId: null, isClosed: false }, senderId: carol, cardId: undefined }
const assign: AlertWrite = { ...about, kind: 'assign', ownerId: carol, message: '' }
const comment: AlertWrite = { ...about, kind: 'comment', message: 'Looking.' }
const close: AlertWrite = { ...about, kind: 'close', message: 'Rotated the logs.', isSolution: false }
const all = [
  ['assign', assign],
  ['comment', comment],
  ['close', close],
] as const

async function setup() {
  const service = await startService()
  const flags = ['API', 'READ', 'ALERT_ASSIGN', 'ALERT_CHANGE'] as const
  service.addToken({ token, name: 'carol', userId: carol, flags })
  for (const [email, id] of [
    ['carol@example.com', carol],
    ['bob@example.com', bob],
  ] as const)
    service.addMember(12, { email, id, member: true })
  const alert = service.addAlert({ ks: 'k1', containerId: 12 })
  const monitor = connectTo(service.url, { budgetMs: 1_000 })
  const path = temporaryFile()
  const recorded: SendOutcome[] = []
  const waits: number[] = []
  let now = 1_700_000_000_000

  /** Each is a process on the same database. */
  function start(standIn: StandIn = {}, stopping?: AbortSignal): Promise<SendRoom> {
    return openSendRoom(
      { ...monitor, ...standIn },
      {
        path,
        now: () => now,
        async wait(ms) {
          waits.push(ms)
          await delay(1)
        },
        ...(stopping && { stopping }),
        tokenOf: async () => token,
        followUps: { record: async (_wish, _send, outcome) => void recorded.push(outcome) },
      },
    )
  }
  async function send(room: SendRoom, write: AlertWrite, id = 'w') {
    await room.wishes.keep({ id, sender, writes: [write], channelId: 'C1' })
    const sent = await sendWish(room, sender, token, id, { askedAfter: 0 })
    return { ...sent, outcome: sent.wish?.sends[0]?.outcome }
  }
  const outcome = async (room: SendRoom, id = 'w') => (await kept(room, id)).sends[0]?.outcome
  return {
    ...{ service, alert, monitor, recorded, waits, start, send, outcome },
    pass(ms: number) {
      now += ms
    },
    async passAndLook(room: SendRoom, ms: number) {
      now += ms
      await lookAgain(room)
      return outcome(room)
    },
    /** How often it was read, and what was sent. */
    asked: () =>
      service.requests.map(({ method, path }) => (method === 'GET' ? 'read' : path.split('/').at(-1))),
    puts: () => service.requests.filter(({ method }) => method === 'PUT').length,
    takesREAD() {
      service.revoke(token)
      service.addToken({
        token,
        name: 'carol',
        userId: carol,
        flags: ['API', 'ALERT_ASSIGN', 'ALERT_CHANGE'],
      })
    },
  }
}

async function kept({ wishes }: SendRoom, id = 'w'): Promise<KeptWish> {
  const wish = await wishes.find('T1', id)
  if (wish === undefined) throw new Error('it is not kept')
  return wish
}

const done = (on: string) => ({ kind: 'done', on })
const uncertain = (doubt: string) => ({ kind: 'uncertain', doubt })

describe.each(all)('to %s', (_name, write) => {
  it('is read for, sent once and seen', async () => {
    const { asked, start, send, alert, recorded } = await setup()

    const sent = await send(await start(), write)

    expect(sent.outcome).toEqual(done('seen'))
    expect(sent).toMatchObject({ kind: 'settled', isJoined: false })
    if (sent.kind === 'settled') expect(sent.seen.get(1)?.actions).toHaveLength(1)
    expect(asked()).toEqual([
      'read',
      { assign: 'assign', comment: 'message', close: 'close' }[write.kind],
      'read',
    ])
    expect(alert.actions).toHaveLength(1)
    expect(recorded).toEqual([done('seen')])
  })

  it('is seen three seconds later, where the service shows it late', async () => {
    const { service, asked, puts, waits, start, send } = await setup()
    service.behaves({ visible: { reads: 2 } })

    expect((await send(await start(), write)).outcome).toEqual(done('seen'))

    expect(waits).toEqual([1 * seconds, 2 * seconds])
    expect(asked().filter((what) => what === 'read')).toHaveLength(4)
    expect(puts()).toBe(1)
  })

  it('is seen two minutes later at the latest, and owed to whoever was told a doubt', async () => {
    const { service, puts, start, send, passAndLook, recorded } = await setup()
    service.behaves({ visible: { reads: 4 } })
    const room = await start()
    const sent = await send(room, write)
    expect(sent.outcome).toEqual(uncertain('not-seen'))
    if (sent.kind === 'settled') await noteTold(room, sent.wish)

    expect(await passAndLook(room, 29 * seconds)).toEqual(uncertain('not-seen'))
    expect(service.requests).toHaveLength(5)
    expect(await passAndLook(room, 1 * seconds)).toEqual(uncertain('not-seen'))
    expect(service.requests).toHaveLength(6)
    expect(await room.wishes.claimUntold(leaseMs)).toEqual([])
    expect(await passAndLook(room, 90 * seconds)).toEqual(done('seen'))

    expect(await room.wishes.claimUntold(leaseMs)).toMatchObject([{ id: 'w', sends: [{ wasDoubted: true }] }])
    expect(recorded).toEqual([uncertain('not-seen'), done('seen')])
    expect(puts()).toBe(1)
  })

  it('is seen though the connection was cut after it took effect', async () => {
    const { service, puts, start, send } = await setup()
    service.trouble.cut({ when: 'after-effect', only: 'PUT' })

    expect((await send(await start(), write)).outcome).toEqual(done('seen'))

    expect(puts()).toBe(1)
  })

  it('is not certain where the connection was cut before, and is looked at twice, and never sent again', async () => {
    const { service, alert, asked, start, send, passAndLook } = await setup()
    service.trouble.cut({ when: 'before-answer', only: 'PUT' })
    const room = await start()
    const sent = await send(room, write)
    expect(sent.outcome).toEqual(uncertain('connection-lost'))
    if (sent.kind === 'settled') await noteTold(room, sent.wish)
    const before = asked().length

    expect(await passAndLook(room, 30 * seconds)).toEqual(uncertain('connection-lost'))
    expect(await passAndLook(room, 90 * seconds)).toEqual(uncertain('connection-lost'))
    expect(await passAndLook(room, 1_000 * seconds)).toEqual(uncertain('connection-lost'))

    expect(asked().slice(before)).toEqual(['read', 'read'])
    expect(alert.actions).toEqual([])
    // It is said once more that it was not seen.
    expect(await room.wishes.claimUntold(leaseMs)).toMatchObject([{ id: 'w' }])
  })

  it('is sent once for two presses', async () => {
    const { service, puts, start, send, alert } = await setup()
    const [room, other] = await Promise.all([start(), start()])
    service.trouble.slow(50, { only: 'PUT' })

    const [first, second] = await Promise.all([send(room, write, 'w1'), send(other, write, 'w2')])

    expect([first.outcome, second.outcome]).toEqual([done('seen'), done('seen')])
    expect([first, second].filter((one) => one.kind === 'settled' && one.isJoined)).toHaveLength(1)
    expect(puts()).toBe(1)
    expect(alert.actions).toHaveLength(1)
  })

  it('is not sent where the service cannot be read, and might well be written to', async () => {
    const { service, puts, start, send } = await setup()
    service.trouble.answer(503, { only: 'GET' })

    const { outcome } = await send(await start(), write)

    expect(outcome).toMatchObject({ kind: 'not-done' })
    expect(puts()).toBe(0)
  })
})

describe('without READ', () => {
  it.each(all)('to %s is sent once, and nothing says what became of it', async (_name, write) => {
    const { takesREAD, asked, start, send, passAndLook, alert } = await setup()
    takesREAD()
    const room = await start()

    expect((await send(room, write)).outcome).toEqual(uncertain('not-readable'))

    expect(alert.actions).toHaveLength(1)
    const { length } = asked()
    await passAndLook(room, 1_000 * seconds)
    expect(asked()).toHaveLength(length)
    expect(asked().filter((what) => what !== 'read')).toHaveLength(1)
  })

  it('a request that was cut is no more certain', async () => {
    const { service, takesREAD, start, send, passAndLook } = await setup()
    takesREAD()
    service.trouble.cut({ when: 'after-effect', only: 'PUT' })
    const room = await start()

    expect((await send(room, close)).outcome).toEqual(uncertain('connection-lost'))
    expect(await passAndLook(room, 30 * seconds)).toEqual(uncertain('connection-lost'))
  })

  it('that was taken away since, what the service took can be seen no more', async () => {
    const { service, takesREAD, start, send, passAndLook } = await setup()
    service.behaves({ visible: { reads: 100 } })
    const room = await start()
    await send(room, close)
    takesREAD()

    expect(await passAndLook(room, 30 * seconds)).toEqual(uncertain('not-readable'))
  })

  it('that was taken away since, it is not said that the service took what may not have come to it', async () => {
    const { service, takesREAD, start, send, passAndLook } = await setup()
    service.trouble.cut({ when: 'before-answer', only: 'PUT' })
    const room = await start()
    await send(room, close)
    takesREAD()

    expect(await passAndLook(room, 30 * seconds)).toEqual(uncertain('connection-lost'))
  })
})

describe('what is not as it was shown', () => {
  it.each([
    ['somebody took it meanwhile', assign, bob, { kind: 'not-done', code: 'changed' }],
    ['it has this owner already', assign, carol, done('already')],
    ['somebody else took it, who would be surprised', close, bob, { kind: 'not-done', code: 'changed' }],
  ] as const)('is not sent: %s', async (_name, write, ownerId, says) => {
    const { alert, asked, start, send } = await setup()
    alert.act({ kind: 'Assign', data: { userId: bob, ownerId, message: '' } })

    const sent = await send(await start(), write)

    expect(sent.outcome).toEqual(says)
    expect(sent.kind === 'settled' && sent.seen.get(1)?.ownerId).toBe(ownerId)
    expect(asked()).toEqual(['read'])
  })

  it.each([
    ['closed by itself before', 'before', done('already')],
    ['closed by itself while it was sent', 'while', done('by-another')],
  ] as const)('%s', async (_name, when, says) => {
    const { service, alert, puts, start, send } = await setup()
    if (when === 'before') alert.close('AutoClose')
    const letGo = service.trouble.hold({ only: 'PUT' })
    const sending = send(await start(), close)
    if (when === 'while') {
      await expect.poll(puts).toBe(1)
      alert.close('AutoClose')
    }
    letGo()

    expect((await sending).outcome).toEqual(says)
  })
})

/** Sends, and falls silent once it came to this call. It may come back. */
async function fallsSilent(
  { monitor, start, send }: Awaited<ReturnType<typeof setup>>,
  write: AlertWrite,
  at: 'reading' | 'sending' | 'sent',
) {
  const came = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const silent = async () => {
    came.resolve()
    await goesOn.promise
  }
  const standIn: StandIn = {
    async readAlert(...of) {
      if (at === 'reading') await silent()
      return monitor.readAlert(...of)
    },
    async commentOnAlert(...of): Promise<WriteResult> {
      if (at === 'sending') {
        await silent()
        return { kind: 'uncertain', doubt: 'timed-out' }
      }
      const result = await monitor.commentOnAlert(...of)
      await silent()
      return result
    },
  } satisfies Partial<Monitor>
  const sending = send(await start(standIn), write)
  await came.promise
  return {
    async comesBack() {
      goesOn.resolve()
      return sending
    },
  }
}

describe('a process that dies', () => {
  it.each([
    ['sending', uncertain('stopped')],
    ['sent', done('seen')],
  ] as const)('with its request %s leaves a verdict to the next one, by looking', async (at, says) => {
    const world = await setup()
    const first = await fallsSilent(world, comment, at)
    world.pass(leaseMs)

    const next = await world.start()
    await next.wishes.endLapsed()
    const [untold] = await next.wishes.claimUntold(leaseMs)
    if (untold === undefined) throw new Error('nobody is told')
    const told = await lookBeforeTelling(next, untold)

    expect(told.sends[0]?.outcome).toEqual(says)
    expect(world.puts()).toBe(at === 'sent' ? 1 : 0)
    await next.wishes.told(told)
    await first.comesBack()
    expect(world.puts()).toBe(at === 'sent' ? 1 : 0)
    if (at === 'sent') expect(await world.outcome(next)).toEqual(says)
  })

  it('before it noted anything has certainly sent nothing, and sends nothing when it comes back', async () => {
    const world = await setup()
    const first = await fallsSilent(world, comment, 'reading')
    world.pass(leaseMs)
    const next = await world.start()

    await next.wishes.endLapsed()

    expect(await world.outcome(next)).toEqual({ kind: 'not-sent' })
    expect(await first.comesBack()).toMatchObject({ kind: 'repeated' })
    expect(world.puts()).toBe(0)
    expect(await next.wishes.claimUntold(leaseMs)).toMatchObject([{ id: 'w' }])
  })

  it('leaves what was seen by a look as it is recorded when it comes back', async () => {
    const world = await setup()
    const first = await fallsSilent(world, comment, 'sending')
    world.pass(leaseMs)
    const next = await world.start()
    await next.wishes.endLapsed()
    // It had come to the service after all.
    const { ks, message } = comment
    await world.monitor.commentOnAlert(token, ks, message)
    const [untold] = await next.wishes.claimUntold(leaseMs)
    if (untold !== undefined) await lookBeforeTelling(next, untold)
    expect(world.recorded).toEqual([done('seen')])
    world.service.trouble.answer(503, { only: 'GET' })

    expect(await first.comesBack()).toMatchObject({ kind: 'repeated' })

    expect(await world.outcome(next)).toEqual(done('seen'))
    expect(world.recorded).toEqual([done('seen')])
  })

  it('tells what it knows when it comes back, in place of a doubt', async () => {
    const world = await setup()
    const first = await fallsSilent(world, comment, 'sent')
    world.pass(leaseMs)
    const next = await world.start({ readAlert: () => Promise.reject(new Error('the service must be away')) })
    await next.wishes.endLapsed()

    const back = await first.comesBack()

    expect(back.outcome).toEqual(done('seen'))
    expect(await world.outcome(next)).toEqual(done('seen'))
  })
})

describe('later looks', () => {
  it('go on with the others when one of them fails', async () => {
    const { service, start, send, pass } = await setup()
    service.addAlert({ ks: 'k2', containerId: 12 })
    service.behaves({ visible: { reads: 3 } })
    const room = await start()
    await send(room, comment, 'w1')
    await send(room, { ...comment, ks: 'k2' }, 'w2')
    pass(30 * seconds)
    let times = 0
    const tokenOf: SendRoom['tokenOf'] = async () => {
      times += 1
      if (times === 1) throw new Error('its token cannot be opened')
      return token
    }

    await lookAgain({ ...room, tokenOf })

    const outcomes = [await kept(room, 'w1'), await kept(room, 'w2')].map(({ sends }) => sends[0]?.outcome)
    expect(outcomes).toContainEqual(done('seen'))
    expect(outcomes).toContainEqual(uncertain('not-seen'))
  })

  it('see nothing for whoever has disconnected', async () => {
    const { service, start, send, pass, outcome } = await setup()
    service.behaves({ visible: { reads: 3 } })
    const room = await start()
    await send(room, comment)
    const { length } = service.requests
    pass(30 * seconds)

    await lookAgain({ ...room, tokenOf: async () => undefined })

    expect(await outcome(room)).toEqual(uncertain('not-seen'))
    expect(service.requests).toHaveLength(length)
  })
})

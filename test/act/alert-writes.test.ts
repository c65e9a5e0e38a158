// Writes about alerts through the engine, on a database and the stand-in service: one request at most, and a verdict by
// what the alert shows, whenever whoever sent it dies.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { House } from '../../src/house.ts'
import type { SendOutcome } from '../../src/send/outcome.ts'
import type { Request } from '../../src/send/request.ts'
import { keepBegun, sendBegun } from '../../src/send/send.ts'
import type { AlertWrite } from '../../src/send/writes.ts'
import { connectTo, startService } from '../monitor/setup.ts'
import { openSends, passes, type StandIn, sender } from '../send/send-house.ts'
import { databaseFile } from '../storage/files.ts'

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
  const url = `file:${await databaseFile()}`
  const recorded: SendOutcome[] = []
  const waits: number[] = []
  let now = 1_700_000_000_000

  /** Each is a process on the same database. */
  function start(standIn: StandIn = {}, stopping?: AbortSignal): Promise<House> {
    return openSends(
      { ...monitor, ...standIn },
      {
        url,
        now: () => now,
        async wait(ms) {
          waits.push(ms)
          await delay(1)
        },
        ...(stopping && { stopping }),
        kind: { record: async (_house, _request, _send, outcome) => void recorded.push(outcome) },
      },
    )
  }
  async function send(house: House, write: AlertWrite, id = 'w') {
    const begun = await keepBegun(house, { id, sender, writes: [write], channelId: 'C1' }, { sender, passes })
    if (begun === undefined) throw new Error('it was begun before')
    const sent = await sendBegun(house, token, begun)
    return { ...sent, outcome: sent.request.sends[0]?.outcome }
  }
  const outcome = async (house: House, id = 'w') => (await kept(house, id)).sends[0]?.outcome
  return {
    ...{ service, alert, monitor, recorded, waits, start, send, outcome },
    pass(ms: number) {
      now += ms
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

async function kept({ storage: { requests } }: House, id = 'w'): Promise<Request> {
  const request = await requests.find({ workspaceId: 'T1', id })
  if (request === undefined) throw new Error('it is not kept')
  return request
}

const done = (on: string) => ({ kind: 'done', on })
const uncertain = (cause: string) => ({ kind: 'uncertain', cause })

describe.each(all)('to %s', (_name, write) => {
  it('is read for, sent once and seen', async () => {
    const { asked, start, send, alert, recorded } = await setup()

    const sent = await send(await start(), write)

    expect(sent.outcome).toEqual(done('seen'))
    expect(sent.isToTell).toBe(true)
    expect(sent.learned.get(1)?.alert?.actions).toHaveLength(1)
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

  it('is seen though the connection was cut after it took effect', async () => {
    const { service, puts, start, send } = await setup()
    service.trouble.cut({ when: 'after-effect', only: 'PUT' })

    expect((await send(await start(), write)).outcome).toEqual(done('seen'))

    expect(puts()).toBe(1)
  })

  it('is not certain where the connection was cut before, and never sent again', async () => {
    const { service, alert, puts, start, send } = await setup()
    service.trouble.cut({ when: 'before-answer', only: 'PUT' })
    const house = await start()
    const sent = await send(house, write)
    expect(sent.outcome).toEqual(uncertain('connection-lost'))
    await expect(send(house, write)).rejects.toThrow('begun before')
    expect(alert.actions).toEqual([])
    expect(puts()).toBe(1)
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
    const { takesREAD, asked, start, send, alert } = await setup()
    takesREAD()
    const house = await start()

    expect((await send(house, write)).outcome).toEqual(uncertain('not-readable'))

    expect(alert.actions).toHaveLength(1)
    expect(asked().filter((what) => what !== 'read')).toHaveLength(1)
  })

  it('a request that was cut is no more certain', async () => {
    const { service, takesREAD, start, send } = await setup()
    takesREAD()
    service.trouble.cut({ when: 'after-effect', only: 'PUT' })
    const house = await start()

    expect((await send(house, close)).outcome).toEqual(uncertain('connection-lost'))
  })
})

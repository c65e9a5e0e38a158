// Writes to the service: one request at most, what certainly happened, and what certainly did not. That an alert is as it
// was asked for is no part of this: the service says 204 whatever becomes of it.
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { version } from '../../src/config/version.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import type { WriteResult } from '../../src/monitor/writes.ts'
import { connectTo, dave, startService, startSocketServer } from './setup.ts'

const token = 'carol-secret-0123456789'
const carol = 9

async function setup({ budgetMs = 5_000, basic = false } = {}) {
  const service = await startService()
  const flags = ['API', 'READ', 'CONTAINER_ACCESS', 'ALERT_ASSIGN', 'ALERT_CHANGE'] as const
  service.addToken({ token, name: 'carol', userId: carol, flags })
  service.addMember(12, { email: 'carol@example.com', id: carol, member: true })
  service.addAlert({ ks: 'k1', containerId: 12 })
  return { service, monitor: connectTo(service.url, { budgetMs, basic }) }
}

type Service = Awaited<ReturnType<typeof setup>>['service']
/** How many writes have had an effect. */
const doneIn = (service: Service) =>
  service.membersOf(12).length - 2 + (service.alert('k1')?.actions.length ?? 0)

const solution = 'The log rotation was off since the update; it is on again now.'
type Write = (monitor: Monitor, ks?: string) => Promise<WriteResult>
const assign: Write = (monitor, ks = 'k1') =>
  monitor.assignAlert(token, ks, { userId: carol, message: 'Mine.' })
const comment: Write = (monitor, ks = 'k1') => monitor.commentOnAlert(token, ks, 'Looking.')
const close: Write = (monitor, ks = 'k1') =>
  monitor.closeAlert(token, ks, { message: solution, isSolution: true })
const add: Write = (monitor) => monitor.addUser(token, 12, dave)

const change: Write = (monitor) =>
  monitor.changeUser(token, 12, carol, { permissions: ['READ', 'OF_TOMORROW'], member: true })

const acts = [
  ['assign', assign],
  ['comment', comment],
  ['close', close],
] as const

const done = { kind: 'done' }
const notDone = (code: string) => ({ kind: 'not-done', code })
const uncertain = (cause: string) => ({ kind: 'uncertain', cause })

test('each sends what was asked, and nothing else', async () => {
  const { service, monitor } = await setup()

  service.addMember(12, { email: 'carol@example.com', permissions: ['OF_TOMORROW'] })
  for (const write of [assign, comment, close, add, change])
    expect(await write(monitor)).toEqual(done)

  expect(
    service.requests.map(({ method, path, query, body }) => [method, path, query, body]),
  ).toEqual([
    ['PUT', '/alert/k1/assign', '', { userId: carol, message: 'Mine.' }],
    ['PUT', '/alert/k1/message', '', { message: 'Looking.' }],
    ['PUT', '/alert/k1/close', '', { message: solution, isSolution: true }],
    ['POST', '/container/12/user', '', { email: 'dave@example.com', permissions: ['READ', 'API'] }],
    ['PUT', '/container/12/user/9', '', { permissions: ['READ', 'OF_TOMORROW'], member: true }],
  ])
  expect(service.requests[3]?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `bellhop/${version}`,
  })
  expect(service.alert('k1')?.actions.map(({ kind }) => kind)).toEqual([
    'Assign',
    'Comment',
    'Close',
  ])
  expect(service.membersOf(12).at(-1)).toMatchObject({ email: 'dave@example.com', member: false })
})

test('a key is one part of the path, whatever is in it', async () => {
  const { service, monitor } = await setup()
  service.addAlert({ ks: '../k1/close?x=1#y', containerId: 12 })

  expect(await comment(monitor, '../k1/close?x=1#y')).toEqual(done)

  expect(service.requests).toMatchObject([
    { path: '/alert/..%2Fk1%2Fclose%3Fx%3D1%23y/message', query: '' },
  ])
})

describe.each([...acts, ['add somebody', add] as const])('to %s', (_name, write) => {
  const isAdding = write === add
  test.each([
    [400, notDone('bad-request')],
    [401, notDone('refused')],
    [403, notDone('forbidden')],
    [404, notDone('not-found')],
    // Every service’s contract has adding somebody.
    [405, isAdding ? uncertain('odd-answer') : notDone('no-operation')],
    [429, notDone('busy')],
    [500, uncertain('server-error')],
    [503, uncertain('server-error')],
    [200, uncertain('odd-answer')],
    [202, uncertain('odd-answer')],
    [304, uncertain('odd-answer')],
    [409, uncertain('odd-answer')],
  ])('is asked once when the service answers %i', async (status, result) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, { headers: { 'retry-after': '0' } })

    expect(await write(monitor)).toEqual(result)

    expect(service.requests).toHaveLength(1)
  })

  test('says why it was refused, in the words of the service', async () => {
    const { service, monitor } = await setup()
    service.trouble.answer(400, { body: { error_msg: 'Solution too short' } })

    expect(await write(monitor)).toEqual({
      ...notDone('bad-request'),
      reason: 'Solution too short',
    })
  })

  test.each(['before-answer', 'mid-body', 'after-effect'] as const)(
    'is asked once when the connection is cut %s, and is not certain',
    async (when) => {
      const { service, monitor } = await setup()
      service.trouble.cut({ when })

      expect(await write(monitor)).toEqual(uncertain('connection-lost'))

      const effects = when === 'before-answer' ? 0 : 1
      expect([service.requests.length, doneIn(service)]).toEqual([1, effects])
    },
  )

  test('is asked once when it is never answered, and is not certain', async () => {
    const { service, monitor } = await setup({ budgetMs: 300 })
    service.trouble.hang({ takesEffect: true })

    expect(await write(monitor)).toEqual(uncertain('timed-out'))

    expect([service.requests.length, doneIn(service)]).toEqual([1, 1])
  })

  test('is not sent after a redirect', async () => {
    const { service, monitor } = await setup()
    const elsewhere = await setup()
    service.trouble.redirect(`${elsewhere.service.url}/container/12/user`, { status: 307 })

    expect(await write(monitor)).toEqual(uncertain('odd-answer'))

    expect([service.requests.length, elsewhere.service.requests.length]).toEqual([1, 0])
  })

  test('has a connection of its own, so that a stale one cannot make it uncertain', async () => {
    const { service, monitor } = await setup()
    await monitor.readAlert(token, 'k1')
    service.trouble.stale()

    expect(await write(monitor)).toEqual(done)

    expect(service.requests.map(({ connection }) => connection)).toEqual([1, 2])
  })
})

describe.each(acts)('to %s', (_name, act) => {
  test.each(['', '..', 'x\ud800'])(
    'is not sent for the key %j, which no path can hold',
    async (ks) => {
      const { service, monitor } = await setup()

      expect(await act(monitor, ks)).toEqual(notDone('bad-request'))

      expect(service.requests).toEqual([])
    },
  )

  test('is not asked for with the operations of the contract alone', async () => {
    const { service, monitor } = await setup({ basic: true })

    expect(await act(monitor)).toEqual(notDone('no-operation'))

    expect(service.requests).toEqual([])
  })
})

test.each([
  ['what answers is not HTTP', 'Good evening.\r\n\r\n', uncertain('odd-answer')],
  ['the connection is reset after it', undefined, uncertain('connection-lost')],
  ['204 is followed by nothing', 'HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n', done],
])('it is sent once when %s', async (_what, answer, result) => {
  let connections = 0
  const host = await startSocketServer((socket) => {
    connections += 1
    socket.once('data', () =>
      answer === undefined ? socket.resetAndDestroy() : socket.write(answer),
    )
  })

  expect(await add(connectTo(`http://${host}`))).toEqual(result)

  expect(connections).toBe(1)
})

describe('nothing was done where the connection was never made', () => {
  test('because nobody listens', async () => {
    const { service, monitor } = await setup()
    await service.trouble.down()

    expect(await add(monitor)).toEqual(notDone('unreachable'))
    // Several addresses of one name are several tries to connect.
    expect(await add(connectTo(service.url.replace('127.0.0.1', 'localhost')))).toEqual(
      notDone('unreachable'),
    )
    expect(await add(connectTo('https://monitoring.invalid'))).toEqual(notDone('unreachable'))
  })

  test.each([
    ['the time ran out during the TLS handshake', () => undefined],
    ['what answers does not speak TLS', (socket: Socket) => socket.end('HTTP/1.1 400 No\r\n\r\n')],
    ['the TLS handshake was reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('because %s', async (_what, answer) => {
    const host = await startSocketServer((socket) => socket.once('data', () => void answer(socket)))

    expect(await add(connectTo(`https://${host}`, { budgetMs: 300 }))).toEqual(
      notDone('unreachable'),
    )
  })
})

test('closing waits for what is under way and refuses what comes later', async () => {
  const { service, monitor } = await setup()
  const ended: string[] = []
  const adding = add(monitor).then(({ kind }) => ended.push(kind))
  const read = monitor.readAlert(token, 'k1').then(({ ks }) => ended.push(ks))

  await monitor.close()

  expect(ended.toSorted()).toEqual(['done', 'k1'])
  await Promise.all([adding, read])
  expect(await add(monitor)).toEqual(notDone('unreachable'))
  await expect(monitor.readAlert(token, 'k1')).rejects.toMatchObject({ code: 'unreachable' })
  await expect(monitor.tryToken(token)).rejects.toMatchObject({ code: 'unreachable' })
  expect(service.requests).toHaveLength(2)
})

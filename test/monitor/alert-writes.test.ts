// Assigning, commenting and closing over HTTP: one request at most, and what certainly became of it. That an alert is as
// it was asked for is no part of this: the service says 204 whatever becomes of it.
import { describe, expect, test } from 'vitest'
import type { Monitor, WriteResult } from '../../src/monitor/client.ts'
import { connectTo, powerlessToken, readerToken, startService } from './setup.ts'

const token = 'carol-secret-0123456789'
const carol = 9

interface Options {
  readonly budgetMs?: number
  readonly basic?: boolean
}

async function setup({ budgetMs = 5_000, basic = false }: Options = {}) {
  const service = await startService()
  service.addToken({
    ...{ token, name: 'carol', userId: carol },
    flags: ['API', 'READ', 'ALERT_ASSIGN', 'ALERT_CHANGE'],
  })
  service.addMember(12, { email: 'carol@example.com', id: carol, member: true })
  service.addAlert({ ks: 'k1', containerId: 12 })
  return { service, monitor: connectTo(service.url, { budgetMs, basic }) }
}

const solution = 'The log rotation was off since the update; it is on again now.'
type Act = (monitor: Monitor, ks?: string, as?: string) => Promise<WriteResult>
const assign: Act = (monitor, ks = 'k1', as = token) =>
  monitor.assignAlert(as, ks, { userId: carol, message: 'Mine.' })
const comment: Act = (monitor, ks = 'k1', as = token) => monitor.commentOnAlert(as, ks, 'Looking.')
const close: Act = (monitor, ks = 'k1', as = token) =>
  monitor.closeAlert(as, ks, { message: solution, isSolution: true })

const acts = [
  ['assign', assign, 'assign'],
  ['comment', comment, 'message'],
  ['close', close, 'close'],
] as const

const notDone = (code: string) => ({ kind: 'not-done', code })
const uncertain = (cause: string) => ({ kind: 'uncertain', cause })
const noOperation = notDone('no-operation')

test('an alert is assigned, commented on and closed with what was asked, and nothing else', async () => {
  const { service, monitor } = await setup()

  for (const [, act] of acts) expect(await act(monitor)).toEqual({ kind: 'done' })

  expect(service.requests.map(({ method, path, query, body }) => [method, path, query, body])).toEqual([
    ['PUT', '/alert/k1/assign', '', { userId: carol, message: 'Mine.' }],
    ['PUT', '/alert/k1/message', '', { message: 'Looking.' }],
    ['PUT', '/alert/k1/close', '', { message: solution, isSolution: true }],
  ])
  expect(service.alert('k1')?.actions.map(({ kind, data }) => [kind, data])).toMatchObject([
    ['Assign', { userId: carol, ownerId: carol, message: 'Mine.' }],
    ['Comment', { userId: carol, message: 'Looking.' }],
    ['Close', { userId: carol, message: solution, isSolution: true }],
  ])
})

test('what is left empty is not sent', async () => {
  const { service, monitor } = await setup()

  await monitor.assignAlert(token, 'k1', { userId: carol, message: '' })
  await monitor.closeAlert(token, 'k1', { message: '', isSolution: false })

  expect(service.requests.map(({ body }) => body)).toEqual([{ userId: carol }, {}])
})

test('a key is one part of the path, whatever is in it', async () => {
  const { service, monitor } = await setup()
  service.addAlert({ ks: '../k1/close?x=1#y', containerId: 12 })

  expect(await comment(monitor, '../k1/close?x=1#y')).toEqual({ kind: 'done' })

  expect(service.requests).toHaveLength(1)
  expect(service.requests[0]).toMatchObject({ path: '/alert/..%2Fk1%2Fclose%3Fx%3D1%23y/message', query: '' })
})

describe.each(acts)('to %s', (_name, act) => {
  test.each([
    ['a token that the service does not know', 'nobody', 'refused'],
    ['a token that may only read', readerToken, 'forbidden'],
    ['a token without any flag', powerlessToken, 'forbidden'],
  ])('with %s changes nothing', async (_what, as, code) => {
    const { service, monitor } = await setup()

    expect(await act(monitor, 'k1', as)).toEqual(notDone(code))

    expect(service.requests).toHaveLength(1)
    expect(service.alert('k1')?.actions).toEqual([])
  })

  test.each([
    [400, notDone('bad-request')],
    [401, notDone('refused')],
    [403, notDone('forbidden')],
    [404, notDone('not-found')],
    [405, noOperation],
    [429, notDone('busy')],
    [500, uncertain('server-error')],
    [503, uncertain('server-error')],
    [200, uncertain('odd-answer')],
    [202, uncertain('odd-answer')],
    [302, uncertain('odd-answer')],
    [409, uncertain('odd-answer')],
  ])('is asked once when the service answers %i', async (status, result) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, { headers: { 'retry-after': '0' } })

    expect(await act(monitor)).toEqual(result)

    expect(service.requests).toHaveLength(1)
  })

  test('says why it was refused, in the words of the service', async () => {
    const { service, monitor } = await setup()
    service.trouble.answer(400, { body: { error_msg: 'Solution too short' } })

    expect(await act(monitor)).toEqual({ ...notDone('bad-request'), reason: 'Solution too short' })
  })

  test.each(['before-answer', 'mid-body', 'after-effect'] as const)(
    'is asked once when the connection is cut %s, and is not certain',
    async (when) => {
      const { service, monitor } = await setup()
      service.trouble.cut({ when })

      expect(await act(monitor)).toEqual(uncertain('connection-lost'))

      expect(service.requests).toHaveLength(1)
      expect(service.alert('k1')?.actions).toHaveLength(when === 'before-answer' ? 0 : 1)
    },
  )

  test('is asked once when it is never answered, and is not certain', async () => {
    const { service, monitor } = await setup({ budgetMs: 300 })
    service.trouble.hang({ takesEffect: true })

    expect(await act(monitor)).toEqual(uncertain('timed-out'))

    expect(service.requests).toHaveLength(1)
    expect(service.alert('k1')?.actions).toHaveLength(1)
  })

  test('is not done where nobody listens', async () => {
    const { service, monitor } = await setup()
    await service.trouble.down()

    expect(await act(monitor)).toEqual(notDone('unreachable'))
  })

  test.each(['', '..', 'x\ud800'])('is not sent for the key %j, which no path can hold', async (ks) => {
    const { service, monitor } = await setup()

    expect(await act(monitor, ks)).toEqual(notDone('bad-request'))

    expect(service.requests).toEqual([])
  })

  test('is not asked for with the operations of the contract alone', async () => {
    const { service, monitor } = await setup({ basic: true })

    expect(await act(monitor)).toEqual(noOperation)

    expect(service.requests).toEqual([])
  })
})

test('404 of assigning says that somebody is no member', async () => {
  const { service, monitor } = await setup()

  const result = await monitor.assignAlert(token, 'k1', { userId: 4711, message: '' })

  expect(result).toEqual(notDone('not-found'))
  expect(service.requests).toHaveLength(1)
})

test('the service answers 204 for an alert that there is none of, and that counts as no more than sent', async () => {
  const { monitor } = await setup()

  for (const [, act] of acts) expect(await act(monitor, 'nowhere')).toEqual({ kind: 'done' })
})

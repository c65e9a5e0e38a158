// Reading an alert: every row of the contract's table, and what is asked over the wire.
import { describe, expect, test } from 'vitest'
import type { MonitorService } from '../../playground/monitor/start-monitor.ts'
import { version } from '../../src/config/version.ts'
import {
  connectTo,
  expectFailure,
  powerlessToken,
  setup,
  startSocketServer,
  token,
} from './setup.ts'

describe('reading an alert', () => {
  test('tells the whole alert with its history, oldest action first', async () => {
    const { service, monitor } = await setup()
    const fields = {
      ks: 'k1',
      message: 'Disk is full',
      severity: 2,
      timestamp: 100,
      lastMessage: 'Disk is fuller',
      lastSeverity: 1,
      lastTimestamp: 160,
      ownerId: 7,
      closedTimestamp: 200,
    }
    const close = { kind: 'Close', timestamp: 200 }
    const comment = { kind: 'Comment', timestamp: 150, data: { message: 'first of this second' } }
    const escalate = {
      kind: 'Escalate',
      timestamp: 150,
      data: { nested: { deep: [1, null, 'x'] } },
    }
    const assign = { kind: 'Assign', timestamp: 120, data: { userId: 7, ownerId: 7, message: '' } }
    service.addAlert({ ...fields, actions: [close, comment, escalate, assign] })

    expect(await monitor.readAlert(token, 'k1')).toEqual({
      ...fields,
      actions: [assign, comment, escalate, { ...close, data: null }],
    })
  })

  test.each([
    ['other capitals', '5hkx', '5HkX'],
    ['percent-encoding', 'cpu 1/é', 'cpu%201%2F%C3%A9'],
    ['percent-encoding of the key that was asked', 'cpu%201', 'cpu 1'],
    ['the accents apart', 'cafe\u0301', 'caf\u00e9'],
    ['all of that', 'CAFE\u0301%20x', 'caf%c3%a9 X'],
    ['a percent sign of its own', '100% full', '100% FULL'],
  ])(
    'takes the answer with %s for the same alert, and gives the key of the service',
    async (_, asked, ks) => {
      const { service, monitor } = await setup()
      service.addAlert({ ks, spellings: [asked] })

      expect((await monitor.readAlert(token, asked)).ks).toBe(ks)
    },
  )

  test.each([
    ['k1', 'k2'],
    ['cpu 1', 'cpu1'],
    ['a+b', 'a b'],
    ['\u2460', '1'],
    ['a%2520b', 'a b'],
    ['caf\u00e9', 'cafe'],
  ])('asked for %j, it does not take %j for the same alert', async (asked, ks) => {
    const { service, monitor } = await setup()
    service.addAlert({ ks, spellings: [asked] })

    await expectFailure(monitor.readAlert(token, asked), 'malformed')
  })

  test('asks once, for every field and for kind, timestamp and data of the actions', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'a key/with?odd#parts' })

    await monitor.readAlert(token, 'a key/with?odd#parts')

    expect(service.requests).toMatchObject([
      {
        method: 'GET',
        path: '/alert/a%20key%2Fwith%3Fodd%23parts',
        query: 'actions=kind,timestamp,data',
        status: 200,
        token: 'alice',
        headers: { accept: 'application/json', 'user-agent': `bellhop/${version}` },
      },
    ])
  })

  test.each([
    ['a key that is not valid', 'bad-request', token, 'x'.repeat(65)],
    ['a token that the service does not know', 'refused', 'nobody', 'k1'],
    ['a token without API and READ', 'forbidden', powerlessToken, 'k1'],
    ['an alert that does not exist', 'not-found', token, 'k2'],
  ] as const)('says so for %s, without asking again', async (_what, code, with_, ks) => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })

    await expectFailure(monitor.readAlert(with_, ks), code)

    expect(service.requests).toHaveLength(1)
  })

  test('reads an alert that holds 5,000 actions', async () => {
    const { service, monitor } = await setup()
    const actions = Array.from({ length: 5_000 }, (_, index) => ({
      kind: 'Comment',
      timestamp: 5_000 - index,
      data: { userId: 1, message: 'Still looking into it. '.repeat(20) },
    }))
    service.addAlert({ ks: 'k1', actions })

    const alert = await monitor.readAlert(token, 'k1')

    expect(alert.actions).toHaveLength(5_000)
    expect(alert.actions[0]?.timestamp).toBe(1)
  })
})

describe('an answer outside the contract', () => {
  test.each(['not-json', 'wrong-type', 'missing-field'] as const)(
    'is not understood: %s',
    async (flaw) => {
      const { service, monitor } = await setup()
      service.addAlert({ ks: 'k1', message: 'confidential' })
      service.trouble.malformed(flaw)

      await expect(monitor.readAlert(token, 'k1')).rejects.toMatchObject({
        code: 'malformed',
        message: expect.not.stringContaining('confidential'),
      })
      expect(service.requests).toHaveLength(1)
    },
  )

  test.each([201, 204, 304, 405, 418, 422])('is not understood: status %i', async (status) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, { body: status === 204 || status === 304 ? undefined : 'no' })

    await expectFailure(monitor.readAlert(token, 'k1'), 'malformed')

    expect(service.requests).toHaveLength(1)
  })

  test.each([
    ['not HTTP at all', 'Good evening.\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
  ])('is not understood: %s', async (_what, answer) => {
    const host = await startSocketServer((socket) => socket.once('data', () => socket.end(answer)))

    await expectFailure(connectTo(`http://${host}`).readAlert(token, 'k1'), 'malformed')
  })

  test('with more fields than the contract names is read all the same', async () => {
    const { service, monitor } = await setup()
    const body = {
      ks: 'k1',
      message: 'm',
      severity: 9,
      timestamp: 1,
      lastMessage: 'm',
      lastSeverity: -1,
      lastTimestamp: 1,
      ownerId: null,
      closedTimestamp: null,
      assets: [{ id: 1 }],
      actions: [{ kind: 'New', timestamp: 1, by: 'me' }],
    }
    service.trouble.answer(200, { body })

    const alert = await monitor.readAlert(token, 'k1')

    expect(alert).toMatchObject({ severity: 9, lastSeverity: -1 })
    expect(alert.actions).toEqual([{ kind: 'New', timestamp: 1, data: null }])
  })

  test.each([[[]], [7], ['text'], [true]])('shows an action without its data: %j', async (data) => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })
    const alert = await monitor.readAlert(token, 'k1')
    const actions = [{ kind: 'Comment', timestamp: 3.7, data }]
    service.trouble.answer(200, { body: { ...alert, actions } })

    expect((await monitor.readAlert(token, 'k1')).actions).toEqual([
      { kind: 'Comment', timestamp: 3, data: null },
    ])
  })

  test.each([
    ['colour codes', '\u001b[1;31mDisk\u001b[0m full', 'Disk full'],
    ['control characters', 'Disk\u0007 full\r\n\ton db\u0085', 'Disk\ufffd full\r\n\ton db\ufffd'],
    ['direction marks', 'a\u202eb\nc \u2067d\u2069', 'ab\nc d'],
  ])('is cleaned of %s', async (_, message, cleaned) => {
    const { service, monitor } = await setup()
    service.addAlert({
      ks: 'k1',
      message,
      actions: [{ kind: 'Comment', timestamp: 1, data: { message } }],
    })

    const alert = await monitor.readAlert(token, 'k1')

    expect(alert).toMatchObject({ message: cleaned, lastMessage: cleaned })
    expect(alert.actions[0]?.data).toEqual({ message: cleaned })
  })

  test('has its messages cut where they are huge', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1', lastMessage: `x${'🔥'.repeat(50_000)}` })

    const { lastMessage } = await monitor.readAlert(token, 'k1')

    expect(lastMessage).toHaveLength(20_001)
    expect(lastMessage.isWellFormed()).toBe(true)
  })

  test.each<[string, (service: MonitorService) => unknown]>([
    ['has 10 MB', ({ trouble }) => trouble.huge(10 * 1024 * 1024)],
    ['never ends', ({ trouble }) => trouble.endless()],
    [
      'never ends, and is gzip',
      ({ trouble }) => trouble.endless({ headers: { 'content-encoding': 'gzip' } }),
    ],
  ])('is refused when it %s', async (_, answerSo) => {
    const { service, monitor } = await setup()
    answerSo(service)

    await expectFailure(monitor.readAlert(token, 'k1'), 'malformed')
  })

  test.each([301, 307])('is not followed when it is a redirect (%i)', async (status) => {
    const { service, monitor } = await setup()
    const elsewhere = await setup()
    service.trouble.redirect(`${elsewhere.service.url}/alert/k1`, { status })

    await expectFailure(monitor.readAlert(token, 'k1'), 'malformed')

    expect(service.requests).toHaveLength(1)
    expect(elsewhere.service.requests).toEqual([])
  })
})

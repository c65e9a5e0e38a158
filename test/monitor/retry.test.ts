// Reads are asked again when that may help, and never beyond their time.
import { describe, expect, test } from 'vitest'
import { parseRetryAfter } from '../../src/monitor/call.ts'
import { connectTo, expectFailure, setup, startSocketServer, token } from './setup.ts'

describe('a read of a service in trouble', () => {
  test.each([429, 502, 503, 504])(
    'is asked again after %i until it is answered',
    async (status) => {
      const { service, monitor } = await setup()
      service.addAlert({ ks: 'k1' })
      service.trouble.answer(status, { times: 3 })

      await monitor.readAlert(token, 'k1')

      expect(service.requests.map((request) => request.status)).toEqual([
        status,
        status,
        status,
        200,
      ])
    },
  )

  test.each([429, 504])('is busy when four tries all met %i', async (status) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status)

    await expectFailure(monitor.readAlert(token, 'k1'), 'busy')

    expect(service.requests).toHaveLength(4)
  })

  test.each(['before-answer', 'mid-body'] as const)(
    'is asked again when the connection is cut %s',
    async (when) => {
      const { service, monitor } = await setup()
      service.addAlert({ ks: 'k1' })
      service.trouble.cut({ when, times: 2 })

      await monitor.readAlert(token, 'k1')

      expect(service.requests).toHaveLength(3)
    },
  )

  test('survives a kept connection that has gone stale', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })
    service.trouble.stale()

    for (let round = 0; round < 3; round += 1) await monitor.readAlert(token, 'k1')

    expect(service.requests.map((request) => request.connection)).toEqual([1, 2, 3])
  })
})

describe('the time of a read', () => {
  test('ends it as unreachable when there was never an answer', async () => {
    const { service, monitor } = await setup({ budgetMs: 500 })
    service.trouble.hang()

    await expectFailure(monitor.readAlert(token, 'k1'), 'unreachable')

    expect(service.requests).toHaveLength(1)
  })

  test('ends it while a body trickles in', async () => {
    const host = await startSocketServer((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{')),
    )

    await expectFailure(
      connectTo(`http://${host}`, { budgetMs: 150 }).readAlert(token, 'k1'),
      'unreachable',
    )
  })
})

describe('waiting between tries', () => {
  test('obeys a Retry-After that fits into the time', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })
    service.trouble.rateLimit({ retryAfterSeconds: 1, times: 1 })

    await monitor.readAlert(token, 'k1')

    expect(service.requests).toHaveLength(2)
  })

  test.each([9, '9'.repeat(30)])(
    'is given up at once when Retry-After lies beyond the time (%s)',
    async (retryAfterSeconds) => {
      const { service, monitor } = await setup()
      service.trouble.rateLimit({ retryAfterSeconds })

      await expectFailure(monitor.readAlert(token, 'k1'), 'busy')

      expect(service.requests).toHaveLength(1)
    },
  )

  test.each([
    [undefined, 0],
    ['', 0],
    ['soon', 0],
    ['-5', 0],
    ['7', 7_000],
    ['Thu, 01 Jan 1970 00:01:05 GMT', 0],
  ])('takes Retry-After %j for %i ms', (header, ms) => {
    expect(parseRetryAfter(header)).toBe(ms)
  })
})

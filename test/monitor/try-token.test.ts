// Trying a token before it is kept.
import { describe, expect, test } from 'vitest'
import { connectTo, expectFailure, powerlessToken, setup, startSocketServer, token } from './setup.ts'

describe('trying a token', () => {
  test('accepts one that may read alerts, by a key that does not exist', async () => {
    const { service, monitor } = await setup()

    expect(await monitor.tryToken(token)).toBe('accepted')

    expect(service.requests).toMatchObject([{ method: 'GET', query: 'fields=ks', status: 404 }])
  })

  test('tells of one that lacks API and READ', async () => {
    const { monitor } = await setup()

    expect(await monitor.tryToken(powerlessToken)).toBe('forbidden')
  })

  test('refuses one that the service does not know', async () => {
    const { monitor } = await setup()

    await expectFailure(monitor.tryToken('nobody'), 'refused')
  })

  test.each([200, 204, 302, 400, 418, 500])('accepts it when the service answers %i', async (status) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status)

    expect(await monitor.tryToken(token)).toBe('accepted')

    expect(service.requests).toHaveLength(1)
  })

  test.each([429, 503])('accepts it when the service answers %i each time', async (status) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status)

    expect(await monitor.tryToken(token)).toBe('accepted')

    expect(service.requests).toHaveLength(4)
  })

  test('still refuses it when the busy service comes to answering', async () => {
    const { service, monitor } = await setup()
    service.trouble.answer(503, { times: 2 })

    await expectFailure(monitor.tryToken('nobody'), 'refused')
  })

  test('does not read an answer that never ends', async () => {
    const { service, monitor } = await setup()
    service.trouble.endless()

    expect(await monitor.tryToken(token)).toBe('accepted')
  })

  test('cannot tell when nobody answers', async () => {
    const { service, monitor } = await setup()
    await service.trouble.down()

    await expectFailure(monitor.tryToken(token), 'unreachable')
  })

  test('cannot tell when the answer is not HTTP', async () => {
    const host = await startSocketServer((socket) =>
      socket.once('data', () => socket.end('Good evening.\r\n\r\n')),
    )

    await expectFailure(connectTo(`http://${host}`).tryToken(token), 'malformed')
  })

  test('waits for the answer behind early hints, which are none', async () => {
    const head =
      'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'
    const host = await startSocketServer((socket) => socket.once('data', () => socket.write(head)))

    await expectFailure(connectTo(`http://${host}`).tryToken(token), 'refused')
  })
})

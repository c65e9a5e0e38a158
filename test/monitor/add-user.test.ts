// Adding a user to a container: what certainly happened, what certainly did not, and one POST at most.
import { describe, expect, test } from 'vitest'
import { version } from '../../src/config/version.ts'
import { connectTo, dave, powerlessToken, readerToken, setup, startSocketServer, token } from './setup.ts'

const notGranted = (code: string) => ({ kind: 'not-done', code })
const uncertain = (cause: string) => ({ kind: 'uncertain', cause })

describe('adding a user', () => {
  test('puts them on the container with what was asked', async () => {
    const { service, monitor } = await setup()

    const result = await monitor.addUser(token, 12, { ...dave, member: true })

    expect(result).toEqual({ kind: 'done' })
    expect(service.membersOf(12).at(-1)).toMatchObject({
      email: 'dave@example.com',
      authProvider: 'Password',
      member: true,
      permissions: ['READ', 'API'],
    })
  })

  test.each([
    [dave, { email: 'dave@example.com', permissions: ['READ', 'API'] }],
    [
      { ...dave, member: true, permissions: [] },
      { email: 'dave@example.com', member: true, permissions: [] },
    ],
    [
      { ...dave, authProvider: 'Password' },
      { email: 'dave@example.com', authProvider: 'Password', permissions: ['READ', 'API'] },
    ],
  ])('sends exactly the fields that are needed (%#)', async (user, body) => {
    const { service, monitor } = await setup()

    await monitor.addUser(token, 12, user)

    expect(service.requests).toMatchObject([
      {
        method: 'POST',
        path: '/container/12/user',
        query: '',
        status: 204,
        token: 'alice',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': `bellhop/${version}`,
        },
      },
    ])
    expect(service.requests[0]?.body).toEqual(body)
  })

  test.each([
    [
      'somebody who is on the container already',
      'bad-request',
      token,
      12,
      { ...dave, email: 'alice@example.com' },
    ],
    [
      'somebody the service does not know',
      'bad-request',
      token,
      12,
      { ...dave, email: 'nobody@example.com' },
    ],
    ['a flag that does not exist', 'bad-request', token, 12, { ...dave, permissions: ['EVERYTHING'] }],
    ['a token that the service does not know', 'refused', 'nobody', 12, dave],
    ['a token without CONTAINER_ACCESS', 'forbidden', readerToken, 12, dave],
    ['a token without any flag', 'forbidden', powerlessToken, 12, dave],
    ['a container that does not exist', 'not-found', token, 13, dave],
  ] as const)('says that nothing was granted for %s', async (_what, code, with_, container, user) => {
    const { service, monitor } = await setup()

    expect(await monitor.addUser(with_, container, user)).toEqual(notGranted(code))

    expect(service.requests).toHaveLength(1)
    expect(service.membersOf(12)).toHaveLength(1)
  })

  test('needs the sign-in provider when an address exists twice', async () => {
    const { service, monitor } = await setup()
    service.addUser({ email: 'dave@example.com', authProvider: 'Google' })

    expect(await monitor.addUser(token, 12, dave)).toEqual(notGranted('bad-request'))
    expect(await monitor.addUser(token, 12, { ...dave, authProvider: 'Google' })).toEqual({ kind: 'done' })

    expect(service.membersOf(12).at(-1)).toMatchObject({ authProvider: 'Google' })
  })

  test.each([Number.NaN, 1.5, 2 ** 53])('sends nothing for container %s', async (container) => {
    const { service, monitor } = await setup()

    expect(await monitor.addUser(token, container, dave)).toEqual(notGranted('bad-request'))

    expect(service.requests).toEqual([])
  })
})

describe('a grant is sent at most once', () => {
  test.each([
    [405, uncertain('odd-answer')],
    [429, notGranted('busy')],
    [500, uncertain('server-error')],
    [502, uncertain('server-error')],
    [503, uncertain('server-error')],
    [504, uncertain('server-error')],
    [200, uncertain('odd-answer')],
    [201, uncertain('odd-answer')],
    [202, uncertain('odd-answer')],
    [304, uncertain('odd-answer')],
    [409, uncertain('odd-answer')],
    [422, uncertain('odd-answer')],
  ])('also when the service answers %i', async (status, result) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, { headers: { 'retry-after': '0' }, times: 1 })

    expect(await monitor.addUser(token, 12, dave)).toEqual(result)

    expect(service.requests).toHaveLength(1)
  })

  test.each(['before-answer', 'mid-body', 'after-effect'] as const)(
    'also when the connection is cut %s, which leaves it uncertain',
    async (when) => {
      const { service, monitor } = await setup()
      service.trouble.cut({ when, times: 1 })

      expect(await monitor.addUser(token, 12, dave)).toEqual(uncertain('connection-lost'))

      expect(service.requests).toHaveLength(1)
      expect(service.membersOf(12)).toHaveLength(when === 'before-answer' ? 1 : 2)
    },
  )

  test('also when it is never answered, which leaves it uncertain', async () => {
    const { service, monitor } = await setup({ budgetMs: 500 })
    service.trouble.hang()

    expect(await monitor.addUser(token, 12, dave)).toEqual(uncertain('timed-out'))

    expect(service.requests).toHaveLength(1)
  })

  test.each([301, 302, 303, 307, 308])(
    'also when it is redirected (%i), which is not followed',
    async (status) => {
      const { service, monitor } = await setup()
      const elsewhere = await setup()
      service.trouble.redirect(`${elsewhere.service.url}/container/12/user`, { status })

      expect(await monitor.addUser(token, 12, dave)).toEqual(uncertain('odd-answer'))

      expect(service.requests).toHaveLength(1)
      expect(elsewhere.service.requests).toEqual([])
    },
  )

  test('also when the answer is not HTTP, which leaves it uncertain', async () => {
    let connections = 0
    const host = await startSocketServer((socket) => {
      connections += 1
      socket.once('data', () => socket.end('Good evening.\r\n\r\n'))
    })

    expect(await connectTo(`http://${host}`).addUser(token, 12, dave)).toEqual(uncertain('odd-answer'))

    expect(connections).toBe(1)
  })

  test('also when the connection is reset after the request, which leaves it uncertain', async () => {
    let connections = 0
    const host = await startSocketServer((socket) => {
      connections += 1
      socket.once('data', () => socket.resetAndDestroy())
    })

    expect(await connectTo(`http://${host}`).addUser(token, 12, dave)).toEqual(uncertain('connection-lost'))

    expect(connections).toBe(1)
  })

  test('on a connection of its own, so that a stale one cannot make it uncertain', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })
    await monitor.readAlert(token, 'k1')
    service.trouble.stale()

    expect(await monitor.addUser(token, 12, dave)).toEqual({ kind: 'done' })

    expect(service.requests.map((request) => [request.method, request.connection])).toEqual([
      ['GET', 1],
      ['POST', 2],
    ])
  })

  test.each([204, 400, 503])('and judged by its status %i when the body never ends', async (status) => {
    const { service, monitor } = await setup()
    if (status === 204) {
      const host = await startSocketServer((socket) =>
        socket.once('data', () => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n')),
      )
      expect(await connectTo(`http://${host}`).addUser(token, 12, dave)).toEqual({ kind: 'done' })
      return
    }
    service.trouble.endless({ status })

    expect(await monitor.addUser(token, 12, dave)).toEqual(
      status === 400 ? notGranted('bad-request') : uncertain('server-error'),
    )
  })
})

describe('nothing was granted when the connection was never made', () => {
  test('because nobody listens', async () => {
    const { service, monitor } = await setup()
    await service.trouble.down()

    expect(await monitor.addUser(token, 12, dave)).toEqual(notGranted('unreachable'))
  })

  test('because nobody listens at any of the addresses of a name', async () => {
    const { service } = await setup()
    await service.trouble.down()
    const url = service.url.replace('127.0.0.1', 'localhost')

    expect(await connectTo(url).addUser(token, 12, dave)).toEqual(notGranted('unreachable'))
  })

  test('because the name does not exist', async () => {
    const monitor = connectTo('https://monitoring.invalid')

    expect(await monitor.addUser(token, 12, dave)).toEqual(notGranted('unreachable'))
  })

  test('because the time ran out during the TLS handshake', async () => {
    const host = await startSocketServer(() => {})

    expect(await connectTo(`https://${host}`, { budgetMs: 150 }).addUser(token, 12, dave)).toEqual(
      notGranted('unreachable'),
    )
  })

  test('because what answers does not speak TLS', async () => {
    const host = await startSocketServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    )

    expect(await connectTo(`https://${host}`).addUser(token, 12, dave)).toEqual(notGranted('unreachable'))
  })

  test('because the TLS handshake was reset', async () => {
    const host = await startSocketServer((socket) => socket.once('data', () => socket.resetAndDestroy()))

    expect(await connectTo(`https://${host}`).addUser(token, 12, dave)).toEqual(notGranted('unreachable'))
  })
})

test('closing waits for what is under way and refuses what comes later', async () => {
  const { service, monitor } = await setup()
  service.addAlert({ ks: 'k1' })
  const ended: string[] = []
  const grant = monitor.addUser(token, 12, dave).then(({ kind }) => ended.push(kind))
  const read = monitor.readAlert(token, 'k1').then(({ ks }) => ended.push(ks))

  await monitor.close()

  expect(ended.toSorted()).toEqual(['done', 'k1'])
  await Promise.all([grant, read])
  expect(await monitor.addUser(token, 12, dave)).toEqual(notGranted('unreachable'))
  await expect(monitor.readAlert(token, 'k1')).rejects.toMatchObject({ code: 'unreachable' })
  await expect(monitor.tryToken(token)).rejects.toMatchObject({ code: 'unreachable' })
  expect(service.requests).toHaveLength(2)
})

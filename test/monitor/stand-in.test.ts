// The stand-in service keeps the contract by itself, so that what passes against it means something.
import { describe, expect, test } from 'vitest'
import { seed } from '../../playground/monitor/seed/seed.ts'
import { seedTokens } from '../../playground/monitor/seed/seed-people.ts'
import { connectTo, powerlessToken, readerToken, startService, token } from './setup.ts'

const alertFields =
  'ks,message,severity,timestamp,lastMessage,lastSeverity,lastTimestamp,ownerId,closedTimestamp'.split(',')

async function get(url: string, bearer: string | undefined = token) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } })
  const text = await response.text()
  return { status: response.status, body: response.ok ? JSON.parse(text) : text }
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

describe('the stand-in, asked for the open alerts of an asset', () => {
  test.each([
    ['/asset/7/alerts', 200, [{ ks: 'k1' }]],
    ['/asset/7/alerts?fields=timestamp,ks', 200, [{ ks: 'k1', timestamp: 5 }]],
    ['/asset/8/alerts', 200, []],
    ['/asset/9/alerts', 404, 'not found'],
    ['/asset/7/alerts?fields=closedTimestamp', 400, expect.anything()],
    ['/asset/7/alerts?fields=actions', 400, expect.anything()],
    ['/asset/7/alerts?fields=', 400, expect.anything()],
    ['/asset/x/alerts', 400, expect.anything()],
    ['/asset/7', 404, 'not found'],
  ])('answers %s with %i', async (path, status, body) => {
    const service = await startService()
    service.addAlert({ ks: 'k1', timestamp: 5, assetId: 7, containerId: 12 })
    service.addAlert({ ks: 'k2', assetId: 8 }).close()

    expect(await get(`${service.url}${path}`)).toEqual({ status, body })
  })

  test('gives them to who has API and READ on its container', async () => {
    const service = await startService()
    service.addAlert({ ks: 'k1', assetId: 7, containerId: 12 })
    service.addToken({ token: 'elsewhere', name: 'erin', flags: { 34: ['API', 'READ'] } })

    const statuses = [token, readerToken, powerlessToken, 'elsewhere', 'nobody'].map(
      async (bearer) => (await get(`${service.url}/asset/7/alerts`, bearer)).status,
    )

    expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403, 401])
  })

  test('has links of alerts as its pages have them, and no lists where it is told so', async () => {
    const service = await startService()
    const link = { conditionId: 3, item: '/var' }
    service.addAlert({ ks: 'k1', timestamp: 5, assetId: 7, containerId: 12, link })
    expect(service.linkOf('k1')).toBe(
      'https://monitoring.example.com/container/12/asset/7/alert?condition=3&item=%2Fvar&alert=5',
    )
    expect(() => service.linkOf('k2')).toThrow('no web link')
    service.hasNoLists()
    expect((await get(`${service.url}/asset/7/alerts`)).status).toBe(404)
  })
})

describe('the stand-in, asked for an alert', () => {
  test('answers every field but the actions', async () => {
    const service = await startService()
    service.addAlert({ ks: 'k1', actions: [{ kind: 'Close' }] })

    const { status, body } = await get(`${service.url}/alert/k1`)

    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(alertFields)
  })

  test.each([
    ['fields=ks', { ks: 'k1' }],
    ['fields=ownerId,ks', { ks: 'k1', ownerId: null }],
    ['fields=ks&actions=kind', { ks: 'k1', actions: [{ kind: 'Close' }] }],
    ['fields=ks&actions=data,timestamp', { ks: 'k1', actions: [{ timestamp: 5, data: null }] }],
  ])('answers what was selected: %s', async (query, body) => {
    const service = await startService()
    service.addAlert({ ks: 'k1', actions: [{ kind: 'Close', timestamp: 5 }] })

    expect(await get(`${service.url}/alert/k1?${query}`)).toEqual({ status: 200, body })
  })

  test.each([
    ['/alert/k1?fields=', 400],
    ['/alert/k1?fields=ks,', 400],
    ['/alert/k1?fields=ks,%20message', 400],
    ['/alert/k1?fields=nonsense', 400],
    ['/alert/k1?actions=userId', 400],
    ['/alert/', 400],
    ['/alert/%00', 400],
    ['/alert/%ff', 400],
    [`/alert/${'x'.repeat(65)}`, 400],
    ['/alert/k2', 404],
    ['/alert/k1/more', 404],
    ['/', 404],
  ])('answers %s with %i', async (path, status) => {
    const service = await startService()
    service.addAlert({ ks: 'k1' })

    expect((await get(`${service.url}${path}`)).status).toBe(status)
  })

  test.each([
    [undefined, 401],
    ['nobody', 401],
    [powerlessToken, 403],
    [readerToken, 200],
  ])('answers the token %s with %i', async (bearer, status) => {
    const service = await startService()
    service.addAlert({ ks: 'k1' })
    const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }

    const response = await fetch(`${service.url}/alert/k1`, { headers })

    expect(response.status).toBe(status)
    expect(JSON.stringify(service.requests)).not.toContain(bearer ?? 'Bearer')
  })

  test('tells what has happened to it since', async () => {
    const service = await startService()
    const alert = service.addAlert({ ks: 'k1', message: 'first', severity: 3, timestamp: 10 })

    alert.hit({ message: 'second', severity: 1, timestamp: 20 })
    alert.act({ kind: 'Assign', timestamp: 30, data: { userId: 1, ownerId: 7, message: '' } })
    alert.act({ kind: 'AutoClose', timestamp: 40 })

    expect((await get(`${service.url}/alert/k1?actions=kind`)).body).toEqual({
      ks: 'k1',
      message: 'first',
      severity: 3,
      timestamp: 10,
      lastMessage: 'second',
      lastSeverity: 1,
      lastTimestamp: 20,
      ownerId: 7,
      closedTimestamp: 40,
      actions: [{ kind: 'Assign' }, { kind: 'AutoClose' }],
    })
  })
})

describe('the stand-in, asked to add a user', () => {
  test('answers 204 without a body, then 400 as they are on the container', async () => {
    const service = await startService()
    const body = { email: 'dave@example.com' }

    expect(await post(`${service.url}/container/12/user`, body)).toEqual({ status: 204, text: '' })
    expect((await post(`${service.url}/container/12/user`, body)).status).toBe(400)

    expect(service.membersOf(12).slice(1)).toMatchObject([
      { email: 'dave@example.com', authProvider: 'Password', member: false, permissions: [] },
    ])
  })

  test.each([
    ['not JSON', '{'],
    ['an array', []],
    ['no email', {}],
    ['an empty email', { email: '' }],
    ['an unknown user', { email: 'nobody@example.com' }],
    ['another provider than theirs', { email: 'dave@example.com', authProvider: 'Google' }],
    ['an unknown provider', { email: 'dave@example.com', authProvider: 'password' }],
    ['a provider of null', { email: 'dave@example.com', authProvider: null }],
    ['a member of the wrong type', { email: 'dave@example.com', member: 'true' }],
    ['an unknown flag', { email: 'dave@example.com', permissions: ['READ', 'read'] }],
    ['permissions that are no list', { email: 'dave@example.com', permissions: 'READ' }],
    ['an unknown field', { email: 'dave@example.com', role: 'admin' }],
  ])('answers 400 to %s', async (_what, body) => {
    const service = await startService()

    expect((await post(`${service.url}/container/12/user`, body)).status).toBe(400)

    expect(service.membersOf(12)).toHaveLength(1)
  })

  test.each([
    ['/container/12/user?member=true', {}, 400],
    ['/container/12/user', { 'content-type': 'text/plain' }, 400],
    ['/container/12/user', { 'content-type': 'application/json; charset=utf-8' }, 204],
    ['/container/12/user', { authorization: 'Bearer nobody' }, 401],
    ['/container/12/user', { authorization: token }, 401],
    ['/container/12/user', { authorization: `Bearer ${readerToken}` }, 403],
    ['/container/13/user', {}, 404],
    ['/container/twelve/user', {}, 404],
    ['/alert/k1', {}, 405],
  ])('answers %s with %j as it should: %i', async (path, headers, status) => {
    const service = await startService()

    expect((await post(`${service.url}${path}`, { email: 'dave@example.com' }, headers)).status).toBe(status)
  })
})

test('calls back for every change until told to stop', async () => {
  const service = await startService()
  let calls = 0
  const stop = service.onChange(() => {
    calls += 1
  })

  const alert = service.addAlert({ ks: 'k1' })
  expect(calls).toBe(1)
  alert.close()
  expect(calls).toBe(2)
  await get(`${service.url}/alert/k1`)
  expect(calls).toBe(4)
  stop()
  alert.hit({})
  expect(calls).toBe(4)
})

describe('the seed', () => {
  test('holds alerts that can all be read', async () => {
    const service = await startService()
    const { keys } = seed(service)
    const monitor = connectTo(service.url)

    const alerts = await Promise.all(keys.map((ks) => monitor.readAlert(seedTokens.bob, ks)))

    expect(alerts.map((alert) => alert.ks)).toEqual(keys)
    expect(alerts.find((alert) => alert.ks === 'long-story')?.actions).toHaveLength(520)
  })

  test('has somebody whose address needs a provider', async () => {
    const service = await startService()
    seed(service)
    const monitor = connectTo(service.url)
    const erin = { email: 'erin@example.com', authProvider: undefined, member: false, permissions: [] }

    expect(await monitor.addUser(seedTokens.carol, 12, erin)).toMatchObject({ code: 'bad-request' })
    expect(await monitor.addUser(seedTokens.carol, 34, erin)).toMatchObject({ code: 'forbidden' })
    expect(await monitor.addUser(seedTokens.carol, 12, { ...erin, authProvider: 'Google' })).toEqual({
      kind: 'done',
    })
  })
})

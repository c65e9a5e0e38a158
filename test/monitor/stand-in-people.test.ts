// The stand-in service asked about containers and their people: what it shows, and to whom.
import { describe, expect, test } from 'vitest'
import { startStandIn } from './stand-in-world.ts'

describe('the stand-in, asked for the people of a container', () => {
  test('lists them with every field, and their names', async () => {
    const { ask } = await startStandIn()

    expect(await ask('GET', '/container/12/users', undefined, { as: 'bob' })).toEqual({
      status: 200,
      body: [
        {
          id: 8,
          name: 'Bob',
          email: 'bob@example.com',
          authProvider: 'Password',
          inherit: false,
          member: false,
          mute: false,
          permissions: ['READ'],
        },
        expect.objectContaining({ id: 7, name: 'Alice Archer', member: true }),
      ],
    })
  })

  test.each([
    ['/container/12/users?fields=id,name', {}, 200],
    ['/container/12/users?fields=', {}, 400],
    ['/container/12/users?fields=lastSignIn', {}, 400],
    ['/container/13/users', {}, 404],
    ['/container/12/users', { as: 'robot' }, 403],
    ['/container/12/users', { as: 'mallory' }, 403],
    ['/container/12/users', { headers: { authorization: 'Bearer nobody' } }, 401],
    ['/container/twelve/users', {}, 404],
  ] as const)('answers %s of %j with %i', async (path, how, status) => {
    const { ask } = await startStandIn()

    expect((await ask('GET', path, undefined, how)).status).toBe(status)
    expect((await ask('DELETE', '/container/12/users')).status).toBe(405)
  })

  test('shows addresses as people chose, the own one in any case, or none', async () => {
    const { service, ask } = await startStandIn()
    service.addUser({ email: 'alice@example.com', hidesEmail: true })
    const emails = async () => (await ask('GET', '/container/12/users?fields=email')).body

    expect(await emails()).toEqual([{ email: 'bob@example.com' }, { email: null }])
    service.behaves({ addresses: 'and-own' })
    expect(await emails()).toEqual([{ email: 'bob@example.com' }, { email: 'alice@example.com' }])
    service.behaves({ addresses: 'none' })
    expect(await emails()).toEqual([{ email: null }, { email: null }])
  })

  test('hides who is no member, one or all of them', async () => {
    const { service, ask } = await startStandIn()
    service.addMember(12, { email: 'dave.doe@example.com', isHidden: true, mute: true, inherit: true })
    const listed = async () => (await ask('GET', '/container/12/users?fields=name,mute,inherit')).body
    const alice = { name: 'Alice Archer', mute: false, inherit: false }
    const bob = { name: 'Bob', mute: false, inherit: false }

    expect(await listed()).toEqual([bob, alice])
    service.addMember(12, { email: 'dave.doe@example.com', member: true })
    expect(await listed()).toEqual([{ name: 'Dave Doe', mute: true, inherit: true }, bob, alice])
    service.behaves({ people: 'members' })
    expect(await listed()).toEqual([{ name: 'Dave Doe', mute: true, inherit: true }, alice])
    service.removeMember(12, 7)
    expect(await listed()).toEqual([{ name: 'Dave Doe', mute: true, inherit: true }])
  })

  test('shows somebody who was added, at once or after some reads', async () => {
    const { service, ask } = await startStandIn()
    service.addUser({ email: 'erin@example.com' })
    const add = (email: string) => ask('POST', '/container/12/user', { email, permissions: ['API'] })
    const count = async () => JSON.stringify((await ask('GET', '/container/12/users?fields=id')).body)

    await add('dave.doe@example.com')
    expect(await count()).toBe('[{"id":101},{"id":8},{"id":7}]')
    service.behaves({ visible: { reads: 1 } })
    await add('erin@example.com')
    expect(service.membersOf(12).at(-1)).toMatchObject({ id: 102, permissions: ['API'] })
    expect(await count()).toBe('[{"id":101},{"id":8},{"id":7}]')
    expect(await count()).toBe('[{"id":102},{"id":101},{"id":8},{"id":7}]')
  })
})

describe('the stand-in, asked about own permissions', () => {
  test.each([
    [
      'told',
      {},
      200,
      { permissions: ['API', 'READ', 'CONTAINER_ACCESS', 'ALERT_ASSIGN', 'ALERT_CHANGE'], tokenType: 'user' },
    ],
    ['told', { as: 'bob' }, 200, { permissions: ['API', 'READ'], tokenType: 'user' }],
    [
      'told',
      { as: 'robot' },
      200,
      { permissions: ['API', 'ALERT_ASSIGN', 'ALERT_CHANGE'], tokenType: 'container' },
    ],
    ['told', { as: 'mallory' }, 403, expect.anything()],
    ['with-access', {}, 200, expect.anything()],
    ['with-access', { as: 'bob' }, 403, expect.anything()],
    ['refused', {}, 403, expect.anything()],
  ] as const)('%s, it answers %j with %i', async (ownPermissions, how, status, body) => {
    const { service, ask } = await startStandIn()
    service.behaves({ ownPermissions })

    expect(await ask('GET', '/container/12/permissions', undefined, how)).toEqual({ status, body })
    expect((await ask('GET', '/container/13/permissions', undefined, how)).status).toBe(404)
  })
})

describe('the stand-in, asked about a container', () => {
  test('has a name for it, and its properties', async () => {
    const { service, ask } = await startStandIn()
    service.addContainer(34, {
      properties: { infrasonar_alert_minimum_solution_length: 80 },
      mode: 'maintenance',
    })

    expect(await ask('GET', '/container/12?fields=id,name')).toEqual({
      status: 200,
      body: { id: 12, name: 'Customer 1' },
    })
    expect((await ask('GET', '/container/34')).body).toEqual({
      id: 34,
      name: 'Customer 2',
      timezone: 'Europe/Amsterdam',
      mode: 'maintenance',
      properties: [{ key: 'infrasonar_alert_minimum_solution_length', value: 80 }],
    })
  })

  test.each([
    ['/container/12?fields=parent', {}, 400],
    ['/container/12', { as: 'robot' }, 403],
    ['/container/13', {}, 404],
    ['/container/12/alerts?fields=closedTimestamp', {}, 400],
    ['/container/12/alerts', { as: 'robot' }, 403],
    ['/container/13/alerts', {}, 404],
    ['/container/12/labels', {}, 404],
  ] as const)('answers %s of %j with %i', async (path, how, status) => {
    const { ask } = await startStandIn()

    expect((await ask('GET', path, undefined, how)).status).toBe(status)
  })

  test('lists its open alerts by key, without those of other containers', async () => {
    const { service, ask } = await startStandIn()
    service.addContainer(34)
    service.addAlert({ ks: 'in-34', containerId: 34 })
    service.addAlert({ ks: 'anywhere' })
    service.addAlert({ ks: 'k2', containerId: 12, severity: 1 })
    service.addAlert({ ks: 'closed', containerId: 12 }).close()
    const list = async (query = '') => (await ask('GET', `/container/12/alerts${query}`)).body

    expect(await list()).toEqual([{ ks: 'k2' }, { ks: 'k1' }])
    expect(await list('?fields=severity,ks')).toEqual([
      { ks: 'k2', severity: 1 },
      { ks: 'k1', severity: 2 },
    ])
  })
})

test('has the two operations of the contract alone where it is told so', async () => {
  const { service, ask } = await startStandIn()
  service.hasNoLists()

  const statuses = [
    ['GET', '/container/12'],
    ['GET', '/container/12/users'],
    ['GET', '/container/12/alerts'],
    ['GET', '/container/12/permissions'],
    ['GET', '/container/id'],
    ['PUT', '/alert/k1/assign'],
    ['PUT', '/alert/k1/message'],
    ['PUT', '/alert/k1/close'],
  ].map(
    async ([method = '', path = '']) => (await ask(method, path, method === 'PUT' ? {} : undefined)).status,
  )

  expect(new Set(await Promise.all(statuses))).toEqual(new Set([404]))
  expect((await ask('GET', '/alert/k1')).status).toBe(200)
  expect((await ask('POST', '/container/12/user', { email: 'dave.doe@example.com' })).status).toBe(204)
})

describe('a trouble of one kind of request', () => {
  test('cuts an assignment after its effect, and leaves reads and comments alone', async () => {
    const { service, ask } = await startStandIn()
    const cut = service.trouble.cut({
      when: 'after-effect',
      times: 1,
      only: { method: 'PUT', path: /\/assign$/ },
    })

    expect((await ask('GET', '/alert/k1')).status).toBe(200)
    expect((await ask('PUT', '/alert/k1/message', { message: 'x' })).status).toBe(204)
    expect(cut.isWaiting).toBe(true)
    await expect(ask('PUT', '/alert/k1/assign', { userId: 7 })).rejects.toThrow('fetch failed')
    expect(service.alert('k1')?.values.ownerId).toBe(7)
    expect((await ask('PUT', '/alert/k1/assign', { userId: 7 })).status).toBe(204)
  })

  test('by method or path alone answers in the service’s place', async () => {
    const { service, ask } = await startStandIn()
    service.trouble.answer(405, { only: { path: /^\/container\/12\/users$/ } })
    service.trouble.answer(503, { only: 'DELETE' })

    expect((await ask('GET', '/container/12/users')).status).toBe(405)
    expect((await ask('DELETE', '/container/12')).status).toBe(503)
    expect((await ask('GET', '/container/12')).status).toBe(200)
  })

  test('holds writes while reads go on', async () => {
    const { service, ask } = await startStandIn()
    const letGo = service.trouble.hold({ only: 'PUT' })

    const closed = ask('PUT', '/alert/k1/close', {})
    expect((await ask('GET', '/alert/k1?fields=closedTimestamp')).body).toEqual({ closedTimestamp: null })
    letGo()
    expect((await closed).status).toBe(204)
    expect((await ask('GET', '/alert/k1?fields=closedTimestamp')).body).toEqual({ closedTimestamp: 100 })
  })

  test('never answers a write that it does, and spoils a list', async () => {
    const { service, ask } = await startStandIn()
    const commented = Promise.withResolvers<void>()
    service.onChange(() => {
      if (service.alert('k1')?.actions.length === 1) commented.resolve()
    })
    service.trouble.hang({ only: 'PUT', times: 1, takesEffect: true })
    service.trouble.malformed('wrong-type', { only: { path: /users$/ } })

    const unanswered = ask('PUT', '/alert/k1/message', { message: 'x' }).catch(() => 'gone')
    await commented.promise
    expect((await ask('GET', '/container/12/users?fields=id')).body).toEqual([{ id: 'high' }, { id: 'high' }])
    expect((await ask('GET', '/alert/k1?fields=severity')).body).toEqual({ severity: 2 })
    await service.stop()
    expect(await unanswered).toBe('gone')
  })
})

// The stand-in service when somebody assigns, comments on or closes an alert: it does no more than its documentation says.
import { describe, expect, test } from 'vitest'
import { actionsOf, startStandIn } from './stand-in-world.ts'

const solution = 'The log rotation was off since the update; it is on again now.'

describe('the stand-in, asked to act on an alert', () => {
  test('assigns, comments and closes, and names who did it', async () => {
    const { service, ask } = await startStandIn()

    for (const [path, body] of [
      ['assign', { userId: 7, message: 'Mine.' }],
      ['message', { message: 'Looking.' }],
      ['close', { message: solution, isSolution: true }],
    ] as const)
      expect(await ask('PUT', `/alert/k1/${path}`, body)).toEqual({ status: 204, body: '' })

    expect(actionsOf(service, 'k1')).toEqual([
      ['Assign', { userId: 7, ownerId: 7, message: 'Mine.' }],
      ['Comment', { userId: 7, message: 'Looking.' }],
      ['Close', { userId: 7, message: solution, isSolution: true }],
    ])
    expect((await ask('GET', '/alert/k1?fields=ownerId,closedTimestamp')).body).toEqual({
      ownerId: 7,
      closedTimestamp: 100,
    })
  })

  test('comments twice when it is asked twice, and names nobody for a container’s token', async () => {
    const { service, ask } = await startStandIn()

    await ask('PUT', '/alert/k1/message', { message: 'One' }, { as: 'robot' })
    await ask('PUT', '/alert/k1/message', { message: 'One' }, { as: 'robot' })
    await ask('PUT', '/alert/k1/assign', { userId: 7 }, { as: 'robot' })
    await ask('PUT', '/alert/k1/close', {}, { as: 'robot' })

    expect(actionsOf(service, 'k1')).toEqual([
      ['Comment', { message: 'One' }],
      ['Comment', { message: 'One' }],
      ['Assign', { ownerId: 7, message: '' }],
      ['Close', { message: '' }],
    ])
  })

  test.each([
    ['assign', {}],
    ['assign', { userId: '7' }],
    ['assign', { userId: 7.5 }],
    ['assign', { userId: null }],
    ['assign', { userId: 7, message: 'x'.repeat(241) }],
    ['assign', { userId: 7, message: null }],
    ['assign', { userId: 7, ownerId: 7 }],
    ['assign', '{'],
    ['message', {}],
    ['message', { message: '' }],
    ['message', { message: 5 }],
    ['message', { message: 'x'.repeat(241) }],
    ['message', { message: 'x', userId: 7 }],
    ['close', undefined],
    ['close', []],
    ['close', { message: 'x'.repeat(2_001) }],
    ['close', { message: 'x'.repeat(59), isSolution: true }],
    ['close', { isSolution: true }],
    ['close', { isSolution: 'true' }],
    ['close', { solution: true }],
  ])('answers 400 to %s %j, and does nothing', async (path, body) => {
    const { service, ask } = await startStandIn()

    expect((await ask('PUT', `/alert/k1/${path}`, body)).status).toBe(400)

    expect(actionsOf(service, 'k1')).toEqual([])
  })

  test.each([
    ['assign', { userId: 7, message: '🔥'.repeat(240) }],
    ['message', { message: '🔥'.repeat(240) }],
    ['close', { message: 'x'.repeat(2_000) }],
    ['close', { message: 'x'.repeat(60), isSolution: true }],
    ['close', {}],
  ])('takes the longest and the shortest: %s %j', async (path, body) => {
    const { ask } = await startStandIn()

    expect((await ask('PUT', `/alert/k1/${path}`, body)).status).toBe(204)
  })

  test.each([
    ['PUT', '/alert/k1/assign', { userId: 7 }, { as: 'bob' }, 403],
    ['PUT', '/alert/k1/message', { message: 'x' }, { as: 'bob' }, 403],
    ['PUT', '/alert/k1/close', {}, { as: 'bob' }, 403],
    ['PUT', '/alert/k1/close', {}, { as: 'mallory' }, 403],
    ['PUT', '/alert/k1/close', {}, { headers: { authorization: 'Bearer nobody' } }, 401],
    ['PUT', '/alert/k1/close', {}, { headers: { 'content-type': 'text/plain' } }, 400],
    ['PUT', '/alert/k1/close?force=true', {}, {}, 400],
    ['PUT', '/alert/%0A/close', {}, {}, 400],
    ['PUT', '/alert/%/close', {}, {}, 400],
    ['POST', '/alert/k1/close', {}, {}, 405],
    ['PUT', '/alert/k1', {}, {}, 405],
    ['PUT', '/alert/k1/reopen', {}, {}, 404],
  ] as const)('answers %s %s %j of %j with %s %i', async (method, path, body, how, status) => {
    const { service, ask } = await startStandIn()

    expect((await ask(method, path, body, how)).status).toBe(status)

    expect(actionsOf(service, 'k1')).toEqual([])
  })

  test('says 204 of an alert that does not exist', async () => {
    const { ask } = await startStandIn()

    for (const [path, body] of [
      ['assign', { userId: 7 }],
      ['message', { message: 'x' }],
      ['close', {}],
    ] as const)
      expect((await ask('PUT', `/alert/nowhere/${path}`, body)).status).toBe(204)
    expect((await ask('GET', '/alert/nowhere')).status).toBe(404)
  })

  test('assigns to nobody but members of its container: 404', async () => {
    const { service, ask } = await startStandIn()
    service.addContainer(34, { users: [{ email: 'erin@example.com', id: 9, member: true }] })
    const assign = async (userId: number) => (await ask('PUT', '/alert/k1/assign', { userId })).status

    expect([await assign(7), await assign(8), await assign(9), await assign(4711)]).toEqual([
      204, 404, 404, 404,
    ])
    service.addMember(12, { email: 'bob@example.com', member: true })
    expect(await assign(8)).toBe(204)
  })
})

describe('the stand-in, asked to act on a closed alert', () => {
  test.each([
    ['nothing', 204, ['Close']],
    ['recorded', 204, ['Close', 'Comment', 'Assign']],
    ['refused', 400, ['Close']],
  ] as const)('does %s with comments and assignments', async (onClosed, status, kinds) => {
    const { service, ask } = await startStandIn()
    service.behaves({ onClosed })
    await ask('PUT', '/alert/k1/close', {})

    expect((await ask('PUT', '/alert/k1/message', { message: 'Late' })).status).toBe(status)
    expect((await ask('PUT', '/alert/k1/assign', { userId: 7 })).status).toBe(status)

    expect(service.alert('k1')?.actions.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('does nothing by default, and the message of a second close is lost', async () => {
    const { service, ask, clock } = await startStandIn()
    expect(service.ways).toMatchObject({ onClosed: 'nothing' })
    await ask('PUT', '/alert/k1/close', { message: 'First' })
    clock.now = 200_000
    expect((await ask('PUT', '/alert/k1/close', { message: 'Second' })).status).toBe(204)
    expect(actionsOf(service, 'k1')).toEqual([['Close', { userId: 7, message: 'First' }]])
    expect(service.alert('k1')?.values.closedTimestamp).toBe(100)
  })
})

describe('a close that came too early', () => {
  test('is undone at once, with the same key, and the alert is assigned to who closed it', async () => {
    const { service, ask } = await startStandIn()
    service.behaves({ reopens: { key: 'same', when: 'at-once' } })

    await ask('PUT', '/alert/k1/close', { message: 'Fixed' })

    expect((await ask('GET', '/alert/k1?fields=ownerId,closedTimestamp&actions=kind')).body).toEqual({
      ownerId: 7,
      closedTimestamp: null,
      actions: [{ kind: 'Close' }, { kind: 'Assign' }],
    })
  })

  test('is undone after a time, with a new key that is in the list of its container', async () => {
    const { service, ask, clock } = await startStandIn()
    service.behaves({ reopens: { key: 'new', when: { afterMs: 5_000 } } })
    await ask('PUT', '/alert/k1/close', {})
    expect((await ask('GET', '/container/12/alerts')).body).toEqual([])

    clock.now += 5_000

    expect(
      (await ask('GET', '/container/12/alerts?fields=ks,ownerId,message,severity,timestamp')).body,
    ).toEqual([{ ks: 'k1-2', ownerId: 7, message: 'Disk is full', severity: 2, timestamp: 105 }])
    expect((await ask('GET', '/alert/k1?fields=closedTimestamp')).body).toEqual({ closedTimestamp: 100 })
  })

  test('is undone when a test says so, once', async () => {
    const { service, ask, clock } = await startStandIn()
    service.behaves({ reopens: { key: 'same', when: 'told' } })
    await ask('PUT', '/alert/k1/close', {})
    clock.now += 1_000_000
    expect((await ask('GET', '/container/12/alerts')).body).toEqual([])

    expect(service.reopen('k1').values).toMatchObject({ ks: 'k1', ownerId: 7, closedTimestamp: null })
    expect(() => service.reopen('k1')).toThrow('no closed alert k1')
    service.alert('k1')?.close()
    expect(service.reopen('k1', 'new').ks).toBe('k1-2')
  })

  test('of a container’s token is assigned to nobody', async () => {
    const { service, ask } = await startStandIn()
    service.behaves({ reopens: { key: 'same', when: 'at-once' } })

    await ask('PUT', '/alert/k1/close', {}, { as: 'robot' })

    expect(service.alert('k1')?.values).toMatchObject({ ownerId: null, closedTimestamp: null })
  })
})

describe('a write that shows later', () => {
  const owner = async (ask: Awaited<ReturnType<typeof startStandIn>>['ask']) =>
    (await ask('GET', '/alert/k1?fields=ownerId')).body

  test('shows after so many reads, actions included', async () => {
    const { service, ask } = await startStandIn()
    service.behaves({ visible: { reads: 2 } })

    await ask('PUT', '/alert/k1/assign', { userId: 7 })

    expect(await owner(ask)).toEqual({ ownerId: null })
    expect((await ask('GET', '/alert/k1?fields=ks&actions=kind')).body).toEqual({ ks: 'k1', actions: [] })
    expect(await owner(ask)).toEqual({ ownerId: 7 })
  })

  test('shows once its time has come, one write after the other', async () => {
    const { service, ask, clock } = await startStandIn()
    service.behaves({ visible: { ms: 3_000 } })

    await ask('PUT', '/alert/k1/assign', { userId: 7 })
    clock.now += 1_000
    await ask('PUT', '/alert/k1/close', {})
    clock.now += 1_999
    expect(await owner(ask)).toEqual({ ownerId: null })
    clock.now += 1
    expect(await owner(ask)).toEqual({ ownerId: 7 })
    expect((await ask('GET', '/container/12/alerts')).body).toEqual([{ ks: 'k1' }])
    clock.now += 1_000
    expect((await ask('GET', '/container/12/alerts')).body).toEqual([])
  })
})

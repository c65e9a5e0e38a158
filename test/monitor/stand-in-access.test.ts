// The stand-in service when somebody changes or takes away access, or invites: each answer that its documentation names.
import { describe, expect, test } from 'vitest'
import { startStandIn } from './stand-in-world.ts'

const bob = '/container/12/user/8'
const invite = '/container/12/invite'
const zoe = { email: 'zoe@example.org' }

describe('the stand-in, asked to change somebody on a container', () => {
  test('replaces the whole list, leaves out what is left out, and takes away all of an empty list', async () => {
    const { service, ask } = await startStandIn()
    const change = async (body: unknown) => {
      expect(await ask('PUT', bob, body)).toEqual({ status: 204, body: '' })
      const { member, permissions } = service.membersOf(12).find(({ id }) => id === 8) ?? {}
      return [member, permissions]
    }

    expect(await change({ permissions: ['API', 'BILLING'] })).toEqual([false, ['API', 'BILLING']])
    expect(await change({ member: true })).toEqual([true, ['API', 'BILLING']])
    expect(await change({ member: false, permissions: [] })).toEqual([false, []])
  })

  test.each([
    ['PUT', bob, {}, {}, 400],
    ['PUT', bob, { permissions: ['read'] }, {}, 400],
    ['PUT', bob, { permissions: 'READ' }, {}, 400],
    ['PUT', bob, { member: null }, {}, 400],
    ['PUT', bob, { member: true, mute: true }, {}, 400],
    ['PUT', bob, { member: true }, { headers: { 'content-type': 'text/plain' } }, 400],
    ['PUT', bob, { member: true }, { headers: { authorization: 'Bearer nobody' } }, 401],
    ['PUT', bob, { member: true }, { as: 'bob' }, 403],
    ['PUT', '/container/12/user/9', { member: true }, {}, 404],
    ['PUT', '/container/13/user/8', { member: true }, {}, 404],
    ['DELETE', bob, undefined, { as: 'bob' }, 403],
    ['DELETE', '/container/12/user/9', undefined, {}, 404],
    ['DELETE', '/container/13/user/8', undefined, {}, 404],
    ['GET', bob, undefined, {}, 405],
  ] as const)('answers %s %s %j of %j with %i', async (method, path, body, how, status) => {
    const { service, ask } = await startStandIn()
    const before = service.membersOf(12)

    expect((await ask(method, path, body, how)).status).toBe(status)

    expect(service.membersOf(12)).toEqual(before)
  })

  test('removes them, and finds them no more', async () => {
    const { service, ask } = await startStandIn()

    expect(await ask('DELETE', bob)).toEqual({ status: 204, body: '' })
    expect(service.membersOf(12).map(({ id }) => id)).toEqual([7])
    expect((await ask('DELETE', bob)).status).toBe(404)
  })

  test('shows that later where it is told so', async () => {
    const { service, ask } = await startStandIn()
    service.behaves({ visible: { reads: 1 } })
    const ids = async () => (await ask('GET', '/container/12/users?fields=id')).body

    await ask('DELETE', bob)

    expect(await ids()).toEqual([{ id: 8 }, { id: 7 }])
    expect(await ids()).toEqual([{ id: 7 }])
  })

  test('knows flags beyond the documented ones where it is told so', async () => {
    const { service, ask } = await startStandIn()
    const change = async () => (await ask('PUT', bob, { permissions: ['READ', 'MAP_ADMIN'] })).status

    expect(await change()).toBe(400)
    service.behaves({ moreFlags: ['MAP_ADMIN'] })
    expect(await change()).toBe(204)
  })

  test('refuses flags that the giver lacks, unless the person has them already', async () => {
    const { service, ask } = await startStandIn()
    const change = async (...permissions: string[]) => (await ask('PUT', bob, { permissions })).status
    service.behaves({ ceiling: 403 })

    expect(await change('READ', 'BILLING')).toBe(403)
    service.addMember(12, { email: 'bob@example.com', permissions: ['BILLING'] })
    expect(await change('READ', 'BILLING')).toBe(204)
    service.behaves({ ceiling: 400 })
    expect(await change('VIEW_LOG')).toBe(400)
  })

  test.each([
    [404, 404, 404, 3],
    [403, 403, 403, 3],
    ['nothing', 204, 204, 3],
    ['done', 204, 204, 2],
  ] as const)('answers of somebody inherited: %s', async (changeInherited, put, remove, left) => {
    const { service, ask } = await startStandIn()
    service.addMember(12, { email: 'dave.doe@example.com', inherit: true })
    expect(service.ways.changeInherited).toBe(404)
    service.behaves({ changeInherited })

    expect((await ask('PUT', '/container/12/user/101', { member: true })).status).toBe(put)
    expect(service.membersOf(12).at(-1)?.member).toBe(changeInherited === 'done')
    expect((await ask('DELETE', '/container/12/user/101')).status).toBe(remove)
    expect(service.membersOf(12)).toHaveLength(left)
  })

  test('can refuse to leave a container without anybody who gives access', async () => {
    const { service, ask } = await startStandIn()
    service.behaves({ lastAccess: 'refused' })
    const alice = '/container/12/user/7'

    expect((await ask('DELETE', alice)).status).toBe(400)
    expect((await ask('PUT', alice, { permissions: ['READ'] })).status).toBe(400)
    expect((await ask('PUT', alice, { permissions: ['CONTAINER_ACCESS'] })).status).toBe(204)
    service.behaves({ lastAccess: 'taken' })
    expect((await ask('DELETE', alice)).status).toBe(204)
  })
})

describe('the stand-in, asked to invite', () => {
  test('invites who is unknown, lists them, and puts them on the container once they follow', async () => {
    const { service, ask } = await startStandIn()

    expect(await ask('PUT', invite, { ...zoe, member: true, permissions: ['READ'] })).toEqual({
      status: 201,
      body: '',
    })
    expect(await ask('GET', `${invite}s`)).toEqual({
      status: 200,
      body: [{ ...zoe, member: true, permissions: ['READ'] }],
    })
    expect((await ask('GET', `${invite}s?fields=email`)).body).toEqual([zoe])
    service.accept(12, zoe.email)
    expect(service.membersOf(12).at(-1)).toMatchObject({ name: 'Zoe', member: true, permissions: ['READ'] })
    expect(service.invitesTo(12)).toEqual([])
    expect(() => service.accept(12, zoe.email)).toThrow('not invited')
  })

  test('mails unless told not to, and once more when invited twice, which it may refuse', async () => {
    const { service, ask } = await startStandIn()
    await ask('PUT', invite, { ...zoe, sendInvitationEmail: false })
    expect(service.invitesTo(12)).toMatchObject([{ mails: 0, permissions: [] }])
    await ask('PUT', invite, { ...zoe, permissions: ['READ'] })
    expect(service.invitesTo(12)).toMatchObject([{ mails: 1, permissions: ['READ'] }])

    service.behaves({ inviteTwice: 'refused' })
    expect((await ask('PUT', invite, zoe)).status).toBe(400)
    expect(service.invitesTo(12)).toMatchObject([{ mails: 1, permissions: ['READ'] }])
  })

  test('withdraws an invitation, also when there is none', async () => {
    const { service, ask } = await startStandIn()
    await ask('PUT', invite, zoe)

    expect(await ask('DELETE', invite, zoe)).toEqual({ status: 204, body: '' })
    expect(service.invitesTo(12)).toEqual([])
    expect((await ask('DELETE', invite, zoe)).status).toBe(204)
  })

  test.each([
    ['PUT', invite, {}, {}, 400],
    ['PUT', invite, { email: 'zoe' }, {}, 400],
    ['PUT', invite, { email: 'dave.doe@example.com' }, {}, 400],
    ['PUT', invite, { ...zoe, permissions: ['read'] }, {}, 400],
    ['PUT', invite, { ...zoe, authProvider: 'Google' }, {}, 400],
    ['PUT', invite, zoe, { as: 'bob' }, 403],
    ['PUT', invite, zoe, { headers: { authorization: 'Bearer nobody' } }, 401],
    ['PUT', '/container/13/invite', zoe, {}, 404],
    ['POST', invite, zoe, {}, 405],
    ['DELETE', invite, {}, {}, 400],
    ['DELETE', invite, zoe, { as: 'bob' }, 403],
    ['DELETE', '/container/13/invite', zoe, {}, 404],
    ['GET', '/container/12/invites', undefined, { as: 'bob' }, 403],
    ['GET', '/container/13/invites', undefined, {}, 404],
    ['GET', '/container/12/invites?fields=mails', undefined, {}, 400],
  ] as const)('answers %s %s %j of %j with %i', async (method, path, body, how, status) => {
    const { service, ask } = await startStandIn()

    expect((await ask(method, path, body, how)).status).toBe(status)

    expect(service.invitesTo(12)).toEqual([])
  })

  test('may want POST, and refuses flags that the inviter lacks', async () => {
    const { service, ask } = await startStandIn()
    service.behaves({ inviteBy: 'POST', ceiling: 403 })

    expect((await ask('PUT', invite, zoe)).status).toBe(405)
    expect((await ask('POST', invite, { ...zoe, permissions: ['BILLING'] })).status).toBe(403)
    expect((await ask('POST', invite, zoe)).status).toBe(201)
  })
})

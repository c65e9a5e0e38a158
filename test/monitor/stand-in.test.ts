// The stand-in service keeps its documentation by itself, so that what passes against it means something.
import { describe, expect, test } from 'vitest'
import { type How, startStandIn } from './stand-in-world.ts'

const add = '/container/12/user'
const bob = '/container/12/user/8'
const [invite, invites] = ['/container/12/invite', '/container/12/invites']
const pat = { email: 'pat@example.com' }
const dave = { email: 'dave.doe@example.com' }
const maintenance = { mode: 'maintenance' }
const asAnybody = { headers: { authorization: 'Bearer nobody' } }
const asJson = { headers: { 'content-type': 'application/json; charset=utf-8' } }

type Row = [status: number, method: string, path: string, body?: unknown, how?: How]

test.each<Row>([
  // One alert.
  [200, 'GET', '/alert/k1'],
  [403, 'GET', '/alert/k1', undefined, { as: 'mallory' }],
  [401, 'GET', '/alert/k1', undefined, asAnybody],
  [400, 'GET', '/alert/k1?fields=nonsense'],
  [400, 'GET', '/alert/k1?actions=userId'],
  [400, 'GET', `/alert/${'x'.repeat(65)}`],
  [404, 'GET', '/alert/k2'],
  // Lists.
  [200, 'GET', '/asset/7/alerts?fields=timestamp,ks'],
  [400, 'GET', '/asset/7/alerts?fields=closedTimestamp'],
  [403, 'GET', '/asset/7/alerts', undefined, { as: 'robot' }],
  [404, 'GET', '/asset/9/alerts'],
  [403, 'GET', '/container/12', undefined, { as: 'robot' }],
  [200, 'GET', '/container/12/users?fields=id,name'],
  [403, 'GET', '/container/12/permissions', undefined, { as: 'mallory' }],
  // Adding somebody.
  [204, 'POST', add, dave, asJson],
  [400, 'POST', add, {}],
  [400, 'POST', add, { email: 'bob@example.com' }],
  [400, 'POST', add, { ...dave, authProvider: 'Google' }],
  [400, 'POST', add, { ...dave, permissions: ['READ', 'read'] }],
  [400, 'POST', add, { ...dave, role: 'admin' }],
  [400, 'POST', `${add}?member=true`, dave],
  [401, 'POST', add, dave, asAnybody],
  [403, 'POST', add, dave, { as: 'bob' }],
  [404, 'POST', '/container/13/user', dave],
  [405, 'POST', '/alert/k1', dave],
  // Changing somebody.
  [204, 'PUT', `${add}/8`, {}],
  [204, 'PUT', `${add}/8`, { permissions: ['READ', 'READ'] }],
  [400, 'PUT', `${add}/8`, { permissions: ['read'] }],
  [400, 'PUT', `${add}/8`, { permissions: null }],
  [400, 'PUT', `${add}/8`, { member: 'true' }],
  [400, 'PUT', `${add}/8`, { email: 'bob@example.com' }],
  [403, 'PUT', `${add}/8`, {}, { as: 'bob' }],
  [404, 'PUT', `${add}/9`, {}],
  [404, 'PUT', '/container/13/user/8', {}],
  // Acting: 204 says nothing of an alert that there is not.
  [204, 'PUT', '/alert/k1/assign', { userId: 7, message: '🔥'.repeat(240) }],
  [204, 'PUT', '/alert/k1/message', { message: '🔥'.repeat(240) }],
  [204, 'PUT', '/alert/k1/close', { message: 'x'.repeat(2_000) }],
  [204, 'PUT', '/alert/k1/close', { message: 'x'.repeat(60), isSolution: true }],
  [204, 'PUT', '/alert/nowhere/close', {}],
  [400, 'PUT', '/alert/k1/assign', {}],
  [400, 'PUT', '/alert/k1/assign', { userId: 7, message: 'x'.repeat(241) }],
  [404, 'PUT', '/alert/k1/assign', { userId: 8 }],
  [400, 'PUT', '/alert/k1/message', { message: '' }],
  [400, 'PUT', '/alert/k1/message', { message: 'x'.repeat(241) }],
  [400, 'PUT', '/alert/k1/close'],
  [400, 'PUT', '/alert/k1/close', { message: 'x'.repeat(2_001) }],
  [400, 'PUT', '/alert/k1/close', { message: 'x'.repeat(59), isSolution: true }],
  [403, 'PUT', '/alert/k1/close', {}, { as: 'bob' }],
  [404, 'PUT', '/alert/k1/reopen', {}],
  // Removing and inviting somebody.
  [204, 'DELETE', bob],
  [400, 'DELETE', bob, {}],
  [401, 'DELETE', bob, undefined, asAnybody],
  [403, 'DELETE', bob, undefined, { as: 'bob' }],
  [404, 'DELETE', `${add}/9`],
  [404, 'DELETE', '/container/13/user/8'],
  [201, 'PUT', invite, { ...pat, member: true, permissions: ['READ'], sendInvitationEmail: false }],
  [400, 'PUT', invite, {}],
  [400, 'PUT', invite, { ...pat, permissions: ['OF_TOMORROW'] }],
  [400, 'PUT', invite, { email: 'dave.doe@example.com' }],
  [403, 'PUT', invite, pat, { as: 'robot' }],
  [404, 'PUT', '/container/13/invite', pat],
  [400, 'GET', `${invites}?fields=id`],
  [403, 'GET', invites, undefined, { as: 'bob' }],
  [400, 'DELETE', invite],
  [400, 'DELETE', invite, { ...pat, member: false }],
  [403, 'DELETE', invite, pat, { as: 'bob' }],
  // Assets.
  [200, 'GET', '/asset/34'],
  [200, 'GET', '/asset/34?fields=name,container', undefined, { as: 'bob' }],
  [400, 'GET', '/asset/34?fields=nonsense'],
  [400, 'GET', '/asset/34?fields='],
  [400, 'GET', '/asset/34?collectors=key'],
  [400, 'GET', '/asset/db-03'],
  [401, 'GET', '/asset/34', undefined, asAnybody],
  [403, 'GET', '/asset/34', undefined, { as: 'robot' }],
  [404, 'GET', '/asset/35'],
  [200, 'GET', '/container/12/assets?fields=id,name,mode', undefined, { as: 'bob' }],
  [400, 'GET', '/container/12/assets?fields=id,collectors'],
  [400, 'GET', '/container/12/assets?modes=normal'],
  [401, 'GET', '/container/12/assets', undefined, asAnybody],
  [403, 'GET', '/container/12/assets', undefined, { as: 'robot' }],
  [404, 'GET', '/container/14/assets'],
  [400, 'GET', '/asset/34/alerts?fields=ks&limit=1'],
  [405, 'PUT', '/asset/34', {}],
  [405, 'PUT', '/container/12/assets', {}],
  // Modes.
  [404, 'PATCH', '/asset/35/mode', maintenance],
  [400, 'PATCH', '/asset/db-03/mode', maintenance],
  [404, 'PATCH', '/container/13/mode', maintenance],
  [400, 'PATCH', '/asset/34/mode?duration=60', maintenance],
  [405, 'PUT', '/asset/34/mode', maintenance],
  [405, 'GET', '/container/12/mode'],
])('the stand-in answers with %i to %s %s (%#)', async (status, method, path, body, how) => {
  const { service, ask } = await startStandIn()
  service.addAsset(34, { name: 'db-03' })
  service.addAlert({ ks: 'k7', assetId: 7, containerId: 12 })
  service.addInvitation(12, pat)
  const held = () => [
    service.alert('k1')?.actions,
    service.membersOf(12),
    service.invitationsOf(12),
  ]
  const before = held()

  expect((await ask(method, path, body, how)).status).toBe(status)

  expect(service.requests.at(-1)).toMatchObject({ method, body, status })
  if (status >= 300) expect(held()).toEqual(before)
})

describe('changing somebody on the stand-in', () => {
  const seatOf = ({ service }: Awaited<ReturnType<typeof startStandIn>>) => {
    const { member, permissions } = service.membersOf(12).find(({ id }) => id === 8) ?? {}
    return { member, permissions }
  }

  test('replaces the whole list, keeps what is left out, and takes flags back that it knows of them', async () => {
    const standIn = await startStandIn()
    const { service, ask } = standIn
    service.addMember(12, { email: 'bob@example.com', permissions: ['READ', 'OF_TOMORROW'] })

    await ask('PUT', `${add}/8`, { permissions: ['OF_TOMORROW', 'API'] })
    expect(seatOf(standIn)).toEqual({ member: false, permissions: ['OF_TOMORROW', 'API'] })
    await ask('PUT', `${add}/8`, { member: true })
    expect(seatOf(standIn)).toEqual({ member: true, permissions: ['OF_TOMORROW', 'API'] })
    await ask('PUT', `${add}/8`, { permissions: [] })
    expect(seatOf(standIn)).toEqual({ member: true, permissions: [] })
  })
})

// The stand-in service keeps its documentation by itself, so that what passes against it means something.
import { describe, expect, test } from 'vitest'
import { startStandIn } from './stand-in-world.ts'

const add = '/container/12/user'
const dave = { email: 'dave.doe@example.com' }
const asAnybody = { headers: { authorization: 'Bearer nobody' } }
const asJson = { headers: { 'content-type': 'application/json; charset=utf-8' } }

test.each([
  // One alert.
  ['GET', '/alert/k1', undefined, {}, 200],
  ['GET', '/alert/k1', undefined, { as: 'mallory' }, 403],
  ['GET', '/alert/k1', undefined, asAnybody, 401],
  ['GET', '/alert/k1?fields=nonsense', undefined, {}, 400],
  ['GET', '/alert/k1?actions=userId', undefined, {}, 400],
  ['GET', `/alert/${'x'.repeat(65)}`, undefined, {}, 400],
  ['GET', '/alert/k2', undefined, {}, 404],
  // Lists.
  ['GET', '/asset/7/alerts?fields=timestamp,ks', undefined, {}, 200],
  ['GET', '/asset/7/alerts?fields=closedTimestamp', undefined, {}, 400],
  ['GET', '/asset/7/alerts', undefined, { as: 'robot' }, 403],
  ['GET', '/asset/9/alerts', undefined, {}, 404],
  ['GET', '/container/12', undefined, { as: 'robot' }, 403],
  ['GET', '/container/12/users?fields=id,name', undefined, {}, 200],
  ['GET', '/container/12/permissions', undefined, { as: 'mallory' }, 403],
  // Adding somebody.
  ['POST', add, dave, asJson, 204],
  ['POST', add, {}, {}, 400],
  ['POST', add, { email: 'bob@example.com' }, {}, 400],
  ['POST', add, { ...dave, authProvider: 'Google' }, {}, 400],
  ['POST', add, { ...dave, permissions: ['READ', 'read'] }, {}, 400],
  ['POST', add, { ...dave, role: 'admin' }, {}, 400],
  ['POST', `${add}?member=true`, dave, {}, 400],
  ['POST', add, dave, asAnybody, 401],
  ['POST', add, dave, { as: 'bob' }, 403],
  ['POST', '/container/13/user', dave, {}, 404],
  ['POST', '/alert/k1', dave, {}, 405],
  // Changing somebody.
  ['PUT', `${add}/8`, {}, {}, 204],
  ['PUT', `${add}/8`, { permissions: ['READ', 'READ'] }, {}, 204],
  ['PUT', `${add}/8`, { permissions: ['read'] }, {}, 400],
  ['PUT', `${add}/8`, { permissions: null }, {}, 400],
  ['PUT', `${add}/8`, { member: 'true' }, {}, 400],
  ['PUT', `${add}/8`, { email: 'bob@example.com' }, {}, 400],
  ['PUT', `${add}/8`, {}, { as: 'bob' }, 403],
  ['PUT', `${add}/9`, {}, {}, 404],
  ['PUT', '/container/13/user/8', {}, {}, 404],
  // Acting: 204 says nothing of an alert that there is not.
  ['PUT', '/alert/k1/assign', { userId: 7, message: '🔥'.repeat(240) }, {}, 204],
  ['PUT', '/alert/k1/message', { message: '🔥'.repeat(240) }, {}, 204],
  ['PUT', '/alert/k1/close', { message: 'x'.repeat(2_000) }, {}, 204],
  ['PUT', '/alert/k1/close', { message: 'x'.repeat(60), isSolution: true }, {}, 204],
  ['PUT', '/alert/nowhere/close', {}, {}, 204],
  ['PUT', '/alert/k1/assign', {}, {}, 400],
  ['PUT', '/alert/k1/assign', { userId: 7, message: 'x'.repeat(241) }, {}, 400],
  ['PUT', '/alert/k1/assign', { userId: 8 }, {}, 404],
  ['PUT', '/alert/k1/message', { message: '' }, {}, 400],
  ['PUT', '/alert/k1/message', { message: 'x'.repeat(241) }, {}, 400],
  ['PUT', '/alert/k1/close', undefined, {}, 400],
  ['PUT', '/alert/k1/close', { message: 'x'.repeat(2_001) }, {}, 400],
  ['PUT', '/alert/k1/close', { message: 'x'.repeat(59), isSolution: true }, {}, 400],
  ['PUT', '/alert/k1/close', {}, { as: 'bob' }, 403],
  ['PUT', '/alert/k1/reopen', {}, {}, 404],
] as const)(
  'the stand-in answers %s %s %j of %j with %i',
  async (method, path, body, how, status) => {
    const { service, ask } = await startStandIn()
    service.addAlert({ ks: 'k7', assetId: 7, containerId: 12 })
    const before = service.membersOf(12)

    expect((await ask(method, path, body, how)).status).toBe(status)

    if (status < 300) return
    expect(service.alert('k1')?.actions).toEqual([])
    expect(service.membersOf(12)).toEqual(before)
  },
)

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

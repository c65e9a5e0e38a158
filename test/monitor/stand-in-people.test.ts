// The stand-in service removes and invites people, and minds what flags are given as it is told.
import { expect, test } from 'vitest'
import { startStandIn } from './stand-in-world.ts'

const [bob, ines] = ['/container/12/user/8', '/container/12/user/9']
const [invite, invites] = ['/container/12/invite', '/container/12/invites']
const pat = { email: 'pat@example.com' }
const beyond = { permissions: ['BILLING'] }

test('whoever is removed has a token without flags on that container, until they are on it again', async () => {
  const { service, ask } = await startStandIn()
  service.addContainer(34)
  const statusOf = async (path: string) => (await ask('GET', path)).status

  expect((await ask('DELETE', '/container/12/user/7')).status).toBe(204)
  expect([await statusOf('/container/12'), await statusOf('/alert/k1')]).toEqual([403, 403])
  expect(await statusOf('/container/34')).toBe(200)
  service.addMember(12, { email: 'alice@example.com' })
  expect(await statusOf('/container/12')).toBe(200)
})

test('an invitation is replaced by the next one for its address, and withdrawn also where none is', async () => {
  const { ask } = await startStandIn()

  await ask('PUT', invite, { ...pat, permissions: ['READ', 'API'] })
  expect((await ask('GET', invites)).body).toEqual([
    { ...pat, member: false, permissions: ['READ', 'API'] },
  ])
  await ask('PUT', invite, { ...pat, member: true })
  expect((await ask('GET', `${invites}?fields=member`)).body).toEqual([{ member: true }])
  for (const _ of [1, 2]) expect((await ask('DELETE', invite, pat)).status).toBe(204)
  expect((await ask('GET', invites)).body).toEqual([])
})

test.each([
  [{ inherited: 'refused' }, 'DELETE', ines, undefined, 404],
  [{ inherited: 'changed' }, 'DELETE', ines, undefined, 204],
  [{ inviteMethod: 'POST' }, 'PUT', invite, pat, 405],
  [{ inviteMethod: 'POST' }, 'POST', invite, pat, 201],
  [{ ceiling: 'ignored' }, 'PUT', invite, { ...pat, ...beyond }, 201],
  [{ ceiling: 403 }, 'PUT', invite, { ...pat, ...beyond }, 403],
  [
    { ceiling: 403 },
    'POST',
    '/container/12/user',
    { email: 'dave.doe@example.com', ...beyond },
    403,
  ],
  [{ ceiling: 403 }, 'PUT', bob, beyond, 403],
  [{ ceiling: 403 }, 'PUT', ines, { permissions: ['BILLING', 'READ'] }, 204],
  [{ ceiling: 400 }, 'PUT', bob, beyond, 400],
] as const)(
  'the stand-in that behaves as %j answers %s %s %j with %i',
  async (ways, method, path, body, status) => {
    const { service, ask } = await startStandIn()
    service.behaves({ inherited: 'changed', ...ways })
    service.addMember(12, {
      email: 'ines@example.com',
      id: 9,
      inherit: true,
      permissions: ['BILLING'],
    })

    expect((await ask(method, path, body)).status).toBe(status)
  },
)

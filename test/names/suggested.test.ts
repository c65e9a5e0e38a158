// Containers by name in the form of `/grant`: whoever fills it in finds those whose names their own token has shown.
import { expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'

/** Alice’s token has shown three containers to another process on the database; what she used is 12. */
async function open(options: WorldOptions = {}) {
  const world = await openWorld({ transport: 'socket', ...options })
  const { alice, general, service, slack } = world
  service.addContainer(34, { name: 'Größe & Söhne *Nord*' })
  service.addContainer(56, { name: '  ' })
  for (const id of [56, 34, 12]) {
    await alice.types(`/grant ${id} dave@example.com READ`, general)
    await slack.idle()
  }
  return world
}

async function fills(who: Person, { general }: World): Promise<void> {
  await who.types('/grant', general)
  await who.seesModal('Grant access')
}

it('a part of a name finds the container, which is shown by name and granted on by number', async () => {
  const world = await open()
  const { alice, service } = world
  const before = service.requests.length
  await fills(alice, world)

  expect(await alice.suggest('Container', '')).toEqual(['Customer 1 (12)', 'Größe & Söhne *Nord* (34)', '56'])
  expect(await alice.suggest('Container', 'cust')).toEqual(['Customer 1 (12)'])
  expect(await alice.suggest('Container', 'söhne grö')).toEqual(['Größe & Söhne *Nord* (34)'])
  expect(await alice.suggest('Container', '12')).toEqual(['Customer 1 (12)'])
  await alice.fillsIn({ Container: 'Größe & Söhne *Nord* (34)', Email: 'erin@example.com' })
  await alice.fillsIn({ Role: 'Viewer' })
  expect(alice.modal?.values).toMatchObject({ Container: 'Größe & Söhne *Nord* (34)' })
  // Nothing of this was asked of the service.
  expect(service.requests).toHaveLength(before)
  await alice.submits()
  const posted = () => service.requests.filter(({ method }) => method === 'POST').at(-1)?.path
  await expect.poll(posted).toBe('/container/34/user')
})

it('a container that was typed into the line has its name in the form', async () => {
  const world = await open()
  await world.alice.types('/grant 12', world.general)
  expect((await world.alice.seesModal('Grant access')).values).toMatchObject({ Container: 'Customer 1 (12)' })
})

it('what Alice’s token showed finds nothing for Bob', async () => {
  const world = await open()
  const { bob } = world
  await world.connect(bob, bobToken)
  await fills(bob, world)
  expect(await bob.suggest('Container', '')).toEqual([])
  expect(await bob.suggest('Container', 'cust')).toEqual([])
})

it.each(['disconnected', 'connected with another token'])(
  'whoever has %s is shown no name of before',
  async (how) => {
    const world = await open()
    const { alice, service, general } = world
    await fills(alice, world)
    expect(await alice.suggest('Container', 'cust')).toEqual(['Customer 1 (12)'])
    const lesser = 'a-lesser-token-of-hers'
    service.addToken({ token: lesser, name: 'alice', flags: ['API', 'READ'], userId: 7 })
    if (how === 'disconnected') await alice.types('/alert disconnect', general)
    else await world.connect(alice, lesser)
    await world.slack.idle()

    if (how === 'disconnected') await world.connect(alice, aliceToken)
    await fills(alice, world)
    expect(await alice.suggest('Container', '')).toEqual(['12', '34', '56'])
    expect(await alice.suggest('Container', 'cust')).toEqual([])
  },
)

// The container of the form of `/grant`: suggested while somebody types, where Slack asks Bellhop for that.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { containersMeant } from '../../src/names/field.ts'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'

const granted = ({ service }: World) =>
  service.requests
    .filter(({ method }) => method === 'POST')
    .map(({ path, body }) => ({ path, body }))

async function opensForm(who: Person, { general }: World, line = '/grant') {
  await who.types(line, general)
  return who.seesModal('Grant access')
}

async function hasGranted(
  who: Person,
  { general, slack }: World,
  ...containers: readonly number[]
) {
  for (const id of containers) {
    await who.types(`/grant ${id} dave@example.com READ`, general)
    await slack.idle()
  }
}

async function openWithContainers(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options)
  for (const id of [34, 120, 7]) world.service.addContainer(id)
  return world
}

describe.each(['http', 'socket'] as const)('the container in the form (%s)', (transport) => {
  /** The form with the menu in it. */
  async function open(options: WorldOptions = {}) {
    const world = await openWithContainers({ transport, ...options })
    return { world, alice: world.alice, fills: (who = world.alice) => opensForm(who, world) }
  }

  it('is suggested: what somebody typed first, then what they used lately', async () => {
    const { world, alice, fills } = await open()
    await hasGranted(alice, world, 12, 120, 34)
    await fills()

    const used = ['Customer 2 (34)', 'Customer 3 (120)', 'Customer 1 (12)']
    await expect.poll(() => alice.suggest('Container', '')).toEqual(used)
    const before = world.service.requests.length
    expect(await alice.suggest('Container', '12')).toEqual(['Customer 1 (12)', 'Customer 3 (120)'])
    expect(await alice.suggest('Container', 'twelve')).toEqual([])
    // Nothing of this was asked of the service.
    expect(world.service.requests).toHaveLength(before)
    await alice.submits({
      fields: { Container: 'Customer 2 (34)', Email: 'erin@example.com', Role: 'Viewer' },
    })
    await expect.poll(() => granted(world).at(-1)?.path).toBe('/container/34/user')
  })

  it('is suggested from their own grants alone, and only from those that came about', async () => {
    const { world, alice, fills } = await open()
    const { bob } = world
    await world.connect(bob, bobToken)
    await hasGranted(alice, world, 34, 12, 999)
    await hasGranted(bob, world, 34)

    await fills()
    await expect
      .poll(() => alice.suggest('Container', ''))
      .toEqual(['Customer 1 (12)', 'Customer 2 (34)'])
    await fills(bob)
    expect(await bob.suggest('Container', '')).toEqual([])
  })

  it('is chosen already where the line has it, with its name where that is known', async () => {
    const { world, alice } = await open()
    const form = await opensForm(alice, world, '/grant 34 dave@example.com')

    expect(form.values.Container).toBe('34')
    expect(JSON.stringify(form.blocks)).toContain('external_select')
    await alice.submits({ fields: { Role: 'Viewer' } })
    await alice.sees('Granted', world.general)
    await world.slack.idle()
    expect((await opensForm(alice, world, '/grant 34')).values.Container).toBe('Customer 2 (34)')
  })
})

it.each(['disconnected', 'connected with another token'])(
  'whoever has %s is shown no name of before',
  async (how) => {
    const world = await openWithContainers({ transport: 'socket' })
    const { alice, service, general } = world
    await hasGranted(alice, world, 34, 12)
    await opensForm(alice, world)
    expect(await alice.suggest('Container', 'cust')).toEqual(['Customer 1 (12)', 'Customer 2 (34)'])
    const lesser = 'a-lesser-token-of-hers'
    service.addToken({ token: lesser, name: 'alice', flags: ['API', 'READ'], userId: 7 })
    if (how === 'disconnected') await alice.types('/alert disconnect', general)
    else await world.connect(alice, lesser)
    await world.slack.idle()

    if (how === 'disconnected') await world.connect(alice, aliceToken)
    await opensForm(alice, world)
    expect(await alice.suggest('Container', '')).toEqual(['12', '34'])
    expect(await alice.suggest('Container', 'cust')).toEqual([])
  },
)

describe('suggestions of containers', () => {
  const known = [
    { id: 12, name: 'Customer 1' },
    { id: 7 },
    { id: 120, name: 'Müller & Söhne <!channel>' },
    { id: 1234, name: 'Customer 2, web shop' },
  ]
  const values = (typed: string) => containersMeant(typed, known).map(({ value }) => value)

  it.each([
    ['', ['12', '7', '120', '1234']],
    ['12', ['12', '120', '1234']],
    ['99', ['99']],
    ['1', ['1', '12', '120', '1234']],
    ['cust', ['12', '1234']],
    ['SHOP customer', ['1234']],
    ['customer 12', ['12', '1234']],
    ['mü', ['120']],
    ['ustomer', []],
    ['0', []],
    ['1234567890123456', []],
    ['<@U1>', []],
  ])('for “%s” are %j', (typed, expected) => {
    expect(values(typed)).toEqual(expected)
  })

  it('have a name and never lose the number, however long the name is', () => {
    const [named, bare, long] = containersMeant('', [
      ...known.slice(0, 2),
      { id: 9, name: 'A&B '.repeat(100) },
    ])

    expect(named?.text.text).toBe('Customer 1 (12)')
    expect(bare?.text.text).toBe('7')
    expect(long?.text.text).toMatch(/^[A&B ]+ … \(9\)$/)
  })
})

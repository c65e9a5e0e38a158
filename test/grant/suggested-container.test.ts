// The container of the form of `/grant`: suggested while somebody types, where Slack asks Bellhop for that.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { containerBlocks, suggestContainers } from '../../src/grant/form/container.ts'
import { interaction, send } from '../signed-request.ts'
import { bobToken, openWorld, type World, type WorldOptions } from '../world.ts'

const granted = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => ({ path, body }))

async function opensForm(who: Person, { general }: World, line = '/grant') {
  await who.types(line, general)
  return who.seesModal('Grant access')
}

async function asks(who: Person, world: World) {
  const form = await opensForm(who, world)
  if (form.buttons.includes('Suggest containers')) await who.presses('Suggest containers')
  await expect.poll(() => who.modal?.buttons).toContain('Type the number')
}

async function hasGranted(who: Person, { general, slack }: World, ...containers: readonly number[]) {
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
    const fills = transport === 'http' ? asks : opensForm
    return { world, alice: world.alice, fills: (who = world.alice) => fills(who, world) }
  }

  it('is suggested: what somebody typed first, then what they used lately', async () => {
    const { world, alice, fills } = await open()
    await hasGranted(alice, world, 12, 120, 34)
    await fills()

    const used = ['Customer 2 (34)', 'Customer 3 (120)', 'Customer 1 (12)']
    await expect.poll(() => alice.suggest('Container', '')).toEqual(used)
    expect(await alice.suggest('Container', '12')).toEqual(['Customer 1 (12)', 'Customer 3 (120)'])
    expect(await alice.suggest('Container', 'twelve')).toEqual([])
  })

  it('is granted on as it was chosen, after the form was drawn anew for a role', async () => {
    const { world, alice, fills } = await open()
    await hasGranted(alice, world, 34)
    await fills()

    const named = 'Customer 2 (34)'
    await expect.poll(() => alice.suggest('Container', '')).toEqual([named])
    await alice.fillsIn({ Container: named, Email: 'erin@example.com' })
    await alice.fillsIn({ Role: 'Viewer' })
    await alice.fillsIn({ Role: 'Responder' })

    expect(alice.modal?.values).toMatchObject({ Container: named, Role: 'Responder' })
    await alice.submits()
    await alice.sees(/Not granted|Granted/, world.general)
    expect(granted(world).at(-1)).toMatchObject({ path: expect.stringContaining('/34/') })
  })

  it('may be any number that is typed, though nobody has used it', async () => {
    const { world, alice, fills } = await open()
    await fills()

    await alice.submits({ fields: { Container: '12', Email: 'dave@example.com', Role: 'Viewer' } })

    await alice.sees('Granted', world.general)
    expect(granted(world)).toHaveLength(1)
  })

  it('is suggested from their own grants alone, and not where there is no such container', async () => {
    const { world, alice, fills } = await open()
    const { bob } = world
    await world.connect(bob, bobToken)
    await hasGranted(alice, world, 12, 999)
    await hasGranted(bob, world, 34)

    await fills(bob)
    expect(await bob.suggest('Container', '')).toEqual(['34'])
    await fills()
    await expect.poll(() => alice.suggest('Container', '')).toEqual(['Customer 1 (12)'])
  })

  it('says what is wrong at the field, should Slack send what Bellhop never suggested', async () => {
    const { world, alice, fills } = await open()
    await fills()
    const view = alice.modal?.view
    const odd = { type: 'external_select', selected_option: { value: 'twelve' } }
    const values = { 'container list': { 'grant.container': odd } }

    const answer = await send(
      world,
      interaction({
        type: 'view_submission',
        team: { id: world.slack.teamId },
        user: { id: alice.id, username: 'alice', team_id: world.slack.teamId },
        trigger_id: '1.2.3',
        view: {
          ...{ id: view?.id, type: 'modal', callback_id: 'grant.form' },
          private_metadata: view?.content.private_metadata,
          state: { values },
        },
      }),
    ).catch(() => undefined)

    // By Socket Mode nothing listens over HTTP.
    if (transport === 'socket') return expect(answer?.status).toBe(404)
    expect(await answer?.json()).toMatchObject({
      errors: { 'container list': 'A container is a number of up to 15 digits, such as 12.' },
    })
  })

  it('is chosen already where the line has it', async () => {
    const { world, alice, fills } = await open()
    await fills()
    await alice.suggest('Container', '')
    await alice.closes()

    const form = await opensForm(alice, world, '/grant 34 dave@example.com')

    expect(form.values.Container).toBe('34')
    expect(JSON.stringify(form.blocks)).toContain('external_select')
    await alice.submits({ fields: { Role: 'Viewer' } })
    await alice.sees('Granted', world.general)
  })

  it('is a plain field where Bellhop keeps to what is documented', async () => {
    const world = await openWithContainers({ transport, env: { MONITOR_OPERATIONS: 'basic' } })
    const form = await opensForm(world.alice, world)

    expect(form.buttons).toEqual([])
    await world.alice.submits({ fields: { Container: '12', Email: 'dave@example.com', Role: 'Viewer' } })
    await world.alice.sees('Granted', world.general)
  })
})

describe('a form over HTTP', () => {
  it('has a plain field that works, where the app’s manifest is from before', async () => {
    const world = await openWithContainers({ slack: { hasOptionsUrl: false } })
    const { alice, general, slack } = world
    await hasGranted(alice, world, 34)

    await asks(alice, world)
    // Slack has no address to ask, and shows that there is nothing.
    expect(await alice.suggest('Container', '34')).toEqual([])
    await alice.presses('Type the number')
    await expect.poll(() => alice.modal?.buttons).toContain('Suggest containers')
    await alice.submits({ fields: { Container: '12', Email: 'dave@example.com', Role: 'Viewer' } })

    await alice.sees('Granted', general)
    expect((await opensForm(alice, world)).buttons).toContain('Suggest containers')
    expect(slack.deliveries.some(({ kind }) => kind === 'block_suggestion')).toBe(false)
  })

  it('suggests to everybody from then on, once Slack has asked: after a restart, in another process', async () => {
    const world = await openWithContainers({ slack: { hasOptionsUrl: false } })
    const { alice, bob, slack } = world
    await asks(alice, world)
    expect(await alice.suggest('Container', '12')).toEqual([])
    await alice.closes()
    expect((await opensForm(bob, world)).buttons).toContain('Suggest containers')
    await bob.closes()

    // The operator pastes the new manifest.
    slack.hasOptionsUrl = true
    await asks(alice, world)
    expect(await alice.suggest('Container', '12')).toEqual(['12'])
    await slack.idle()

    expect((await opensForm(bob, world)).buttons).toContain('Type the number')
    await bob.closes()
    await world.restart()
    expect((await opensForm(bob, world)).buttons).toContain('Type the number')
    await bob.closes()
    const other = await world.startAnother()
    slack.deliverTo(`${other.url}/slack/events`)
    expect((await opensForm(bob, world)).buttons).toContain('Type the number')
  })

  it('has a plain field again when Slack has asked for nothing in a month', async () => {
    const world = await openWithContainers()
    const { alice, clock } = world
    await asks(alice, world)
    await alice.suggest('Container', '12')
    await alice.closes()

    clock.advance(31 * 24 * 60 * 60_000)
    await world.restart()

    expect((await opensForm(alice, world)).buttons).toContain('Suggest containers')
  })

  it('keeps what is filled in when somebody has the field the other way', async () => {
    const world = await openWithContainers()
    const { alice } = world
    await opensForm(alice, world)
    await alice.fillsIn({ Container: '34', Email: 'dave@example.com' })
    await alice.fillsIn({ Role: 'Viewer' })
    await alice.presses('Choose flags')
    await expect.poll(() => alice.modal?.labels).toContain('Viewing')
    await alice.fillsIn({ Viewing: ['View the container', 'View the credits tab'], Member: true })
    const filled = alice.modal?.values

    await alice.presses('Suggest containers')
    await expect.poll(() => alice.modal?.buttons).toContain('Type the number')
    expect(alice.modal?.values).toEqual(filled)

    await alice.fillsIn({ Container: '120' })
    await alice.presses('Type the number')
    await expect.poll(() => alice.modal?.buttons).toContain('Suggest containers')
    expect(alice.modal?.values).toEqual({ ...filled, Container: '120' })
    await alice.fillsIn({ Role: 'Operator' })
    expect(alice.modal?.values).toMatchObject({ Container: '120', Role: 'Operator' })
    await alice.presses('Suggest containers')
    await expect.poll(() => alice.modal?.buttons).toContain('Type the number')
    expect(alice.modal?.values.Container).toBe('120')
  })
})

describe('suggestions of containers', () => {
  const known = [
    { id: 12, name: 'Customer 1' },
    { id: 7 },
    { id: 120, name: 'Müller & Söhne <!channel>' },
    { id: 1234, name: 'Customer 2, web shop' },
  ]
  const values = (typed: string) => suggestContainers(typed, known).map(({ value }) => value)

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

  it('are twenty at most, and the number that was typed', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: 1000 + index }))

    expect(suggestContainers('10', many).map(({ value }) => value)).toEqual([
      '10',
      ...Array.from({ length: 20 }, (_, index) => String(1000 + index)),
    ])
  })

  it('have a name and never lose the number, however long the name is', () => {
    const [named, bare, long] = suggestContainers('', [
      ...known.slice(0, 2),
      { id: 9, name: '&'.repeat(300) },
    ])

    expect(named?.label).toBe('Customer 1 (12)')
    expect(bare?.label).toBe('7')
    expect(long?.label).toMatch(/^&+ … \(9\)$/)
  })

  it('leave a plain field to somebody who has typed no number: they see what they have to mend', () => {
    const mode = { kind: 'suggests', canSwitch: false } as const

    expect(containerBlocks({ text: 'twelve', mode })).toMatchObject([
      { block_id: 'container', element: { type: 'plain_text_input', initial_value: 'twelve' } },
    ])
    expect(containerBlocks({ text: '12', mode, name: 'Customer 1' })).toMatchObject([
      { element: { initial_option: { text: { text: 'Customer 1 (12)', emoji: false }, value: '12' } } },
    ])
  })
})

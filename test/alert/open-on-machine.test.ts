// What is open on one machine, by its name or from the list of its container.
import { describe, expect, it } from 'vitest'
import { openWorld, placeUrl, type World } from '../world.ts'

interface How {
  /** Of the machine, number 34. */
  readonly name?: string
  /** Open on it. */
  readonly alerts?: number
}

/** Containers 12 and 34, of which Alice has used the first; a machine in 12 with alerts, and another alert beside it. */
async function openMachine({ name = 'db-03', alerts = 2 }: How = {}): Promise<World> {
  const world = await openWorld({ env: { MONITOR_ALERT_URL: placeUrl } })
  const { service, alice, general } = world
  service.addContainer(12, { name: 'Customer 1' })
  service.addContainer(34, { name: 'Customer 2' })
  service.addMember(12, { id: 7, name: 'Alice Archer', email: 'alice@example.com' })
  service.addAsset(34, { name, containerId: 12 })
  for (let nth = 1; nth <= alerts; nth += 1) addOn(world, 34, `Trouble ${nth}`, nth === 1 ? 2 : 4)
  addOn(world, 35, 'CPU is busy', 3)
  await uses(world, 12)
  expect(alice.screen(general)).not.toContain(' on ')
  return world
}

function addOn({ service, clock }: World, assetId: number, message: string, severity = 4): void {
  const before = service.alerts().length
  const timestamp = Math.floor(clock.now() / 1000) - 7200 - before
  const ks = message.toLowerCase().replaceAll(' ', '-')
  service.addAlert({ ks, message, severity, timestamp, assetId, containerId: 12 })
}

async function uses({ alice, general }: World, containerId: number): Promise<void> {
  await alice.types(`/alert open ${containerId}`, general)
  await alice.sees(new RegExp(`open in .*${containerId}`), general)
}

const readsFrom = ({ service }: World, from: number) =>
  service.requests.slice(from).map(({ path }) => path)

const isList = (path = '') => path.endsWith('/assets')

describe('/alert open with the name of a machine', () => {
  it('lists what is open on it, from one read of it once its container’s machines are known', async () => {
    const world = await openMachine()
    const { alice, bob, general, service } = world
    await alice.types('/alert open db-03', general)
    const list = await alice.sees('2 open on db-03 in Customer 1 (12), worst first', general)
    expect(list.plain.match(/Trouble \d|CPU/g)).toEqual(['Trouble 1', 'Trouble 2'])
    expect(list.isEphemeral).toBe(true)
    expect(list.buttons).not.toContain('Follow in this channel')
    const from = service.requests.length

    await alice.types('/alert open DB-03 min critical', general)

    await alice.sees('1 open on db-03 in Customer 1 (12) · critical or worse', general)
    expect(readsFrom(world, from)).toEqual(['/asset/34/alerts'])
    await alice.types('/alert open db-03 unassigned', general)
    const unassigned = await alice.sees(/2 open on db-03 .* · unassigned/, general)
    await alice.presses('Customer 1 (12)', unassigned)
    await alice.sees(/3 open in Customer 1 \(12\), worst first · unassigned/, general)
    await alice.presses('Show card', list)
    await alice.sees('db-03 · CRITICAL', general)
    expect(bob.messages(general)).toEqual([])
  })

  it('is understood where it is written to Bellhop, with slips, and as an address', async () => {
    const { alice, general } = await openMachine({ name: 'db-03.example.com' })
    const { dm } = alice

    alice.says('open db-03.example.com', dm)
    await alice.sees('2 open on db-03.example.com in Customer 1', dm)
    await alice.types('/alert opne db-03.example.com mine', general)
    await alice.sees('None of the 2 alerts open on db-03.example.com', general)
    await alice.types('/alert alerts on db-03.example.com', general)
    await alice.sees('2 open on db-03.example.com', general)
    await alice.types('/alert help', general)
    await alice.sees('/alert open db-03', general)
  })

  it('pages as the list of a container does', async () => {
    const { alice, general } = await openMachine({ alerts: 23 })
    await alice.types('/alert open db-03', general)

    await alice.presses('Show more', await alice.sees('1 to 20 of 23 open on db-03', general))

    const rest = await alice.sees('21 to 23 of 23 open on db-03 in Customer 1 (12)', general)
    expect(rest.plain.match(/Trouble/g)).toHaveLength(3)
  })

  it('has a choice where several are called so', async () => {
    const { alice, general, service, ...world } = await openMachine()
    service.addAsset(40, { name: 'DB-03', containerId: 34 })
    await uses({ alice, general, service, ...world }, 34)

    await alice.types('/alert open "db-03" min error', general)

    const choice = await alice.sees('2 machines are called “db-03”. Which one?', general)
    expect(choice.plain).toContain('db-03 · Customer 1 (12) · asset 34')
    expect(choice.plain).toContain('DB-03 · Customer 2 (34) · asset 40')
    await alice.presses('Show alerts', choice)
    await alice.sees(/(?:Nothing is open on DB-03|1 open on db-03) in Customer/, general)
    await alice.doesNotSee('Which one?', general)
  })

  it('is a container first, if one is called so, and digits are always one', async () => {
    const world = await openMachine({ name: 'Customer 2' })
    const { alice, general, service } = world
    await uses(world, 34)
    await alice.types('/alert open customer 2', general)
    await expect
      .poll(() => alice.screen(general).match(/Nothing is open in Customer 2 \(34\)/g))
      .toHaveLength(2)
    service.addAsset(36, { name: '34', containerId: 12 })
    addOn(world, 36, 'Odd name')

    await alice.types('/alert open 34', general)
    await expect
      .poll(() => alice.screen(general).match(/Nothing is open in Customer 2 \(34\)/g))
      .toHaveLength(3)
    await alice.doesNotSee(' on 34', general)
  })

  it.each([
    ['pings', '<!channel> <@U1> @here'],
    ['is long', 'x'.repeat(90)],
  ])('pings nobody and fits where the name %s', async (_, name) => {
    const { alice, bob, general } = await openMachine({ name, alerts: 5 })
    await alice.types(`/alert open "${name}"`, general)
    const list = await alice.sees(`5 open on ${name.slice(0, 20)}`, general)
    expect(list.pings).toEqual([])

    await alice.presses('Show in channel', list)

    const shared = await bob.sees('5 open on', general)
    expect(shared.pings).toEqual([])
  })

  it('says where it looked if nothing is called so, in three lists at most, and those once', async () => {
    const world = await openMachine()
    const { alice, general, service } = world
    for (const id of [34, 56, 78]) {
      service.addContainer(id, { name: `Customer ${id}` })
      await uses(world, id)
    }
    service.trouble.answer(403, { only: { path: /^\/container\/56\/assets$/ } })
    const from = service.requests.length

    await alice.types('/alert open db-99', general)

    const none = await alice.sees('Nothing is called “db-99” in', general)
    expect(none.plain).not.toContain('Customer 56')
    expect(readsFrom(world, from).filter(isList)).toHaveLength(3)
    // The next three are others.
    await alice.types('/alert open db-98', general)
    await alice.sees('“db-98” in', general)
    expect(readsFrom(world, from).filter(isList)).toHaveLength(4)
  })

  it('knows no machine for somebody who has used no container', async () => {
    const world = await openWorld()

    await world.alice.types('/alert open db-03', world.general)

    await world.alice.sees(
      'Nothing is called “db-03” in the containers that I know. Type a container’s number instead',
      world.general,
    )
  })

  it('finds none that their token doesn’t show, though it shows the container', async () => {
    const { alice, general, service } = await openMachine()
    service.behaves({ hiddenAssets: [34] })

    await alice.types('/alert open db-03', general)

    await alice.sees('Nothing is called “db-03” in Customer 1 (12).', general)
  })

  it('is found among 2,000', async () => {
    const { alice, general, service } = await openMachine()
    for (let id = 1_000; id < 2_998; id += 1)
      service.addAsset(id, { name: `web-${id}`, containerId: 12 })

    await alice.types('/alert open web-2997', general)

    await alice.sees('Nothing is open on web-2997 in Customer 1 (12).', general)
  })
})

describe('a list of one machine in a channel', () => {
  it('is shown to everybody there when its asker says so, unless another organisation reads', async () => {
    const { alice, bob, general, clock } = await openMachine()
    await alice.types('/alert open db-03', general)
    const own = await alice.sees('2 open on db-03', general)
    await alice.presses('Show in channel', own)
    await bob.sees(/2 open on db-03 in Customer 1 \(12\), worst first[\s\S]*as of/, general)
    clock.advance(11 * 60_000)
    general.isShared = true

    await alice.presses('Show in channel', own)

    await alice.sees('so I don’t show there what is open on one machine', general)
    expect(bob.messages(general)).toHaveLength(1)
  })

  it('is of a container that the channel follows, whoever asks', async () => {
    const { alice, bob, general, connect, service } = await openMachine()
    await alice.types('/alert follow 12', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees('Following Customer 1 (12)', general)
    service.addToken({ token: 'bob-of-12', name: 'bob-of-12', flags: { 12: ['API', 'READ'] } })
    await connect(bob, 'bob-of-12')

    await bob.types('/alert open db-03', general)

    await bob.sees('2 open on db-03 in Customer 1 (12)', general)
  })
})

describe('Only db-03', () => {
  /** Places are known from links that somebody looked up. */
  async function openPlaced(alerts: number) {
    const world = await openMachine({ alerts })
    const { alice, general, service } = world
    for (let nth = 1; nth <= alerts; nth += 1) {
      await alice.types(`/alert ${service.linkOf(`trouble-${nth}`)} private`, general)
      await alice.sees(new RegExp(`Trouble ${nth}[\\s\\S]*Share in channel`), general)
    }
    await alice.types('/alert open 12', general)
    const list = await alice.sees(/open in Customer 1 \(12\)[\s\S]*db-03 · Trouble/, general)
    return { ...world, list, from: service.requests.length }
  }

  it('lists what is open on a machine with four alerts of a list, from one read', async () => {
    const { alice, general, service, list, from } = await openPlaced(4)

    await alice.presses('Only db-03', list)

    const only = await alice.sees('4 open on db-03 in Customer 1 (12), worst first', general)
    expect(service.requests.slice(from).map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/asset\/34\/alerts/),
    ])
    expect(only.buttons).not.toContain('Only db-03')
  })

  it('is not there for three alerts', async () => {
    const { list } = await openPlaced(3)

    expect(list.buttons).not.toContain('Only db-03')
  })

  it.each([
    [403, 'READ'],
    [404, 'Monitoring knows no asset 34, or doesn’t show it to you.'],
  ] as const)('says so where the machine is no longer shown (%i)', async (hiddenAsset, words) => {
    const { alice, general, service, list } = await openPlaced(4)
    service.behaves({ hiddenAssets: [34], hiddenAsset })

    await alice.presses('Only db-03', list)

    await alice.sees(words, general)
  })
})

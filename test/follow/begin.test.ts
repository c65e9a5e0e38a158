// A channel follows a container: new alerts come by themselves.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import { bobToken, connects, type World } from '../world.ts'
import { followed, openCustomer, opens, passes } from './follow.ts'

describe('/alert follow', () => {
  it('says what it means first, then what is open, and brings what is new', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    opens(world, 'disk', { message: 'Disk full' })
    await alice.types('/alert follow "Customer 1"', general)
    await alice.sees('I haven’t seen a container called “Customer 1”', general)
    await alice.types('/alert follow 12', general)
    const consent = await alice.sees('Follow Customer 1 (12) in this channel?', general)
    expect(consent.isEphemeral).toBe(true)
    expect(consent.plain).toContain(
      'Your account reads it every minute, and everybody here sees its alerts of all severities',
    )
    expect(consent.plain).toContain('1 of them is open now.')

    await alice.presses('Follow', consent)

    await bob.sees('Following Customer 1 (12)', general)
    const open = await bob.sees('1 open in Customer 1 (12) already', general)
    expect(open.plain).toContain('Disk full')
    await world.slack.idle()
    expect(consent.isDeleted).toBe(true)
    opens(world, 'raid', { message: 'Array degraded', severity: 3 })
    await passes(world)
    const card = await bob.sees('🟠 Array degraded', general)
    expect(card.plain).toContain('Customer 1 (12)')
    expect(card.plain).not.toContain('asked by')
    expect(card.thread).toEqual([])
    await world.slack.idle()
    expect(card.isEdited).toBe(false)
  })

  it('leaves out what is less grave than was asked for, until it gets that grave', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    opens(world, 'swap', { message: 'Swap in use', severity: 5 })
    const own = await followed(world, ' min error')
    expect(own.plain).toContain('ERROR and worse, with alice’s account')
    await bob.sees('Nothing is open in Customer 1 (12) now (ERROR and worse)', general)
    const mail = opens(world, 'mail', { message: 'Queue grows', severity: 4 })
    await passes(world)
    opens(world, 'disk', { message: 'Disk full', severity: 1 })
    await passes(world)
    await bob.sees('🟣 Disk full', general)
    expect(bob.messages(general).filter(({ plain }) => plain.includes('Queue grows'))).toEqual([])

    mail.hit({ severity: 3 })
    await passes(world)

    await bob.sees('🟠 Queue grows', general)
  })

  it('asks whoever isn’t connected to connect, and goes on', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    await bob.types('/alert follow 12 min critical', general)
    await connects(bob, bobToken, await bob.sees('I need your monitoring account', general))
    const consent = await bob.sees('in this channel?', general)
    expect(consent.plain).toContain('its alerts of CRITICAL and worse')
  })

  it.each([
    ['a direct message', 'A channel follows a container', ({ alice }) => alice.dm],
    [
      'a channel where I can’t see who reads',
      'I can’t post in this channel, or see whether another organisation',
      ({ ops }) => ops,
    ],
    [
      'a channel that another organisation shares',
      'People of another organisation may read',
      ({ slack, alice }) =>
        slack.addChannel({ name: 'both', members: [alice], botIsMember: true, isShared: true }),
    ],
  ] satisfies [string, string, (world: World) => Channel][])(
    'refuses in %s',
    async (_, words, channelOf) => {
      const world = await openCustomer()
      const channel = channelOf(world)
      await world.alice.types('/alert follow 12', channel)
      await world.alice.sees(words, channel)
    },
  )
})

describe('a follow', () => {
  it('says in its own message when it last looked, drawn again after ten minutes', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    const own = await followed(world)
    expect(own.plain).toContain('Looks every minute')
    expect(own.plain).not.toContain('last look')
    for (let minutes = 0; minutes < 10; minutes += 1) await passes(world)
    await bob.sees(/Looks every minute · last look/, general)
  })

  it('is not there where Bellhop keeps to the contract', async () => {
    const world = await openCustomer({ env: { MONITOR_OPERATIONS: 'basic' } })
    const { alice, general, service } = world
    await alice.types('/alert help', general)
    expect((await alice.sees('/alert watches', general)).plain).not.toContain('follow')
    await alice.types('/alert follow 12', general)
    await alice.sees('I only read alerts here', general)
    await world.slack.idle()
    expect(service.requests.filter(({ path }) => path.startsWith('/container'))).toEqual([])
  })

  it('is one of ten in a channel at most', async () => {
    const world = await openCustomer()
    const { alice, general, service } = world
    for (let id = 100; id < 111; id += 1) service.addContainer(id, { name: `Team ${id}` })
    for (let id = 100; id < 110; id += 1) {
      await alice.types(`/alert follow ${id}`, general)
      await alice.presses('Follow', await alice.sees(`Follow Team ${id} (${id})`, general))
      await alice.sees(`Following Team ${id}`, general)
      // Slack takes a message a second in a channel, and Bellhop 30 requests a minute of one person.
      await passes(world, 10_000)
    }
    await alice.types('/alert follow 110', general)
    await alice.presses('Follow', await alice.sees('Follow Team 110 (110)', general))
    await alice.sees('This channel follows 10 containers, the most there can be.', general)
  })
})

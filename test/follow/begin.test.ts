// A channel follows a container: new alerts come by themselves.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import { bobToken, type World } from '../world.ts'
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
      'Your account reads it every minute, and everybody here sees all its alerts',
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
  })

  it('leaves out what is less grave than was asked for, until it gets that grave', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    opens(world, 'swap', { message: 'Swap in use', severity: 5 })
    const own = await followed(world, ' min error')
    expect(own.plain).toContain('ERROR and worse, with alice’s account')
    await bob.sees('Nothing is open in Customer 1 (12) now', general)
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
    await bob.presses('Connect account', await bob.sees('I need your monitoring account', general))
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': bobToken } })
    const consent = await bob.sees('in this channel?', general)
    expect(consent.plain).toContain('its alerts of CRITICAL and worse')
  })

  it.each([
    ['a direct message', 'A channel follows a container', ({ alice }) => alice.dm],
    ['a channel where I can’t see who reads', 'I can’t see whether another organisation', ({ ops }) => ops],
    [
      'a channel that another organisation shares',
      'People of another organisation may read',
      ({ slack, alice }) =>
        slack.addChannel({ name: 'both', members: [alice], botIsMember: true, isShared: true }),
    ],
  ] satisfies [string, string, (world: World) => Channel][])('refuses in %s', async (_, words, channelOf) => {
    const world = await openCustomer()
    const channel = channelOf(world)
    await world.alice.types('/alert follow 12', channel)
    await world.alice.sees(words, channel)
  })
})

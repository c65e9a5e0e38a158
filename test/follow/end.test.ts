// Whose account reads a followed container, what happens when it can't any more, and how a follow ends.
import { describe, expect, it } from 'vitest'
import { aliceToken, bobToken, type World } from '../world.ts'
import { carded, followed, inChannel, openCustomer, opens, passes } from './follow.ts'

describe('whose token reads', () => {
  it('is the carrier’s alone, and what was lost is told once, until somebody takes over', async () => {
    const world = await openCustomer()
    const { alice, bob, general, service } = world
    await world.connect(bob, bobToken)
    const { alert, card } = await carded(world, { severity: 2 })
    const before = service.requests.length

    service.revoke(aliceToken)
    await passes(world)

    const lost = await bob.sees('Monitoring no longer accepts alice’s token', general)
    await bob.sees('nobody’s account reads it', general)
    alert.close()
    opens(world, 'raid', { message: 'Array degraded' })
    for (let minutes = 0; minutes < 7; minutes += 1) await passes(world)
    expect(service.requests.slice(before).filter(({ token }) => token === 'bob')).toEqual([])
    expect(inChannel(bob.messages(general), 'can’t read')).toHaveLength(1)

    await bob.presses('Take over with my account', lost)

    await alice.sees('I follow Customer 1 (12) with bob’s account now.', general)
    await alice.sees('Array degraded', general)
    await alice.sees('couldn’t appear here', general)
    await passes(world)
    await alice.sees('✅ Disk full', general)
    await bob.sees('Closed', card)
    await alice.sees('all severities, with bob’s account', general)
  })

  it('goes on with the severity that whoever follows it anew has agreed to', async () => {
    const world = await openCustomer()
    const { alice, bob, general, service } = world
    await world.connect(bob, bobToken)
    await followed(world)
    service.revoke(aliceToken)
    await passes(world)
    await bob.sees('nobody’s account reads it', general)

    await bob.types('/alert follow 12 min error', general)
    await bob.presses('Follow', await bob.sees('ERROR and worse', general))

    await alice.sees('ERROR and worse, with bob’s account', general)
    opens(world, 'notice', { message: 'Certificate expires', severity: 5 })
    opens(world, 'raid', { message: 'Array degraded', severity: 1 })
    await passes(world)
    await alice.sees('Array degraded', general)
    await alice.doesNotSee('Certificate expires', general)
  })
})

describe('a follow ends', () => {
  it.each([
    ['Stop following', async (world: World, own) => world.bob.presses('Stop following', own)],
    ['/alert unfollow', async (world) => world.bob.types('/alert unfollow', world.general)],
    [
      '/alert follows',
      async (world) => {
        await world.bob.types('/alert follows', world.general)
        await world.bob.presses(
          'Stop following',
          await world.bob.sees('This channel follows 1 container', world.general),
        )
      },
    ],
  ] satisfies [
    string,
    (world: World, own: Awaited<ReturnType<typeof followed>>) => Promise<unknown>,
  ][])('by anybody in the channel: %s', async (_, stops) => {
    const world = await openCustomer()
    const { alice, general, service, slack } = world
    const own = await followed(world)
    opens(world, 'disk')
    await passes(world)
    await alice.sees('disk is broken', general)

    await stops(world, own)

    await alice.sees('bob stopped following Customer 1 (12) here.', general)
    await slack.idle()
    expect(own.plain).toContain('This channel followed Customer 1 (12).')
    const before = service.requests.length
    await passes(world)
    await passes(world)
    await slack.idle()
    expect(service.requests.slice(before)).toEqual([])
    await alice.types('/alert follows', general)
    await alice.sees('This channel follows nothing', general)
  })

  it('and whoever watches one of its cards hears the rest in its thread alone', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    const { own, alert, card } = await carded(world, { severity: 2 })
    await alice.presses('Watch', card)
    await alice.sees('👁️ alice', general)
    await bob.presses('Stop following', own)
    await alice.sees('bob stopped following', general)

    alert.hit({ severity: 1 })
    await passes(world)

    expect((await alice.sees('⬆️ CRITICAL → ALERT', card)).isBroadcast).toBe(false)
  })

  it('when its channel is shared with another organisation', async () => {
    const world = await openCustomer()
    const { bob, general, slack, service } = world
    await followed(world)
    await slack.share(general)
    await bob.sees('I no longer follow a container here', general)
    await slack.idle()
    const before = service.requests.length
    await passes(world)
    expect(service.requests.slice(before)).toEqual([])
  })
})

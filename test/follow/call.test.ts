// A channel that follows a container calls whoever is on call.
import { describe, expect, it } from 'vitest'
import { bobToken } from '../world.ts'
import { carded, followed, openCustomer, opens, passes } from './follow.ts'

const pinged = '<!subteam^S0ONCALL>'

describe('a followed channel that calls', () => {
  it('mentions whoever is on call with a new alert, once in five minutes, but for what is graver', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    const own = await followed(world, ` min warning call @oncall from error`)
    expect(own.plain).toContain(
      'It calls @oncall for ERROR and worse, at most once in five minutes.',
    )
    expect(own.pings).toEqual([])

    opens(world, 'mail', { message: 'Queue grows', severity: 4 })
    await passes(world)
    expect((await bob.sees('🟡 Queue grows', general)).pings).toEqual([])
    opens(world, 'disk', { message: 'Disk full', severity: 3 })
    await passes(world)
    expect((await bob.sees('🟠 Disk full', general)).pings).toEqual([pinged])
    opens(world, 'raid', { message: 'Array degraded', severity: 3 })
    await passes(world)
    expect((await bob.sees('🟠 Array degraded', general)).pings).toEqual([])
    opens(world, 'pay', { message: 'Payments down', severity: 0 })
    await passes(world)
    expect((await bob.sees('🚨 Payments down', general)).pings).toEqual([pinged])
    await passes(world, 10 * 60_000)
    opens(world, 'core', { message: 'Core switch', severity: 2 })
    await passes(world)
    expect((await bob.sees('🔴 Core switch', general)).pings).toEqual([pinged])
  })

  it('mentions them for many at once, and for one that gets worse, unless somebody is there', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    await world.connect(bob, bobToken)
    await followed(world, ` call @oncall`)
    const disk = opens(world, 'disk', { message: 'Disk full', severity: 3 })
    await passes(world)
    const card = await bob.sees('🟠 Disk full', general)
    await passes(world, 6 * 60_000)
    disk.hit({ severity: 2 })
    await passes(world)
    expect((await bob.sees('⬆️ ERROR → CRITICAL', card)).pings).toEqual([pinged])
    await bob.sees('🔴 Disk full', general)
    expect(card.pings).toEqual([pinged])

    await passes(world, 6 * 60_000)
    await bob.presses('Watch', card)
    await bob.sees('👁️ bob', general)
    disk.hit({ severity: 1 })
    await passes(world)
    expect((await alice.sees('⬆️ CRITICAL → ALERT', card)).pings).toEqual([`<@${bob.id}>`])

    await passes(world, 6 * 60_000)
    for (let at = 0; at < 7; at += 1) opens(world, `host ${at}`)
    await passes(world)
    expect((await bob.sees('7 new alerts', general)).pings).toEqual([pinged])
  })

  it('mentions them when an alert opens again, and not for one that somebody has', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    const { alert, card } = await carded(world, { follow: ' call @oncall' })
    alert.close('AutoClose')
    await passes(world)
    await bob.sees('✅ Disk full', general)
    await passes(world, 6 * 60_000)
    service.reopen('disk')
    for (let looks = 0; looks < 2; looks += 1) await passes(world)
    expect((await bob.sees('🔁 Open again', card)).pings).toEqual([pinged])

    alert.act({ kind: 'Assign', data: { userId: 8, ownerId: 8, message: '' } })
    await passes(world, 6 * 60_000)
    alert.hit({ severity: 1 })
    for (let looks = 0; looks < 2; looks += 1) await passes(world)
    expect((await bob.sees('⬆️ ERROR → ALERT', card)).pings).toEqual([])
  })

  it('has its carrier told at once where the call can’t be posted', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, slack } = world
    await followed(world, ` call @oncall`)
    opens(world, 'disk', { message: 'Disk full' })
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
    await passes(world)
    await alice.sees('1 alert is waiting to be told', alice.dm)
  })

  it('calls nobody any more once somebody says so, and keeps its severity', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    const own = await followed(world, ` min error call @bob`)
    expect(own.plain).toContain('It calls @bob for ERROR and worse')
    await alice.types('/alert follow 12 call nobody', general)
    const question = await alice.sees('in this channel?', general)
    const change = 'From now on, it calls nobody in place of @bob for ERROR and worse.'
    expect(question.plain).toContain(change)
    await alice.presses('Follow', question)
    await bob.sees(`I follow Customer 1 (12) with alice’s account now. ${change}`, general)
    await passes(world)
    opens(world, 'disk', { message: 'Disk full' })
    await passes(world)
    expect((await bob.sees('🔴 Disk full', general)).pings).toEqual([])
    await expect.poll(() => own.plain).not.toContain('calls')
    expect(own.plain).toContain('ERROR and worse')
  })

  it('says before and after what changes, and nothing where nothing does', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    await world.connect(bob, bobToken)
    await followed(world)
    await alice.types('/alert follow 12 min error call @oncall from critical', general)
    const question = await alice.sees('in this channel?', general)
    const change =
      'From now on, it shows ERROR and worse in place of all severities, and calls @oncall for CRITICAL and worse in place of nobody.'
    expect(question.plain).toContain(change)
    await alice.presses('Follow', question)
    await bob.sees(`I follow Customer 1 (12) with alice’s account now. ${change}`, general)
    await alice.types('/alert disconnect', alice.dm)
    await passes(world)
    await bob.presses('Take over with my account', await bob.sees('can’t read', general))
    const moved = await alice.sees('with bob’s account now.', general)
    expect(moved.plain).not.toContain('From now on')
  })

  it.each([
    ['@here', 'I never call @here or @channel.'],
    ['@nightshift', 'from Slack’s list; or type nobody'],
    ['@alice @bob', 'I can’t call that.'],
    ['@alice and @bob', 'I can’t call that.'],
    ['', 'I can’t call that.'],
    ['@carol', 'I can’t call that.'],
  ])('can’t be told to call %s', async (whom, words) => {
    const { alice, general, slack } = await openCustomer()
    slack.addPerson({ name: 'carol' })
    await alice.types(`/alert follow 12 call ${whom}`, general)
    await alice.sees(words, general)
  })
})

// Cards of a followed channel: one for an alert's life, its thread in step, many at once as one message.
import { describe, expect, it } from 'vitest'
import { looksAtHome } from '../home/looks-at-home.ts'
import { isLiveNoMore } from '../live/live.ts'
import { bobToken, type World } from '../world.ts'
import { carded, followed, inChannel, openCustomer, opens, passes, stormed } from './follow.ts'

const listsRead = ({ service }: World) =>
  service.requests.filter(({ path }) => path === '/container/12/alerts').length

describe('a card in a followed channel', () => {
  it('changes with its alert, and what is worse is told at the foot of the channel too', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    const { alert, card } = await carded(world)

    alert.hit({ severity: 1 })
    await passes(world)

    const worse = await bob.sees('⬆️ ERROR → ALERT', card)
    expect(worse.isBroadcast).toBe(true)
    expect(worse.pings).toEqual([])
    await bob.sees('🟣 Disk full', general)
    alert.act({ kind: 'Comment', data: { userId: 7, message: 'on it' } })
    alert.hit({ severity: 2 })
    await passes(world)
    expect((await bob.sees('on it', card)).isBroadcast).toBe(false)
    await bob.sees('🔴 Disk full', general)
  })

  it('is closed once monitoring says so, and is the same one when its alert opens again', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    const { alert, card } = await carded(world, { severity: 2 })

    alert.close('AutoClose')
    await passes(world)
    await bob.sees('✅ Disk full', general)
    await bob.sees('Closed automatically', card)
    await passes(world)
    service.reopen('disk')
    await passes(world)

    expect((await bob.sees('🔁 Open again', card)).isBroadcast).toBe(true)
    await bob.sees('🔴 Disk full', general)
    expect(bob.messages(general).filter(({ plain }) => plain.includes('asked by'))).toEqual([])
    expect(inChannel(bob.messages(general), 'Disk full')).toHaveLength(2)
  })

  it('is in step with its alert for as long as that is open, months too', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    await followed(world)
    const alert = opens(world, 'cert', { message: 'Certificate expires', severity: 4 })
    await passes(world)
    const card = await bob.sees('🟡 Certificate expires', general)
    await passes(world, 100 * 24 * 60 * 60_000)
    // What is old is forgotten when it starts, too.
    await world.restart()
    await bob.sees('couldn’t appear here', general)

    alert.hit({ severity: 1 })
    await passes(world)

    expect((await bob.sees('⬆️ WARNING → ALERT', card)).isBroadcast).toBe(true)
  })

  it('is no look-up of whoever’s account reads', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    await followed(world)
    opens(world, 'disk', { message: 'Disk full' })
    await passes(world)
    await bob.sees('Disk full', general)
    await world.slack.idle()

    expect((await looksAtHome(alice, world)).plain).not.toContain('Recent alerts')
  })

  it('costs one request a look while nothing happens', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    await followed(world)
    opens(world, 'disk')
    await passes(world)
    await bob.sees('disk is broken', general)
    await passes(world)
    await world.slack.idle()
    const before = service.requests.length
    for (let looks = 0; looks < 3; looks += 1) {
      const asked = world.serviceWasAsked('/container/12/alerts', listsRead(world) + 1)
      await passes(world)
      await asked
    }
    await world.slack.idle()
    expect(service.requests.slice(before).map(({ path }) => path)).toEqual(
      Array(3).fill('/container/12/alerts'),
    )
  })

  it('is not read again for its follow where somebody has had it read since', async () => {
    const world = await openCustomer()
    const { alice, bob, general, service } = world
    const { alert, card } = await carded(world)
    await passes(world)
    await world.slack.idle()
    const reads = () => service.requests.filter(({ path }) => path === '/alert/disk').length

    alert.hit({ severity: 2 })
    await alice.presses('Refresh', card)
    await bob.sees('🔴 Disk full', general)
    const before = reads()
    const asked = world.serviceWasAsked('/container/12/alerts', listsRead(world) + 2)
    for (let looks = 0; looks < 2; looks += 1) await passes(world)
    await asked
    await world.slack.idle()
    expect(reads()).toBe(before)
  })

  it('can be watched like any other, and goes on when nobody does any more', async () => {
    const world = await openCustomer()
    const { bob, alice, general } = world
    await world.connect(bob, bobToken)
    const { alert, card } = await carded(world)

    await alice.types('/alert disk watch', general)
    await alice.presses('Stop watching', await alice.sees('This alert is live here.', general))
    await bob.presses('Watch', card)
    await bob.sees('👁️ bob', general)
    alert.hit({ severity: 2 })
    await passes(world, 33_000)
    expect((await bob.sees('⬆️ ERROR → CRITICAL', card)).pings).toEqual([`<@${bob.id}>`])
    await bob.presses('Stop watching', card)
    await isLiveNoMore(world, card)
    alert.hit({ severity: 1 })
    await passes(world)

    expect((await alice.sees('⬆️ CRITICAL → ALERT', card)).pings).toEqual([])
    await bob.sees('🟣 Disk full', general)
  })
})

describe('many new alerts at once', () => {
  it('are one message, worst first, in which those that come soon after stand too', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    await followed(world)
    const alerts = Array.from({ length: 25 }, (_, at) =>
      opens(world, `host ${at}`, { severity: at % 4 }),
    )

    await passes(world)

    const storm = await bob.sees('25 new alerts in Customer 1 (12) · as of', general)
    expect(storm.plain.match(/is broken/g)).toHaveLength(8)
    expect(storm.plain).toContain('and 17 more: /alert open 12 lists them')
    expect(inChannel(bob.messages(general), 'is broken')).toHaveLength(1)
    for (const alert of alerts.slice(0, 20)) alert.close()
    for (let at = 25; at < 31; at += 1) opens(world, `host ${at}`)
    await passes(world)
    await bob.sees('31 new alerts in Customer 1 (12), 11 still open', general)
    await alice.presses('Show card', storm)
    await bob.sees('asked by alice', general)
  })

  it('are none that have their cards: those are open again', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    await followed(world)
    for (const group of ['a', 'b']) {
      for (let at = 0; at < 3; at += 1) opens(world, `${group}${at}`)
      await passes(world)
      await bob.sees(`${group}0 is broken`, general)
      await passes(world, 10 * 60_000)
    }
    const keys = ['a0', 'a1', 'a2', 'b0', 'b1', 'b2']
    for (const ks of keys) service.alert(ks)?.close('AutoClose')
    await passes(world)
    for (const ks of keys) await bob.sees(`✅ ${ks}`, general)
    await passes(world)

    for (const ks of keys) service.reopen(ks)
    opens(world, 'disk', { message: 'Disk full' })
    await passes(world)

    for (const ks of keys) await bob.sees(`🔴 ${ks}`, general)
    await bob.sees('🔴 Disk full', general)
    expect(inChannel(bob.messages(general), 'new alerts')).toEqual([])
  })

  it('count once, though they get worse: the first that is worse than all has a card, their message shows the rest', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    const { alerts, storm } = await stormed(world, 8)

    for (const alert of alerts) alert.hit({ severity: 1 })
    await passes(world)

    const card = await bob.sees('🟣', general)
    expect(card.plain).toContain('Assign to me')
    await expect.poll(() => storm.plain.match(/🟣/g)?.length).toBe(8)
    expect(storm.plain).toContain('8 new alerts in Customer 1 (12) · as of')
    await world.slack.idle()
    expect(inChannel(bob.messages(general), 'is broken')).toHaveLength(2)
  })
})

describe('news that Slack or the service does not take', () => {
  it('comes as soon as they do, each alert once', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, service, slack } = world
    await followed(world)
    for (const ks of ['one', 'two', 'three']) opens(world, ks)
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 40, times: 1 })
    await passes(world)
    await slack.idle()
    service.trouble.answer(503)
    await passes(world)
    await slack.idle()
    service.trouble.clear()
    await passes(world, 200_000)

    for (const ks of ['one', 'two', 'three']) await bob.sees(`${ks} is broken`, general)
    await passes(world)
    await slack.idle()
    for (const ks of ['one', 'two', 'three'])
      expect(inChannel(bob.messages(general), `${ks} is broken`)).toHaveLength(1)
  })
})

// An alert that is closed: others who show it learn so, and it may open again for a while.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { bobToken, openWorld } from '../world.ts'
import { diskFull, isLiveNoMore, liveCard, passes, repliesWith, timesRead } from './live.ts'

describe('when Bellhop reads that an alert is closed', () => {
  it('its other live cards are looked at at once, with their own watchers’ tokens', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, ops } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    alert.close('Close', { userId: 7 })
    const before = service.requests.length

    await bob.types('/alert 5HkX private', ops)

    await bob.sees('Closed', ops)
    await alice.sees('Somebody closed it', card)
    await isLiveNoMore(world, card)
    const reads = service.requests.slice(before).filter(({ path }) => path === '/alert/5HkX')
    expect(reads.map(({ token }) => token)).toEqual(['bob', 'alice'])
  })

  it('the threads of cards of the last day say so, once, and nothing else of it', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general, ops, clock } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const old = await alice.sees('Disk full', general)
    clock.advance(25 * 60 * 60_000)
    const other = slack.addChannel({ name: 'other', members: [alice, bob], botIsMember: true })
    await alice.types('/alert 5HkX', other)
    const card = await alice.sees('Disk full', other)
    await alice.types('/alert 5HkX private', alice.dm)
    const private_ = await alice.sees('Disk full', alice.dm)
    await slack.idle()
    alert.close('Close', { userId: 7, message: 'For Bob’s eyes' })

    await bob.types('/alert 5HkX private', ops)
    await alice.sees(/✅ Closed at \d/, card)
    await bob.types('/alert 5HkX private', ops)
    await slack.idle()

    expect(repliesWith(card, 'Closed at')).toHaveLength(1)
    expect(JSON.stringify(card.thread.map(({ plain }) => plain))).not.toContain('For Bob’s eyes')
    expect(repliesWith(old, 'Closed at')).toEqual([])
    expect(repliesWith(private_, 'Closed at')).toEqual([])
    expect(private_.plain).toContain('Open')
    // Whoever asks again sees how, and is not told of it once more.
    await alice.presses('Refresh', card)
    await alice.sees('For Bob’s eyes', card)
    expect(repliesWith(card, 'Closed at')).toHaveLength(1)
  })

  it('the ten newest cards say so, however many there are', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, ops, clock } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const cards: SeenMessage[] = []
    for (let count = 0; count < 11; count += 1) {
      const channel = slack.addChannel({ name: `team-${count}`, members: [alice], botIsMember: true })
      await alice.types('/alert 5HkX', channel)
      cards.push(await alice.sees('Disk full', channel))
      clock.advance(1_000)
    }
    await slack.idle()
    alert.close('Close', { userId: 7 })

    await bob.types('/alert 5HkX private', ops)
    await bob.sees('Closed', ops)

    const [oldest, ...others] = cards
    for (const card of others) await alice.sees('Closed at', card)
    await slack.idle()
    expect(oldest && repliesWith(oldest, 'Closed at')).toEqual([])
  })

  it('a channel of which nobody knows whether others read there hears nothing', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, bob, service, slack, general, ops } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await slack.idle()
    alert.close('Close', { userId: 7 })
    slack.trouble.fail('conversations.info', { error: 'missing_scope' })

    await bob.types('/alert 5HkX private', ops)
    await bob.sees('Closed', ops)
    await slack.idle()

    expect(slack.calls.map(({ method }) => method)).toContain('conversations.info')
    expect(repliesWith(card, 'Closed at')).toEqual([])
  })

  it('a card in somebody’s own direct messages hears nothing that another’s token read', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general, ops } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', alice.dm)
    const own = await alice.sees('Disk full', alice.dm)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await slack.idle()
    alert.close('Close', { userId: 7 })

    await bob.types('/alert 5HkX private', ops)

    await alice.sees('Closed at', card)
    await slack.idle(100)
    expect(repliesWith(own, 'Closed at')).toEqual([])
  })

  it('many live cards are each read once for it, and not again by who looks it up', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, ops } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const cards: SeenMessage[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const channel = slack.addChannel({ name, members: [alice], botIsMember: true })
      cards.push(await liveCard(world, channel))
    }
    await slack.idle()
    alert.close('Close', { userId: 7 })
    const before = timesRead(world)
    await bob.types('/alert 5HkX private', ops)
    for (const card of cards) await isLiveNoMore(world, card)
    await slack.idle(300)
    const read = timesRead(world)
    expect(read - before).toBeLessThanOrEqual(1 + 2 * cards.length)
    for (let time = 0; time < 3; time += 1) {
      await bob.types('/alert 5HkX private', ops)
      await world.slack.idle(100)
    }
    await slack.idle(300)
    expect(timesRead(world) - read).toBeLessThanOrEqual(3)
  })

  it('threads that were told do not take up their channel’s turn', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general, ops, clock } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const other = service.addAlert({ ks: 'other', message: 'Other' })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await alice.types('/alert other', general)
    const second = await alice.sees('Other', general)
    await slack.idle()
    alert.close('Close', { userId: 7 })
    await bob.types('/alert 5HkX private', ops)
    await alice.sees('Closed at', card)
    await slack.idle()
    clock.advance(61_000)
    const waited = world.waits.length

    await bob.types('/alert 5HkX private', ops)
    await slack.idle(100)
    other.close()
    await bob.types('/alert other private', ops)
    await alice.sees('Closed at', second)
    await slack.idle(100)

    // The pause after the one line, and none before it.
    expect(world.waits.slice(waited)).toHaveLength(1)
    expect(repliesWith(card, 'Closed at')).toHaveLength(1)
  })

  it.each(['Watch', '/alert 5HkX watch'])('by %s, others hear it too', async (how) => {
    const world = await openWorld()
    const { alice, bob, general, service, slack } = world
    await world.connect(bob, bobToken)
    const other = slack.addChannel({ name: 'other', members: [alice, bob], botIsMember: true })
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await bob.types('/alert 5HkX', other)
    const snapshot = await bob.sees('Disk full', other)
    if (how !== 'Watch') await liveCard(world, other)
    await slack.idle()
    alert.close('Close', { userId: 7 })

    if (how === 'Watch') await bob.presses('Watch', snapshot)
    else await bob.types(how, other)

    await alice.sees('Closed at', card)
  })
})

describe('an alert that opens again within 15 minutes', () => {
  it('is watched on: the thread and its watchers hear so, and the card is live', async () => {
    const world = await openWorld()
    const { alice, service, slack, general } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.close('AutoClose')
    await passes(world)
    await alice.sees('unless the alert opens again within 15 minutes', card)
    await isLiveNoMore(world, card)
    await slack.idle()
    await passes(world, 5 * 60_000)
    await slack.idle()

    alert.reopen({ severity: 1, message: 'Disk full again' })
    await passes(world)

    await alice.sees('🔁 Open again · ALERT · Disk full again', card)
    await alice.sees('🔁 Open again · ALERT · Disk full again', alice.dm)
    await alice.sees(/Disk full again[\s\S]*● Live/, general)
    alert.close('AutoClose', {})
    await passes(world)
    await isLiveNoMore(world, card)
    await slack.idle()
    expect(repliesWith(card, 'stop updating')).toHaveLength(2)
    expect(repliesWith(card, 'Open again')).toHaveLength(1)
  })

  it('is not shown as live by Refresh meanwhile, and is forgotten after that', async () => {
    const world = await openWorld()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.close()
    await passes(world)
    await isLiveNoMore(world, card)
    await slack.idle()
    await alice.presses('Refresh', card)
    await slack.idle()
    expect(card.plain).not.toContain('● Live')
    await passes(world)
    await passes(world, 16 * 60_000)
    await passes(world)
    await slack.idle()
    const read = timesRead(world)
    alert.reopen()
    await passes(world)
    await slack.idle(100)
    expect(timesRead(world)).toBe(read)
    expect(repliesWith(card, 'Open again')).toEqual([])
  })

  it('shows nothing wrong when the service does not answer meanwhile', async () => {
    const world = await openWorld()
    const { service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.close()
    await passes(world)
    await isLiveNoMore(world, card)
    await slack.idle()
    service.trouble.answer(503)
    for (let minute = 0; minute < 20; minute += 2) await passes(world, 2 * 60_000)
    await slack.idle()
    expect(card.plain).not.toContain('Not up to date')
    expect(card.plain).not.toContain('● Live')
    expect(repliesWith(card, 'can’t read this alert')).toEqual([])
  })
})

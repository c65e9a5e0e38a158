import { describe, expect, it } from 'vitest'
import { aliceToken, connects, openWorld } from '../world.ts'
import {
  comment,
  diskFull,
  isLiveNoMore,
  liveCard,
  passes,
  repliesWith,
  watchedByBoth,
} from './live.ts'

const dayMs = 24 * 60 * 60_000

describe('a watch ends', () => {
  it('when the alert is closed, with the story told to its end', async () => {
    const world = await openWorld()
    const { alice, service } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.act(comment('found it'))
    alert.close('Close', { userId: 7, message: 'rotated' })

    await passes(world)

    const last = await alice.sees(
      '✅ The card will stop updating unless the alert opens again within 15 minutes.',
      card,
    )
    expect(last.plain).toContain('found it')
    expect(last.plain.match(/Somebody closed it/g)).toHaveLength(1)
    expect(last.plain).toContain('“rotated”')
    await isLiveNoMore(world, card)
    expect(card.plain).toContain('\nClosed')
    expect(card.buttons).toEqual(['Refresh', 'Grant access', 'Open in monitoring'])
    expect(card.thread).toHaveLength(2)
  })

  it('when its watcher stops it', async () => {
    const world = await openWorld()
    const { alice, service } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)

    await alice.presses('Stop watching', card)

    await alice.sees('Stopped updating: alice pressed Stop watching.', card)
    await isLiveNoMore(world, card)
    expect(card.buttons).toContain('Watch')
    alert.act(comment('unheard'))
    await passes(world)
    await alice.doesNotSee('unheard', card)
  })

  it('for its presser alone, however often they press, in the answer or on the card', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    const card = await watchedByBoth(world)
    await alice.presses('Watch', card)
    const answer = await alice.sees('You’re watching it until', general)
    await Promise.all([
      alice.presses('Stop watching', answer),
      alice.presses('Stop watching', answer),
    ])
    await alice.sees('👁️ bob ·', general)
    await slack.idle(100)
    expect(repliesWith(card, 'Stopped updating')).toEqual([])

    await alice.presses('Watch', card)
    await alice.sees(/👁️ (alice, bob|bob, alice)/, general)
    await slack.idle()
    await Promise.all([alice.presses('Stop watching', card), alice.presses('Stop watching', card)])
    await alice.sees('👁️ bob ·', general)
    await slack.idle(100)
    expect(repliesWith(card, 'Stopped updating')).toEqual([])
  })

  it('not by a bystander: they read who can', async () => {
    const world = await openWorld()
    const { alice, bob, service, general } = world
    service.addAlert(diskFull)
    await liveCard(world)

    await bob.presses('Stop watching', await bob.sees('👁', general))

    const told = await bob.sees(
      'You aren’t watching this alert. Only the people named on its card',
      general,
    )
    expect(told.isEphemeral).toBe(true)
    await alice.sees('👁', general)
  })

  it('after its lifetime', async () => {
    const world = await openWorld({ env: { WATCH_TTL_HOURS: '24' } })
    world.service.addAlert(diskFull)
    const card = await liveCard(world)

    await passes(world, dayMs + 1000)

    await world.alice.sees('Stopped updating after 24 hours. Press Watch to keep it live.', card)
    await isLiveNoMore(world, card)
  })

  it('when the service has no such alert any more', async () => {
    const world = await openWorld()
    world.service.addAlert(diskFull)
    const card = await liveCard(world)
    await world.slack.idle()
    world.service.trouble.answer(404, { times: 1 })

    await passes(world)

    await world.alice.sees('Stopped updating: monitoring no longer has this alert.', card)
  })
})

describe('a token that is refused', () => {
  it('makes way for the next watcher’s; its owner is asked to connect, and then watches again', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    const alert = service.addAlert(diskFull)
    const card = await watchedByBoth(world)
    service.revoke(aliceToken)
    alert.act(comment('news'))

    await passes(world)

    await alice.sees('news', card)
    await alice.sees(/👁️ bob · checked/, general)
    expect(repliesWith(card, 'Stopped updating')).toEqual([])
    const told = await alice.sees(
      'You’re no longer watching “Disk full”: monitoring no longer accepts your token.',
      alice.dm,
    )
    expect(told.plain).toContain('Connect your account again to keep watching.')
    // She reads it in the morning.
    await passes(world, 8 * 60 * 60_000)
    service.addToken({ token: 'alice-new', name: 'alice again', flags: ['API', 'READ'] })
    await connects(alice, 'alice-new', told)
    await alice.sees('👁️ bob, alice', general)
  })

  it('of the last watcher ends it, in the thread and in a direct message', async () => {
    const world = await openWorld()
    const { alice, service } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    service.revoke(aliceToken)

    await passes(world)

    await alice.sees('Stopped updating: monitoring no longer accepts alice’s token.', card)
    await isLiveNoMore(world, card)
    expect(card.plain).toContain('Disk full')
    await alice.sees(
      'You’re no longer watching “Disk full”: monitoring no longer accepts your token.',
      alice.dm,
    )
  })

  it('for want of rights says so to its owner', async () => {
    const world = await openWorld()
    const { alice, service } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    await world.slack.idle()
    service.trouble.answer(403, { times: 1 })

    await passes(world)

    await alice.sees('Stopped updating: alice can no longer see this alert.', card)
    const told = await alice.sees(
      'You’re no longer watching “Disk full”: your token lacks API or READ',
      alice.dm,
    )
    expect(told.buttons).toEqual([])
  })
})

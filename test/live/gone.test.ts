// Watchers who are gone, and cards that are gone.
import { describe, expect, it } from 'vitest'
import { openWorld, refuseToken } from '../world.ts'
import { comment, diskFull, liveCard, passes, timesRead, watchedByBoth } from './live.ts'

describe('somebody who is gone', () => {
  it('by disconnecting watches nothing any more, at once', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    await world.slack.idle()
    const read = timesRead(world)

    await alice.types('/alert disconnect', general)

    await alice.sees('Stopped updating: alice is no longer connected.', card)
    expect(timesRead(world)).toBe(read)
  })

  it('by leaving the workspace watches nothing any more', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general } = world
    service.addAlert(diskFull)
    await watchedByBoth(world)

    await slack.deactivate(alice)

    await bob.sees(/👁️ bob · checked/, general)
  })

  it('with the whole app takes every watch along', async () => {
    const world = await openWorld()
    const { service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    const before = card.plain
    const read = timesRead(world)
    refuseToken(world)

    await slack.event({ type: 'app_uninstalled' })
    await slack.idle()
    alert.act(comment('unheard'))
    await passes(world)
    await slack.idle()

    expect(timesRead(world)).toBe(read)
    expect(card.plain).toBe(before)
  })
})

describe('a card that is gone', () => {
  it('with its message is told to those who watched, directly', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    slack.workspace.remove(card.message)
    alert.hit({ message: 'Disk fuller' })

    await passes(world)

    const told = await alice.sees('You’re no longer watching “Disk full”', alice.dm)
    expect(told.plain).toContain('its card is gone')
    expect(told.plain).toContain('/alert 5HkX watch')
    await slack.idle()
    const read = timesRead(world)
    await passes(world)
    await slack.idle()
    expect(timesRead(world)).toBe(read)
  })
})

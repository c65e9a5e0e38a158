// An alert that is closed: others who show it learn so, and it may open again for a while.
import { describe, expect, it } from 'vitest'
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
})

describe('an alert that opens again within 15 minutes', () => {
  it('is watched on: the thread says so, and the card is live', async () => {
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
    await alice.sees(/Disk full again[\s\S]*👁/, general)
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
    expect(card.plain).not.toContain('👁')
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
})

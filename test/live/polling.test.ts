import { describe, expect, it } from 'vitest'
import { bobToken, openWorld } from '../world.ts'
import { comment, diskFull, intervalMs, liveCard, passes, repliesWith, timesRead } from './live.ts'

const updates = ({ slack }: Awaited<ReturnType<typeof openWorld>>) =>
  slack.calls.filter(({ method }) => method === 'chat.update').length

describe('a quiet alert', () => {
  it('is read each interval, and its card is left alone for ten minutes, then renewed', async () => {
    const world = await openWorld()
    world.service.addAlert(diskFull)
    await liveCard(world)
    await world.slack.idle()
    const [read, updated] = [timesRead(world), updates(world)]

    for (let look = 1; look <= 5; look += 1) {
      await passes(world)
      await world.serviceWasAsked('/alert/5HkX', read + look)
    }
    await world.slack.idle()
    expect(updates(world)).toBe(updated)

    await passes(world, 10 * 60_000)
    await expect.poll(() => updates(world), { timeout: 30_000 }).toBe(updated + 1)
    await world.slack.idle()
    expect(updates(world)).toBe(updated + 1)
  })
})

describe('a service that does not answer', () => {
  it('is asked less and less often', async () => {
    const world = await openWorld()
    const { service, slack } = world
    service.addAlert(diskFull)
    await liveCard(world)
    await slack.idle()
    service.trouble.answer(500)
    let read = timesRead(world)

    // The second failure waits for longer than an interval, the third for longer than two.
    await passes(world)
    await world.serviceWasAsked('/alert/5HkX', ++read)
    await passes(world, intervalMs * 1.5)
    await slack.idle(100)
    expect(timesRead(world)).toBe(read)
    await passes(world, intervalMs)
    await world.serviceWasAsked('/alert/5HkX', ++read)
    await passes(world, intervalMs)
    await slack.idle(100)
    expect(timesRead(world)).toBe(read + 1)
  })

  it('is left alone for as long as it asks', async () => {
    const world = await openWorld()
    const { service, slack } = world
    service.addAlert(diskFull)
    await liveCard(world)
    await slack.idle()
    service.trouble.rateLimit({ retryAfterSeconds: 300, times: 1 })
    const read = timesRead(world)
    await passes(world)
    await world.serviceWasAsked('/alert/5HkX', read + 1)

    await passes(world, 280_000)
    await slack.idle(100)
    expect(timesRead(world)).toBe(read + 1)
    await passes(world, 25_000)

    await world.serviceWasAsked('/alert/5HkX', read + 2)
  })
})

describe('Refresh on a live card', () => {
  it('leaves it live, and what it told is not told again', async () => {
    const world = await openWorld({ env: { MONITOR_OPERATIONS: 'basic' } })
    const { alice, bob, service, general, slack } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    alert.act(comment('news'))

    await bob.presses('Refresh', await bob.sees('👁', general))

    await alice.sees('refreshed by bob', general)
    expect(card.plain).toContain('👁')
    await passes(world)
    await passes(world)
    await slack.idle()
    expect(repliesWith(card, 'news')).toHaveLength(1)
    // Whoever looks next cannot know what the card shows by now, and draws it.
    expect(card.plain).not.toContain('refreshed by bob')
  })
})

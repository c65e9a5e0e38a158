// Alerts that open again after they were closed on a card: their card, its thread, and for how long anybody looks.
import { describe, expect, it } from 'vitest'
import { repliesWith, timesRead } from '../live/live.ts'
import type { World } from '../world.ts'
import { closesOn, withCard } from './on-card.ts'

/** A card of Alice’s in #general, whose alert she has closed on it. */
async function closedCard(when: 'at-once' | 'told') {
  const { world, alice, general, service, slack, card } = await withCard()
  service.behaves({ reopens: { key: 'same', when } })
  await closesOn(card, alice, 'Old logs')
  await alice.sees(/✅ Disk full|Closed: alert/, general)
  await slack.idle()
  return { ...world, world, card }
}

/** Resolves once somebody has looked once more at the alert. */
async function looked(world: World): Promise<void> {
  const before = timesRead(world)
  world.clock.advance(61_000)
  await world.serviceWasAsked('/alert/5HkX', before + 1)
  await world.slack.idle(50)
}

describe('an alert that was closed on a card', () => {
  it('and opens again within 15 minutes is open on the card, and the thread says so', async () => {
    const { world, alice, service, card } = await closedCard('told')
    await looked(world)
    expect(card.plain).toContain('Closed')
    service.reopen('5HkX')
    world.clock.advance(61_000)
    await alice.sees('Open again', card)
    await world.slack.idle()
    expect(repliesWith(card, 'Open again')).toHaveLength(1)
    expect(card.plain).not.toContain('✅')
    expect(card.plain).not.toContain('👁')
    expect(
      service.requests.filter(({ path }) => path === '/alert/5HkX').map(({ token }) => token),
    ).not.toContain('bob')
  })

  it('and opens again at once is open on the card, and the thread says so', async () => {
    const { world, card } = await closedCard('at-once')
    await world.alice.sees('Open again', card)
    expect(card.plain).not.toContain('✅')
    const read = timesRead(world)
    world.clock.advance(61_000)
    await world.slack.idle(1_200)
    expect(timesRead(world)).toBe(read)
  })

  it('and opens again where others read by now is not told there', async () => {
    const { general, service, slack, clock, card } = await closedCard('told')
    // Long after Slack was asked who reads there.
    clock.advance(11 * 60_000)
    general.isShared = true
    service.reopen('5HkX')
    clock.advance(61_000)
    await slack.idle(1_500)
    expect(repliesWith(card, 'Open again')).toEqual([])
  })
})

// Alerts that open again after they were closed on a card: their card, its thread, and for how long anybody looks.
import { describe, expect, it } from 'vitest'
import type { Ways } from '../../playground/monitor/ways.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { repliesWith, timesRead } from '../live/live.ts'
import { openWorld, type World } from '../world.ts'
import { closesOn, diskFull } from './on-card.ts'

/** A card of Alice’s in #general, whose alert she has closed on it. */
async function closedCard(world: World, ways: Partial<Ways> = {}): Promise<SeenMessage> {
  const { alice, general, service, slack } = world
  service.behaves(ways)
  service.addAlert(diskFull)
  await alice.types('/alert 5HkX', general)
  const card = await alice.sees('Disk full', general)
  await slack.idle()
  await closesOn(card, alice, 'Old logs')
  await alice.sees(/✅ Disk full|Closed: alert/, general)
  await slack.idle()
  return card
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
    const world = await openWorld({ lateMs: 50 })
    const { alice, service } = world
    const card = await closedCard(world, { reopens: { key: 'same', when: 'told' } })
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
    const world = await openWorld({ lateMs: 50 })
    const card = await closedCard(world, { reopens: { key: 'same', when: 'at-once' } })
    await world.alice.sees('Open again', card)
    expect(card.plain).not.toContain('✅')
    const read = timesRead(world)
    world.clock.advance(61_000)
    await world.slack.idle(1_200)
    expect(timesRead(world)).toBe(read)
  })

  it('and opens again where others read by now is not told there', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { general, service, slack, clock } = world
    const card = await closedCard(world, { reopens: { key: 'same', when: 'told' } })
    // Long after Slack was asked who reads there.
    clock.advance(11 * 60_000)
    general.isShared = true
    service.reopen('5HkX')
    clock.advance(61_000)
    await slack.idle(1_500)
    expect(repliesWith(card, 'Open again')).toEqual([])
  })
})

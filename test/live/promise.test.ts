// Promises of a live card about its next check.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { comment, diskFull, liveCard, passes, repliesWith } from './live.ts'

const minuteMs = 60_000

/** The times on the card, in Unix seconds: checked, and the next check. */
function timesOn(blocks: readonly unknown[]): readonly number[] {
  const [line = ''] = /checked [^"]*next by [^"]*/.exec(JSON.stringify(blocks)) ?? []
  return [...line.matchAll(/\^(\d+)\^/g)].map(([, seconds]) => Number(seconds))
}

describe('a live card', () => {
  it('says when it was checked and by when it is again, and is drawn again before that', async () => {
    const world = await openWorld()
    world.service.addAlert(diskFull)
    const card = await liveCard(world)
    await world.slack.idle()
    const [checked = 0, nextBy = 0] = timesOn(card.message.blocks)
    expect(nextBy - checked).toBe(600)
    expect(Math.abs(checked * 1000 - world.clock.now())).toBeLessThan(10_000)

    await passes(world, 9.5 * minuteMs)
    await world.slack.workspace.changes.until(
      () => timesOn(card.message.blocks)[0] !== checked || undefined,
      5_000,
      () => 'the card was not drawn again',
    )

    expect(world.clock.now() / 1000).toBeLessThan(nextBy)
    expect(timesOn(card.message.blocks)[1]).toBeGreaterThan(nextBy)
  })

  it('whose alert cannot be read freshness nothing, and its thread says so once', async () => {
    const world = await openWorld()
    const { alice, service, slack, general } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    service.trouble.answer(503)
    await passes(world)
    await slack.idle(100)
    await passes(world, 95_000)
    await alice.sees('can’t read this alert in monitoring right now', card)
    await alice.sees('Out of date', general)
    expect(card.plain).not.toContain('next by')
    for (let looks = 0; looks < 3; looks += 1) await passes(world, 11 * minuteMs)
    await slack.idle(100)
    expect(repliesWith(card, 'right now')).toHaveLength(1)

    service.trouble.clear()
    alert.act(comment('meanwhile'))
    await passes(world, 15 * minuteMs)

    await alice.sees('meanwhile', card)
    await alice.sees('next by', general)
    expect(repliesWith(card, 'right now')).toHaveLength(1)
  })
})

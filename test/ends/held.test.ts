// An end of what another end holds as well, for longer: it takes nothing, and whoever has read of it reads that.
import { describe, expect, it } from 'vitest'
import { openColleagues } from '../approval/colleagues.ts'
import { has, viewer } from '../grant/dave.ts'
import { dueOf, endsAfter, hourMs, minuteMs, warned } from './given.ts'

/** Alice has given it for eight hours; and, as somebody had removed Dave in monitoring, for four. */
async function givenTwice() {
  const world = await openColleagues()
  const { alice, general, service, slack } = world
  for (const hours of [8, 4]) {
    service.removeMember(12, 9)
    await alice.types(`/grant 12 dave@example.com viewer for ${hours}h`, general)
    await expect.poll(() => has(world)).toEqual(viewer)
    await slack.idle()
  }
  return { ...world, world }
}

describe('an end of what another one holds for longer', () => {
  it('is over without a word, and the warnings of it say until when the access lasts', async () => {
    const { world, alice, dave, clock } = await givenTwice()
    const soon = await warned(world)
    const theirs = await dave.sees('Your Viewer on', dave.dm)
    await world.slack.idle()

    clock.advance(10 * minuteMs)

    const keeps = /dave@example\.com keeps Viewer on .* until/
    await expect.poll(() => soon.plain).toMatch(keeps)
    await expect.poll(() => theirs.plain).toMatch(keeps)
    expect(soon.buttons).toEqual([])
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(has(world)).toEqual(viewer)
    await endsAfter(world, 4 * hourMs)
  })

  it('is gone by Remove now, which says where the other one is', async () => {
    const { world, alice, general } = await givenTwice()
    await alice.presses('Remove now', await dueOf(alice, world))
    await alice.sees('What still does is in /grant due.', general)
    expect(alice.screen(general)).not.toContain('I’ll keep trying')
    expect(has(world)).toEqual(viewer)
  })
})

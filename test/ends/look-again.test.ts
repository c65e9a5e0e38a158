// Ends of what a change was to make last, or to take, where that wasn't certain until somebody looked again.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { asks, openColleagues } from '../approval/colleagues.ts'
import { changes, daveIs, has, viewer } from '../grant/dave.ts'
import { openWorld, type World } from '../world.ts'
import {
  dueOf,
  given,
  gives,
  hourMs,
  isOver,
  line,
  minuteMs,
  nothingEnds,
  warned,
} from './given.ts'

/** The next write is made, but no look within seconds shows it. */
function isShownLate({ service }: World) {
  service.behaves({ visible: { reads: 3 } })
}

/** By now, lists show it. */
async function looksAgain({ service, alice, general }: World, unsure: SeenMessage, words: string) {
  service.behaves({ visible: 'at-once' })
  await alice.presses('Look again', unsure)
  await alice.sees(words, general)
}

/** Alice changes it, and nobody can tell whether that was done. */
async function changesUnsure(world: World, typed: string, label = 'Change access') {
  const { alice, general, slack } = world
  await alice.types(typed, general)
  const question = await alice.sees(`[${label}]`, general)
  isShownLate(world)
  await alice.presses(label, question)
  const unsure = await alice.sees('[Look again]', general)
  await slack.idle()
  return unsure
}

describe('once Look again shows that a write was made', () => {
  it('what it gave for good doesn’t end, and what stands about it says so', async () => {
    const { world } = await given()
    const soon = await warned(world)
    const unsure = await changesUnsure(world, '/grant change 12 dave@example.com responder')
    await looksAgain(world, unsure, '✅ Changed')
    await expect.poll(() => soon.plain).toContain('dave@example.com keeps Viewer on')
    expect(soon.buttons).toEqual([])
    await world.slack.idle()
    const all = has(world)
    await isOver(world)
    await world.slack.idle(200)
    expect(has(world)).toEqual(all)
    await nothingEnds(world)
  })

  it('what it gave for longer ends then, and all of it', async () => {
    const { world } = await given()
    const unsure = await changesUnsure(world, '/grant change 12 dave@example.com responder for 6h')
    await looksAgain(world, unsure, '✅ Changed')
    const all = has(world)
    await isOver(world)
    await world.slack.idle(200)
    expect(has(world)).toEqual(all)
    await isOver(world, 2 * hourMs)
    await world.alice.sees('✅ Ended: dave@example.com no longer has Responder', world.alice.dm)
    expect(has(world)).toBeUndefined()
  })

  it('what somebody gives after a removal doesn’t end at the old time', async () => {
    const { world } = await given()
    const typed = '/grant remove 12 dave@example.com'
    const unsure = await changesUnsure(world, typed, 'Remove access')
    await looksAgain(world, unsure, '✅ Removed')
    await nothingEnds(world)
    daveIs(world, { permissions: ['READ'] })
    await isOver(world)
    expect(has(world)).toEqual(['READ'])
  })

  it('what was given for a time since then ends at that time', async () => {
    const { world, alice, clock, service } = await given()
    // This one was not made, and a later one is what shows.
    service.trouble.cut({ when: 'before-answer', only: 'PUT', times: 1 })
    const unsure = await changesUnsure(world, '/grant change 12 dave@example.com +BILLING')
    service.behaves({ visible: 'at-once' })
    clock.advance(minuteMs)
    await changes(world, '+BILLING for 1h', 'For 1 hour')
    await looksAgain(world, unsure, 'Looked again at')
    await isOver(world, hourMs)
    await alice.sees('✅ Ended: dave@example.com no longer has BILLING', alice.dm)
  })

  it('what its giver has kept for good meanwhile stays', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })
    isShownLate(world)
    await alice.types(line, general)
    const unsure = await alice.sees('[Look again]', general)
    await slack.idle()
    await alice.presses('Keep for good', await dueOf(alice, world))
    await alice.sees('for good.', general)
    await looksAgain(world, unsure, '✅ Granted')
    await isOver(world)
    await slack.idle(200)
    expect(has(world)).toEqual(viewer)
  })

  it('what a colleague had approved for good doesn’t end, where they look', async () => {
    const world = await openColleagues()
    const { bob, carol, general, service, slack } = world
    await gives(world)
    await asks(bob, '/grant change 12 dave@example.com +WEBHOOKS,+READ', general)
    const card = await carol.sees('🔑', general)
    isShownLate(world)
    await carol.presses('Approve', card)
    const unsure = await carol.sees('❓ Approved by you', general)
    await slack.idle()
    service.behaves({ visible: 'at-once' })
    await carol.presses('Look again', unsure)
    await bob.sees('by carol', bob.dm)
    await slack.idle()
    await isOver(world)
    await slack.idle(200)
    expect(has(world)).toEqual(['READ', 'WEBHOOKS'])
  })
})

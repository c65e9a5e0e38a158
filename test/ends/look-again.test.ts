// Ends of what a change was to make last, or to take, where that wasn't certain until somebody looked again.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { asks, openColleagues } from '../approval/colleagues.ts'
import { openWorld, type World } from '../world.ts'
import { given, has, hourMs, isOver, line, minuteMs } from './given.ts'

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
async function changes(world: World, typed: string, label = 'Change access') {
  const { alice, general, slack } = world
  await alice.types(typed, general)
  const question = await alice.sees(`[${label}]`, general)
  isShownLate(world)
  await alice.presses(label, question)
  const unsure = await alice.sees('[Look again]', general)
  await slack.idle()
  return unsure
}

async function nothingEnds({ alice, general }: World) {
  await alice.types('/grant due', general)
  await alice.sees('You haven’t given any access that ends by itself', general)
}

describe('once Look again shows that a write was made', () => {
  it('what it gave for good doesn’t end', async () => {
    const world = await given()
    const unsure = await changes(world, '/grant change 12 dave@example.com responder')
    await looksAgain(world, unsure, '✅ Changed')
    const all = has(world)
    await isOver(world)
    await world.slack.idle(200)
    expect(has(world)).toEqual(all)
    await nothingEnds(world)
  })

  it('what stands about it says so', async () => {
    const world = await given()
    const { alice, clock, slack } = world
    clock.advance(4 * hourMs - 10 * minuteMs)
    const soon = await alice.sees('dave@example.com has Viewer on', alice.dm)
    await slack.idle()
    const unsure = await changes(world, '/grant change 12 dave@example.com responder')
    await looksAgain(world, unsure, '✅ Changed')
    await expect.poll(() => soon.plain).toContain('dave@example.com keeps Viewer on')
    expect(soon.buttons).toEqual([])
  })

  it('what it gave for longer ends then, and all of it', async () => {
    const world = await given()
    const unsure = await changes(world, '/grant change 12 dave@example.com responder for 6h')
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
    const world = await given()
    const typed = '/grant remove 12 dave@example.com'
    const unsure = await changes(world, typed, 'Remove access')
    await looksAgain(world, unsure, '✅ Removed')
    await nothingEnds(world)
    world.service.addMember(12, { id: 9, email: 'dave@example.com', permissions: ['READ'] })
    await isOver(world)
    expect(has(world)).toEqual(['READ'])
  })

  it('what was given for a time since then ends at that time', async () => {
    const world = await given()
    const { alice, clock, general, service, slack } = world
    // This one was not made, and a later one is what shows.
    service.trouble.cut({ when: 'before-answer', only: 'PUT', times: 1 })
    const unsure = await changes(world, '/grant change 12 dave@example.com +BILLING')
    service.behaves({ visible: 'at-once' })
    clock.advance(minuteMs)
    await alice.types('/grant change 12 dave@example.com +BILLING for 1h', general)
    await alice.presses('Change access', await alice.sees('For 1 hour', general))
    await alice.sees('✅ Changed', general)
    await slack.idle()
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
    await alice.types('/grant due', general)
    await alice.presses('Keep for good', await alice.sees('dave@example.com · Viewer', general))
    await alice.sees('for good.', general)
    await looksAgain(world, unsure, '✅ Granted')
    await isOver(world)
    await slack.idle(200)
    expect(has(world)).toEqual(['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'])
  })

  it('what a colleague had approved for good doesn’t end, where they look', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, general, service, slack } = world
    await alice.types(line, general)
    await alice.sees('✅ Granted', general)
    await slack.idle()
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

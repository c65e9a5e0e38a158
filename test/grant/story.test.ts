// Granting from an alert's card is one story in one thread, also when it goes on later; what is left to do is private.
import { describe, expect, it } from 'vitest'
import { asksOn, openColleagues } from '../approval/colleagues.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import { aliceLooksUp, grantsOn, readWish } from './dave.ts'
import { added, changes } from './several-world.ts'

const both = { ...readWish, Email: 'dave@example.com\nerin@example.com' }
const reason = 'for alert “Disk full” (5HkX)'

/** Alice looks it up; the card, as Bob sees it. */
async function shown<Opened extends World>(world: Opened) {
  const { bob, general, service } = world
  service.addUser({ email: 'erin@example.com' })
  const ofAlice = await aliceLooksUp(world)
  const card = await bob.sees('Disk full', general)
  await bob.sees('No actions on this alert yet.', card)
  return { ...world, card, ofAlice }
}

describe('somebody without the right who grants from a card', () => {
  it('is offered to ask for approval, alone, beside what all are told', async () => {
    const world = await shown(await openColleagues())
    const { bob, carol, card, ofAlice, slack, alice, general } = world
    await grantsOn(bob, card, both)
    await alice.sees('0 of 2 granted', ofAlice)

    const own = await bob.sees(/0 of 2 granted[\s\S]*Ask for approval/, card)
    expect(own.isEphemeral).toBe(true)
    expect(own.buttons).toEqual(['Ask for approval', 'Edit and try again'])
    await slack.idle()
    expect(ofAlice.thread.filter(({ plain }) => plain.includes('0 of 2'))).toHaveLength(1)

    await asksOn(bob, own)
    await carol.sees('🔑', await carol.sees('asked by alice', general))
  })
})

describe('a refusal that is edited', () => {
  it('is told in the same thread, for the same reason', async () => {
    const world = await shown(await openWorld())
    const { alice, bob, card, ofAlice } = world
    await world.connect(bob, aliceToken)
    await grantsOn(bob, card, { ...readWish, Email: 'dvae@example.com' })
    const own = await bob.sees(/Not granted[\s\S]*\[Edit and try again\]/, card)

    await bob.presses('Edit and try again', own)
    const form = await bob.seesModal('Grant access')
    expect(form.plain).toContain('For alert “Disk full” (5HkX)')
    await bob.submits({ fields: { Email: 'dave@example.com' } })

    expect((await alice.sees('✅ Granted: dave@example.com', ofAlice)).plain).toContain(reason)
  })
})

describe('the rest of several people', () => {
  it('is told in the same thread, for the same reason', async () => {
    const world = await shown(await openWorld())
    const { alice, bob, card, ofAlice, service } = world
    await world.connect(bob, aliceToken)
    service.trouble.answer(429, { only: 'POST', times: 1 })
    await grantsOn(bob, card, both)
    const offer = await bob.sees(/busy.*\[Try the rest again\]/s, card)
    const got = changes(added(world))
    expect(offer.buttons).toEqual(['Try the rest again', ...got])
    await bob.presses('Try the rest again', offer)

    const rest = await alice.sees('✅ Granted', ofAlice)
    expect(rest.isEphemeral).toBe(false)
    expect(rest.plain).toMatch(
      /dave@example\.com (?:is now|now has) \S+ on (container 12|Customer 1 \(12\))/,
    )
    expect(rest.plain).toContain(reason)
    expect(offer.buttons).toEqual(got)
  })
})

describe('a result from a card that Slack did not take', () => {
  it('is told later, and a colleague can be asked from there', async () => {
    const world = await shown(await openColleagues())
    const { bob, carol, slack, clock, general } = world
    world.expectRefusals()
    await bob.presses('Grant access', world.card)
    await bob.seesModal('Grant access')
    const posting = slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 2 })
    slack.trouble.fail('response_url', { status: 500 }, { times: 2 })
    slack.trouble.fail('chat.postEphemeral', { error: 'fatal_error' }, { times: 2 })
    await bob.submits({ fields: readWish })
    await world.serviceWasAsked('/container/12/user', 1)
    await expect.poll(() => posting.isWaiting).toBe(false)
    await slack.idle()
    slack.trouble.clear()
    clock.advance(400_000)
    await world.restart()

    const late = await bob.sees('Here’s the result of what you asked for earlier', bob.dm)
    expect(late.buttons).toEqual(['Ask for approval', 'Edit and try again'])
    await asksOn(bob, late)
    await carol.sees('🔑', general)
  })
})

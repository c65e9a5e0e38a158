// Grants that are not sent by themselves: held back until a colleague approves them, or handed over to one.
import { describe, expect, it } from 'vitest'
import { givesReason, line, openColleagues, posts } from '../approval/colleagues.ts'
import { openWorld } from '../world.ts'
import { openSeveral } from './several-world.ts'

describe('a grant that a colleague has to approve first', () => {
  it('is held also when it is the rest of what was sent before', async () => {
    const { world, line: typed } = await openSeveral(3)
    const { alice, general, service } = world
    service.trouble.answer(429, { only: 'POST', times: 2 })
    await alice.types(typed, general)
    const result = await alice.sees('1 of 3 granted', general)
    await world.restart({ APPROVAL_FLAGS: 'READ' })

    await alice.presses('Try the rest again', result)

    await alice.sees('Not sent yet', general)
    expect(posts(world)).toHaveLength(3)
  })
})

describe('a grant that somebody asked approval for', () => {
  it.each([
    ['at once', 0],
    ['after it was waited for too long', 16 * 60_000],
  ])('is not to be typed again when they connect after all: %s', async (_, ms) => {
    const world = await openWorld()
    const { alice, bob, general, service, clock } = world
    service.addToken({ token: 'bob-admin', name: 'bob-admin', flags: ['API', 'CONTAINER_ACCESS'] })
    await bob.types(line, general)
    const prompt = await bob.sees('I need your monitoring account', general)
    await bob.presses('Ask for approval', prompt)
    await givesReason(bob)
    await alice.sees('🔑', general)
    clock.advance(ms)

    await bob.presses('Connect account', prompt)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': 'bob-admin' } })

    await bob.sees('You already asked for approval of this. The request shows its current state.', general)
    expect(posts(world)).toEqual([])
  })
})

describe('several people, of whom the asker may add nobody', () => {
  it('are all asked for, also whom the service was too busy for', async () => {
    const world = await openColleagues()
    const { bob, carol, general, service } = world
    service.addUser({ email: 'erin@example.com' })
    service.trouble.answer(429, { only: 'POST', times: 1 })
    await bob.types('/grant 12 dave@example.com,erin@example.com READ', general)
    const result = await bob.sees('0 of 2 granted', general)
    expect(result.plain).toContain('dave@example.com: monitoring is busy')
    expect(result.buttons).toEqual(['Ask for approval', 'Edit and try again'])

    await bob.presses('Ask for approval', result)
    await givesReason(bob)

    const card = await carol.sees('🔑', general)
    for (const email of ['dave@example.com', 'erin@example.com']) expect(card.plain).toContain(email)
  })
})

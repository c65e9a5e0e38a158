// Grants that are not sent by themselves: held back until a colleague approves them, or handed over to one.
import { describe, expect, it } from 'vitest'
import { asksOn, openColleagues } from '../approval/colleagues.ts'
import { posts } from '../world.ts'
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

    await asksOn(bob, result)

    const card = await carol.sees('🔑', general)
    for (const email of ['dave@example.com', 'erin@example.com'])
      expect(card.plain).toContain(email)
  })
})

// Texts of any length: Slack takes less in a message that is changed than in a new one.
import { describe, expect, it } from 'vitest'
import { asked, openColleagues } from './colleagues.ts'

const markup = '<'.repeat(1000)

describe('a card whose text is long', () => {
  it('is changed all the same when a reason full of markup declines it', async () => {
    const world = await openColleagues()
    const { bob, carol } = world
    const card = await asked(world)
    await carol.presses('Decline', card)
    await carol.seesModal('Decline request')
    await carol.submits({ fields: { Reason: markup } })
    await bob.sees('Declined by carol', bob.dm)
    await carol.sees(/^🚫 Declined by carol/, world.general)
    expect(card.buttons).toEqual([])
    expect(card.plain).toContain(markup)
  })
})

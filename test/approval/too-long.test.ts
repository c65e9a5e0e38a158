// Texts of any length: Slack takes less in a message that is changed than in a new one.
import { describe, expect, it } from 'vitest'
import { declines, openAsked } from './colleagues.ts'

const markup = '<'.repeat(1000)

describe('a card whose text is long', () => {
  it('is changed all the same when a reason full of markup declines it', async () => {
    const { world, card, bob, carol } = await openAsked()
    await declines(carol, card, markup)
    await bob.sees('Declined by carol', bob.dm)
    await carol.sees(/^🚫 Declined by carol/, world.general)
    expect(card.buttons).toEqual([])
    expect(card.plain).toContain(markup)
  })
})

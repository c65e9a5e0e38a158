// Equal acts of one person within ten seconds: what was sent counts for both, and what was not is looked at again.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { openWorld, puts } from '../world.ts'
import { aliceCard, closesOn, diskFull } from './on-card.ts'

/** Alice has two cards that say Dave owns the alert, and by now Bob does. */
async function takenSince() {
  const world = await openWorld()
  const { alice, service } = world
  const alert = service.addAlert({ ...diskFull, ownerId: 9 })
  const card = await aliceCard(world)
  const another = await aliceCard(world, '/alert 5HkX', alice.dm)
  alert.act({ kind: 'Assign', data: { userId: 8, ownerId: 8 } })
  const close = (on: SeenMessage) => closesOn(on, alice, 'done')
  return { ...world, world, alert, card, another, close }
}

describe('an act that was held back, and is asked for again at once', () => {
  it('says each time what the alert is like, and offers the way on', async () => {
    const { world, alice, general, card, another, close } = await takenSince()
    await close(card)
    const first = await alice.sees('Nothing was sent', general)
    await close(another)
    const second = await alice.sees('Nothing was sent', alice.dm)
    expect(first.plain).toMatch(/\[Close anyway\][\s\S]*done|done[\s\S]*\[Close anyway\]/)
    expect(second.plain).toBe(first.plain)
    expect(puts(world)).toEqual([])
  })
})

describe('a way on that came to nothing', () => {
  it('can be pressed again, until it was sent, and then is sent no more', async () => {
    const { world, alice, general, service, slack, card, close } = await takenSince()
    await close(card)
    const told = await alice.sees('Nothing was sent', general)
    service.trouble.answer(429, { times: 1, only: 'PUT' })
    await alice.presses('Close anyway', told)
    await alice.sees('Monitoring is busy', general)
    await Promise.all([alice.presses('Close anyway', told), alice.presses('Close anyway', told)])
    await alice.sees('✅', general)
    await alice.presses('Close anyway', told)
    await slack.idle()
    expect(puts(world)).toHaveLength(2)
  })
})

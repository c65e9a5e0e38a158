// Texts of any length: Slack takes less in a message that is changed than in a new one.
import { describe, expect, it } from 'vitest'
import { asked, givesReason, openColleagues } from './colleagues.ts'

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

  it('tells the end of twenty people, and everybody hears of it', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'READ' } })
    const { alice, bob, general, service } = world
    const emails = Array.from({ length: 20 }, (_, i) => `firstname.lastname${i + 10}@operations.example.com`)
    for (const email of emails) service.addUser({ email })
    await bob.types(`/grant 12 ${emails.join(',')} operator`, general)
    await bob.presses('Ask for approval', await bob.sees('Not sent yet', general))
    await givesReason(bob)
    const card = await alice.sees('🔑', general)
    service.trouble.answer(500, { only: 'POST', times: 20 })
    await alice.presses('Approve', card)
    await bob.sees('it’s not certain for 20 of 20 people', bob.dm)
    await alice.sees(/^❓ Approved by alice, but it’s not certain for 20/, general)
    for (const email of emails) expect(card.plain).toContain(`${email}: not certain`)
  })
})

// An old *Ask for approval* after its request has ended: nobody is asked for who has it, or may have it.
import { describe, expect, it } from 'vitest'
import { asked, givesReason, openColleagues, posts } from './colleagues.ts'

describe('Ask for approval, pressed again on an old receipt', () => {
  it.each([
    [undefined, 'carol already approved this, and access has been granted.'],
    [500, 'carol already approved this, but it’s not certain whether it was granted.'],
  ])('after the service answered %s says so, and asks nobody', async (status, words) => {
    const world = await openColleagues()
    const { bob, carol, general, service, slack } = world
    const card = await asked(world)
    if (status !== undefined) service.trouble.answer(status, { only: 'POST', times: 1 })
    await carol.presses('Approve', card)
    await bob.sees(/(Granted|Approved) by carol/, bob.dm)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await bob.sees(words, general)
    await slack.idle()
    expect(bob.modal).toBeUndefined()
    await carol.doesNotSee('🔑', general)
  })

  it('after a part was granted asks for the others alone', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'READ' } })
    const { bob, carol, general, service } = world
    service.addUser({ email: 'erin@example.com' })
    await bob.types('/grant 12 dave@example.com,erin@example.com READ', general)
    const offer = await bob.sees('Not sent yet', general)
    await bob.presses('Ask for approval', offer)
    await givesReason(bob)
    service.trouble.answer(429, { only: 'POST', times: 1 })
    await carol.presses('Approve', await carol.sees('🔑', general))
    await bob.sees('Approved by carol, but only 1 of 2 people got access', bob.dm)

    await bob.presses('Ask for approval', offer)
    expect((await bob.seesModal('Ask for approval')).plain).not.toContain('erin@example.com')
    await givesReason(bob)
    const second = await carol.sees('🔑', general)
    expect(second.plain).toContain('READ on container 12 for dave@example.com')
    await carol.presses('Approve', second)
    await bob.sees('✅ Granted by carol', bob.dm)
    expect(service.membersOf(12)).toHaveLength(2)

    await bob.presses('Ask for approval', offer)
    await bob.sees('carol already approved this, and access has been granted.', general)
  })

  it('after it was declined asks again', async () => {
    const world = await openColleagues()
    const { bob, carol, general } = world
    const card = await asked(world)
    await carol.presses('Decline', card)
    await carol.seesModal('Decline request')
    await carol.submits({ fields: { Reason: 'Not now' } })
    await bob.sees('Declined by carol', bob.dm)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await givesReason(bob)
    await carol.sees('🔑', general)
  })
})

describe('an approval of what the approver has tried themselves a moment ago', () => {
  it('is sent all the same: it is a wish of its own', async () => {
    const world = await openColleagues()
    const { bob, carol, general, service } = world
    const card = await asked(world)
    service.trouble.answer(429, { only: 'POST', times: 1 })
    await carol.types('/grant 12 dave@example.com viewer', general)
    await carol.sees('busy', general)
    await carol.presses('Approve', card)
    await bob.sees('✅ Granted by carol', bob.dm)
    expect(posts(world)).toHaveLength(3)
  })
})

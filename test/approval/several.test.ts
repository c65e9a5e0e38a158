// A request for several people: each is told apart from the others.
import { describe, expect, it } from 'vitest'
import { posts } from '../world.ts'
import { asks, openColleagues } from './colleagues.ts'

const emails = ['dave@example.com', 'erin@example.com', 'frank@example.com']

/** Bob's request for three people. */
async function askedForThree() {
  const world = await openColleagues({ env: { APPROVAL_FLAGS: 'READ' } })
  const { bob, carol, general, service } = world
  for (const email of emails.slice(1)) service.addUser({ email })
  await asks(bob, `/grant 12 ${emails.join(',')} READ member`, general)
  return { ...world, card: await carol.sees('🔑', general) }
}

describe('a request for several people', () => {
  it('names them all, and each gets one POST', async () => {
    const world = await askedForThree()
    const { bob, carol, card, service } = world
    expect(card.plain).toContain(
      `READ on container 12 for 3 people (${emails.join(', ')}) · member`,
    )

    await carol.presses('Approve', card)

    const told = await bob.sees('✅ Granted by carol', bob.dm)
    expect(told.plain).toContain(`READ on container 12 for 3 people (${emails.join(', ')})`)
    expect(posts(world).map(({ body }) => body)).toMatchObject(emails.map((email) => ({ email })))
    expect(service.membersOf(12)).toHaveLength(3)
  })

  it.each([
    [
      429,
      '⚠️ Approved by carol, but only 2 of 3 were granted',
      'dave@example.com: monitoring is busy',
      'Try again in a minute.',
    ],
    [
      500,
      '❓ Approved by carol, but it’s not certain whether it was done',
      'dave@example.com may or may not be on',
      'Check in monitoring before trying again.',
    ],
  ])('of whom one gets %i ends with the list', async (status, heading, words, advice) => {
    const world = await askedForThree()
    const { bob, carol, card, slack, service } = world
    service.trouble.answer(status, { only: 'POST', times: 1 })

    await carol.presses('Approve', card)

    const told = await bob.sees(heading, bob.dm)
    await slack.idle()
    for (const { plain } of [card, told]) {
      expect(plain).toContain('✅ erin@example.com')
      expect(plain).toContain(words)
      expect(plain).toContain('✅ frank@example.com')
      expect(plain).toContain(advice)
    }
    expect(card.plain).toContain(heading)
    expect(card.buttons).toEqual([])
    expect(service.membersOf(12)).toHaveLength(2)
  })
})

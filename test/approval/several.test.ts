// A request for several people: each is told apart from the others.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writesOf } from '../../src/grant/access.ts'
import { asked } from '../../src/send/request.ts'
import { asAnother } from '../send/left-behind.ts'
import { posts } from '../world.ts'
import { openColleagues } from './colleagues.ts'

const emails = ['dave@example.com', 'erin@example.com', 'frank@example.com']

/** Bob's request for three people, as it stands in the database; the bot that starts next posts its card. */
async function askedForThree() {
  const world = await openColleagues()
  const { bob, carol, general, service, slack, clock } = world
  for (const email of emails.slice(1)) service.addUser({ email })
  const wish = {
    containerId: 12,
    emails,
    authProvider: undefined,
    member: true,
    permissions: ['READ'],
  } as const
  const toApprove = {
    ...{ askerName: 'bob', reason: 'The whole team', channelId: general.id },
    barred: { recipientIds: [], recipients: [] },
    until: clock.now() + 3_600_000,
  }
  await asAnother(world, ({ requests }) => {
    const sender = { workspaceId: slack.workspace.teamId, userId: bob.id }
    return requests.insert((now) =>
      asked({ id: randomUUID(), sender, writes: writesOf(wish), approval: toApprove }, now),
    )
  })
  clock.advance(12_000)
  await world.restart()
  const card = await carol.sees('🔑', general)
  return { ...world, card }
}

describe('a request for several people', () => {
  it('names them all, and each gets one POST', async () => {
    const world = await askedForThree()
    const { bob, carol, card, service } = world
    expect(card.plain).toContain(`READ on container 12 for 3 people (${emails.join(', ')}) · member`)

    await carol.presses('Approve', card)

    const told = await bob.sees('✅ Granted by carol', bob.dm)
    expect(told.plain).toContain(`READ on container 12 for 3 people (${emails.join(', ')})`)
    expect(posts(world).map(({ body }) => body)).toMatchObject(emails.map((email) => ({ email })))
    expect(service.membersOf(12)).toHaveLength(3)
  })

  it.each([
    [
      429,
      '⚠️ Approved by carol, but only 2 of 3 people got access',
      'dave@example.com: monitoring is busy',
      'Try again in a minute.',
    ],
    [
      400,
      '⚠️ Approved by carol, but only 2 of 3 people got access',
      'dave@example.com: monitoring says no',
      '',
    ],
    [
      500,
      '❓ Approved by carol, but it’s not certain whether it was granted',
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

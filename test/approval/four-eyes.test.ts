// Tests that nobody who asked or gets the access can approve it: by Slack account, by address, by token.
import { describe, expect, it } from 'vitest'
import { trailOf } from '../audit/read.ts'
import { bobToken } from '../world.ts'
import { asked, type Colleagues, givesReason, line, openColleagues, posts } from './colleagues.ts'

/** Only the asker's own attempt reached the service. */
function expectNothingSent(world: Colleagues): void {
  expect(posts(world).map(({ token }) => token)).toEqual(['bob'])
}

/** What is on record of those who pressed *Approve* and were not let through. */
async function refusalsIn(world: Colleagues): Promise<readonly string[]> {
  const trail = await trailOf(world)
  return trail.filter(({ act }) => act === 'approve').map(({ outcome }) => outcome)
}

describe('an approval is refused', () => {
  it('to who asked', async () => {
    const world = await openColleagues()
    const { bob, general } = world
    const card = await asked(world)
    await bob.presses('Approve', card)
    const told = await bob.sees('You asked for this yourself, so somebody else has to approve it.', general)
    expect(told.isEphemeral).toBe(true)
    expect(card.buttons).toContain('Approve')
    expectNothingSent(world)
    expect(await refusalsIn(world)).toEqual(['not-done:four-eyes'])
  })

  it('to who gets the access, known by their address whatever its case', async () => {
    const world = await openColleagues()
    const { dave, general } = world
    await world.connect(dave, 'carol-token')
    const card = await asked(world)
    await dave.presses('Approve', card)
    await dave.sees('This access is for you, so somebody else has to approve it.', general)
    expectNothingSent(world)
  })

  it('to the asker’s second Slack account, under their address with a tag', async () => {
    const world = await openColleagues()
    const { carol, general } = world
    Object.assign(carol.member, { email: 'Bob+second@example.com' })
    await carol.presses('Approve', await asked(world))
    await carol.sees('You asked for this yourself, so somebody else has to approve it.', general)
    expectNothingSent(world)
  })

  it('to who gets the access under their address with a tag, and to who uses their token', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, dave, general, service } = world
    service.addUser({ email: 'Dave+x@example.com' })
    await world.connect(dave, 'carol-token')
    await bob.types('/grant 12 Dave+x@example.com READ', general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await givesReason(bob)
    const card = await alice.sees('🔑', general)
    await dave.presses('Approve', card)
    await dave.sees('This access is for you, so somebody else has to approve it.', general)
    await carol.presses('Approve', card)
    await carol.sees('You and the recipient share the same token', general)
    expectNothingSent(world)

    await alice.presses('Approve', card)
    await bob.sees('Granted by alice', bob.dm)
    expect(posts(world).at(-1)?.body).toMatchObject({ email: 'Dave+x@example.com' })
  })

  it('to who gets the access and has changed their address since', async () => {
    const world = await openColleagues()
    const { dave, general } = world
    const card = await asked(world)
    Object.assign(dave.member, { email: 'someone@example.com' })
    await dave.presses('Approve', card)
    await dave.sees('This access is for you', general)
    expectNothingSent(world)
  })

  it('to who took the address on after it was asked', async () => {
    const world = await openColleagues()
    const { carol, dave, general } = world
    Object.assign(dave.member, { email: 'someone@example.com' })
    const card = await asked(world)
    Object.assign(carol.member, { email: 'DAVE@example.com' })
    await carol.presses('Approve', card)
    await carol.sees('This access is for you', general)
    expectNothingSent(world)
  })

  it.each([
    ['as it is now', async () => {}],
    [
      'though the asker has disconnected since',
      async ({ bob, general }: Colleagues) => {
        await bob.types('/alert disconnect', general)
        await bob.sees('Disconnected', general)
      },
    ],
  ])('to who uses the asker’s token, %s', async (_, happens) => {
    const world = await openColleagues()
    const { carol, general } = world
    const card = await asked(world)
    await world.connect(carol, bobToken)
    await happens(world)
    await carol.presses('Approve', card)
    await carol.sees('You and the requester share the same token', general)
    expectNothingSent(world)
    expect(await refusalsIn(world)).toEqual(['not-done:four-eyes'])
  })

  it.each([
    ['now', async () => {}],
    [
      'when it was asked',
      async ({ dave, general }: Colleagues) => {
        await dave.types('/alert disconnect', general)
        await dave.sees('Disconnected', general)
      },
    ],
  ])('to who uses the token that the recipient has %s', async (_, happens) => {
    const world = await openColleagues()
    const { carol, dave, general } = world
    await world.connect(dave, 'carol-token')
    const card = await asked(world)
    await happens(world)
    await carol.presses('Approve', card)
    await carol.sees('You and the recipient share the same token', general)
    expectNothingSent(world)
  })

  it.each([
    ['the asker', 'bob', 'requester'],
    ['the recipient', 'dave', 'recipient'],
  ] as const)('to who uses a token that %s has connected since', async (_, other, whose) => {
    const world = await openColleagues()
    const { carol, general } = world
    const card = await asked(world)
    await world.connect(world[other], 'carol-token')
    await carol.presses('Approve', card)
    await carol.sees(`You and the ${whose} share the same token`, general)
    expectNothingSent(world)
  })

  it('to somebody whose address Slack does not show, with the mend', async () => {
    const world = await openColleagues()
    const card = await asked(world)
    const { carol, general } = world
    Object.assign(carol.member, { email: '' })
    await carol.presses('Approve', card)
    await carol.sees('Whoever runs Bellhop can add the scope users:read.email', general)
    expect(card.buttons).toContain('Approve')
    expectNothingSent(world)
    expect(await refusalsIn(world)).toEqual(['not-done:unknown-approver'])
  })

  it('as long as Slack does not say who somebody is', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { carol, bob, general, slack } = world
    const card = await asked(world)
    slack.trouble.fail('users.info', { error: 'fatal_error' }, { times: 1 })
    await carol.presses('Approve', card)
    await carol.sees('Couldn’t look you up in Slack right now', general)
    expectNothingSent(world)
    expect(await refusalsIn(world)).toEqual(['not-done:unknown-approver'])
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
  })
})

describe('presses of one who may not approve', () => {
  it('are one record, however many they are and whoever it is for', async () => {
    const world = await openColleagues()
    const { alice, bob, general, service, slack } = world
    service.addUser({ email: 'erin@example.com' })
    await world.restart({ APPROVAL_FLAGS: 'READ' })
    await bob.types('/grant 12 dave@example.com,erin@example.com READ', general)
    await bob.presses('Ask for approval', await bob.sees('Not sent yet', general))
    await givesReason(bob)
    const card = await alice.sees('🔑', general)
    for (const _ of [1, 2]) await bob.presses('Approve', card)
    await bob.sees('You asked for this yourself', general)
    await slack.idle()
    const refused = (await trailOf(world)).filter(({ act }) => act === 'approve')
    expect(refused.map(({ outcome, userId, email }) => [outcome, userId, email])).toEqual([
      ['not-done:four-eyes', bob.id, undefined],
    ])
  })
})

describe('asking while it cannot be known who gets the access', () => {
  it('is refused with a sentence, and can be done again', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { alice, bob, carol, dave, general, slack } = world
    await world.connect(dave, 'carol-token')
    await bob.types(line, general)
    const refused = await bob.sees('Not granted', general)
    slack.trouble.fail('users.lookupByEmail', { error: 'fatal_error' }, { times: 1 })
    await bob.presses('Ask for approval', refused)
    await givesReason(bob)
    await bob.sees('Slack couldn’t say who gets the access.', general)
    expect(alice.messages(general)).toEqual([])

    await bob.presses('Ask for approval', refused)
    await givesReason(bob)
    await carol.presses('Approve', await carol.sees('🔑', general))
    await carol.sees('You and the recipient share the same token', general)
  })

  it('is refused as long as Slack does not show addresses, with the mend', async () => {
    const botScopes = ['commands', 'chat:write', 'chat:write.public', 'users:read']
    const world = await openColleagues({ slack: { botScopes } })
    world.expectRefusals()
    const { alice, bob, general } = world
    await bob.types(line, general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await givesReason(bob)
    await bob.sees('Whoever runs Bellhop can add the scope users:read.email', general)
    expect(alice.messages(general)).toEqual([])
  })
})

describe('an asker whose token no key opens any more', () => {
  it('can ask, and be approved: what cannot be compared cannot be used either', async () => {
    const world = await openColleagues()
    const { bob, carol, general } = world
    const k2 = `k2:${Buffer.alloc(32, 7).toString('base64')}`
    await world.forgetKey('k1', k2)
    await world.restart({ ENCRYPTION_KEYS: k2 })
    await world.connect(carol, 'carol-token')
    await bob.types(line, general)
    await bob.presses('Ask for approval', await bob.sees('I need your monitoring account', general))
    await givesReason(bob)
    await carol.presses('Approve', await carol.sees('🔑', general))
    await bob.sees('Granted by carol', bob.dm)
  })
})

// Tests that nobody who asked or gets the access can approve it: by Slack account, by address, by token.
import { describe, expect, it } from 'vitest'
import { allBut } from '../doctor/scopes.ts'
import { asAnother } from '../send/left-behind.ts'
import { bobToken, posts } from '../world.ts'
import {
  asked,
  asks,
  asksOn,
  type Colleagues,
  line,
  openAsked,
  openColleagues,
  recordsOf,
} from './colleagues.ts'

/** Only the asker's own attempt reached the service. */
function expectNothingSent(world: Colleagues): void {
  expect(posts(world).map(({ token }) => token)).toEqual(['bob'])
}

const own = 'You asked for this yourself, so somebody else has to decide.'
const forThem = 'This is your own access, so somebody else has to approve it.'
const sameToken = 'You share a token with whoever asked for this or gets it'

interface Refusal {
  /** Who presses; Carol unless told. */
  readonly presses?: 'bob' | 'carol' | 'dave'
  readonly before?: (world: Colleagues) => unknown
  readonly since?: (world: Colleagues) => unknown
  readonly hears: string
}

const nothing = () => undefined
const readsAs = (who: 'carol' | 'dave', email: string) => (world: Colleagues) =>
  Object.assign(world[who].member, { email })
const connects = (who: 'bob' | 'carol' | 'dave', token: string) => (world: Colleagues) =>
  world.connect(world[who], token)
const disconnects = (who: 'bob' | 'dave') => async (world: Colleagues) => {
  await world[who].types('/alert disconnect', world.general)
  await world[who].sees('Disconnected', world.general)
}

describe('an approval is refused', () => {
  it.each<[string, Refusal]>([
    ['to who asked', { presses: 'bob', hears: own }],
    [
      'to who gets the access, known by their address whatever its case',
      { presses: 'dave', before: connects('dave', 'carol-token'), hears: forThem },
    ],
    [
      'to the asker’s second Slack account, under their address with a tag',
      { before: readsAs('carol', 'Bob+second@example.com'), hears: own },
    ],
    [
      'to who gets the access and has changed their address since',
      { presses: 'dave', since: readsAs('dave', 'someone@example.com'), hears: forThem },
    ],
    [
      'to who took the address on after it was asked',
      {
        before: readsAs('dave', 'someone@example.com'),
        since: readsAs('carol', 'DAVE@example.com'),
        hears: forThem,
      },
    ],
    ['to who uses the asker’s token', { since: connects('carol', bobToken), hears: sameToken }],
    [
      'to who uses the asker’s token, though the asker has disconnected since',
      {
        before: connects('carol', bobToken),
        since: disconnects('bob'),
        hears: sameToken,
      },
    ],
    [
      'to who uses the token that the recipient has',
      { before: connects('dave', 'carol-token'), hears: sameToken },
    ],
    [
      'to who uses the token that the recipient had when it was asked',
      {
        before: connects('dave', 'carol-token'),
        since: disconnects('dave'),
        hears: sameToken,
      },
    ],
    [
      'to who uses a token that the asker has connected since',
      { since: connects('bob', 'carol-token'), hears: sameToken },
    ],
    [
      'to who uses a token that the recipient has connected since',
      { since: connects('dave', 'carol-token'), hears: sameToken },
    ],
    [
      'to somebody whose address Slack does not show, with the mend',
      {
        since: readsAs('carol', ''),
        hears: 'Whoever runs Bellhop can add the scope users:read.email',
      },
    ],
  ])('%s', async (_, { presses = 'carol', before = nothing, since = nothing, hears }) => {
    const world = await openColleagues()
    await before(world)
    const card = await asked(world)
    await since(world)

    await world[presses].presses('Approve', card)

    const told = await world[presses].sees(hears, world.general)
    expect(told.isEphemeral).toBe(true)
    expect(card.buttons).toContain('Approve')
    expectNothingSent(world)
    expect(await recordsOf(world, 'approve')).toMatchObject([{ outcome: 'not-done:four-eyes' }])
  })

  it('to who gets the access under their address in full-width letters', async () => {
    const world = await openColleagues()
    const { dave, general } = world
    await dave.presses('Approve', await asked(world, '/grant 12 ｄａｖｅ@example.com READ'))
    await dave.sees(forThem, general)
    expect(posts(world)).toEqual([])
  })

  it('to who gets the access under their address with a tag, and to who uses their token', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, dave, general, service } = world
    service.addUser({ email: 'Dave+x@example.com' })
    await world.connect(dave, 'carol-token')
    const card = await asked(world, '/grant 12 Dave+x@example.com READ')
    await dave.presses('Approve', card)
    await dave.sees(forThem, general)
    await carol.presses('Approve', card)
    await carol.sees(sameToken, general)
    expectNothingSent(world)

    await alice.presses('Approve', card)
    await bob.sees('Granted by alice', bob.dm)
    expect(posts(world).at(-1)?.body).toMatchObject({ email: 'Dave+x@example.com' })
  })

  it('to who gets the access, known by their number under another address', async () => {
    const world = await openColleagues()
    const { dave, general, service, slack } = world
    service.addMember(12, { id: 9, email: 'dave@example.com', permissions: ['READ'] })
    readsAs('dave', 'someone@example.com')(world)
    await asAnother(world, ({ ownIds }) =>
      ownIds.keep(
        { workspaceId: slack.workspace.teamId, userId: dave.id },
        { userId: 9, isMatched: true },
      ),
    )
    await dave.presses('Approve', await asked(world, '/grant change 12 dave@example.com +API'))
    await dave.sees(forThem, general)
  })

  it('as long as Slack does not say who somebody is', async () => {
    const { world, card, carol, bob, general, slack } = await openAsked()
    world.expectRefusals()
    slack.trouble.fail('users.info', { error: 'fatal_error' }, { times: 1 })
    await carol.presses('Approve', card)
    await carol.sees('Slack didn’t accept', general)
    expectNothingSent(world)
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
  })
})

describe('presses of one who may not approve', () => {
  it('are one record, however many they are and whoever it is for', async () => {
    const world = await openColleagues()
    const { bob, general, service, slack } = world
    service.addUser({ email: 'erin@example.com' })
    await world.restart({ APPROVAL_FLAGS: 'READ' })
    const card = await asked(world, '/grant 12 dave@example.com,erin@example.com READ')
    for (const _ of [1, 2]) await bob.presses('Approve', card)
    await bob.sees('You asked for this yourself', general)
    await slack.idle()
    const refused = await recordsOf(world, 'approve')
    expect(refused).toMatchObject([{ outcome: 'not-done:four-eyes', userId: bob.id }])
    expect(refused[0]?.email).toBeUndefined()
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
    await asksOn(bob, refused)
    await bob.sees('Slack didn’t accept', general)
    expect(alice.messages(general)).toEqual([])

    await asksOn(bob, refused)
    await carol.presses('Approve', await carol.sees('🔑', general))
    await carol.sees(sameToken, general)
  })

  it('is refused as long as Slack does not show addresses, with the mend', async () => {
    const world = await openColleagues({ slack: { botScopes: allBut('users:read.email') } })
    world.expectRefusals()
    const { alice, bob, general } = world
    await asks(bob, line, general)
    await bob.sees('Whoever runs Bellhop can add the scope users:read.email', general)
    expect(alice.messages(general)).toEqual([])
  })
})

// Open requests for approval on the Home tab: somebody's own, and those of others that they can read already.
import { describe, expect, it } from 'vitest'
import type { Approval } from '../../src/approval/approvals.ts'
import { requestsWaitingFor } from '../../src/approval/listed.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { nobodyProven } from '../approval/approval-room.ts'
import { asked, type Colleagues, givesReason, openColleagues } from '../approval/colleagues.ts'
import { allBut } from '../doctor/scopes.ts'
import { looksAtHome } from './looks-at-home.ts'

const membersAsked = ({ slack }: Colleagues) =>
  slack.calls.filter(({ method }) => method === 'conversations.members')

describe('a request for approval on the Home tab', () => {
  it('is among the asker’s own, with its card, until it has ended', async () => {
    const world = await openColleagues()
    const { alice, bob } = world
    const card = await asked(world)

    const asking = await looksAtHome(bob, world)
    expect(asking.plain).toMatch(
      /Your requests\n• Viewer on container 12 for dave@example\.com · expires 2\d{3}-/,
    )
    expect(asking.plain).not.toContain('Waiting for you')
    expect(JSON.stringify(asking.blocks)).toContain(`/p${card.ts.replace('.', '')}`)
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted', bob.dm)

    expect((await looksAtHome(bob, world)).plain).not.toMatch(/Your requests|expires/)
  })

  it('waits for everybody in its channel but who asked and who gets the access, until it has ended', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, dave, slack } = world
    const erin = slack.addPerson({ name: 'erin', email: 'erin@example.com' })
    const card = await asked(world)

    const waiting = await looksAtHome(carol, world)
    expect(waiting.plain).toMatch(
      /Waiting for you\n• bob asks: Viewer on container 12 for dave@example\.com · expires 2\d{3}-/,
    )
    expect(JSON.stringify(waiting.blocks)).toContain(`/p${card.ts.replace('.', '')}`)
    for (const other of [bob, dave, erin])
      expect((await looksAtHome(other, world)).plain).not.toContain('Waiting for you')
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted', bob.dm)

    expect((await looksAtHome(carol, world)).plain).not.toContain('Waiting for you')
  })

  it('waits in a private channel that the bot is in, for its members alone', async () => {
    const world = await openColleagues()
    const { bob, carol, alice, slack } = world
    const secret = slack.addChannel({
      name: 'secret',
      isPrivate: true,
      botIsMember: true,
      members: [bob, carol],
    })
    await bob.types('/grant 12 dave@example.com viewer', secret)
    await bob.presses('Ask for approval', await bob.sees('Not granted', secret))
    await givesReason(bob)
    await carol.sees('🔑', secret)

    expect((await looksAtHome(carol, world)).plain).toContain('Waiting for you')
    expect((await looksAtHome(alice, world)).plain).not.toContain('Waiting for you')
  })

  it('waits for whoever has joined its channel, five minutes later; Slack is asked no more often', async () => {
    const world = await openColleagues()
    const { carol, clock, general, slack } = world
    const erin = slack.addPerson({ name: 'erin', email: 'erin@example.com' })
    await asked(world)
    await looksAtHome(carol, world)
    general.members.add(erin.member.id)
    expect((await looksAtHome(erin, world)).plain).not.toContain('Waiting for you')
    expect(membersAsked(world)).toHaveLength(1)

    clock.advance(5 * 60_000 + 1)

    expect((await looksAtHome(erin, world)).plain).toContain('Waiting for you')
    expect(membersAsked(world)).toHaveLength(2)
  })

  it('waits in a channel of many members, but not of more than are read', async () => {
    const world = await openColleagues()
    const { carol, clock, general } = world
    const { id } = carol.member
    const fill = (count: number) => {
      general.members.delete(id)
      for (let number = general.members.size; number < count; number += 1)
        general.members.add(`U0MANY${number}`)
      general.members.add(id)
    }
    fill(450)
    await asked(world)
    expect((await looksAtHome(carol, world)).plain).toContain('Waiting for you')
    expect(membersAsked(world)).toHaveLength(3)

    fill(2000)
    clock.advance(5 * 60_000 + 1)

    expect((await looksAtHome(carol, world)).plain).not.toContain('Waiting for you')
    expect(membersAsked(world)).toHaveLength(13)
  })

  it('is left out, without a word, where Slack does not say who is in its channel', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { carol, slack, clock } = world
    await asked(world)
    slack.trouble.fail('conversations.members', { error: 'fetch_members_failed' })
    const home = await looksAtHome(carol, world)
    expect(home.plain).not.toMatch(/Waiting for you|Couldn’t/)
    expect(home.buttons).toContain('Grant access')
    slack.trouble.clear()

    clock.advance(60_001)

    expect((await looksAtHome(carol, world)).plain).toContain('Waiting for you')
  })

  it('is left out while Slack takes long to say who is in its channel: the tab does not wait for that', async () => {
    const world = await openColleagues()
    const { carol, slack } = world
    await asked(world)
    slack.trouble.slow('conversations.members', 3000, { times: 1 })

    const home = await looksAtHome(carol, world)

    expect(home.plain).not.toMatch(/Waiting for you|Couldn’t/)
    expect(home.buttons).toContain('Grant access')
  })

  it('waits for nobody who asked for it, or gets the access, under another address of the same mailbox', async () => {
    const world = await openColleagues()
    const { carol, general, slack } = world
    const bobsOther = slack.addPerson({ name: 'bob-admin', email: 'BOB+admin@example.com' })
    const davesOther = slack.addPerson({ name: 'dave-oncall', email: 'dave+oncall@example.com' })
    for (const { member } of [bobsOther, davesOther]) general.members.add(member.id)
    await asked(world)

    for (const other of [bobsOther, davesOther])
      expect((await looksAtHome(other, world)).plain).not.toContain('Waiting for you')
    expect((await looksAtHome(carol, world)).plain).toContain('Waiting for you')
  })

  it('is left out without the scopes to ask who is in its channel', async () => {
    const world = await openColleagues({ slack: { botScopes: allBut('channels:read') } })
    await asked(world)

    expect((await looksAtHome(world.carol, world)).plain).not.toMatch(/Waiting for you|Couldn’t/)
    expect(membersAsked(world)).toEqual([])
  })
})

describe('a request that mentions somebody', () => {
  it('waits for them, as APPROVAL_MENTION names them, though they are not in its channel', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, slack } = world
    await world.restart({ APPROVAL_MENTION: alice.id })
    const members = [bob, carol]
    const secret = slack.addChannel({ name: 'secret', isPrivate: true, botIsMember: true, members })
    await bob.types('/grant 12 dave@example.com viewer', secret)
    await bob.presses('Ask for approval', await bob.sees('Not granted', secret))
    await givesReason(bob)
    await carol.sees('🔑', secret)

    expect((await looksAtHome(alice, world)).plain).toContain('Waiting for you')
  })

  it('does not wait for those who are named only after it was posted, and are not in its channel', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, slack } = world
    const members = [bob, carol]
    const secret = slack.addChannel({ name: 'secret', isPrivate: true, botIsMember: true, members })
    await bob.types('/grant 12 dave@example.com viewer', secret)
    await bob.presses('Ask for approval', await bob.sees('Not granted', secret))
    await givesReason(bob)
    await carol.sees('🔑', secret)
    await world.restart({ APPROVAL_MENTION: alice.id })

    expect((await looksAtHome(alice, world)).plain).not.toContain('Waiting for you')
    expect((await looksAtHome(carol, world)).plain).toContain('Waiting for you')
  })

  it('waits for them wherever its card is, but never for who gets the access', async () => {
    const approval = {
      ...{ id: 'a', wishId: 'w', asker: { workspaceId: 'T1', userId: 'U1' }, askerName: 'Bob', reason: '' },
      wish: {
        ...{ containerId: 12, emails: ['grace@example.com', 'heidi@example.com'], member: false },
        ...{ authProvider: undefined, permissions: [] },
      },
      container: undefined,
      ...{
        barred: { asker: undefined, recipientIds: ['U3'], recipients: [], users: [] },
        threadTs: undefined,
      },
      ...{
        channelId: 'C1',
        state: 'open',
        attempt: 0,
        approver: undefined,
        ending: undefined,
        tried: undefined,
      },
      ...{
        until: 1,
        card: { kind: 'posted', channelId: 'C1', ts: '1.2', mentioned: ['U2', 'U3'] },
        version: 1,
      },
      ...{ isAskerTold: false, isApproverTold: false, isThreadTold: false, endedAt: undefined },
    } as const satisfies Approval
    const profileOf = async (userId: string) => ({
      ...{ email: `${userId}@example.com`, name: userId, isGuest: false },
    })
    const room = {
      approvals: { openIn: async () => [approval], openOf: async () => [] },
      members: { in: () => ({ isMember: async () => false }) },
      people: { in: () => ({ profileOf }) },
      provenUsers: nobodyProven,
      linkOf: async () => 'https://example.slack.com/a',
      settings: { roles: defaultRoles },
    }
    const seenBy = (userId: string) => requestsWaitingFor(room, { workspaceId: 'T1', userId })

    expect(await seenBy('U2')).toEqual([
      {
        askerName: 'Bob',
        words: 'Dashboards only on container 12 for grace@example.com and 1 more',
        ...{ link: 'https://example.slack.com/a', until: 1 },
      },
    ])
    for (const other of ['U1', 'U3', 'U4']) expect(await seenBy(other)).toEqual([])
  })
})

// Somebody cannot make a grant alone, and asks: when that is offered, what colleagues see, and where.
import { describe, expect, it } from 'vitest'
import { looksAtHome } from '../home/looks-at-home.ts'
import { connects, openWorld, posts } from '../world.ts'
import {
  asked,
  asks,
  asksIn,
  asksOn,
  beginsToAsk,
  declines,
  givesReason,
  line,
  openColleagues,
  reason,
} from './colleagues.ts'

/** Bob, who has a token that may grant, and is not connected, has typed a grant. */
async function promptedBob() {
  const world = await openWorld()
  const { bob, general, service } = world
  service.addToken({ token: 'bob-admin', name: 'bob-admin', flags: ['API', 'CONTAINER_ACCESS'] })
  await bob.types(line, general)
  const prompt = await bob.sees('I need your monitoring account', general)
  return { ...world, world, prompt }
}

describe('a grant that is refused for want of rights', () => {
  it('can be asked approval for: a card says who asks, for whom, what, why and until when', async () => {
    const world = await openColleagues()
    const { bob, alice, general } = world
    await bob.types(`${line} member via google`, general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    const modal = await bob.seesModal('Ask for approval')
    expect(modal.labels).toEqual(['Reason'])
    expect(modal.plain).toContain(
      'Viewer on container 12 for dave@example.com · member · via Google',
    )
    expect(modal.plain).toContain('View the logs')
    expect(alice.messages(general)).toEqual([])

    await bob.submits({ fields: { Reason: reason } })

    const card = await alice.sees('🔑', general)
    expect(card.plain).toMatch(
      /^🔑 bob asks: Viewer on container 12 for dave@example\.com · member · via Google\n/,
    )
    expect(card.plain).toContain(reason)
    expect(card.plain).toContain(
      'View the logs · Open reporting and download reports · Make API calls to this container · none sensitive',
    )
    expect(card.plain).toMatch(/\nAnyone who may add people to container 12 can approve · expires /)
    expect(card.text).toMatch(/^🔑 bob asks: Viewer on container 12 for dave@example\.com · member/)
    expect(card.buttons).toEqual(['Approve', 'Decline', 'Withdraw'])
    expect(card.isEphemeral).toBe(false)
    expect(card.pings).toEqual([])
    const told = await bob.sees('Asked for approval in', general)
    expect(told.isEphemeral).toBe(true)
    expect(told.plain).toContain('I’ll send you the result by direct message.')
    expect(posts(world)).toHaveLength(1)
  })

  it('for many flags names the sensitive ones', async () => {
    const world = await openColleagues()
    const { bob, alice, general } = world
    await asks(
      bob,
      '/grant 12 dave@example.com READ API ALERT_ASSIGN WEBHOOKS CONTAINER_ACCESS',
      general,
    )

    const card = await alice.sees(
      /^🔑 bob asks: CONTAINER_ACCESS, WEBHOOKS, READ, ALERT_ASSIGN and API on/,
      general,
    )
    expect(card.plain).toContain(
      'Sensitive flags:\n• CONTAINER_ACCESS: Add users and manage their access rights\n• WEBHOOKS: Make, change or delete webhooks\nView the container · ',
    )
  })

  it('is asked for once, however often the button is pressed', async () => {
    const world = await openColleagues()
    const { bob, alice, general } = world
    await asked(world)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    await bob.sees('this grant was already sent or asked about', general)
    expect(alice.messages(general)).toHaveLength(1)
  })

  it('cannot ping anybody, nor look like something else', async () => {
    const world = await openColleagues()
    const { bob, carol, alice, general } = world
    await asks(bob, line, general, { Reason: '<!channel> *see* <@U1> & <https://x.example|here>' })
    const card = await alice.sees('🔑', general)
    expect(card.plain).toContain('<!channel> *see* <@U1> & <https://x.example|here>')
    expect(card.pings).toEqual([])
    await declines(carol, card, '<!here> no')
    await alice.sees('<!here> no', general)
    expect((await alice.sees('Declined by carol', general)).pings).toEqual([])
    expect((await bob.sees('<!here> no', bob.dm)).text).toContain(
      'Declined by carol: “&lt;!here&gt; no”',
    )
  })
})

describe('a flag that needs approval here', () => {
  const env = { APPROVAL_FLAGS: 'WEBHOOKS' }

  it('is not sent, though the asker may grant it: they are offered to ask instead', async () => {
    const world = await openColleagues({ env })
    const { alice, carol, general, service } = world
    await alice.types('/grant 12 dave@example.com READ WEBHOOKS', general)
    const offer = await alice.sees('Not sent yet', general)
    expect(offer.plain).toContain('A colleague has to approve WEBHOOKS first')
    expect(offer.buttons).toEqual(['Ask for approval'])
    expect(posts(world)).toEqual([])

    await asksOn(alice, offer)
    await carol.presses('Approve', await carol.sees('🔑', general))

    await alice.sees('Granted by carol', alice.dm)
    expect(service.membersOf(12)).toHaveLength(1)
  })

  it('that is set meanwhile holds a confirmation that waits', async () => {
    const world = await openColleagues()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    const confirmation = await alice.sees('Sensitive flags', general)
    await world.restart(env)
    await alice.presses('Grant access', confirmation)
    await alice.sees('This was cancelled or has expired. Nothing was sent.', general)
    expect(posts(world)).toEqual([])
  })
})

describe('somebody without an account', () => {
  it('can ask instead of connecting, and nothing is sent by itself when they connect after all', async () => {
    const { world, alice, bob, general, slack, prompt } = await promptedBob()
    expect(prompt.buttons).toEqual(['Connect account', 'Ask for approval'])
    await asksOn(bob, prompt)
    const card = await alice.sees('🔑', general)

    await connects(bob, 'bob-admin', prompt)
    await slack.idle()
    expect(posts(world)).toEqual([])

    await alice.presses('Approve', card)
    await bob.sees('Granted by alice', bob.dm)
    expect(posts(world)).toHaveLength(1)
  })
})

describe('where the request is posted', () => {
  it('is APPROVAL_CHANNEL when there is one', async () => {
    const world = await openColleagues()
    const { bob, carol, general } = world
    const approvals = await asksIn(world, carol)
    await asks(bob, line, general)

    await carol.sees('🔑', approvals)
    await bob.sees('Asked for approval in #approvals', general)
    await carol.doesNotSee('🔑', general)
  })

  it('is asked for where there is no channel; the menu offers no direct message', async () => {
    const world = await openColleagues()
    const { bob, carol, ops, slack } = world
    ops.members.add(slack.workspace.bot.userId)
    const modal = await beginsToAsk(bob, bob.dm)
    expect(modal.labels).toEqual(['Reason', 'Post to'])
    const direct = slack.directMessage(bob, carol)
    await expect(bob.fillsIn({ 'Post to': direct })).rejects.toThrow('offers no im conversations')
    await givesReason(bob, { 'Post to': ops.id })
    await carol.sees('🔑', ops)
    await bob.sees('Asked for approval in #ops', bob.dm)
  })
})

describe('a channel that cannot be reached', () => {
  it('is told to be mended by an invitation, and nothing is kept: once invited, the request is posted', async () => {
    const world = await openColleagues()
    const { slack, bob, carol, general } = world
    const closed = slack.addChannel({ name: 'closed', members: [carol, bob], isPrivate: true })
    await world.restart({ APPROVAL_CHANNEL: closed.id })
    await bob.types(line, general)
    const refused = await bob.sees('Not granted', general)
    await asksOn(bob, refused)
    const told = await bob.sees('I can’t post your request in #closed', general)
    expect(told.plain).toContain(
      'Invite me with /invite @Bellhop, then press Ask for approval again',
    )
    await slack.idle()
    expect((await looksAtHome(bob, world)).plain).not.toContain('waiting for approval')

    closed.members.add(slack.workspace.bot.userId)
    await asksOn(bob, refused)
    const card = await carol.sees('🔑', closed)
    await bob.sees('Asked for approval in #closed', general)
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
  })

  it('leaves the grant as it was: the other button beside works as well, and nothing is sent twice', async () => {
    const { world, alice, bob, general, slack, prompt } = await promptedBob()
    world.expectRefusals()
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    await asksOn(bob, prompt)
    await bob.sees('I can’t post your request', general)
    await slack.idle()

    await connects(bob, 'bob-admin', prompt)

    await bob.sees('✅ Granted', general)
    expect(posts(world)).toHaveLength(1)
    expect(alice.messages(general)).toEqual([])
  })

  it('for another reason is not told to be mended by an invitation', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { slack, bob, carol, general } = world
    await asksIn(world, carol, bob)
    await beginsToAsk(bob, general)
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    await givesReason(bob)
    const told = await bob.sees('I can’t post your request in #approvals', general)
    expect(told.plain).toContain('Slack doesn’t let me post there.')
    expect(told.plain).not.toContain('/invite')
  })

  it('for a while only: the request is posted when Slack is well again, also after a restart', async () => {
    const world = await openColleagues()
    const { slack, bob, alice, general, clock } = world
    world.expectRefusals()
    await beginsToAsk(bob, general)
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await givesReason(bob)
    await bob.sees('Your request is saved', general)
    expect(alice.messages(general)).toEqual([])

    clock.advance(61_000)
    await world.restart()

    const card = await alice.sees('🔑', general)
    await alice.presses('Approve', card)
    await bob.sees('Granted by alice', bob.dm)
    expect(posts(world).map(({ token }) => token)).toEqual(['bob', 'alice'])
  })
})

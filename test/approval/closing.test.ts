// Requests that end without a grant: declined, withdrawn, expired; and presses that come too late.
import { describe, expect, it } from 'vitest'
import { clockTime } from '../../src/grant/input/until.ts'
import { posts } from '../world.ts'
import { asked, type Colleagues, line, openAsked, openColleagues, recordsOf } from './colleagues.ts'

const hours = 60 * 60_000

describe('Decline', () => {
  it('asks for a reason, which who asked hears, and which stands on the card', async () => {
    const { world, card, bob, carol, general } = await openAsked()
    await carol.presses('Decline', card)
    const modal = await carol.seesModal('Decline request')
    expect(modal.plain).toContain('bob is asking for\nViewer on container 12 for dave@example.com')
    await carol.submits({ fields: { Reason: ' ' } })
    expect(modal.errors).toEqual({ Reason: 'Add a reason in a few words.' })
    await carol.submits({ fields: { Reason: 'He left the team' } })

    const told = await bob.sees('🚫 Declined by carol', bob.dm)
    expect(told.plain).toContain('He left the team')
    expect(told.text).toContain('🚫 Declined by carol: “He left the team”')
    await carol.sees('Declined. I’ll send bob your reason.', general)
    expect(card.plain).toMatch(/^🚫 Declined by carol: “He left the team”/)
    expect(card.buttons).toEqual([])
    expect(posts(world)).toHaveLength(1)
    await world.slack.idle()
    expect(await recordsOf(world, 'decline')).toMatchObject([
      { userId: carol.id, askerId: bob.id, email: 'dave@example.com', outcome: 'done' },
    ])
  })

  it('is for colleagues with an account; who asked withdraws instead', async () => {
    const { card, bob, dave, general } = await openAsked()
    await bob.presses('Decline', card)
    await bob.sees('press Withdraw', general)
    expect(bob.modal).toBeUndefined()

    await dave.presses('Decline', card)
    await dave.sees('To decide on this, I need your monitoring account', general)
    expect(dave.modal).toBeUndefined()
    expect(card.plain).toMatch(/^🔑/)
  })

  it('comes by itself where somebody whom it is about has left Slack: both are told, nothing is sent', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, dave, general, slack, ops } = world
    ops.members.add(slack.workspace.bot.userId)
    const card = await asked(world, '/grant 12 bob@example.com,dave@example.com viewer')
    await slack.deactivate(dave)
    const before = posts(world).length
    await world.restart({ AUDIT_CHANNEL: ops.id })

    await carol.presses('Approve', card)

    const words = 'Nothing was sent: dave left Slack after this was asked for.'
    await carol.sees(words, general)
    await bob.sees(`🚫 Declined by Bellhop: “${words}”`, bob.dm)
    expect(card.plain).toContain(`🚫 Declined by Bellhop: “${words}”`)
    expect(card.buttons).toEqual([])
    await alice.sees('Bellhop declined a request from', ops)
    expect(posts(world)).toHaveLength(before)
  })

  it.each([
    ['change 12 dave@example.com -BILLING', '✅ Changed by carol', [['READ']]],
    ['remove 12 dave@example.com', '✅ Removed by carol', []],
  ])('doesn’t come by itself where access is only taken: %s', async (typed, words, left) => {
    const world = await openColleagues()
    const { bob, carol, dave, service, slack } = world
    service.addMember(12, { id: 9, email: 'dave@example.com', permissions: ['READ', 'BILLING'] })
    const card = await asked(world, `/grant ${typed}`)
    await slack.deactivate(dave)
    await carol.presses('Approve', card)
    await bob.sees(words, bob.dm)
    expect(service.membersOf(12).map(({ permissions }) => permissions)).toEqual(left)
  })

  it('that is submitted too late is told what happened first', async () => {
    const { card, alice, bob, carol, general } = await openAsked()
    await carol.presses('Decline', card)
    await carol.seesModal('Decline request')
    await alice.presses('Approve', card)
    await bob.sees('Granted by alice', bob.dm)

    await carol.submits({ fields: { Reason: 'No' } })

    await carol.sees('✅ Granted by alice.', general)
    expect(card.plain).toMatch(/^✅ Granted by alice/)
    expect(bob.messages(bob.dm)).toHaveLength(1)
  })
})

describe('Withdraw', () => {
  it('is for who asked alone, and takes effect on the card', async () => {
    const { world, card, bob, carol, general, slack } = await openAsked()
    await carol.presses('Withdraw', card)
    await carol.sees('Only bob, who asked for this, can withdraw it.', general)
    expect(card.buttons).toContain('Approve')

    await bob.presses('Withdraw', card)

    await bob.sees('Withdrawn. Nothing was changed.', general)
    expect(card.plain).toMatch(/^➖ Withdrawn by bob/)
    expect(card.buttons).toEqual([])
    await slack.idle()
    expect(await recordsOf(world, 'withdraw')).toMatchObject([
      { userId: bob.id, email: 'dave@example.com', outcome: 'done' },
    ])
    expect(bob.messages(bob.dm)).toEqual([])
  })

  it('crossed by Approve: one of them stands, and what is told is true', async () => {
    const { world, card, bob, carol, service, slack } = await openAsked()
    service.trouble.slow(50)
    await Promise.all([bob.presses('Withdraw', card), carol.presses('Approve', card)])
    await slack.idle()
    const isGranted = service.membersOf(12).length === 1
    expect(card.plain).toMatch(isGranted ? /^✅ Granted by carol/ : /^➖ Withdrawn by bob/)
    expect(posts(world)).toHaveLength(isGranted ? 2 : 1)
  })
})

describe('a request whose time is over', () => {
  it('expires: the card says so and who asked hears it once, also after a restart', async () => {
    const { world, card, bob, carol, general, clock, slack } = await openAsked(line, {
      env: { APPROVAL_TTL_HOURS: '2' },
    })
    clock.advance(2 * hours - 60_000)
    await world.restart()
    await slack.idle()
    expect(card.plain).toMatch(/^🔑/)

    clock.advance(60_000)
    await world.restart()

    await bob.sees('Expired: nobody decided in time', bob.dm)
    await carol.sees(/^⌛ Expired/, general)
    expect(card.buttons).toEqual([])
    await slack.idle()
    const [expiry, ...others] = await recordsOf(world, 'expire')
    expect([expiry?.askerId, expiry?.userId, others]).toEqual([bob.id, undefined, []])
    clock.advance(hours)
    await world.restart()
    await slack.idle()
    expect(bob.messages(bob.dm)).toHaveLength(1)
    expect(posts(world)).toHaveLength(1)
  })

  it('expires when that is over which it was asked for until, if that is sooner', async () => {
    const world = await openColleagues()
    const { bob, clock } = world
    const until = clockTime(clock.now() + 2 * hours, bob.member.tz).slice(-5)
    const card = await asked(world, `/grant 12 dave@example.com viewer until ${until}`)
    clock.advance(2 * hours)
    await bob.sees('Expired: nobody decided in time', bob.dm)
    expect(card.buttons).toEqual([])
  })

  it('cannot be approved, though nobody has looked at it since', async () => {
    const { world, card, carol, general, clock } = await openAsked()
    clock.advance(24 * hours)

    await carol.presses('Approve', card)

    await carol.sees('Expired: nobody decided in time.', general)
    expect(posts(world)).toHaveLength(1)
  })
})

describe('what could not be told', () => {
  it('is told later, once: the card and the direct message', async () => {
    const { world, card, bob, carol, clock, slack } = await openAsked()
    world.expectRefusals()
    slack.trouble.fail('chat.update', { error: 'fatal_error' }, { times: 2 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await carol.presses('Approve', card)
    await slack.idle()
    expect(card.plain).toMatch(/^🔑/)
    expect(bob.messages(bob.dm)).toEqual([])
    // A stop waits for what is under way, so that the clock moves after it.
    await world.restart()

    for (let looks = 0; looks < 2; looks += 1) {
      clock.advance(61_000)
      await world.restart()
      await bob.sees('Granted by carol', bob.dm)
      await slack.idle()
    }

    expect(card.plain).toMatch(/^✅ Granted by carol/)
    expect(bob.messages(bob.dm)).toHaveLength(1)
    expect(posts(world)).toHaveLength(2)
  })

  /** What is still sent of it long after, once a bot that was started again has tried. */
  async function toldAfterAll(world: Colleagues): Promise<readonly unknown[]> {
    const { clock, slack } = world
    await world.restart()
    await slack.idle()
    const before = slack.calls.length
    clock.advance(400_000)
    await world.restart()
    await slack.idle()
    return slack.calls.slice(before).filter(({ method }) => method.startsWith('chat.'))
  }

  it('is not tried for ever when Slack refuses it for good', async () => {
    const { world, card, carol, general, slack } = await openAsked()
    world.expectRefusals()
    slack.trouble.fail('chat.postMessage', { error: 'messages_tab_disabled' }, { times: 1000 })
    await carol.presses('Approve', card)
    await carol.sees(/^✅ Granted/, general)
    expect(await toldAfterAll(world)).toEqual([])
  })
})

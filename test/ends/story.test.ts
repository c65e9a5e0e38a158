// Access that ends by itself: given for a time, warned of, taken back with the account that gave it, and called ended once
// monitoring shows it.
import { describe, expect, it } from 'vitest'
import {
  addCarol,
  approvedByCarol,
  asked,
  asksIn,
  givesReason,
  openColleagues,
} from '../approval/colleagues.ts'
import { trailOf } from '../audit/read.ts'
import { allBut } from '../doctor/scopes.ts'
import { addDave, changes, daveIs, has, ids, viewer, viewerWish } from '../grant/dave.ts'
import { scrape } from '../metrics/scraped.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'
import {
  disconnects,
  dueOf,
  endsAfter,
  given,
  gives,
  hourMs,
  line,
  minuteMs,
  passes,
  warned,
  writes,
} from './given.ts'

/** Alice gives Dave Viewer on the card of an alert. */
async function givenOnCard({ alice, general, service, slack }: World) {
  const alert = service.addAlert({ ks: '5HkX', message: 'Disk full', containerId: 12 })
  await alice.types('/alert 5HkX', general)
  const card = await alice.sees('Disk full', general)
  await alice.presses('Grant access', card)
  expect((await alice.seesModal('Grant access')).plain).toContain('After 4 hours')
  await alice.submits({ fields: viewerWish })
  await alice.sees('✅ Granted', card)
  await slack.idle()
  return { alert, card }
}

describe('access for a time', () => {
  it('is taken back at its time, and the person and the giver hear of it before and after', async () => {
    const { world, alice, dave, clock, receipt } = await given()
    expect(receipt.plain).toMatch(/Until 20\d\d-.*, then taken back with your account\./)
    expect(receipt.buttons).toEqual([
      'Share in channel',
      ...['Extend by 1 hour', 'Extend by 4 hours', 'Extend by 1 day'],
      ...['Keep for good', 'Remove now'],
    ])

    clock.advance(4 * hourMs - 10 * minuteMs)
    await dave.sees('Your Viewer on Customer 1 (12) ends', dave.dm)
    await alice.sees('dave@example.com has Viewer on Customer 1 (12) until', alice.dm)
    expect(has(world)).toEqual(viewer)

    clock.advance(10 * minuteMs)
    await alice.sees(
      '✅ Ended: dave@example.com no longer has Viewer on Customer 1 (12). Monitoring shows it.',
      alice.dm,
    )
    await dave.sees('Your Viewer on Customer 1 (12) has ended.', dave.dm)
    expect(ids(world)).toEqual([])
    expect(writes(world).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
    expect((await trailOf(world)).slice(-2)).toMatchObject([
      { act: 'grant', outcome: 'done', until: expect.any(Number) },
      { act: 'take-back', outcome: 'done', email: 'dave@example.com', had: viewer },
    ])
  })

  it('lasts longer after Extend by 4 hours', async () => {
    const { world, alice, general, receipt } = await given()
    await alice.presses('Extend by 4 hours', receipt)
    await alice.sees('keeps Viewer on Customer 1 (12) until', general)
    await passes(world, 7 * hourMs)
    expect(has(world)).toEqual(viewer)
    await endsAfter(world, hourMs)
  })

  it('stays where it is kept for good', async () => {
    const { world, alice, general, receipt } = await given()
    await alice.presses('Keep for good', receipt)
    await alice.sees('dave@example.com keeps Viewer on Customer 1 (12) for good.', general)
    await passes(world, 5 * hourMs)
    expect(has(world)).toEqual(viewer)
    await alice.presses('Remove now', receipt)
    await alice.sees('This access has ended already, or no longer ends by itself.', general)
  })

  it('ends early when its giver removes it, or whoever has it is done', async () => {
    const { world, alice, general, receipt } = await given()
    await alice.presses('Remove now', receipt)
    await alice.sees('✅ Ended: dave@example.com no longer has Viewer on', general)
    expect(has(world)).toBeUndefined()

    const other = await given()
    await warned(other)
    await other.dave.presses('I’m done', await other.dave.sees('Your Viewer on', other.dave.dm))
    await other.dave.sees('Your Viewer on Customer 1 (12) has ended.', other.dave.dm)
    expect(has(other.world)).toBeUndefined()
  })

  it('given for an alert is told in its thread, where only its giver changes the end', async () => {
    const world = await openWorld()
    const { bob, clock, general } = world
    await givenOnCard(world)
    const thread = await bob.sees('Disk full', general)
    const receipt = await bob.sees('then taken back with alice’s account.', thread)
    await world.connect(bob, bobToken)
    await bob.presses('Extend by 1 hour', receipt)
    await bob.sees('Only the person who gave this access can make it last', thread)
    clock.advance(4 * hourMs)
    await bob.sees('✅ Ended: dave@example.com no longer has Viewer', thread)
  })

  it.each([
    ['gave more', [...viewer, 'BILLING'], ['BILLING']],
    ['took some', ['READ'], undefined],
  ])('takes only what it gave where others %s', async (_, permissions, left) => {
    const { world } = await given()
    daveIs(world, { permissions })
    await endsAfter(world, 4 * hourMs)
    expect(has(world)).toEqual(left)
  })

  it('takes nothing that another running end still holds, and the last one takes all', async () => {
    const { world } = await given('/grant 12 dave@example.com viewer for 2h')
    await changes(world, '+BILLING for 4h', 'For 4 hours, then taken back with your account.')
    await endsAfter(world, 2 * hourMs, 'no longer has Viewer on')
    expect(has(world)).toEqual(['BILLING'])
    await endsAfter(world, 2 * hourMs, 'no longer has BILLING on')
    expect(has(world)).toBeUndefined()
  })

  it('goes with a change of all of it for good', async () => {
    const { world } = await given()
    await changes(world, 'responder', 'No longer ends by itself: Viewer.')
    const all = has(world)
    await passes(world, 6 * hourMs)
    expect(has(world)).toEqual(all)
  })

  it('goes with a change of all of it for longer', async () => {
    const { world } = await given()
    await changes(world, 'responder for 6h', /Viewer → Responder(?![\s\S]*No longer ends)/)
    const all = has(world)
    await passes(world, 4 * hourMs)
    expect(has(world)).toEqual(all)
    await endsAfter(world, 2 * hourMs, '✅ Ended: dave@example.com no longer has Responder')
    expect(has(world)).toBeUndefined()
  })

  it('says how to keep what is there already', async () => {
    const { world, alice, general } = await given()
    await alice.types('/grant change 12 dave@example.com +READ', general)
    const words = 'It ends by itself. Whoever gave it can make it last: /grant due.'
    await alice.sees(words, general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    const refused = await alice.sees('dave@example.com is already on Customer 1 (12)', general)
    expect(refused.plain).toContain(`They have all of that already.\n${words}`)
    expect((await dueOf(alice, world)).buttons).toContain('Keep for good')
  })

  it('is neither extended nor kept while it is being taken back', async () => {
    const { world, alice, clock, general, receipt, service } = await given()
    service.trouble.slow(1_000, { only: 'DELETE' })
    clock.advance(4 * hourMs)
    await expect.poll(() => writes(world).length).toBe(2)
    for (const label of ['Remove now', 'Extend by 1 hour', 'Keep for good'])
      await alice.presses(label, receipt)
    const busy = () => alice.screen(general).split('I’m taking it back right now.').length - 1
    await expect.poll(busy).toBe(2)
    await alice.sees('✅ Ended', alice.dm)
  })

  it('stays kept for good where its giver hears only later that it was given', async () => {
    const world = await openWorld()
    const { alice, clock, general, slack } = world
    world.expectRefusals()
    const methods = ['response_url', 'chat.postMessage', 'chat.postEphemeral']
    const down = methods.map((method) =>
      slack.trouble.fail(method, { status: 500 }, { times: Number.POSITIVE_INFINITY }),
    )
    await alice.types(line, general)
    await expect.poll(async () => (await trailOf(world)).at(-1)).toMatchObject({ act: 'grant' })
    await slack.idle(200)
    for (const one of down) one.cancel()
    await alice.presses('Keep for good', await dueOf(alice, world))
    await alice.sees('keeps Viewer on container 12 for good.', general)
    await world.restart()
    clock.advance(60_000)
    await alice.sees('Here’s the result of what you asked for earlier.', alice.dm)
    await passes(world, 5 * hourMs)
    expect(has(world)).toEqual(viewer)
  })

  it('stays as it is where somebody presses Remove now whose token may not', async () => {
    const { world, alice, receipt, service } = await given()
    service.addToken({ token: 'weak', name: 'weak', flags: ['API', 'READ'], userId: 7 })
    await world.connect(alice, 'weak')
    await alice.presses('Remove now', receipt)
    await alice.sees('Not ended: your token lacks API or CONTAINER_ACCESS on', world.general)
    await world.connect(alice, aliceToken)
    await passes(world, 2 * hourMs)
    expect(has(world)).toEqual(viewer)
    expect(alice.messages(alice.dm)).toEqual([])
    await endsAfter(world, 2 * hourMs)
  })

  it('is removed by a second press right after one that nobody could be certain of', async () => {
    const { world, alice, receipt, service, general } = await given()
    service.trouble.answer(204, { only: 'DELETE', times: 1 })
    await alice.presses('Remove now', receipt)
    await alice.sees('Monitoring doesn’t show yet that it’s gone.', general)
    await alice.presses('Remove now', receipt)
    await alice.sees('✅ Ended: dave@example.com no longer has Viewer on', general)
    expect(has(world)).toBeUndefined()
  })

  it('outlives the request that gave it, forgotten after 90 days: all hear of its end who heard of it before', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, clock, general, slack } = world
    const card = await approvedByCarol(world, '/grant 12 dave@example.com viewer for 90d')
    clock.advance(24 * hourMs)
    await bob.presses('Ask for 1 day more', await dueOf(bob, world))
    await givesReason(bob)
    await alice.presses('Approve', await alice.sees('1 day more of Viewer', general))
    await bob.sees('✅ Extended by alice', bob.dm)
    await slack.idle()

    clock.advance(89.5 * 24 * hourMs)
    await world.restart()
    clock.advance(24 * hourMs)
    await bob.sees('✅ Ended: dave@example.com no longer has Viewer', bob.dm)
    await carol.sees('✅ Ended: dave@example.com no longer has Viewer', carol.dm)
    expect(card.thread.at(-1)?.plain).toContain('✅ Ended: dave@example.com')
  })

  it('is given for good where a grant without an end gives it again', async () => {
    const { world } = await given()
    world.service.removeMember(12, 9)
    await gives(world, '/grant 12 dave@example.com viewer')
    await passes(world, 5 * hourMs)
    expect(has(world)).toEqual(viewer)
  })

  it('isn’t given to somebody who is there already, as nobody could tell what to take back', async () => {
    const world = await openWorld()
    const { alice, general } = world
    daveIs(world, { permissions: ['READ'] })
    await alice.types(line, general)
    const refused = await alice.sees(
      'dave@example.com is already on container 12, with READ',
      general,
    )
    await alice.presses('Change to Viewer', refused)
    await alice.presses('Change access', await alice.sees('For 4 hours', general))
    await alice.sees('✅ Changed', general)
    await endsAfter(world, 4 * hourMs)
    expect(has(world)).toEqual(['READ'])
  })
})

describe('while it runs', () => {
  it('is listed on Home, and in what disconnecting leaves behind', async () => {
    const { alice, dave, general } = await given()
    await alice.opensHome()
    expect((await alice.seesHome('Access that ends')).plain).toContain(
      'dave@example.com · Viewer on Customer 1 (12)',
    )
    await dave.types('/grant due', general)
    expect((await dave.sees('You · Viewer on container 12', general)).buttons).toEqual(['I’m done'])
    await alice.types('/alert disconnect', general)
    const before = await alice.sees(
      'I still have to take back access that you gave for a time (1).',
      general,
    )
    await alice.presses('Disconnect', before)
    await alice.sees('I can no longer take back access that you gave for a time (1).', general)
    await alice.sees('but your account can’t take it back.', alice.dm)
  })

  it('is offered to be handed back, once, when the alert that it was given for closes', async () => {
    const world = await openWorld()
    const { alice, bob, general, slack } = world
    const dave = addDave(world)
    const { alert, card } = await givenOnCard(world)
    const thread = await dave.sees('Disk full', general)
    alert.close('Close')
    for (let times = 0; times < 2; times += 1) await alice.presses('Refresh', card)
    const offer = await dave.sees('The alert is closed. dave@example.com has Viewer on', thread)
    await slack.idle()
    expect(dave.screen(general).split('The alert is closed.')).toHaveLength(2)
    await dave.presses('Hand back now', offer)
    await bob.sees('✅ Ended: dave@example.com', thread)
    expect(has(world)).toBeUndefined()
  })

  it('is not offered to be handed back while it is being taken back', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack } = world
    const { alert, card } = await givenOnCard(world)
    const due = await dueOf(alice, world)
    service.trouble.slow(1_000, { only: 'DELETE' })
    const pressing = alice.presses('Remove now', due)
    await expect.poll(() => writes(world).at(-1)?.method).toBe('DELETE')
    alert.close('Close')
    await alice.presses('Refresh', card)
    await pressing
    await bob.sees('✅ Ended: dave@example.com', card)
    await slack.idle(100)
    expect(card.thread.flatMap(({ buttons }) => buttons)).not.toContain('Hand back now')
  })
})

describe('until a time', () => {
  it('is in the zone of whoever types, today or, where that has passed, tomorrow', async () => {
    const world = await openWorld()
    const { general, slack, service, clock } = world
    const zoe = slack.addPerson({ name: 'zoe', email: 'zoe@example.com', tz: 'America/New_York' })
    general.members.add(zoe.id)
    service.addToken({
      token: 'zoe-token',
      name: 'zoe',
      flags: ['API', 'READ', 'CONTAINER_ACCESS'],
    })
    await world.connect(zoe, 'zoe-token')
    await zoe.types('/grant 12 dave@example.com READ until 18:00', general)
    const { plain } = await zoe.sees('then taken back with your account.', general)
    const [, utc = ''] = /Until (\S+ \S+) UTC/.exec(plain) ?? []
    const at = Date.parse(`${utc.replace(' ', 'T')}Z`)
    expect(new Date(at).toLocaleTimeString('en-GB', { timeZone: 'America/New_York' })).toBe(
      '18:00:00',
    )
    expect(at - clock.now()).toBeGreaterThan(0)
    expect(at - clock.now()).toBeLessThanOrEqual(25 * hourMs)
  })

  it('that a line begins with is in the form, and stays there when it is edited', async () => {
    const world = await openWorld()
    const { alice, general, clock } = world
    const day = new Date(clock.now() + 240 * hourMs).toISOString().slice(0, 10)
    await alice.types(`/grant 12 nobody@example.com until ${day} 18:00`, general)
    expect((await alice.seesModal('Grant access')).plain).toContain(`Until ${day} 18:00`)
    await alice.submits({ fields: { Role: 'Viewer' } })
    await alice.presses('Edit and try again', await alice.sees('Not granted', general))
    expect((await alice.seesModal('Grant access')).plain).toContain(`Until ${day} 18:00`)
    await alice.submits({ fields: { Email: 'dave@example.com' } })
    expect((await alice.sees('✅ Granted', general)).plain).toContain(`Until ${day}`)
  })

  it('that has passed is refused', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com READ until 2020-01-01', general)
    await alice.sees('has passed, or is more than 90 days ahead.', general)
    expect(writes(world)).toEqual([])
  })
})

describe('a request for a time', () => {
  it('counts from the approval, for as long as its approver says, and ends with their account', async () => {
    const world = await openColleagues()
    const { bob, carol, clock } = world
    const card = await asked(world, line)
    expect(card.plain).toContain('For 4 hours, then taken back with the approver’s account.')
    await world.slack.idle()
    clock.advance(2 * hourMs)
    await carol.presses('Approve for 1 hour', card)
    await bob.sees('✅ Granted by carol', bob.dm)
    await world.slack.idle()
    clock.advance(hourMs - 10 * minuteMs)
    // The container’s name is what carol’s token shows.
    const words = 'dave@example.com has Viewer on container 12 until'
    const soon = await bob.sees(words, bob.dm)
    expect(soon.plain).toContain('Then it is taken back with Carol Cook’s account.')
    clock.advance(10 * minuteMs)
    await carol.sees('✅ Ended: dave@example.com', carol.dm)
    await bob.sees('✅ Ended: dave@example.com no longer has Viewer on container 12', bob.dm)
    expect(ids(world)).toEqual([])
    expect(writes(world).at(-1)).toMatchObject({ method: 'DELETE', token: 'carol' })
  })
})

describe('flags that are only given for a time', () => {
  it('end by themselves, which is said first; they are kept no longer', async () => {
    const world = await openWorld({ env: { TIMED_FLAGS: 'BILLING:8h,CONTAINER_ADMIN:1h' } })
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com READ,BILLING for 2d', general)
    const question = await alice.sees('BILLING: only given for 8 hours at most.', general)
    expect(question.plain).toContain('For 8 hours, then taken back with your account.')
    await alice.presses('Grant access', question)
    const receipt = await alice.sees('✅ Granted', general)
    for (const label of ['Keep for good', 'Extend by 4 hours']) {
      await alice.presses(label, receipt)
      await alice.sees('BILLING can’t last that long here.', general)
    }
    await world.slack.idle()
    await endsAfter(world, 8 * hourMs)
    expect(has(world)).toBeUndefined()
  })

  it('count in a change as well', async () => {
    const world = await openWorld({ env: { TIMED_FLAGS: 'BILLING:8h' } })
    daveIs(world, { permissions: ['READ'] })
    await world.alice.types('/grant change 12 dave@example.com +BILLING', world.general)
    const question = await world.alice.sees('BILLING: only given for 8 hours', world.general)
    expect(question.plain).toContain('For 8 hours, then taken back with your account.')
  })

  it.each([
    ['that are only given for a time', { TIMED_FLAGS: 'BILLING:1h' }],
    ['that a colleague approved', { APPROVAL_FLAGS: 'BILLING' }],
  ])('%s end by a change for good all the same, which says so', async (_, env) => {
    const { world } = await given('/grant 12 dave@example.com READ,BILLING for 1h')
    await world.restart(env)
    const shown = /No longer ends by itself: READ\.[\s\S]*Still ends by itself: BILLING\./
    await changes(world, '+READ,+API,+BILLING', shown)
    await endsAfter(world, hourMs, '✅ Ended: dave@example.com no longer has BILLING')
    expect(has(world)).toEqual(['READ', 'API'])
  })
})

describe('an end that can’t be made', () => {
  it('for want of an account is said at once, after an hour and daily, until anybody removes it', async () => {
    const { world, alice, clock, general, slack } = await given()
    const approvals = await asksIn(world, alice)
    await disconnects(world)
    await alice.sees('Disconnected.', general)
    await alice.sees('It should end', approvals)
    clock.advance(4 * hourMs)
    const over = /should have ended .*, but Alice Archer’s account can’t take it back\./
    const stuck = await alice.sees(over, approvals)
    expect(stuck.plain).toContain('⚠️ dave@example.com still has Viewer on')
    const said = () =>
      alice.messages(approvals).filter(({ plain }) => plain.includes('should have ended')).length
    clock.advance(hourMs)
    await expect.poll(said).toBe(2)
    expect((await scrape(world.url)).of('bellhop_ends_overdue')).toBe(1)
    await alice.types('/alert doctor', general)
    await alice.sees('nothing shows that it has (1, up to 1 h late).', general)
    await slack.idle()
    await passes(world, 2 * hourMs)
    expect(said()).toBe(2)
    clock.advance(24 * hourMs)
    await expect.poll(said).toBe(3)
    const carol = addCarol(world)
    approvals.members.add(carol.id)
    await world.connect(carol, 'carol-token')
    await carol.presses('Remove now', await carol.sees('should have ended', approvals))
    await carol.sees('✅ Ended: dave@example.com no longer has Viewer on', approvals)
    expect(has(world)).toBeUndefined()
    expect(writes(world).at(-1)).toMatchObject({ method: 'DELETE', token: 'carol' })
  })

  it.each<[string, (world: World) => unknown]>([
    [
      'who may no longer give access',
      ({ service }) =>
        service.addToken({ token: aliceToken, name: 'alice', flags: ['API', 'READ'] }),
    ],
    ['who is deactivated', ({ slack, alice }) => slack.deactivate(alice)],
    ['whose token is refused', ({ service }) => service.revoke(aliceToken)],
  ])(
    'as it was given by somebody %s, is said where approvals are asked for',
    async (_, happens) => {
      const { world, bob, clock, slack } = await given()
      const approvals = await asksIn(world, bob)
      await happens(world)
      await slack.idle(100)
      clock.advance(4 * hourMs)
      const stuck = await bob.sees('Alice Archer’s account can’t take it back.', approvals)
      expect(stuck.plain).toContain('⚠️ dave@example.com still has Viewer on')
      expect(stuck.buttons).toEqual(['Remove now'])
      expect(has(world)).toEqual(viewer)
    },
  )

  it('is said to its giver alone where another organisation reads what the operator has named, or may', async () => {
    const botScopes = allBut('groups:read')
    const { world, alice, clock, slack, service } = await given(line, { slack: { botScopes } })
    world.expectRefusals()
    const seen = { members: [alice], botIsMember: true }
    const asked = slack.addChannel({ name: 'approvals', isShared: true, ...seen })
    const kept = slack.addChannel({ name: 'audit', isPrivate: true, ...seen })
    await world.restart({ APPROVAL_CHANNEL: asked.id, AUDIT_CHANNEL: kept.id })
    service.revoke(aliceToken)
    clock.advance(4 * hourMs)
    await alice.sees('⚠️ dave@example.com still has Viewer on', alice.dm)
    for (const channel of [asked, kept])
      expect(alice.screen(channel)).not.toContain('still has Viewer')
  })

  it('while the service is away is made once it is back; nobody hears a word of an hour’s trouble before a quarter of it', async () => {
    const { world, alice, clock, service } = await given()
    const away = service.trouble.answer(503)
    await passes(world, 4 * hourMs)
    expect(alice.messages(alice.dm).filter(({ plain }) => plain.includes('still has'))).toEqual([])
    clock.advance(16 * minuteMs)
    await alice.sees('monitoring doesn’t show that it’s gone', alice.dm)
    away.cancel()
    await endsAfter(world, hourMs)
    expect(has(world)).toBeUndefined()
  })

  it('of somebody whom the list never showed is said at once, and is never called ended', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.behaves({ people: 'members' })
    await alice.types(line, general)
    await alice.sees('Monitoring doesn’t show them to you yet.', general)
    await slack.idle()
    await passes(world, 4 * hourMs)
    await alice.sees('Monitoring doesn’t show dave@example.com to your account', alice.dm)
    expect(alice.messages(alice.dm).filter(({ plain }) => plain.includes('Ended'))).toEqual([])
    expect(has(world)).toEqual(viewer)
  })

  it.each([204, 404])(
    'that no read shows is looked for, and sent again only once a read shows that it is still there: %i',
    async (status) => {
      const { world, alice, clock, service, slack } = await given()
      service.trouble.answer(status, { only: 'DELETE', times: 1 })
      clock.advance(4 * hourMs)
      await expect.poll(() => writes(world).length).toBe(2)
      await slack.idle(200)
      expect(alice.messages(alice.dm).filter(({ plain }) => plain.includes('Ended'))).toEqual([])
      await endsAfter(world, minuteMs)
      expect(writes(world).map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE'])
    },
  )
})

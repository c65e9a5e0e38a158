// “Ended” is said only of what is gone: somebody is their number once a list has shown it, and a list that lacks them shows
// nothing, but of a member. What nobody can tell is told as such, and stays until somebody has looked.
import { describe, expect, it } from 'vitest'
import { addCarol, asksIn, carolMay } from '../approval/colleagues.ts'
import { trailOf } from '../audit/read.ts'
import { addDave, changes, daveIs, has, ids, viewer } from '../grant/dave.ts'
import { scrape } from '../metrics/scraped.ts'
import { asAnother } from '../send/left-behind.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import {
  dueOf,
  endsAfter,
  given,
  gives,
  hourMs,
  isOver,
  line,
  minuteMs,
  nothingEnds,
  passes,
  warned,
  writes,
} from './given.ts'
import { untilLookedAt } from './many.ts'

const told = (world: World) => world.alice.screen(world.alice.dm)

describe('somebody who has access for a time', () => {
  it.each<[string, (world: World) => void]>([
    [
      'hides their address',
      ({ service }) => void service.addUser({ email: 'dave@example.com', id: 9, hidesEmail: true }),
    ],
    ['is hidden with all addresses', ({ service }) => service.behaves({ addresses: 'none' })],
    [
      'shares their address with another account',
      (world) => daveIs(world, { id: 55, authProvider: 'Google' }),
    ],
  ])('is known by their number, though he %s', async (_, happens) => {
    const { world } = await given()
    happens(world)
    await endsAfter(world, 4 * hourMs)
    expect(has(world)).toBeUndefined()
    expect(writes(world).at(-1)?.path).toMatch(/\/user\/9$/)
  })

  it('is not called ended where the list no longer shows them, and is settled once it does', async () => {
    const { world, alice, service, clock } = await given()
    service.behaves({ people: 'members' })
    await isOver(world)
    const stuck = await alice.sees(
      '⚠️ Monitoring no longer shows dave@example.com to your account',
      alice.dm,
    )
    expect(stuck.plain).toContain('so I can’t tell whether their Viewer on container 12 is gone.')
    expect(stuck.buttons).toEqual(['Remove now', 'It’s gone'])
    expect(told(world)).not.toContain('✅ Ended')
    expect(writes(world)).toHaveLength(1)
    await passes(world, 10 * minuteMs)
    expect((await scrape(world.url)).of('bellhop_ends_overdue')).toBe(1)
    await dueOf(alice, world)

    service.behaves({ people: 'everybody' })
    clock.advance(2 * hourMs)
    await expect.poll(() => has(world)).toBeUndefined()
    await expect.poll(() => stuck.plain).toContain('✅ This has ended.')
    expect(stuck.buttons).toEqual([])
  })

  it('who was a member is gone where a list of members lacks them', async () => {
    const { world } = await given('/grant 12 dave@example.com viewer member for 4h')
    world.service.behaves({ people: 'members' })
    world.service.removeMember(12, 9)
    await endsAfter(world, 4 * hourMs, '✅ Ended: dave@example.com no longer has')
    expect(writes(world)).toHaveLength(1)
  })

  it('from whom the end takes membership alone may have the rest, where a list of members lacks them', async () => {
    const world = await openWorld()
    const { service } = world
    daveIs(world, { permissions: ['READ'] })
    await changes(world, '+API member for 4h', 'For 4 hours')
    service.behaves({ people: 'members' })
    service.trouble.answer(204, { only: 'PUT', times: 1 })
    daveIs(world, { member: false })
    await isOver(world)
    expect(told(world)).not.toContain('✅ Ended')
  })

  it('is not certain once the end has taken their membership, though others gave them more', async () => {
    const { world, alice, service } = await given('/grant 12 dave@example.com viewer member for 4h')
    const permissions = [...viewer, 'BILLING']
    daveIs(world, { permissions, member: true })
    service.behaves({ people: 'members' })
    await isOver(world)
    await passes(world, 2 * minuteMs)
    await alice.sees('⚠️ Monitoring no longer shows dave@example.com', alice.dm)
    expect(told(world)).not.toContain('✅ Ended')
  })

  it('is gone where it removed them and lists show that late, without another request', async () => {
    const { world, service } = await given()
    service.behaves({ visible: { reads: 3 } })
    await isOver(world)
    expect(told(world)).not.toContain('✅ Ended')
    await endsAfter(world, 2 * minuteMs)
    expect(writes(world).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  })

  it('is not called ended once a list has shown them again, though it had removed them before', async () => {
    const { world, alice, clock, service } = await given()
    service.behaves({ visible: { reads: 3 } })
    await isOver(world)
    service.behaves({ visible: { reads: 0 } })
    // Somebody adds them with more, which is left, and that it takes the rest doesn’t show.
    daveIs(world, { permissions: [...viewer, 'BILLING'] })
    service.trouble.answer(204, { only: 'PUT', times: 1 })
    clock.advance(2 * minuteMs)
    await untilLookedAt(world)
    expect(writes(world).map(({ method }) => method)).toEqual(['POST', 'DELETE', 'PUT'])
    service.behaves({ people: 'members' })
    clock.advance(6 * minuteMs)
    await alice.sees('⚠️ Monitoring no longer shows dave@example.com', alice.dm)
    expect(told(world)).not.toContain('✅ Ended')
  })

  it('is sent nothing, and not called ended, where they have it from a parent container by then', async () => {
    const { world } = await given()
    daveIs(world, { permissions: viewer, inherit: true })
    world.service.behaves({ inherited: 'changed' })
    await isOver(world)
    await world.slack.idle(200)
    expect(told(world)).not.toContain('✅ Ended')
    expect(writes(world)).toHaveLength(1)
  })

  it('keeps the membership that others gave', async () => {
    const { world } = await given()
    daveIs(world, { permissions: viewer, member: true })
    await endsAfter(world, 4 * hourMs)
    expect(world.service.membersOf(12)).toMatchObject([{ id: 9, member: true, permissions: [] }])
  })

  it('whom a list shows late is ended once it did', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.behaves({ visible: { reads: 4 } })
    await alice.types(line, general)
    await alice.sees('Monitoring doesn’t show them to you yet.', general)
    await slack.idle()
    await isOver(world)
    await passes(world, 2 * minuteMs)
    await passes(world, 6 * minuteMs)
    await alice.sees('✅ Ended', alice.dm)
    expect(has(world)).toBeUndefined()
  })

  it('with dashboards alone leaves the container', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com for 4h', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Role: 'Custom' } })
    await alice.presses('Grant access', await alice.sees('No flags', general))
    await alice.sees('✅ Granted', general)
    await world.slack.idle()
    await isOver(world)
    await expect.poll(() => world.service.membersOf(12)).toEqual([])
  })
})

describe('what takes, as a read has shown, lets an end go', () => {
  it('a removal: what somebody gives later doesn’t end at the old time', async () => {
    const { world, alice, general, slack } = await given()
    await alice.types('/grant remove 12 dave@example.com', general)
    await alice.presses('Remove access', await alice.sees('Remove Dave Doe', general))
    await alice.sees('✅ Removed', general)
    await slack.idle()
    await nothingEnds(world)
    daveIs(world, { permissions: viewer })
    await isOver(world)
    expect(has(world)).toEqual(viewer)
  })

  it('a flag: only the others end', async () => {
    const { world, alice } = await given('/grant 12 dave@example.com READ,BILLING for 4h')
    await changes(world, '-BILLING', '− BILLING')
    daveIs(world, { permissions: ['READ', 'BILLING'] })
    await isOver(world)
    await alice.sees('no longer has READ on', alice.dm)
    expect(has(world)).toEqual(['BILLING'])
  })

  it('a membership: one that others give later stays', async () => {
    const { world, alice, service } = await given('/grant 12 dave@example.com READ member for 4h')
    await changes(world, 'not-member')
    daveIs(world, { permissions: ['READ'], member: true })
    await isOver(world)
    await alice.sees('no longer has READ on', alice.dm)
    expect(service.membersOf(12)).toMatchObject([{ id: 9, member: true, permissions: [] }])
  })
})

describe('an address that two accounts have', () => {
  it('is two people: a grant to one leaves the end of the other', async () => {
    const { world, alice, general, service, slack } = await given()
    service.addUser({ id: 55, email: 'dave@example.com', authProvider: 'Google' })
    await alice.types('/grant 12 dave@example.com viewer via Google', general)
    await slack.idle(100)
    expect(ids(world)).toEqual([9, 55])
    await endsAfter(world, 4 * hourMs)
    expect(ids(world)).toEqual([55])
  })

  it('is said where a line means one of them, with what to add', async () => {
    const { world, alice, general } = await given()
    daveIs(world, { id: 55, authProvider: 'Google', permissions: ['READ'] })
    await alice.types('/grant remove 12 dave@example.com', general)
    await alice.sees('is there twice', general)
  })
})

describe('access that no list shows any more', () => {
  async function unlisted() {
    const { world, dave } = await given()
    const carol = addCarol(world)
    await world.connect(carol, 'carol-token')
    const approvals = await asksIn(world, world.alice, carol, dave)
    world.service.behaves({ people: 'members' })
    await isOver(world)
    const stuck = await carol.sees('Monitoring no longer shows dave@example.com', approvals)
    return { ...world, world, carol, dave, approvals, stuck }
  }

  it('is gone once somebody says so who may give it, and everybody reads who', async () => {
    const { world, alice, carol, stuck, approvals } = await unlisted()
    await carol.presses('It’s gone', stuck)
    await expect
      .poll(() => stuck.plain)
      .toBe('✅ Gone: dave@example.com no longer has Viewer on container 12, says carol.')
    await alice.sees('says carol.', alice.dm)
    await carol.sees('Noted.', approvals)
    await nothingEnds(world)
    await passes(world, 25 * hourMs)
    expect(has(world)).toEqual(viewer)
    expect((await trailOf(world)).at(-1)).toMatchObject({
      act: 'take-back',
      outcome: 'uncertain:said-gone',
    })
  })

  it.each<[string, string, (world: World) => void]>([
    [
      'whose token lacks CONTAINER_ACCESS',
      'Not noted: your token lacks',
      (world) => carolMay(world, 'API', 'READ'),
    ],
    [
      'whose own list shows it',
      'Monitoring shows you dave@example.com with',
      ({ service }) => service.behaves({ people: 'everybody' }),
    ],
  ])('stays where somebody says so %s', async (_, words, happens) => {
    const { world, carol, stuck, approvals, alice } = await unlisted()
    happens(world)
    await carol.presses('It’s gone', stuck)
    await carol.sees(words, approvals)
    await dueOf(alice, world)
  })

  it.each(['address', 'number'])('stays where whoever has it, by their %s, says so', async (by) => {
    const { world, dave, slack, service, stuck, approvals, alice } = await unlisted()
    if (by === 'number') Object.assign(dave.member, { email: 'dave.diver@example.com' })
    service.addToken({ token: 'dave-token', name: 'dave', flags: ['API', 'CONTAINER_ACCESS'] })
    await world.connect(dave, 'dave-token')
    const { teamId: workspaceId } = slack.workspace
    const itIsHis = { userId: by === 'number' ? 9 : 10, isMatched: true }
    await asAnother(world, ({ ownIds }) => ownIds.keep({ workspaceId, userId: dave.id }, itIsHis))
    await dave.presses('It’s gone', stuck)
    await dave.sees('This is your own access', approvals)
    await dueOf(alice, world)
  })

  it('is removed by its number only once somebody has read what that takes, and is gone where monitoring knows nobody', async () => {
    const { world, carol, stuck, approvals, slack } = await unlisted()
    await carol.presses('Remove now', stuck)
    const offer = await carol.sees('I can remove user 9 anyway', approvals)
    expect(writes(world)).toHaveLength(1)
    await carol.presses('Remove all access', offer)
    await slack.idle(300)
    expect(has(world)).toBeUndefined()
    expect(told(world)).not.toContain('✅ Ended')
    await carol.presses('Remove all access', offer)
    await carol.sees(
      '✅ Ended: dave@example.com no longer has Viewer on Customer 1 (12).',
      approvals,
    )
    await expect.poll(() => stuck.plain).toContain('no longer has Viewer on container 12.')
  })
})

describe('a person who was named by @', () => {
  it('is told, and lists it, though their address in Slack is another by then', async () => {
    const world = await openWorld()
    const { alice, clock, general, slack } = world
    const dave = addDave(world)
    await alice.types('/grant 12 @dave viewer for 4h', general)
    await alice.presses('Grant access', await alice.sees('[Grant access]', general))
    await alice.sees('✅ Granted', general)
    await slack.idle()
    Object.assign(dave.member, { email: 'dave.diver@example.com' })
    await dave.types('/grant due', general)
    await dave.sees('You · Viewer', general)
    clock.advance(4 * hourMs - 10 * minuteMs)
    await dave.presses('I’m done', await dave.sees('Your Viewer on', dave.dm))
    await expect.poll(() => has(world)).toBeUndefined()
  })
})

describe('of several people who got it at once', () => {
  it('those whose access has ended are told of, though another’s can’t be', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.addUser({ id: 31, email: 'erin@example.com' })
    await alice.types('/grant 12 dave@example.com,erin@example.com viewer for 4h', general)
    await alice.sees('2 of 2 granted', general)
    await slack.idle()
    service.addMember(12, { id: 31, email: 'erin@example.com', isHidden: true })
    service.behaves({ people: 'members' })
    daveIs(world, { member: true })
    await isOver(world)
    await alice.sees('Monitoring no longer shows erin@example.com', alice.dm)
    await alice.sees('✅ Ended: dave@example.com no longer has Viewer', alice.dm)
    await passes(world, minuteMs)
    expect(alice.messages(alice.dm).filter(({ plain }) => plain.includes('✅'))).toHaveLength(1)
  })
})

describe('what stands about access', () => {
  it.each([
    [
      'removes it',
      '/grant remove 12 dave@example.com',
      'Remove access',
      '✅ Ended: dave@example.com',
    ],
    [
      'gives it for good',
      '/grant change 12 dave@example.com responder',
      'Change access',
      'dave@example.com keeps Viewer on',
    ],
  ])('is redrawn once somebody %s', async (_, typed, label, words) => {
    const { world, alice, general } = await given()
    const soon = await warned(world)
    await alice.types(typed, general)
    await alice.presses(label, await alice.sees(`[${label}]`, general))
    await expect.poll(() => soon.plain).toContain(words)
    expect(soon.buttons).toEqual([])
  })
})

describe('tries in vain', () => {
  it('are one line in the audit channel, which says what is known, and none on Home', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack } = world
    const audit = slack.addChannel({ name: 'audit', members: [alice, bob], botIsMember: true })
    await world.restart({ AUDIT_CHANNEL: audit.id })
    await gives(world)
    service.addToken({ token: aliceToken, name: 'alice', flags: ['API'], userId: 7 })
    await isOver(world)
    for (let times = 0; times < 3; times += 1) {
      await passes(world, hourMs)
    }
    const lines = () =>
      bob.messages(audit).filter(({ plain }) => plain.includes('ended the access of'))
    await expect.poll(() => lines()).toHaveLength(1)
    expect(lines()[0]?.plain).not.toContain('had no flags')
    await alice.opensHome()
    const home = await alice.seesHome('Access that ends')
    expect(home.plain).not.toContain('Not ended')
  })
})

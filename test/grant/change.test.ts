// Somebody who is on the container is changed: by what a line names, what the form shows, or what a grant lacked. What
// they have is shown before and after, and only so are they changed.
import { describe, expect, it } from 'vitest'
import type { NewMember } from '../../playground/monitor/people.ts'
import { asksOn, openColleagues } from '../approval/colleagues.ts'
import { actsOf, trailOf } from '../audit/read.ts'
import { openWorld, puts, type World, type WorldOptions } from '../world.ts'
import { daveIs, viewer } from './dave.ts'
import { openSeveral } from './several-world.ts'

const added = ['ALERT_ASSIGN', 'ALERT_CHANGE', 'RULE_EMAIL', 'RULE_PHONE']
const responder = '/grant 12 dave@example.com responder'
const change = 'Change to Responder'

const flagsOf = ({ service }: World, email = 'dave@example.com') =>
  service.membersOf(12).find((one) => one.email === email)?.permissions

/** Dave is a viewer on container 12, and Alice has tried to add him as a responder. */
async function refused(
  how: Partial<NewMember> = {},
  { line = responder, ...options }: WorldOptions & { line?: string } = {},
) {
  const world = await openWorld(options)
  daveIs(world, { permissions: viewer, ...how })
  await world.alice.types(line, world.general)
  return { world, receipt: await world.alice.sees(/Not granted|Already so/, world.general) }
}

/** What would change is shown. */
async function shown(how: Partial<NewMember> = {}) {
  const { world, receipt } = await refused(how)
  await world.alice.presses(change, receipt)
  return { world, question: await world.alice.sees('Change Dave Doe', world.general) }
}

describe('somebody who is on the container already', () => {
  it('is shown with what they have, and what would be added; once confirmed, they have both', async () => {
    const { world, receipt } = await refused({ permissions: [...viewer, 'OF_TOMORROW'] })
    const { alice, general } = world
    expect(receipt.plain).toContain(
      '⛔ Not granted: dave@example.com is already on container 12, with Viewer and OF_TOMORROW',
    )
    expect(receipt.buttons).toEqual([change, 'Edit and try again'])

    await alice.presses(change, receipt)
    const question = await alice.sees(
      'Change Dave Doe (dave@example.com) on Customer 1 (12)?',
      general,
    )
    expect(question.plain).toContain(
      'Viewer and OF_TOMORROW → Responder and OF_TOMORROW\n+ ALERT_ASSIGN, ALERT_CHANGE, RULE_EMAIL, RULE_PHONE, member\n[Change access] [Cancel]',
    )
    expect(puts(world)).toEqual([])
    await alice.presses('Change access', question)

    const told = await alice.sees(
      '✅ Changed: dave@example.com now has Responder and OF_TOMORROW on Customer 1 (12)\n+ ALERT_ASSIGN, ALERT_CHANGE, RULE_EMAIL, RULE_PHONE, member',
      general,
    )
    expect(told.buttons).toEqual(['Share in channel', 'Change…', 'Remove…'])
    expect(puts(world)).toMatchObject([
      { path: expect.stringMatching(/^\/container\/12\/user\/\d+$/), token: 'alice', status: 204 },
    ])
    expect(puts(world)[0]?.body).toEqual({
      permissions: [...viewer, 'OF_TOMORROW', ...added],
      member: true,
    })
    const [record] = (await trailOf(world)).filter(({ outcome }) => outcome === 'done')
    expect(record).toMatchObject({
      act: 'change',
      email: 'dave@example.com',
      personId: 9,
      permissions: added,
    })
    expect(record?.had).toEqual([...viewer, 'OF_TOMORROW'])
    expect(record?.has).toEqual([...viewer, 'OF_TOMORROW', ...added])
  })

  it.each<[string, Partial<NewMember>, string]>([
    ['have lost a flag', { permissions: ['READ', 'API'] }, 'READ and API → '],
    [
      'have got a flag',
      { permissions: [...viewer, 'BILLING'] },
      'Viewer and BILLING → Responder and BILLING',
    ],
    ['are a member', { member: true }, '+ ALERT_ASSIGN, ALERT_CHANGE, RULE_EMAIL, RULE_PHONE\n'],
  ])(
    'are asked about once more, and nothing is sent, where they %s since',
    async (_, how, shows) => {
      const { world, question } = await shown()
      const { alice, general } = world
      daveIs(world, { ...how })

      await alice.presses('Change access', question)

      const again = await alice.sees('somebody has changed this meanwhile', general)
      expect(again.plain).toContain(shows)
      expect(puts(world)).toEqual([])
      await alice.presses('Change access', again)
      await alice.sees('✅ Changed', general)
      expect(flagsOf(world)?.toSorted()).toEqual(
        [...new Set([...(how.permissions ?? viewer), ...added])].toSorted(),
      )
    },
  )

  it.each<[string, (world: World) => void]>([
    ['are gone', ({ service }) => service.removeMember(12, 9)],
    ['come from another container now', (world) => daveIs(world, { inherit: true })],
  ])('are left alone where they %s', async (_, happens) => {
    const { world, question } = await shown()
    happens(world)
    await world.alice.presses('Change access', question)
    await world.alice.sees(
      '⛔ Not changed: somebody has changed their access meanwhile',
      world.general,
    )
    expect(puts(world)).toEqual([])
  })

  it('keep for good what the first question said, where they are asked about once more', async () => {
    const world = await openWorld()
    const { alice, clock, general, slack } = world
    await alice.types('/grant 12 dave@example.com viewer for 4h', general)
    await alice.sees('✅ Granted', general)
    await alice.types('/grant change 12 dave@example.com responder', general)
    const question = await alice.sees('No longer ends by itself: Viewer.', general)
    daveIs(world, { permissions: [...viewer, 'BILLING'] })
    await alice.presses('Change access', question)

    const again = await alice.sees('somebody has changed this meanwhile', general)
    expect(again.plain).toContain('No longer ends by itself: Viewer.')
    await alice.presses('Change access', again)
    await alice.sees('✅ Changed', general)
    await slack.idle()
    clock.advance(5 * 3_600_000)
    await slack.idle(200)
    expect(flagsOf(world)).toEqual(expect.arrayContaining([...viewer]))
  })

  it('have it already where somebody else has just made the same change', async () => {
    const { world, question } = await shown()
    daveIs(world, { permissions: [...viewer, ...added], member: true })
    await world.alice.presses('Change access', question)
    const told = await world.alice.sees(
      '✅ Already so: dave@example.com is now Responder',
      world.general,
    )
    expect(told.plain).toContain('Nothing was sent.')
    expect(puts(world)).toEqual([])
  })

  it.each([
    [
      'has all of it',
      { permissions: [...viewer, ...added], member: true },
      '✅ Already so: dave@example.com is already on',
    ],
    ['comes from another container', { inherit: true }, 'through another container, as Viewer'],
  ])('has no button where they %s', async (_, how, words) => {
    const { receipt } = await refused(how)
    expect(receipt.plain).toContain(words)
    expect(receipt.buttons).toEqual(['Edit and try again'])
  })

  it('has no button where their address is there twice, until it is said how they sign in', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    for (const authProvider of ['Google', 'Microsoft'] as const)
      service.addMember(12, { email: 'dave@example.com', authProvider })

    await alice.types(responder, general)
    expect(
      (await alice.sees('I can’t see dave@example.com on container 12', general)).buttons,
    ).toEqual(['Edit and try again'])
    await alice.types(`${responder} via google`, general)

    expect((await alice.sees('already on', general)).buttons).toEqual([
      change,
      'Edit and try again',
    ])
  })

  it('is not changed with MONITOR_OPERATIONS=basic', async () => {
    const { receipt } = await refused({}, { env: { MONITOR_OPERATIONS: 'basic' } })
    expect(receipt.buttons).toEqual(['Edit and try again'])
  })

  it('becomes a member where that alone is missing', async () => {
    const { world, receipt } = await refused({ permissions: [...viewer, ...added] })
    const { alice, general } = world
    await alice.presses('Make them a member', receipt)
    await alice.presses('Change access', await alice.sees('Change Dave Doe', general))
    await alice.sees('✅ Changed: dave@example.com is now a member of Customer 1 (12)', general)
    expect(puts(world)[0]?.body).toEqual({ permissions: [...viewer, ...added], member: true })
  })

  it('of several is said so, and a menu changes each', async () => {
    const { world, line } = await openSeveral(3)
    const { alice, general, service } = world
    for (const email of ['p1@example.com', 'p3@example.com'])
      service.addMember(12, { email, permissions: ['READ'] })
    await alice.types(line, general)
    const receipt = await alice.sees('1 of 3 granted', general)
    expect(receipt.plain).toContain('⛔ p1@example.com is already on container 12, with READ')
    expect(receipt.buttons).toEqual([
      ...['Edit and try again', 'Share in channel'],
      ...['Change p1@example.com', 'Change p2@example.com…', 'Change p3@example.com'],
    ])

    await alice.presses('Change p3@example.com', receipt)
    await alice.presses('Change access', await alice.sees('READ → Viewer\n', general))

    await alice.sees('✅ Changed: p3@example.com is now Viewer', general)
    expect(flagsOf(world, 'p1@example.com')).toEqual(['READ'])
    expect(flagsOf(world, 'p3@example.com')).toEqual(expect.arrayContaining([...viewer]))
  })
})

describe('a change', () => {
  it('that gives what the token lacks itself says so, and can be asked of a colleague', async () => {
    const world = await openColleagues()
    const { alice, carol, general, service } = world
    daveIs(world, { permissions: viewer })
    service.behaves({ ceiling: 403 })
    await carol.types('/grant change 12 dave@example.com +BILLING', general)
    await carol.presses('Change access', await carol.sees('Change Dave Doe', general))
    const refused = await carol.sees(
      '⛔ Not changed: your token lacks API, CONTAINER_ACCESS or a flag',
      general,
    )
    await asksOn(carol, refused)
    await alice.presses(
      'Approve',
      await alice.sees('🔑 carol asks: Viewer → Viewer and BILLING', general),
    )
    await carol.sees('✅ Changed by alice', carol.dm)
    expect(flagsOf(world)).toEqual([...viewer, 'BILLING'])
  })

  it('after which a list hides them is not certain', async () => {
    const { world, question } = await shown({ member: true })
    const { alice, general, service } = world
    await alice.presses('Cancel', question)
    service.behaves({ people: 'members' })
    await alice.types('/grant change 12 dave@example.com not-member', general)
    await alice.presses('Change access', await alice.sees('− member', general))
    await alice.sees('❓ Not certain: dave@example.com may or may not be changed', general)
  })

  it.each([
    [400, '⛔ Not changed: monitoring says no', 'Perhaps your token lacks one of these flags.'],

    [405, '⛔ Not changed: this monitoring service can’t do that', 'Do it in monitoring instead.'],
  ])('that is refused with %i says why', async (status, heading, words) => {
    const { world, question } = await shown()
    world.service.trouble.answer(status, { only: 'PUT', times: 1 })
    await world.alice.presses('Change access', question)
    expect((await world.alice.sees(heading, world.general)).plain).toContain(words)
  })

  it('is done where its answer is lost, and the list shows it', async () => {
    const { world, question } = await shown()
    const { alice, general, service } = world
    service.trouble.cut({ when: 'after-effect', only: 'PUT', times: 1 })
    await alice.presses('Change access', question)
    await alice.sees('✅ Changed: dave@example.com is now Responder', general)
    expect(puts(world)).toHaveLength(1)
  })

  it.each([
    ['204 of one that the list never shows', 204],
    ['a fault of the service', 503],
  ])('is not certain after %s, and a later look settles it', async (_, status) => {
    const { world, question } = await shown()
    const { alice, general, service } = world
    service.trouble.answer(status, { only: 'PUT', times: 1 })
    await alice.presses('Change access', question)
    const unsure = await alice.sees(
      '❓ Not certain: dave@example.com may or may not be changed on',
      general,
    )
    expect(unsure.buttons).toEqual(['Look again'])
    daveIs(world, { permissions: [...viewer, ...added], member: true })

    await alice.presses('Look again', unsure)

    await alice.sees('✅ Changed: dave@example.com is now Responder', general)
    expect((await actsOf(world)).slice(-2)).toEqual([
      expect.stringMatching('change uncertain'),
      'change done',
    ])
    expect(puts(world)).toHaveLength(1)
  })

  it('to a flag that a colleague has to approve is asked for, and sent with their token', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'ALERT_CHANGE' } })
    const { alice, carol, general } = world
    daveIs(world, { permissions: viewer })
    await world.restart({ APPROVAL_FLAGS: '' })
    await alice.types(responder, general)
    const receipt = await alice.sees('already on', general)
    await world.restart({ APPROVAL_FLAGS: 'ALERT_CHANGE' })
    await alice.presses(change, receipt)
    const offer = await alice.sees('Not sent yet', general)
    expect(puts(world)).toEqual([])
    await asksOn(alice, offer)
    const card = await carol.sees('🔑 alice asks: Viewer → Responder on Customer 1 (12)', general)

    await carol.presses('Approve', card)

    await alice.sees('✅ Changed by carol', alice.dm)
    expect(puts(world)).toMatchObject([{ token: 'carol' }])
    expect(flagsOf(world)).toEqual([...viewer, ...added])
  })
})

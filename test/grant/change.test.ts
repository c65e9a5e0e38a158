// Somebody who is on the container already: flags are added to what they have, by a press that shows it before and after.
import { describe, expect, it } from 'vitest'
import type { NewMember } from '../../playground/monitor/people.ts'
import { asksOn, openColleagues } from '../approval/colleagues.ts'
import { actsOf, trailOf } from '../audit/read.ts'
import { openWorld, puts, type World, type WorldOptions } from '../world.ts'
import { openSeveral } from './several-world.ts'

const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
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
  world.service.addMember(12, { email: 'dave@example.com', permissions: viewer, ...how })
  await world.alice.types(line, world.general)
  return { world, receipt: await world.alice.sees('Not granted', world.general) }
}

/** What would change is shown. */
async function shown(how: Partial<NewMember> = {}) {
  const { world, receipt } = await refused(how)
  await world.alice.presses(change, receipt)
  return { world, question: await world.alice.sees('Grant this access?', world.general) }
}

describe('somebody who is on the container already', () => {
  it('is shown with what they have, and what would be added; once confirmed, they have both', async () => {
    const { world, receipt } = await refused({ permissions: [...viewer, 'OF_TOMORROW'] })
    const { alice, general } = world
    expect(receipt.plain).toContain('⛔ Not granted: dave@example.com is already on container 12, as Viewer')
    expect(receipt.buttons).toEqual([change, 'Edit and try again'])

    await alice.presses(change, receipt)
    const question = await alice.sees('Grant this access?', general)
    expect(question.plain).toContain(
      'Viewer → Responder on container 12 for dave@example.com · member\nAdds ALERT_ASSIGN, ALERT_CHANGE, RULE_EMAIL, RULE_PHONE\nThey keep all that they have.',
    )
    expect(puts(world)).toEqual([])
    await alice.presses('Grant access', question)

    const told = await alice.sees(
      '✅ Granted: dave@example.com now also has ALERT_ASSIGN, ALERT_CHANGE, RULE_EMAIL and RULE_PHONE on container 12 · member',
      general,
    )
    expect(told.buttons).toEqual(['Share in channel'])
    expect(puts(world)).toMatchObject([
      { path: expect.stringMatching(/^\/container\/12\/user\/\d+$/), token: 'alice', status: 204 },
    ])
    expect(puts(world)[0]?.body).toEqual({ permissions: [...viewer, 'OF_TOMORROW', ...added], member: true })
    const [record] = (await trailOf(world)).filter(({ outcome }) => outcome === 'done')
    expect(record).toMatchObject({ act: 'grant', email: 'dave@example.com', permissions: added })
    expect(record?.had).toEqual([...viewer, 'OF_TOMORROW'])
    expect(record?.has).toEqual([...viewer, 'OF_TOMORROW', ...added])
  })

  it('keeps what they got since they were shown', async () => {
    const { world, question } = await shown()
    world.service.addMember(12, { email: 'dave@example.com', permissions: [...viewer, 'BILLING'] })

    await world.alice.presses('Grant access', question)

    await world.alice.sees('✅ Granted', world.general)
    expect(flagsOf(world)).toEqual([...viewer, 'BILLING', ...added])
  })

  it.each<[string, (world: World, id: number) => void]>([
    [
      'has lost a flag since',
      ({ service }) => service.addMember(12, { email: 'dave@example.com', permissions: ['READ', 'API'] }),
    ],
    ['is gone since', ({ service }, id) => service.removeMember(12, id)],
    [
      'comes from another container now',
      ({ service }) => service.addMember(12, { email: 'dave@example.com', inherit: true }),
    ],
  ])('is left alone where they are not as they were shown: %s', async (_, happens) => {
    const { world, question } = await shown()
    happens(world, world.service.membersOf(12)[0]?.id ?? 0)

    await world.alice.presses('Grant access', question)

    await world.alice.sees('⛔ Not granted: somebody has changed their access meanwhile', world.general)
    expect(puts(world)).toEqual([])
  })

  it.each([
    ['has all of it', { permissions: [...viewer, ...added], member: true }, 'They have all of that already.'],
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
    expect((await alice.sees('I can’t see dave@example.com on container 12', general)).buttons).toEqual([
      'Edit and try again',
    ])
    await alice.types(`${responder} via google`, general)

    expect((await alice.sees('already on', general)).buttons).toEqual([change, 'Edit and try again'])
  })

  it('is not changed with MONITOR_OPERATIONS=basic', async () => {
    const { receipt } = await refused({}, { env: { MONITOR_OPERATIONS: 'basic' } })
    expect(receipt.buttons).toEqual(['Edit and try again'])
  })

  it('becomes a member where that alone is missing', async () => {
    const { world, receipt } = await refused({ permissions: [...viewer, ...added] })
    const { alice, general } = world
    await alice.presses('Make them a member', receipt)
    await alice.presses('Grant access', await alice.sees('Grant this access?', general))
    await alice.sees('✅ Granted: dave@example.com is now a member of container 12', general)
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
      ...['Change p1@example.com', 'Change p3@example.com'],
      ...['Edit and try again', 'Share in channel'],
    ])

    await alice.presses('Change p3@example.com', receipt)
    await alice.presses('Grant access', await alice.sees('READ → Viewer on', general))

    await alice.sees('✅ Granted: p3@example.com now also has API', general)
    expect(flagsOf(world, 'p1@example.com')).toEqual(['READ'])
    expect(flagsOf(world, 'p3@example.com')).toEqual(expect.arrayContaining(viewer))
  })
})

describe('a change', () => {
  it('is sent once, however often it is pressed', async () => {
    const { world, question } = await shown()
    const { alice, general, service, slack } = world
    service.trouble.slow(50)

    await Promise.all([alice.presses('Grant access', question), alice.presses('Grant access', question)])
    await alice.sees('✅ Granted', general)
    await slack.idle()

    expect(puts(world)).toHaveLength(1)
  })

  it.each([
    [400, '⛔ Not granted: monitoring', 'or your token lacks one of these flags.'],
    [403, '⛔ Not granted: your token', 'container 12'],
    [404, '⛔ Not granted: somebody has changed their access meanwhile', 'Nothing was changed.'],
    [405, '⛔ Not granted: this monitoring service can’t do that', ''],
  ])('that is refused with %i says why', async (status, heading, words) => {
    const { world, question } = await shown()
    world.service.trouble.answer(status, { only: 'PUT', times: 1 })
    await world.alice.presses('Grant access', question)
    expect((await world.alice.sees(heading, world.general)).plain).toContain(words)
  })

  it('is done where its answer is lost, and the list shows it', async () => {
    const { world, question } = await shown()
    const { alice, general, service } = world
    service.trouble.cut({ when: 'after-effect', only: 'PUT', times: 1 })
    await alice.presses('Grant access', question)
    await alice.sees('✅ Granted: dave@example.com now also has ALERT_ASSIGN', general)
    expect(puts(world)).toHaveLength(1)
  })

  it.each([
    ['204 of one that the list never shows', 204],
    ['a fault of the service', 503],
  ])('is not certain after %s, and a later look settles it', async (_, status) => {
    const { world, question } = await shown()
    const { alice, general, service } = world
    service.trouble.answer(status, { only: 'PUT', times: 1 })
    await alice.presses('Grant access', question)
    const unsure = await alice.sees('❓ Not certain', general)
    expect(unsure.buttons).toEqual(['Look again'])
    service.addMember(12, { email: 'dave@example.com', permissions: [...viewer, ...added], member: true })

    await alice.presses('Look again', unsure)

    await alice.sees('✅ Granted: dave@example.com now also has ALERT_ASSIGN', general)
    expect((await actsOf(world)).slice(-2)).toEqual([expect.stringMatching('grant uncertain'), 'grant done'])
    expect(puts(world)).toHaveLength(1)
  })

  it('to a flag that a colleague has to approve is asked for, and sent with their token', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'ALERT_CHANGE' } })
    const { alice, carol, general, service } = world
    service.addMember(12, { email: 'dave@example.com', permissions: viewer })
    await world.restart({ APPROVAL_FLAGS: '' })
    await alice.types(responder, general)
    const receipt = await alice.sees('already on', general)
    await world.restart({ APPROVAL_FLAGS: 'ALERT_CHANGE' })
    await alice.presses(change, receipt)
    const offer = await alice.sees('Not sent yet', general)
    expect(puts(world)).toEqual([])
    await asksOn(alice, offer)
    const card = await carol.sees('🔑 alice asks: Viewer → Responder on container 12', general)

    await carol.presses('Approve', card)

    await alice.sees('✅ Granted by carol', alice.dm)
    expect(puts(world)).toMatchObject([{ token: 'carol' }])
    expect(flagsOf(world)).toEqual([...viewer, ...added])
  })
})

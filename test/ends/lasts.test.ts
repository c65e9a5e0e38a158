// How long access for a time lasts: who is warned, what a change for a time gives, and flags that are only given for one.
import { describe, expect, it } from 'vitest'
import { openWorld, type World } from '../world.ts'

const hourMs = 3_600_000
const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']

const has = ({ service }: World) => service.membersOf(12).find(({ id }) => id === 9)?.permissions

async function given(typed: string) {
  const world = await openWorld()
  const { alice, general, slack } = world
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
  await alice.types(typed, general)
  await alice.sees('✅ Granted', general)
  await slack.idle()
  return { ...world, world, dave }
}

describe('access for a time', () => {
  it.each([
    [30, 16, false],
    [31, 17, true],
  ])(
    'of %i minutes is warned of a quarter of an hour before: %i minutes after, %s',
    async (lasts, later, isWarned) => {
      const { world, alice, dave, clock, slack } = await given(
        `/grant 12 dave@example.com viewer for ${lasts}m`,
      )
      clock.advance(later * 60_000)
      await slack.idle(100)
      const warned = () => dave.screen(dave.dm).includes('on Customer 1 (12) ends')
      if (isWarned) await expect.poll(warned).toBe(true)
      expect(warned()).toBe(isWarned)
      expect(alice.screen(alice.dm).includes('has Viewer on')).toBe(isWarned)
      expect(has(world)).toEqual(viewer)
      clock.advance((lasts - later) * 60_000)
      await alice.sees('✅ Ended', alice.dm)
    },
  )

  it.each([
    ['viewer', 'Viewer and WEBHOOKS → Viewer'],
    ['viewer not-member', 'Viewer and WEBHOOKS → Viewer'],
  ])('isn’t asked for where a change turns out to give nothing: %s', async (typed, words) => {
    const world = await openWorld()
    const { alice, general, service } = world
    const permissions = [...viewer, 'WEBHOOKS']
    service.addMember(12, { id: 9, email: 'dave@example.com', permissions, member: true })
    await alice.types(`/grant change 12 dave@example.com ${typed} for 4h`, general)
    const question = await alice.sees(words, general)

    expect(question.plain).not.toContain('taken back')
    await alice.presses('Change access', question)
    expect((await alice.sees('✅ Changed', general)).plain).not.toContain('taken back')
    await alice.types('/grant due', general)
    expect((await alice.sees('ends by itself, and', general)).plain).not.toContain('dave@')
  })

  it('lasts longer by a change that gives only what ends already, and takes something', async () => {
    const { world, alice, clock, general, service } = await given(
      '/grant 12 dave@example.com viewer for 4h',
    )
    const permissions = [...viewer, 'WEBHOOKS']
    service.addMember(12, { id: 9, email: 'dave@example.com', permissions })
    await alice.types('/grant change 12 dave@example.com viewer for 6h', general)
    await alice.presses('Change access', await alice.sees('For 6 hours', general))
    await alice.sees('✅ Changed', general)
    await world.slack.idle()
    clock.advance(5 * hourMs)
    await world.slack.idle(200)
    expect(has(world)).toEqual(viewer)
    clock.advance(hourMs)
    await alice.sees('✅ Ended', alice.dm)
    expect(has(world)).toBeUndefined()
  })

  it('is left where a change gives only its flags for good: the membership ends', async () => {
    const { alice, clock, general, service, world } = await given(
      '/grant 12 dave@example.com READ member for 4h',
    )
    await alice.types('/grant change 12 dave@example.com +READ,+API', general)
    await alice.presses('Change access', await alice.sees('No longer ends', general))
    await alice.sees('✅ Changed', general)
    await world.slack.idle()
    clock.advance(4 * hourMs + 1_000)
    await alice.sees('✅ Ended', alice.dm)
    expect(service.membersOf(12)).toMatchObject([{ member: false, permissions: ['READ', 'API'] }])
  })

  it('lasts as long as it was given, though a change for less time names it', async () => {
    const { world, alice, clock, general, service } = await given(
      '/grant 12 dave@example.com viewer member for 4h',
    )
    // Somebody has taken the membership in monitoring.
    service.addMember(12, { id: 9, email: 'dave@example.com', member: false })
    await alice.types('/grant change 12 dave@example.com viewer +BILLING member for 1h', general)
    await alice.presses('Change access', await alice.sees('For 1 hour', general))
    await alice.sees('✅ Changed', general)
    await world.slack.idle()
    clock.advance(hourMs + 1_000)
    await alice.sees('✅ Ended: dave@example.com no longer has BILLING', alice.dm)
    expect(service.membersOf(12)).toMatchObject([{ id: 9, member: true, permissions: viewer }])
    clock.advance(3 * hourMs)
    await expect.poll(() => has(world)).toBeUndefined()
  })
})

describe('flags that are only given for a time', () => {
  it.each(['BILLING:1h,CONTAINER_ADMIN:8h', 'CONTAINER_ADMIN:1h,BILLING:8h'])(
    'last as long as the shortest of them: %s',
    async (TIMED_FLAGS) => {
      const world = await openWorld({ env: { TIMED_FLAGS } })
      const { alice, general, clock } = world
      await alice.types('/grant 12 dave@example.com BILLING,CONTAINER_ADMIN', general)
      await alice.presses('Grant access', await alice.sees('only given for 1 hour', general))
      await alice.sees('✅ Granted', general)
      await world.slack.idle()
      clock.advance(hourMs)
      await alice.sees('✅ Ended', alice.dm)
      expect(has(world)).toBeUndefined()
    },
  )
})

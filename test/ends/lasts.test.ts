// How long access for a time lasts: who is warned, what a change for a time gives, and flags that are only given for one.
import { describe, expect, it } from 'vitest'
import { changes, daveIs, has, viewer } from '../grant/dave.ts'
import { openWorld } from '../world.ts'
import { endsAfter, given, hourMs, minuteMs, nothingEnds, passes } from './given.ts'

describe('access for a time', () => {
  it.each([
    [30, 16, false],
    [31, 17, true],
  ])(
    'of %i minutes is warned of a quarter of an hour before: %i minutes after, %s',
    async (lasts, later, isWarned) => {
      const { world, alice, dave } = await given(`/grant 12 dave@example.com viewer for ${lasts}m`)
      await passes(world, later * minuteMs)
      const warned = () => dave.screen(dave.dm).includes('on Customer 1 (12) ends')
      if (isWarned) await expect.poll(warned).toBe(true)
      expect(warned()).toBe(isWarned)
      expect(alice.screen(alice.dm).includes('has Viewer on')).toBe(isWarned)
      expect(has(world)).toEqual(viewer)
      await endsAfter(world, (lasts - later) * minuteMs)
    },
  )

  it.each(['viewer', 'viewer not-member'])(
    'isn’t asked for where a change turns out to give nothing: %s',
    async (typed) => {
      const world = await openWorld()
      const { alice, general } = world
      daveIs(world, { permissions: [...viewer, 'WEBHOOKS'], member: true })
      await changes(world, `${typed} for 4h`, 'Viewer and WEBHOOKS → Viewer')
      expect(alice.screen(general)).not.toContain('taken back')
      await nothingEnds(world)
    },
  )

  it('lasts longer by a change that gives only what ends already, and takes something', async () => {
    const { world } = await given()
    daveIs(world, { permissions: [...viewer, 'WEBHOOKS'] })
    await changes(world, 'viewer for 6h', 'For 6 hours')
    await passes(world, 5 * hourMs)
    expect(has(world)).toEqual(viewer)
    await endsAfter(world, hourMs)
    expect(has(world)).toBeUndefined()
  })

  it('is left where a change gives only its flags for good: the membership ends', async () => {
    const { world, service } = await given('/grant 12 dave@example.com READ member for 4h')
    await changes(world, '+READ,+API', 'No longer ends')
    await endsAfter(world, 4 * hourMs)
    expect(service.membersOf(12)).toMatchObject([{ member: false, permissions: ['READ', 'API'] }])
  })

  it('lasts as long as it was given, though a change for less time names it', async () => {
    const { world, clock, service } = await given('/grant 12 dave@example.com viewer member for 4h')
    // Somebody has taken the membership in monitoring.
    daveIs(world, { member: false })
    await changes(world, 'viewer +BILLING member for 1h', 'For 1 hour')
    await endsAfter(world, hourMs, '✅ Ended: dave@example.com no longer has BILLING')
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
      const { alice, general, slack } = world
      await alice.types('/grant 12 dave@example.com BILLING,CONTAINER_ADMIN', general)
      const words = 'BILLING, CONTAINER_ADMIN: only given for 1 hour'
      await alice.presses('Grant access', await alice.sees(words, general))
      await alice.sees('✅ Granted', general)
      await slack.idle()
      await endsAfter(world, hourMs)
      expect(has(world)).toBeUndefined()
    },
  )
})

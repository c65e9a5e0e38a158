// Who may make access last that ends by itself, once a colleague has to approve it: whoever approved it, and nobody alone.
import { describe, expect, it } from 'vitest'
import { approvedByCarol, carolMay, openColleagues } from '../approval/colleagues.ts'
import { has } from '../grant/dave.ts'
import { endsAfter, given, hourMs, passes } from './given.ts'

const line = '/grant 12 dave@example.com READ,BILLING for 4h'
const nowApproved = { APPROVAL_FLAGS: 'BILLING' }

describe('access with a flag that a colleague has to approve', () => {
  it.each(['Extend by 1 hour', 'Keep for good'])(
    'ends at its time though its giver, who asked nobody, presses %s: they are to ask as well',
    async (label) => {
      const { world, alice, general, receipt } = await given(line)
      await world.restart(nowApproved)

      await alice.presses(label, receipt)
      await alice.sees('choose Ask for 4 hours more', general)
      await alice.types('/grant due', general)
      const { buttons } = await alice.sees('dave@example.com · ', general)
      expect(buttons).toContain('Ask for 1 day more')
      await endsAfter(world, 4 * hourMs)
      expect(has(world)).toBeUndefined()
    },
  )

  it('lasts longer where the colleague who approved it says so', async () => {
    const world = await openColleagues({ env: nowApproved })
    const { carol, clock, general } = world
    carolMay(world, 'API', 'READ', 'CONTAINER_ACCESS', 'BILLING')
    await approvedByCarol(world, line)

    await carol.types('/grant due', general)
    await carol.presses('Extend by 1 hour', await carol.sees('Access that ends', general))
    await carol.sees('dave@example.com keeps', general)
    await passes(world, 4 * hourMs)
    expect(has(world)).toContain('BILLING')

    clock.advance(hourMs)
    await carol.sees('✅ Ended', carol.dm)
    expect(has(world)).toBeUndefined()
  })
})

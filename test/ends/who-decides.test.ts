// Who may make access last that ends by itself, once a colleague has to approve it: whoever approved it, and nobody alone.
import { describe, expect, it } from 'vitest'
import { asksOn, openColleagues } from '../approval/colleagues.ts'
import { openWorld, type World } from '../world.ts'

const hourMs = 3_600_000
const line = '/grant 12 dave@example.com READ,BILLING for 4h'
const nowApproved = { APPROVAL_FLAGS: 'BILLING' }

const has = ({ service }: World) => service.membersOf(12).find(({ id }) => id === 9)?.permissions

describe('access with a flag that a colleague has to approve', () => {
  it.each(['Extend by 1 hour', 'Keep for good'])(
    'ends at its time though its giver, who asked nobody, presses %s',
    async (label) => {
      const world = await openWorld()
      const { alice, clock, general, slack } = world
      await alice.types(line, general)
      const receipt = await alice.sees('✅ Granted', general)
      await slack.idle()
      await world.restart(nowApproved)

      await alice.presses(label, receipt)
      await slack.idle(100)
      clock.advance(4 * hourMs)

      await alice.sees('✅ Ended', alice.dm)
      expect(has(world)).toBeUndefined()
    },
  )

  it('lasts longer where the colleague who approved it says so', async () => {
    const world = await openColleagues({ env: nowApproved })
    const { bob, carol, clock, general, service, slack } = world
    const flags = ['API', 'READ', 'CONTAINER_ACCESS', 'BILLING'] as const
    service.addToken({ token: 'carol-token', name: 'carol', flags: [...flags] })
    await bob.types(line, general)
    await asksOn(bob, await bob.sees('[Ask for approval]', general))
    await carol.presses('Approve', await carol.sees('🔑 bob asks', general))
    await bob.sees('✅ Granted by carol', bob.dm)
    await slack.idle()

    await carol.types('/grant due', general)
    await carol.presses('Extend by 1 hour', await carol.sees('Access that ends', general))
    await carol.sees('dave@example.com keeps', general)
    clock.advance(4 * hourMs)
    await slack.idle(200)
    expect(has(world)).toContain('BILLING')

    clock.advance(hourMs)
    await carol.sees('✅ Ended', carol.dm)
    expect(has(world)).toBeUndefined()
  })
})

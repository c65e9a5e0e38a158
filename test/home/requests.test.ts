// Somebody's own open requests for approval, on their Home tab.
import { expect, it } from 'vitest'
import { asked, openColleagues } from '../approval/colleagues.ts'
import { looksAtHome } from './looks-at-home.ts'

it('shows what somebody has asked for, with its card, until it has ended; and nobody else’s', async () => {
  const world = await openColleagues()
  const { alice, bob, carol } = world
  const card = await asked(world)
  const asking = await looksAtHome(bob, world)
  expect(asking.plain).toContain('dave@example.com on container 12')
  expect(JSON.stringify(asking.blocks)).toContain(`/p${card.ts.replace('.', '')}`)
  expect((await looksAtHome(carol, world)).plain).not.toContain('dave@example.com')

  await alice.presses('Approve', card)
  await bob.sees('✅ Granted', bob.dm)

  expect((await looksAtHome(bob, world)).plain).not.toContain('until')
})

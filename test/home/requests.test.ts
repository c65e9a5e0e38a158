// Somebody's own open requests for approval, on their Home tab.
import { expect, it } from 'vitest'
import { asked, openColleagues } from '../approval/colleagues.ts'

it('shows what somebody has asked for, with its card, until it has ended; and nobody else’s', async () => {
  const world = await openColleagues()
  const { alice, bob, carol, slack } = world
  const card = await asked(world)
  await bob.opensHome()
  await slack.idle()
  expect(bob.home?.plain).toContain('dave@example.com on container 12')
  expect(JSON.stringify(bob.home?.blocks)).toContain(`/p${card.ts.replace('.', '')}`)
  await carol.opensHome()
  await slack.idle()
  expect(carol.home?.plain).not.toContain('dave@example.com')

  await alice.presses('Approve', card)
  await bob.sees('✅ Granted', bob.dm)
  await bob.opensHome()
  await slack.idle()

  expect(bob.home?.plain).not.toContain('until')
})

// What a followed channel says of troubles that came and went, and to whom.
import { expect, it } from 'vitest'
import type { World } from '../world.ts'
import { followed, openCustomer, opens, passes } from './follow.ts'

const pinged = '<!subteam^S0ONCALL>'

async function refusedMinute(world: World) {
  const refused = world.slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 9 })
  await passes(world)
  await world.slack.idle()
  refused.cancel()
}

it('a card that comes late calls whoever is to be called by then', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { alice, bob, general } = world
  await followed(world, ' call @bob')
  opens(world, 'disk', { message: 'Disk full' })
  await refusedMinute(world)
  await alice.types('/alert follow 12 call @oncall', general)
  await alice.presses('Follow', await alice.sees('in this channel?', general))
  await alice.sees('I follow Customer 1 (12) with alice’s account now.', general)
  for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
  expect((await bob.sees('Disk full', general)).pings).toEqual([pinged])
})

it('a card that comes late says how its alert is, and nothing is told as worse', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  await followed(world)
  const disk = opens(world, 'disk', { message: 'Disk full', severity: 3 })
  await refusedMinute(world)
  disk.hit({ severity: 2 })
  for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
  const card = await bob.sees('🔴 Disk full', general)
  await slack.idle()
  await passes(world)
  await slack.idle()
  expect(card.thread.map(({ plain }) => plain)).toEqual([])
})
it('a call is in the line that stands for a card that Slack does not take', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  await followed(world, ' call @oncall')
  opens(world, 'disk', { severity: 0 })
  slack.trouble.fail('chat.postMessage', { error: 'msg_too_long' })
  await passes(world)
  expect((await bob.sees('One alert can’t be shown', general)).pings).toEqual([pinged])
})

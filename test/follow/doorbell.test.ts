// A webhook of the service rings, and the channel has its alerts at once.
import { request } from 'undici'
import { expect, it } from 'vitest'
import { bobToken } from '../world.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

const publicUrl = 'https://bellhop.example.com'

it('never puts off a look that comes sooner by itself', async () => {
  const env = { PUBLIC_URL: publicUrl, FOLLOW_INTERVAL_SECONDS: '2' }
  const world = await openCustomer({ env })
  const { alice, general, slack } = world
  const own = await followed(world)
  await alice.presses('Get alerts at once', own)
  const told = await alice.sees('Get new alerts of', general)
  const path = /example\.com(\/ring\/\S+)/.exec(told.plain)?.[1] ?? ''
  await passes(world, 3_000)
  await slack.idle()
  await request(`${world.url}${path}`, { method: 'POST', body: '{}' })
  opens(world, 'disk')
  await passes(world, 3_000)
  await slack.idle()
  // Later, the ring’s own look would have it.
  expect(inChannel(alice.messages(general), 'disk is broken')).toHaveLength(1)
})

it('rings for whoever knows the address, and for nobody else', async () => {
  const world = await openCustomer({ env: { PUBLIC_URL: publicUrl } })
  const { alice, bob, general, service } = world
  await world.connect(bob, bobToken)
  const own = await followed(world)
  await bob.presses('Get alerts at once', own)
  await bob.sees('Only alice gets the address', general)
  await alice.presses('Get alerts at once', own)
  const told = await alice.sees('Get new alerts of Customer 1 (12) at once', general)
  expect(told.isEphemeral).toBe(true)
  const address = /https:\/\/bellhop\.example\.com(\/ring\/\S+)/.exec(told.plain)?.[1] ?? ''
  const rings = async (path: string, body = '{}') =>
    (await request(`${world.url}${path}`, { method: 'POST', body })).statusCode
  await world.slack.idle()
  const before = service.requests.length
  world.clock.advance(6_000)

  expect(await rings(`${address}x`)).toBe(202)
  expect(await rings('/ring/T1.abc.def', 'x'.repeat(20_000))).toBe(202)
  await world.slack.idle()
  expect(service.requests.length).toBe(before)
  opens(world, 'disk')
  expect(await rings(address, '{"ks":"<!channel>"}')).toBe(202)
  await bob.sees('disk is broken', general)

  expect(world.log.filter((line) => line.includes(address.slice(-20)))).toEqual([])
  await alice.presses('Get alerts at once', own)
  await alice.sees('Get new alerts', general)
  world.clock.advance(6_000)
  await world.slack.idle()
  const listed = service.requests.length
  expect(await rings(address)).toBe(202)
  await world.slack.idle()
  expect(service.requests.length).toBe(listed)
})

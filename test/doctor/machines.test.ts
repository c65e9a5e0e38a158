// `/alert doctor` in a channel that follows a container: whether its alerts name their machine, and how to get that.
import { request } from 'undici'
import { expect, it } from 'vitest'
import { followed, openCustomer, passes } from '../follow/follow.ts'
import { scrape } from '../metrics/scraped.ts'
import type { World } from '../world.ts'
import { asksDoctor } from './asking.ts'

const env = { PUBLIC_URL: 'https://bellhop.example.com' }

const happens = ({ service }: World, ks: string, assetId: number) =>
  service.addAlert({ ks, message: 'Memory too high', containerId: 12, assetId, severity: 2 })

async function machines(world: World): Promise<string> {
  await world.slack.idle()
  const { plain } = await asksDoctor(world)
  return /. Machines: .*(?:\n→ .*)?/u.exec(plain)?.[0] ?? ''
}

it('says how many are known, whether a webhook says them, and how to get the others', async () => {
  const world = await openCustomer({ env })
  const { alice, bob, general, service, slack } = world
  service.addAsset(34, { name: 'db-03' })
  service.addAsset(35, { name: 'db-04' })
  service.behaves({ hiddenAssets: [35] })
  expect(await machines(world)).toBe('')
  const own = await followed(world)
  expect(await machines(world)).toBe('')

  happens(world, 'a', 34)
  await passes(world)
  await bob.sees('db-03 · CRITICAL', general)
  await slack.idle(200)
  expect(await machines(world)).toBe(
    '🟢 Machines: Bellhop knows it for 1 of 1 open alerts followed here.',
  )

  happens(world, 'b', 35)
  await passes(world)
  await slack.idle(200)
  expect(await machines(world)).toMatch(
    /^🟡 Machines: Bellhop knows it for 1 of 2 .*\.\n→ Press Get alerts at once on/,
  )

  await alice.presses('Get alerts at once', own)
  const { plain } = await alice.sees('Get new alerts of', general)
  const address = `${world.url}${/example\.com(\/ring\/\S+)/.exec(plain)?.[1]}`
  happens(world, 'c', 34)
  for (const [ks, asset] of [
    ['b', 35],
    ['c', 34],
  ] as const)
    await request(address, { method: 'POST', body: JSON.stringify({ ks, asset }) })
  await passes(world)
  await slack.idle(200)
  expect(await machines(world)).toContain('🟡 Machines: Bellhop knows it for 2 of 3')
  expect((await scrape(world.url)).counted('bellhop_places_found_total')).toEqual({
    '{source="search"}': 1,
    '{source="webhook"}': 1,
  })
})

it('says nothing of them where the service has only what is basic', async () => {
  const world = await openCustomer()
  await followed(world)
  happens(world, 'a', 34)
  await passes(world)
  await world.slack.idle()
  await world.restart({ MONITOR_OPERATIONS: 'basic' })
  expect(await machines(world)).toBe('')
})

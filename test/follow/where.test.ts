// On which machine a followed alert is: found by the doorbell's words or by the follow itself, and shown by its cards.
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import type { NewAlert } from '../../playground/monitor/alerts.ts'
import { linkIn } from '../alert/link-in.ts'
import { placeUrl, type World, type WorldOptions } from '../world.ts'
import { followed, openCustomer, passes } from './follow.ts'

const PUBLIC_URL = 'https://bellhop.example.com'
const env = { PUBLIC_URL, MONITOR_ALERT_URL: placeUrl }
const told = 'CRITICAL: db-03: Memory usage of C: too high'

/** Container 12 has web-01 (33), db-03 (34) and db-04 (35), of which #general hears; nothing is open there. */
async function open(options: WorldOptions = {}) {
  const world = await openCustomer({ ...options, env: { ...env, ...options.env } })
  for (const [id, name] of [
    [33, 'web-01'],
    [34, 'db-03'],
    [35, 'db-04'],
  ] as const)
    world.service.addAsset(id, { name })
  const own = await followed(world)
  return { world, own, ...world }
}

/** Something happens on a machine of container 12. Default: db-03 (34). */
function happens({ service }: World, more: Partial<NewAlert> = {}) {
  const message = 'Memory usage of C: too high'
  return service.addAlert({
    ks: 'mem',
    message,
    containerId: 12,
    assetId: 34,
    severity: 2,
    ...more,
  })
}

/** The path of a doorbell for the follow in #general. */
async function bellOf(
  { alice, general, slack }: World,
  own: Parameters<World['alice']['presses']>[1],
) {
  await alice.presses('Get alerts at once', own)
  const shown = await alice.sees('Get new alerts of', general)
  await slack.idle()
  return /example\.com(\/ring\/\S+)/.exec(shown.plain)?.[1] ?? ''
}

async function rings({ url }: World, path: string, body: string) {
  return (await request(`${url}${path}`, { method: 'POST', body })).statusCode
}

const assetReads = ({ service }: World, from = 0) =>
  service.requests.slice(from).filter(({ path }) => /^\/asset\/\d+\/alerts$/.test(path))
const listReads = ({ service }: World) =>
  service.requests.filter(({ path }) => path === '/container/12/assets').length

describe('a card that comes by a follow', () => {
  it('says which machine it’s about once the follow has found it, and is drawn once for that', async () => {
    const { world, bob, general, slack } = await open()
    happens(world)

    await passes(world)

    const card = await bob.sees('db-03 · CRITICAL', general)
    await slack.idle()
    expect(linkIn(card)).toContain('/container/12/asset/34/alert?alert=')
    expect(assetReads(world).length).toBeLessThanOrEqual(3)
    const drawn = slack.calls.filter(({ method }) => method === 'chat.update').length
    await passes(world)
    await passes(world)
    await slack.idle()
    expect(slack.calls.filter(({ method }) => method === 'chat.update')).toHaveLength(drawn)
    expect(listReads(world)).toBe(1)
    expect(assetReads(world).length).toBeLessThanOrEqual(3)
  })

  it('says so in its notification where the webhook has said it', async () => {
    const { world, own, alice, general } = await open()
    const bell = await bellOf(world, own)
    world.clock.advance(6_000)
    happens(world)
    const body = { ks: 'mem', asset: 34, condition: 5, time: 1_700_000_000, container: 99 }

    expect(await rings(world, bell, JSON.stringify(body))).toBe(202)

    const card = await alice.sees('db-03 · CRITICAL', general)
    expect(card.text).toContain(told)
    expect(card.isEdited).toBe(false)
    expect(linkIn(card)).toContain('/container/12/asset/34/alert?condition=5&alert=')
    expect(assetReads(world)).toHaveLength(1)
  })
})

describe('a hint of the doorbell', () => {
  it.each([
    ['lies', '{"ks": "mem", "asset": 33}'],
    ['is no JSON', '{"ks": "mem", "asset": }'],
    ['is about nothing that is open', '{"ks": "<!channel>", "asset": 34}'],
    ['is huge', JSON.stringify({ ks: 'mem', asset: 34, more: 'x'.repeat(20_000) })],
    ['is empty', '{}'],
  ])('that %s rings, and is believed in nothing', async (_, body) => {
    const { world, own, bob, general, service } = await open()
    const bell = await bellOf(world, own)
    world.clock.advance(6_000)
    happens(world)
    const before = service.requests.length

    expect(await rings(world, bell, body)).toBe(202)

    await bob.sees('Memory usage of C', general)
    const card = await bob.sees('db-03 · CRITICAL', general)
    expect(card.text).not.toContain('web-01')
    expect(
      assetReads(world, before).filter(({ path }) => path.includes('/33/')).length,
    ).toBeLessThan(2)
  })

  it('makes no request, and fifty before one look cost no more than one', async () => {
    const { world, own, bob, general, service } = await open()
    const bell = await bellOf(world, own)
    await passes(world)
    await world.slack.idle()
    const before = service.requests.length
    happens(world)

    for (let at = 0; at < 50; at += 1)
      await rings(world, bell, JSON.stringify({ ks: at % 2 ? 'mem' : `k${at}`, asset: 34 }))
    expect(service.requests.slice(before)).toEqual([])
    await passes(world, 6_000)

    const card = await bob.sees('db-03 · CRITICAL', general)
    expect(card.text).toContain(told)
    expect(card.isEdited).toBe(false)
    await world.slack.idle()
    expect(assetReads(world, before)).toHaveLength(1)
  })

  it('stays with a follow that nobody carries, or whose looks fail', async () => {
    const { world, own, alice, bob, general, service } = await open()
    const bell = await bellOf(world, own)
    service.trouble.answer(500, { only: { path: /^\/container\/12\/alerts$/ } })
    await passes(world)
    await world.slack.idle()
    happens(world)
    await rings(world, bell, '{"ks": "mem", "asset": 34}')
    await world.restart()
    service.trouble.clear()
    await passes(world, 11 * 60_000)

    const card = await bob.sees('db-03 · CRITICAL', general)
    expect(card.text).toContain(told)
    expect(card.isEdited).toBe(false)
    expect(alice.messages(general).length).toBeGreaterThan(2)
  })
})

describe('where a followed alert is', () => {
  it('is no longer looked for where somebody’s link has shown it', async () => {
    const { world, alice, bob, general, service } = await open()
    happens(world)
    await alice.types(`/alert ${service.linkOf('mem')} private`, general)
    await alice.sees(/db-03 · CRITICAL[\s\S]*Share in channel/, general)
    await world.slack.idle()
    const before = service.requests.length

    await passes(world)

    const card = await bob.sees('db-03 · CRITICAL', general)
    expect(card.isEdited).toBe(false)
    await passes(world)
    await world.slack.idle()
    expect(assetReads(world, before)).toEqual([])
  })

  it('is believed of a name in its message once that machine has it, and not of one that hasn’t', async () => {
    const { world, bob, general } = await open()
    const message = 'web-01 can’t reach db-04'
    happens(world, { ks: 'net', message, assetId: 35 })

    await passes(world)

    const card = await bob.sees('db-04 · CRITICAL', general)
    await world.slack.idle()
    expect(card.text).not.toContain('web-01:')
  })

  it('is shown by name only where the carrier’s token shows the machine', async () => {
    const { world, bob, general, service } = await open()
    service.behaves({ hiddenAssets: [34] })
    happens(world)

    await passes(world)

    const card = await bob.sees('Memory usage of C', general)
    await passes(world)
    await world.slack.idle()
    expect(card.plain).toMatch(/\nCRITICAL · opened/)
    expect(card.plain).not.toContain('db-03')
  })

  it('has the name that the machine has by now, also where another is called the same', async () => {
    const { world, alice, bob, general, service } = await open()
    const alert = happens(world)
    await passes(world)
    const card = await bob.sees('db-03 · CRITICAL', general)
    await world.slack.idle()
    service.addAsset(34, { name: 'db-04' })
    world.clock.advance(11 * 60_000)
    alert.hit({ message: 'Memory usage of D: too high' })

    await passes(world)

    await bob.sees(/Memory usage of D[\s\S]*db-04 · CRITICAL/, general)
    await alice.presses('Refresh', card)
    expect(card.plain).toContain('db-04 · CRITICAL')
  })

  it('is in the message of a storm once it is found, and stays there after a restart', async () => {
    const { world, bob, general } = await open()
    for (let at = 0; at < 6; at += 1) happens(world, { ks: `mem ${at}` })
    await passes(world)
    const storm = await bob.sees('6 new alerts in Customer 1 (12)', general)
    await passes(world)
    await bob.sees('🔴 CRITICAL · db-03 · Memory usage of C: too high', general)
    await world.slack.idle()
    const before = world.service.requests.length

    await world.restart()
    await passes(world)
    await world.slack.idle()

    expect(storm.plain).toContain('db-03 · Memory')
    expect(assetReads(world, before)).toEqual([])
  })
})

it('a look makes twenty reads and one list at most, whatever changes, and finds every machine in the end', async () => {
  const { world, service, slack, general, alice } = await open()
  for (let id = 100; id < 300; id += 1) service.addAsset(id, { name: `host-${id}` })
  const isRead = ({ path }: { readonly path: string }) => /^\/(alert|asset)\//.test(path)
  const costs: number[] = []
  async function looks(ms?: number): Promise<void> {
    const before = service.requests.length
    const looked = service.requests.filter(({ path }) => path === '/container/12/alerts').length
    await passes(world, ms)
    await world.serviceWasAsked('/container/12/alerts', looked + 1)
    await slack.idle(20)
    costs.push(service.requests.slice(before).filter(isRead).length)
  }
  const alerts: ReturnType<typeof happens>[] = []
  for (let round = 0; round < 6; round += 1) {
    for (const at of [0, 1, 2, 3].map((one) => 4 * round + one))
      alerts.push(happens(world, { ks: `m${at}`, assetId: 299 - at, message: `${at} is full` }))
    // So many get a card each.
    await looks(11 * 60_000)
  }
  const [searched, lists] = [assetReads(world).length, listReads(world)]
  for (let minute = 0; minute < 3; minute += 1) {
    for (const alert of alerts) alert.hit({ message: `${alert.ks} is full: ${minute}` })
    await looks()
  }
  // Changes come first, and take all that there is.
  expect(assetReads(world)).toHaveLength(searched)
  for (let minute = 0; minute < 20; minute += 1) await looks()

  const quiet = costs.slice(-18)
  expect(quiet.reduce((sum, cost) => sum + cost, 0)).toBeLessThanOrEqual(20 * quiet.length)
  expect(listReads(world) - lists).toBeLessThan(5)
  await alice.types('/alert open 12', general)
  const list = await alice.sees('24 open in', general)
  expect(list.plain.match(/host-\d+/g)).toHaveLength(20)
  const cards = alice.messages(general).filter(({ plain }) => /is full.*\nhost-/.test(plain))
  expect(cards).toHaveLength(24)
}, 60_000)

it('cards that are drawn again for their machine are among the twenty reads of a look', async () => {
  const { world, service, slack, bob, general } = await open()
  for (let id = 100; id < 110; id += 1) service.addAsset(id, { name: `host-${id}` })
  const unread = service.trouble.answer(403, { only: { path: /^\/asset\/\d+\/alerts$/ } })
  for (let round = 0; round < 10; round += 1) {
    for (let one = 0; one < 4; one += 1)
      happens(world, {
        ks: `m${4 * round + one}`,
        assetId: 100 + round,
        message: `${4 * round + one} is full`,
      })
    await passes(world, 11 * 60_000)
    await bob.sees(`${4 * round + 3} is full`, general)
    await slack.idle()
  }
  unread.cancel()
  const before = service.requests.length

  await passes(world)
  await bob.sees(/is full\nhost-/, general)
  await slack.idle(20)

  const reads = service.requests.slice(before).filter(({ path }) => /^\/(alert|asset)\//.test(path))
  expect(reads.length).toBeLessThanOrEqual(20)
})

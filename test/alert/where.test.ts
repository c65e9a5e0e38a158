// Which machine an alert is on: its name is shown where the token that reads shows it, and kept nowhere.
import { describe, expect, it } from 'vitest'
import { scrape } from '../metrics/scraped.ts'
import { bobToken, openWorld, placeUrl, type WorldOptions } from '../world.ts'
import { linkIn } from './link-in.ts'

const memory = {
  ks: 'mem',
  message: 'Memory usage of C: too high',
  severity: 2,
  timestamp: 1_700_000_000,
  containerId: 12,
  assetId: 34,
}

/** Its machine is db-03, unless said otherwise. */
async function open({ name = 'db-03', ...options }: WorldOptions & { name?: string } = {}) {
  const world = await openWorld({
    ...options,
    env: { MONITOR_ALERT_URL: placeUrl, ...options.env },
  })
  const { service } = world
  service.addContainer(12, { name: 'Customer 1' })
  const alert = service.addAlert(memory)
  service.addAsset(34, { name })
  return { ...world, world, alert, link: service.linkOf('mem') }
}

describe('the card of a link', () => {
  it('says on which machine its alert is, in the notification first', async () => {
    const { world, alice, bob, general, link, alert } = await open()

    await alice.types(`/alert ${link}`, general)

    const card = await bob.sees('db-03 · CRITICAL', general)
    const found = (await scrape(world.url)).counted('bellhop_places_found_total')
    expect(found).toEqual({ '{source="link"}': 1 })
    expect(card.text).toContain('CRITICAL: db-03: Memory usage of C: too high')
    expect(card.text.match(/db-03/g)).toHaveLength(1)
    expect(linkIn(card)).toBe(link)
    alert.close()
    await alice.presses('Refresh', card)
    await bob.sees(/db-03 · Closed/, general)
  })

  it('leaves out a name that the reader’s token doesn’t show, and keeps none', async () => {
    const { world, alice, bob, general, service, link } = await open()
    await world.connect(bob, bobToken)
    await alice.types(`/alert ${link}`, general)
    const card = await bob.sees('db-03 · CRITICAL', general)
    service.trouble.answer(403, { only: { path: /^\/asset\/34$/ } })

    await bob.presses('Refresh', card)

    await alice.sees('refreshed by bob', general)
    expect(card.plain).not.toContain('db-03')
    expect(card.text).toContain('CRITICAL: Memory')
    expect(linkIn(card)).toBe(link)
    await alice.presses('Refresh', card)
    await bob.sees('db-03 · CRITICAL', general)
    expect(world.databaseBytes().includes('db-03')).toBe(false)
  })

  it('knows the place after a restart, and the name by reading it again', async () => {
    const { world, alice, bob, general, service, link } = await open()
    await alice.types(`/alert ${link}`, general)
    const card = await bob.sees('db-03 · CRITICAL', general)
    await world.slack.idle()
    await world.restart()
    service.addAsset(34, { name: 'db-03b' })

    await alice.presses('Refresh', card)

    await bob.sees('db-03b · CRITICAL', general)
    await alice.types('/alert mem private', general)
    const own = await alice.sees(/db-03b · CRITICAL[\s\S]*Share in channel/, general)
    expect(linkIn(own)).toBe(link)
  })

  it.each([
    ['pings', '@channel <!here> <@U1>', /@channel <!here> <@U1> · CRITICAL/],
    ['is markup', '*b* `c` :fire:', /\*b\* `c` :fire: · CRITICAL/],
    ['has 300 characters', 'x'.repeat(300), /\nx{30,118} … · CRITICAL/],
    ['is empty', '  ', /\nCRITICAL/],
  ])('takes a name that %s as it is, and pings nobody', async (_, name, shown) => {
    const { alice, bob, general, link } = await open({ name })

    await alice.types(`/alert ${link}`, general)

    const card = await bob.sees(shown, general)
    expect(card.pings).toEqual([])
  })

  it('names the machine once in a notification and a list whose alert names it as well', async () => {
    const { alice, bob, general, link, alert } = await open()
    alert.hit({ message: 'db-03: memory is full' })

    await alice.types(`/alert ${link}`, general)

    const card = await bob.sees('db-03 · CRITICAL', general)
    expect(card.text).toContain('CRITICAL: db-03: memory is full')
    expect(card.text.match(/db-03/g)).toHaveLength(1)
    await alice.types('/alert open 12', general)
    await alice.sees('🔴 CRITICAL · db-03: memory is full', general)
  })
})

describe('the preview of a link', () => {
  it('says on which machine its alert is, but not where another organisation reads', async () => {
    const { alice, bob, general, clock, link } = await open({ name: '*db-03*' })

    alice.says(`Look: ${link}`, general)

    const unfurl = await bob.seesUnfurl('CRITICAL', await bob.sees('Look:', general))
    expect(unfurl.plain.split('\n').slice(0, 2)).toEqual([
      '🔴 Memory usage of C: too high',
      '*db-03*',
    ])
    expect(unfurl.unfurl.attachment.fallback).toContain('CRITICAL: *db-03*: Memory')
    clock.advance(11 * 60_000)
    general.isShared = true
    alice.says(`Again: ${link}`, general)
    const shared = await bob.seesUnfurl('CRITICAL', await bob.sees('Again:', general))
    expect(shared.plain).not.toContain('db-03')
  })
})

describe('/alert open', () => {
  it('has the machine of each alert whose place is known, and of no other', async () => {
    const { alice, bob, general, service, link } = await open()
    service.addAlert({ ...memory, ks: 'cpu', message: 'CPU is busy', assetId: 35 })
    await alice.types(`/alert ${link}`, general)
    await bob.sees('db-03 · CRITICAL', general)

    await alice.types('/alert open 12', general)

    const list = await alice.sees('2 open in', general)
    expect(list.plain).toContain('🔴 CRITICAL · db-03 · Memory usage of C: too high')
    expect(list.plain).toContain('🔴 CRITICAL · CPU is busy')
    await alice.presses('Show in channel', list)
    await bob.sees(/as of[\s\S]*CRITICAL · db-03 · Memory/, general)
  })
})

it('MONITOR_OPERATIONS=basic asks for no machine, and shows none', async () => {
  const { world, alice, bob, general, service, link } = await open()
  await alice.types(`/alert ${link}`, general)
  await bob.sees('db-03 · CRITICAL', general)
  await world.slack.idle()
  await world.restart({ MONITOR_OPERATIONS: 'basic' })
  const before = service.requests.length

  await alice.types('/alert mem private', general)

  const card = await alice.sees(/Memory usage[\s\S]*Share in channel/, general)
  expect(card.plain).not.toContain('db-03')
  expect(service.requests.slice(before).map(({ path }) => path)).toEqual(['/alert/mem'])
})

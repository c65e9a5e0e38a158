// Maintenance wherever somebody looks: its own list, open alerts, cards; and the books: audit trail, figures, doctor.
import { describe, expect, it } from 'vitest'
import { trailOf } from '../audit/read.ts'
import { asksDoctor } from '../doctor/asking.ts'
import { followed } from '../follow/follow.ts'
import { scrape } from '../metrics/scraped.ts'
import { bobToken, type World } from '../world.ts'
import { begun, hour, mayManage, minute, openMachines, passesBy, writes } from './maintenance.ts'

const happens = ({ service }: World, ks: string, assetId = 34) =>
  service.addAlert({ ks, message: `${ks} is broken`, containerId: 12, assetId, severity: 2 })

describe('/alert maintenance 12', () => {
  it('lists what has no known end first, then the disabled, then what ends, each that can be ended with a button', async () => {
    const world = await openMachines()
    const { alice, ops, service } = world
    await begun(world, '12/34 for 1h')
    await begun(world, '12 for 2h')
    service.addAsset(40, { name: 'old-nas', mode: 'disabled' })
    service.addAsset(41, { name: 'web-17', mode: 'maintenance' })

    await alice.types('/alert maintenance 12', ops)

    const list = await alice.sees('In maintenance in Customer 1 (12)', ops)
    expect(list.plain).toMatch(
      /web-17 · monitoring doesn’t say until when[\s\S]*old-nas · disabled: changed in monitoring[\s\S]*db-03 · until .*, by Alice Archer[\s\S]*Customer 1 \(12\) · until .*, by Alice Archer/,
    )
    expect(list.buttons.filter((label) => label === 'End maintenance')).toHaveLength(3)
    await alice.presses('End maintenance', list)
    await alice.sees('✅ web-17 is monitored again.', ops)
    expect(service.modeOf('asset/41').mode).toBe('normal')
  })

  it('shows twenty, and then the rest in their place', async () => {
    const world = await openMachines()
    const { alice, ops, service } = world
    for (let at = 100; at < 123; at += 1)
      service.addAsset(at, { name: `host-${at}`, mode: 'maintenance' })
    await alice.types('/alert maintenance 12', ops)
    const list = await alice.sees('In maintenance in Customer 1 (12)', ops)
    expect(list.plain.match(/host-/g)).toHaveLength(20)

    await alice.presses('Show more', list)

    await expect.poll(() => list.plain.match(/host-/g)).toHaveLength(3)
    expect(list.plain).toContain('host-100')
  })

  it('says what is late', async () => {
    const world = await openMachines()
    const { alice, ops, service, clock } = world
    await begun(world)
    service.setMode('asset/34', { mode: 'maintenance' })
    clock.advance(3 * hour)

    await alice.types('/alert maintenance 12', ops)

    await alice.sees(/db-03 · should have ended at .*, by Alice Archer/, ops)
  })

  it('is refused where the container can’t be read', async () => {
    const { alice, ops } = await openMachines()
    await alice.types('/alert maintenance 99', ops)
    await alice.sees('monitoring knows no container 99, or doesn’t show it to you', ops)
  })
})

describe('/alert open', () => {
  it.each(['12/34', '12'])('marks what is in maintenance: %s', async (target) => {
    const world = await openMachines()
    const { alice, ops, service, slack } = world
    await followed(world)
    happens(world, 'mem')
    happens(world, 'web', 33)
    await passesBy(world, 66_000, 66_000)
    await begun(world, `${target} for 1h`)

    await alice.types('/alert open 12', ops)

    const list = await alice.sees('mem is broken', ops)
    await slack.idle()
    const marked = list.plain.match(/🔧 in maintenance/g)
    expect(marked).toHaveLength(target === '12' ? 2 : 1)
    service.setMode(`container/12`, { mode: 'normal' })
    service.setMode(`asset/34`, { mode: 'normal' })
    await passesBy(world, 11 * minute)
    await alice.types('/alert open 12', ops)
    await slack.idle()
    expect(alice.messages(ops).at(-1)?.plain).not.toContain('🔧')
  })
})

describe('a card', () => {
  it('that is watched where nobody follows: its line comes and goes by itself', async () => {
    const world = await openMachines()
    const { alice, bob, general, service } = world
    happens(world, 'mem')
    // Her token has shown the whole list, which is older then.
    await alice.types('/alert maintenance 12', general)
    await alice.types(`/alert ${service.linkOf('mem')} watch`, general)
    const card = await bob.sees('mem is broken', general)

    service.setMode('asset/34', { mode: 'maintenance' })
    await passesBy(world, ...Array.from({ length: 13 }, () => 66_000))
    await expect
      .poll(() => card.plain)
      .toContain('🔧 db-03 is in maintenance; monitoring doesn’t say until when')

    service.setMode('asset/34', { mode: 'normal' })
    await passesBy(world, ...Array.from({ length: 13 }, () => 66_000))
    await expect.poll(() => card.plain).not.toContain('🔧')
  })

  it('of a colleague’s follow never says that it should have ended once it has', async () => {
    const world = await openMachines()
    const { alice, bob, general, slack } = world
    await followed(world)
    happens(world, 'mem')
    await passesBy(world, 66_000, 66_000)
    const card = await bob.sees(/mem is broken/, general)
    mayManage(world, bobToken, 'bob', 8)
    await world.connect(bob, bobToken)
    await bob.types('/alert maintenance 12/34 for 30m', general)
    await bob.presses('Start maintenance', await bob.sees(/^Put db-03/, general))
    await passesBy(world, minute, minute)
    await expect.poll(() => card.plain).toContain('🔧 db-03 is in maintenance until')
    const said: string[] = []
    slack.onChange(() => said.push(card.plain))

    await passesBy(world, 20 * minute, ...Array.from({ length: 9 }, () => minute + 1))
    await alice.sees('✅ db-03 is monitored again', general)
    await passesBy(world, minute, minute)

    await expect.poll(() => card.plain).not.toContain('🔧')
    expect(said.filter((plain) => plain.includes('should have ended'))).toEqual([])
  })

  it('in a storm: at most twenty are read for it in a look, and all say so in the end', async () => {
    const world = await openMachines()
    const { bob, general, service } = world
    await followed(world)
    for (let at = 0; at < 30; at += 5) {
      for (let one = at; one < at + 5; one += 1) happens(world, `k${one}`)
      await passesBy(world, 66_000, 10 * minute)
    }
    const cards = () =>
      bob.messages(general).filter(({ plain }) => /^.* k\d+ is broken/.test(plain))
    expect(cards()).toHaveLength(30)
    await passesBy(world, ...Array.from({ length: 6 }, () => 66_000))

    await begun(world, '12/34 for 4h')

    const reads = () => service.requests.filter(({ path }) => /^\/alert\/k\d+$/.test(path)).length
    const most: number[] = []
    for (let look = 0; look < 6; look += 1) {
      const before = reads()
      await passesBy(world, 66_000)
      most.push(reads() - before)
    }
    expect(Math.max(...most)).toBeLessThan(21)
    await expect.poll(() => cards().filter(({ plain }) => plain.includes('🔧'))).toHaveLength(30)
  })
})

it('the trail, figures and doctor say what was set, and what should have ended', async () => {
  const world = await openMachines({ isAliceAdmin: true })
  const { alice, ops, service, url } = world
  const told = await begun(world)
  service.setMode('asset/34', { mode: 'maintenance' })
  await passesBy(world, 2 * hour + minute, 4 * minute)
  expect((await scrape(url)).of('bellhop_maintenance_overdue')).toBe(0)

  await passesBy(world, 10 * minute, minute)

  await expect.poll(async () => (await scrape(url)).of('bellhop_maintenance_overdue')).toBe(1)
  const doctor = await asksDoctor(world)
  expect(doctor.plain).toContain(
    'Maintenance should have ended, and nothing shows that it has (1).',
  )
  await alice.presses('End maintenance', told)
  await alice.sees('✅ db-03 is monitored again.', ops)
  await world.slack.idle()
  await expect.poll(async () => (await scrape(url)).of('bellhop_maintenance_overdue')).toBe(0)
  const lines = (await trailOf(world)).filter(({ act }) => act === 'set-mode')
  expect(lines).toMatchObject([
    { containerId: 12, asset: 34, mode: 'maintenance', outcome: 'done' },
    { containerId: 12, asset: 34, mode: 'normal', outcome: 'done' },
  ])
  expect(lines.map((line) => 'until' in line && line.until !== undefined)).toEqual([true, false])
  const acts = (await scrape(url)).counted('bellhop_acts_total')
  expect(acts).toEqual({ '{kind="set-mode",verdict="done",told="at_once"}': 2 })
  expect(writes(world)).toHaveLength(2)
})

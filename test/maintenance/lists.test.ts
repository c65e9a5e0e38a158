// Maintenance wherever somebody looks: its own list, open alerts, cards; and the trail, figures and doctor.
import { expect, it } from 'vitest'
import { trailOf } from '../audit/read.ts'
import { asksDoctor } from '../doctor/asking.ts'
import { followed } from '../follow/follow.ts'
import { scrape } from '../metrics/scraped.ts'
import {
  asked,
  begun,
  happens,
  hour,
  minute,
  openMachines,
  passesBy,
  quiet,
  writes,
} from './maintenance.ts'

const title = 'In maintenance in Customer 1 (12)'
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms)

it('its list has what has no known end first, then the disabled, then what ends; all but those with a button', async () => {
  const world = await openMachines()
  const { alice, ops, service } = world
  await begun(world, '12/34 for 1h')
  await begun(world, '12 for 2h')
  service.addAsset(40, { name: 'old-nas', mode: 'disabled' })
  service.addAsset(41, { name: 'web-17', mode: 'maintenance' })

  const list = await asked(world, '12', title)

  const rows = list.plain.split('\n').filter((row) => row.includes(' · '))
  expect(rows.map((row) => row.replace(/\d{4}-.* UTC/, 'then'))).toEqual([
    'web-17 · monitoring doesn’t say until when',
    'old-nas · disabled: changed in monitoring',
    'db-03 · until then, by Alice Archer',
    'Customer 1 (12) · until then, by Alice Archer',
  ])
  expect(list.buttons).toEqual(times(3, 0).map(() => 'End maintenance'))
  await alice.presses('End maintenance', list)
  await alice.sees('✅ web-17 is monitored again.', ops)
  service.setMode('asset/34', { mode: 'maintenance' })
  world.clock.advance(3 * hour)
  expect((await asked(world, '12', title)).plain).toMatch(/db-03 · should have ended .*, by Alice/)
})

it('its list shows twenty, and then the rest in their place', async () => {
  const world = await openMachines()
  for (let at = 100; at < 123; at += 1) world.service.addAsset(at, { mode: 'maintenance' })
  const list = await asked(world, '12', title)
  const shown = () => list.plain.match(/ · monitoring/g)
  expect(shown()).toHaveLength(20)
  await world.alice.presses('Show more', list)
  await expect.poll(shown).toHaveLength(3)
})

it.each([
  ['12/34 for 1h', 1],
  ['12 for 1h', 2],
])('/alert open marks what is in maintenance: %s', async (line, count) => {
  const world = await openMachines()
  const { alice, ops, slack } = world
  await followed(world)
  happens(world, 'web', 33)
  await passesBy(world, 66_000, 66_000)
  await begun(world, line)
  const marks = async () => {
    await alice.types('/alert open 12', ops)
    await slack.idle()
    return (
      alice
        .messages(ops)
        .at(-1)
        ?.plain.match(/🔧 in maintenance/g)?.length ?? 0
    )
  }
  expect(await marks()).toBe(count)
  await passesBy(world, hour, minute)
  expect(await marks()).toBe(0)
})

it('a card that is watched where nobody follows says so, and no more, by itself', async () => {
  const world = await openMachines()
  const { alice, bob, general, service } = world
  // Her token has shown the whole list, and all of it in maintenance, which is older then.
  service.setMode('container/12', { mode: 'maintenance', duration: 5 })
  await asked(world, '12', title)
  await alice.types(`/alert ${service.linkOf('mem 1')} watch`, general)
  const card = await bob.sees('mem 1 is full', general)
  service.setMode('asset/34', { mode: 'maintenance' })
  await passesBy(world, ...times(12, 66_000))
  await expect
    .poll(() => card.plain)
    .toContain('🔧 db-03 is in maintenance; monitoring doesn’t say')
  service.setMode('asset/34', { mode: 'normal' })
  await passesBy(world, ...times(12, 66_000))
  await expect.poll(() => card.plain).not.toContain('🔧')
})

it('thirty cards of one machine: twenty say so at once, and the others a minute later', async () => {
  const world = await openMachines()
  const { alice, bob, general } = world
  await followed(world)
  for (let at = 0; at < 30; at += 1) {
    happens(world, `k${at}`)
    if (at % 5 === 4) await passesBy(world, 66_000, 10 * minute)
  }
  const cards = () => bob.messages(general).filter(({ plain }) => /^.* k\d+ is full/.test(plain))
  const shown = () => cards().filter(({ plain }) => plain.includes('🔧'))
  await passesBy(world, ...times(6, 66_000))

  await alice.presses('Start maintenance', await asked(world, '12/34 for 4h'))

  await expect.poll(shown).toHaveLength(20)
  await world.slack.idle()
  expect(shown()).toHaveLength(20)
  await passesBy(world, ...times(2, 66_000))
  await expect.poll(shown).toHaveLength(30)
})

it('the trail, figures and doctor say what was set, and what should have ended', async () => {
  const { world, alice, ops, service, url } = await quiet()
  const late = async () => (await scrape(url)).of('bellhop_maintenance_overdue')
  service.setMode('asset/34', { mode: 'maintenance' })
  await passesBy(world, 2 * hour, 4 * minute)
  expect(await late()).toBe(0)
  await passesBy(world, 10 * minute)
  await expect.poll(late).toBe(1)
  const doctor = await asksDoctor(world)
  expect(doctor.plain).toContain('Maintenance should have ended, and nothing shows that it has (1)')

  await alice.presses('End maintenance', await asked(world, '12/34 off', 'it should have ended'))

  await alice.sees('✅ db-03 is monitored again.', ops)
  await expect.poll(late).toBe(0)
  const lines = (await trailOf(world)).filter(({ act }) => act === 'set-mode')
  const about = { containerId: 12, asset: 34, outcome: 'done' }
  expect(lines).toMatchObject([
    { ...about, mode: 'maintenance', until: expect.any(Number) },
    { ...about, mode: 'normal' },
  ])
  const acts = (await scrape(url)).counted('bellhop_acts_total')
  expect(acts).toEqual({ '{kind="set-mode",verdict="done",told="at_once"}': 2 })
  expect(writes(world)).toHaveLength(2)
})

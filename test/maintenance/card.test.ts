// *Maintenance…* on a card: the form is the question, and what is known comes into it.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import { bobToken, type World, type WorldOptions } from '../world.ts'
import { begun, hour, minute, openMachines, passesBy, saying, writes } from './maintenance.ts'

const label = 'Maintenance…'

/** Alice has the card of an alert on db-03. */
async function carded(options: WorldOptions & { manner?: string; channel?: Channel } = {}) {
  const { manner = '', ...others } = options
  const world = await openMachines(others)
  const { alice, general, service, slack } = world
  const mem = { ks: 'mem', message: 'Memory', containerId: 12, assetId: 34, severity: 2 }
  const alert = service.addAlert(mem)
  await alice.types(`/alert ${service.linkOf('mem')}${manner}`, general)
  const card = await alice.sees(/Memory/, general)
  await slack.idle()
  return { ...world, world, alert, card }
}

/** The form with all that comes into it. */
async function opened(
  { alice, bob, slack, card }: Awaited<ReturnType<typeof carded>>,
  isBob = false,
) {
  const who = isBob ? bob : alice
  await who.presses(label, card)
  const form = await who.seesModal('Maintenance')
  await slack.idle()
  return form
}

const threadOf = ({ thread }: { thread: readonly { plain: string }[] }) =>
  thread.map(({ plain }) => plain).join('\n')

describe('the form', () => {
  it('opens before monitoring has answered, then has name, container and number of machines', async () => {
    const all = await carded()
    const { alice, service, card, slack } = all
    const letGo = service.trouble.hold({ only: { method: 'GET', path: /^\/asset\/34$/ } })

    await alice.presses(label, card)

    const form = await alice.seesModal('Maintenance')
    expect(form.choices('What')).toEqual(['db-03'])
    expect(form.submitLabel).toBe('Start maintenance')
    letGo()
    await expect
      .poll(() => form.choices('What'))
      .toEqual(['db-03', 'All of Customer 1 (12): its 3 machines'])
    expect(form.choices('For how long')).toEqual([
      '30 minutes',
      '1 hour',
      '2 hours',
      '4 hours',
      '8 hours',
    ])
    expect(form.values['For how long']).toBe('1 hour')
    expect(form.plain).toContain('Channels that follow Customer 1 (12) will hear of it')
    expect(slack.calls.filter(({ method }) => method === 'views.open')).toHaveLength(1)
  })

  it('starts it, for the length that was chosen, and the card’s thread hears', async () => {
    const all = await carded()
    const { alice, bob, card, general } = all
    await opened(all)

    await alice.submits({ fields: { 'For how long': '30 minutes' } })

    await alice.sees(/^🔧 db-03 is in maintenance until/, general)
    await bob.sees('🔧 Alice Archer put db-03 in maintenance until', card)
    expect(writes(all)).toEqual([
      { path: '/asset/34/mode', body: { mode: 'maintenance', duration: 30 } },
    ])
    await passesBy(all, 31 * minute + 1)
    await bob.sees('✅ db-03 is monitored again', card)
    await bob.doesNotSee('Put db-03', general)
  })

  it('starts it for the whole container', async () => {
    const all = await carded()
    await opened(all)

    await all.alice.submits({ fields: { What: 'All of Customer 1 (12): its 3 machines' } })

    await all.bob.sees('put Customer 1 (12) in maintenance', all.card)
    expect(writes(all).map(({ path }) => path)).toEqual(['/container/12/mode'])
  })

  it('says “all its machines” where their list can’t be read', async () => {
    const all = await carded()
    all.service.trouble.answer(403, { only: { method: 'GET', path: /^\/container\/12\/assets/ } })

    const form = await opened(all)

    expect(form.choices('What')).toContain('All of Customer 1 (12): all its machines')
  })

  it('submitted before monitoring has answered, and after a restart, starts it once', async () => {
    const all = await carded()
    const { world, alice, card, service, general } = all
    const letGo = service.trouble.hold({ only: { method: 'GET', path: /^\/asset\/34$/ } })
    await alice.presses(label, card)
    await alice.seesModal('Maintenance')
    letGo()
    await world.restart()

    await Promise.all([alice.submits(), alice.submits().catch(() => undefined)])

    await alice.sees('🔧 db-03 is in maintenance until', general)
    await all.slack.idle()
    expect(writes(world)).toHaveLength(1)
  })

  it.each<[string, (world: World) => unknown, RegExp]>([
    [
      'in maintenance already',
      ({ service }) => service.setMode('asset/34', { mode: 'maintenance' }),
      /🔧 db-03 is in maintenance; monitoring doesn’t say until when/,
    ],
    [
      'disabled',
      ({ service }) => service.setMode('asset/34', { mode: 'disabled' }),
      /db-03 is disabled, which is changed in monitoring/,
    ],
    [
      'not there',
      ({ service }) =>
        service.trouble.answer(404, { only: { method: 'GET', path: /^\/asset\/34$/ } }),
      /monitoring knows no db-03, or doesn’t show it to you/,
    ],
    [
      'not answered for',
      ({ service }) =>
        service.trouble.answer(503, { only: { method: 'GET', path: /^\/asset\/34$/ } }),
      /Monitoring is busy or has a fault. Nothing was changed/,
    ],
  ])('has nothing to start where the machine is %s', async (_, happens, words) => {
    const all = await carded()
    happens(all)

    const form = await opened(all)

    await expect.poll(() => form.plain).toMatch(words)
    expect(form.submitLabel).toBeUndefined()
    expect(writes(all)).toEqual([])
  })

  it('ends what is on', async () => {
    const all = await carded()
    await begun(all)
    const form = await opened(all)
    await expect.poll(() => form.buttons).toContain('End maintenance')

    await all.alice.presses('End maintenance', form)

    await expect.poll(() => all.service.modeOf('asset/34').mode).toBe('normal')
    await all.slack.idle()
    const told = [all.general, all.alice.dm].flatMap((place) =>
      saying(all.alice, place, '✅ db-03'),
    )
    expect(told.length).toBeGreaterThan(0)
  })

  it('for want of a flag offers Ask in thread, which says what for', async () => {
    const all = await carded()
    const { world, alice, bob, card, general, service } = all
    service.addMember(12, { email: 'bob@example.com', permissions: ['API', 'READ'] })
    await world.connect(bob, bobToken)
    const form = await opened(all, true)
    if (form.submitLabel) await bob.submits()

    await expect
      .poll(
        () =>
          saying(bob, general, 'lacks API or ASSET_MANAGEMENT').length +
          (form.isOpen && form.plain.includes('lacks API or ASSET_MANAGEMENT') ? 1 : 0),
      )
      .toBe(1)
    await bob.presses('Ask in thread')

    await alice.sees('needs ASSET_MANAGEMENT on this alert’s container to set maintenance', card)
    expect(service.modeOf('asset/34').mode).toBe('normal')
  })
})

describe('a card', () => {
  it('has it in a menu of five at most, and a closed one hasn’t', async () => {
    const { world, alice, card, alert, general } = await carded({ manner: ' watch' })
    expect(card.buttons).toContain(label)
    expect(card.buttons).not.toContain('Open in monitoring')
    const menus = card.blocks.flatMap(
      (block) => JSON.stringify(block).match(/"options":\[.*?\]/g) ?? [],
    )
    for (const menu of menus) expect(menu.match(/"value"/g)?.length).toBeLessThan(6)

    alert.close()
    await passesBy(world, 66_000)
    await alice.sees(/Closed/, general)

    expect(card.buttons).not.toContain(label)
  })

  it('hasn’t it with MONITOR_OPERATIONS=basic, where an old one does nothing', async () => {
    const { world, alice, card, general } = await carded()
    await begun(world)
    await world.restart({ MONITOR_OPERATIONS: 'basic' })
    const before = world.service.requests.length
    await alice.presses(label, card)
    await alice.types('/alert maintenance 12/34 for 2h', general)
    await alice.presses('End maintenance')
    await alice.sees(/basic|doesn’t|only/, general)
    await world.slack.idle()

    expect(alice.modal).toBeUndefined()
    expect(world.service.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual(
      [],
    )
    await alice.presses('Refresh', card)
    await expect.poll(() => card.buttons).not.toContain(label)
  })

  it('of somebody alone says nothing to others', async () => {
    const all = await carded({ manner: ' private' })
    const { alice, bob, general, ops } = all
    await opened(all)

    await alice.submits()

    await expect.poll(() => writes(all)).toHaveLength(1)
    await passesBy(all, minute, hour)
    for (const place of [general, ops]) expect(saying(bob, place, /db-03|maintenance/)).toEqual([])
    await alice.sees('✅ db-03 is monitored again', alice.dm)
  })

  it('in a channel shared with another organisation names no machine, and its thread hears nothing', async () => {
    const all = await carded()
    const { alice, bob, card, general } = all
    await opened(all)
    await all.slack.share(general)
    all.clock.advance(2 * minute)

    await alice.submits()

    await expect.poll(() => writes(all)).toHaveLength(1)
    await passesBy(all, 11 * minute, hour)
    await alice.presses('Refresh', card)
    await all.slack.idle()
    expect(threadOf(card)).not.toContain('maintenance')
    expect(card.plain).not.toMatch(/db-03|🔧/)
    expect(saying(bob, general, /put db-03|monitored/)).toEqual([])
  })
})

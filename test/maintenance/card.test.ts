// *Maintenance…* on a card: the form is the question, and what is known comes into it.
import { describe, expect, it } from 'vitest'
import { bobToken, type World, type WorldOptions } from '../world.ts'
import {
  begun,
  hour,
  itsRead,
  minute,
  openMachines,
  passesBy,
  saying,
  writes,
} from './maintenance.ts'

const label = 'Maintenance…'
const whole = 'All of Customer 1 (12): its 3 machines'

/** Alice has the card of an alert on db-03, in #general. */
async function carded(manner = '', options: WorldOptions = {}) {
  const world = await openMachines(options)
  const { alice, general, service, slack } = world
  await alice.types(`/alert ${service.linkOf('mem 1')}${manner}`, general)
  const card = await alice.sees('mem 1 is full', general)
  await slack.idle()
  /** The form, and all that comes into it. */
  const opens = async (who = alice) => {
    await who.presses(label, card)
    const form = await who.seesModal('Maintenance')
    await slack.idle()
    return form
  }
  return { ...world, world, card, opens }
}

describe('the form', () => {
  it('opens before monitoring answers, then has what is known, and starts what was chosen', async () => {
    const { world, alice, bob, card, general, service } = await carded()
    const letGo = service.trouble.hold(itsRead)
    await alice.presses(label, card)
    const form = await alice.seesModal('Maintenance')
    expect(form.plain).toContain('Asking monitoring …')
    letGo()
    await expect.poll(() => form.choices('What')).toEqual(['db-03', whole])
    expect(form.values['For how long']).toBe('1 hour')
    expect(form.plain).toContain('Channels that follow Customer 1 (12) will hear of it')

    await alice.submits({ fields: { 'For how long': '30 minutes' } })

    await alice.sees('🔧 db-03 is in maintenance until', general)
    await bob.sees('🔧 Alice Archer put db-03 in maintenance until', card)
    expect(writes(world)).toEqual([{ mode: 'maintenance', duration: 30 }])
    await passesBy(world, 31 * minute)
    await bob.sees('✅ db-03 is monitored again', card)
  })

  it('starts it for the whole container, also where nobody can tell how many machines it has', async () => {
    const { alice, bob, card, opens, service } = await carded()
    service.trouble.answer(403, { only: { path: /assets$/ } })
    await opens()
    await alice.submits({ fields: { What: 'All of Customer 1 (12): all its machines' } })
    await bob.sees('put Customer 1 (12) in maintenance', card)
    expect(service.modeOf('container/12').mode).toBe('maintenance')
  })

  it('submitted twice, after a restart, starts it once', async () => {
    const { world, alice, general, opens, slack } = await carded()
    await opens()
    await world.restart()
    await Promise.all([alice.submits(), alice.submits()])
    await alice.sees('🔧 db-03 is in maintenance until', general)
    await slack.idle()
    expect(saying(world, alice, 'asked for the same')).toEqual([])
    expect(saying(world, alice, 'Nothing was sent')).toEqual([])
    expect(writes(world)).toHaveLength(1)
  })

  const nothing: readonly [string, (service: World['service']) => unknown][] = [
    [
      '🔧 db-03 is in maintenance; monitoring doesn’t say until when',
      (service) => service.setMode('asset/34', { mode: 'maintenance' }),
    ],
    [
      'db-03 is disabled, which is changed in monitoring',
      (service) => service.setMode('asset/34', { mode: 'disabled' }),
    ],
    [
      'monitoring knows no db-03, or doesn’t show it to you',
      ({ trouble }) => trouble.answer(404, itsRead),
    ],
    [
      'Monitoring is busy or has a fault. Nothing was changed',
      ({ trouble }) => trouble.answer(503, itsRead),
    ],
  ]
  it.each(nothing)('has nothing to start: %s', async (words, happens) => {
    const { opens, service } = await carded()
    happens(service)
    const form = await opens()
    await expect.poll(() => form.plain).toContain(words)
    expect([form.submitLabel, form.buttons.includes('End maintenance')]).toEqual([
      undefined,
      words.startsWith('🔧'),
    ])
  })

  it('for want of a flag offers Ask in thread, which says what for', async () => {
    const { world, alice, bob, card, opens, service } = await carded()
    service.addMember(12, { email: 'bob@example.com', permissions: ['API', 'READ'] })
    await world.connect(bob, bobToken)
    const form = await opens(bob)
    expect(form.plain).toContain('lacks API or ASSET_MANAGEMENT on Customer 1 (12)')
    await bob.presses('Ask in thread', form)
    await alice.sees('needs ASSET_MANAGEMENT on this alert’s container to set maintenance', card)
    expect(service.modeOf('asset/34').mode).toBe('normal')
  })
})

describe('a card', () => {
  it('has it in a menu of five, in place of the link, and a closed one hasn’t', async () => {
    const { world, card, service } = await carded(' watch')
    const [menu = ''] = JSON.stringify(card.blocks).match(/"options":\[.*?\]/) ?? []
    expect(menu.match(/"value"/g)).toHaveLength(5)
    expect([card.buttons.includes(label), card.buttons.includes('Open in monitoring')]).toEqual([
      true,
      false,
    ])
    await begun(world)
    await expect.poll(() => card.plain).toContain('🔧 db-03 is in maintenance until')
    service.alert('mem 1')?.close()
    await passesBy(world, 66_000)
    await expect.poll(() => card.buttons).not.toContain(label)
    expect(card.plain).not.toContain('🔧')
  })

  it('hasn’t it with MONITOR_OPERATIONS=basic, where an old one does nothing', async () => {
    const { world, alice, card, general } = await carded()
    const told = await begun(world)
    await world.restart({ MONITOR_OPERATIONS: 'basic' })
    await alice.presses(label, card)
    await alice.presses('End maintenance', told)
    await alice.sees('Not done', world.ops)
    await alice.types('/alert maintenance 12/34 for 2h', general)
    await world.slack.idle()
    expect([alice.modal, writes(world).length, saying(world, alice, 'Put db-03')]).toEqual([
      undefined,
      1,
      [],
    ])
    await alice.presses('Refresh', card)
    await expect.poll(() => card.buttons).not.toContain(label)
  })

  it('of somebody alone says nothing to others', async () => {
    const { world, alice, bob, opens } = await carded(' private')
    await opens()
    await alice.submits()
    await expect.poll(() => writes(world)).toHaveLength(1)
    await passesBy(world, minute, hour)
    await alice.sees('✅ db-03 is monitored again', alice.dm)
    expect(saying(world, bob, 'db-03')).toEqual([])
  })

  it('in a channel that another organisation reads says nothing of it, nor does its thread', async () => {
    const { world, alice, bob, card, opens, slack, general } = await carded()
    await opens()
    // The event that says so was lost.
    general.isShared = true
    world.clock.advance(2 * minute)
    await alice.submits()
    await expect.poll(() => writes(world)).toHaveLength(1)
    await passesBy(world, 11 * minute, hour)
    await alice.presses('Refresh', card)
    await slack.idle()
    expect(saying(world, bob, 'db-03')).toEqual([])
  })
})

// What stands in a followed channel is true, or says as of when.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { bobToken, type World } from '../world.ts'
import { followed, inChannel, openCustomer, opens, passes, stormed } from './follow.ts'

describe('a message of many alerts', () => {
  it('says how many of them are still open, and that it is over', async () => {
    const world = await openCustomer()
    const { alerts, storm } = await stormed(world, 8)
    expect(storm.plain).toMatch(/^8 new alerts in Customer 1 \(12\) · as of \d/)
    expect(storm.plain).toMatch(/since 2\d{3}-.*unassigned/)

    for (const alert of alerts.slice(0, 5)) alert.close('AutoClose')
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    await expect.poll(() => storm.plain).toContain('8 new alerts in Customer 1 (12), 3 still open')

    for (const alert of alerts.slice(5)) alert.close('AutoClose')
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    await expect
      .poll(() => storm.plain)
      .toMatch(/✅ 8 new alerts in Customer 1 \(12\), none still open · \d/)
  })

  it('that were open when it began says so of them too', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    const alerts = ['one', 'two'].map((ks) => opens(world, ks))
    await followed(world)
    const first = await bob.sees('2 open in Customer 1 (12) already', general)

    alerts[0]?.close('AutoClose')
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)

    await expect
      .poll(() => first.plain)
      .toContain('2 open in Customer 1 (12) already, 1 still open')
    expect(inChannel(bob.messages(general), 'open in Customer 1')).toHaveLength(1)
  })

  it('stays the one, though Slack takes no edit just then', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    const { storm } = await stormed(world, 6)
    slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 1 })
    for (let at = 6; at < 9; at += 1) opens(world, `host ${at}`)

    for (let minutes = 0; minutes < 3; minutes += 1) await passes(world)

    await expect.poll(() => storm.plain).toContain('9 new alerts')
    expect(inChannel(bob.messages(general), 'new alerts')).toHaveLength(1)
  })

  it.each<[string, (world: World, storm: SeenMessage) => unknown]>([
    ['was deleted', ({ slack }, { message }) => slack.workspace.remove(message)],
    [
      'can’t be changed any more',
      ({ slack }) =>
        slack.trouble.fail(
          'chat.update',
          { error: 'edit_window_closed' },
          { times: Number.POSITIVE_INFINITY },
        ),
    ],
  ])('is another one where the first %s', async (_, happens) => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general } = world
    const { storm } = await stormed(world, 6)
    happens(world, storm)
    for (let at = 6; at < 9; at += 1) opens(world, `host ${at}`)

    await passes(world)

    const next = await bob.sees('3 new alerts in Customer 1 (12)', general)
    expect(next.plain).toContain('host 8 is broken')
  })
})

describe('what a follow says of itself', () => {
  it('has the container’s name as it was last read', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    const own = await followed(world)
    service.addContainer(12, { name: 'Customer One' })
    // Names are remembered for a day.
    await passes(world, 25 * 60 * 60_000)
    opens(world, 'disk', { message: 'Disk full' })
    for (let minutes = 0; minutes < 3; minutes += 1) await passes(world)
    await bob.sees('Disk full', general)
    await expect.poll(() => own.plain).toContain('Following Customer One (12)')
  })

  it('asks for somebody else’s account only until one is there', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    await world.connect(bob, bobToken)
    await followed(world)
    await alice.types('/alert disconnect', alice.dm)
    await passes(world)
    const lost = await bob.sees('I can’t read Customer 1 (12) any more', general)
    const told = await alice.sees('I no longer have your token.', alice.dm)
    expect(told.plain).toContain('#general gets no new alerts of Customer 1 (12)')

    await bob.presses('Take over with my account', lost)

    await expect
      .poll(() => lost.plain)
      .toContain('New alerts of Customer 1 (12) couldn’t appear here from')
    expect(lost.plain).not.toContain('[')
  })

  it('says which severity it has when somebody types the same again, and takes another one', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    opens(world, 'swap', { message: 'Swap in use', severity: 5 })
    await followed(world, ' min error')
    await alice.types('/alert follow 12', general)
    const refused = await alice.sees(
      'This channel follows Customer 1 (12) already: ERROR and worse',
      general,
    )
    expect(refused.plain).toContain(
      'To change that, type /alert follow 12 min warning, for instance.',
    )
    await alice.types('/alert open 12', general)
    expect((await alice.sees('1 open in', general)).plain).not.toContain('Follow in this channel')

    await alice.types('/alert follow 12 min notice', general)
    await alice.presses('Follow', await alice.sees('its alerts of NOTICE and worse', general))

    await bob.sees('NOTICE and worse, with alice’s account', general)
    await passes(world)
    await bob.sees('1 open in Customer 1 (12) already', general)
    expect(inChannel(bob.messages(general), 'new alert')).toEqual([])
  })
})

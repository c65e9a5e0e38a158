// How maintenance ends: what a look shows is said where it was announced, and nothing is called monitored unless one has shown it.
import { describe, expect, it } from 'vitest'
import { followed, inChannel } from '../follow/follow.ts'
import { bobToken, type World } from '../world.ts'
import { begun, hour, mayManage, minute, openMachines, passesBy, saying } from './maintenance.ts'

// Names of machines are in memory alone, and of nobody who has disconnected.
const over = /^✅ (?:db-03|asset 34) is monitored again/
const still = '⚠️ db-03 is still in maintenance. It should have ended at'
const unknown = /^❓ I can’t tell whether (?:db-03|asset 34) is monitored again. Look there./

/** #general follows, db-03 is in maintenance for two hours, and a card in #general says so. */
async function quiet({ ends = true } = {}) {
  const world = await openMachines()
  const { bob, general, service } = world
  await followed(world)
  service.addAlert({ ks: 'mem', message: 'Memory', containerId: 12, assetId: 34, severity: 2 })
  await passesBy(world, 66_000, 66_000)
  const card = await bob.sees(/^.* Memory/, general)
  await begun(world)
  await passesBy(world, minute, minute)
  await bob.sees('🔧 Alice Archer put db-03 in maintenance', general)
  if (!ends) service.setMode('asset/34', { mode: 'maintenance' })
  const own = await bob.sees('Following Customer 1', general)
  return { world, card, own, ...world }
}

/** Looks at its end: a minute after, then at 5 and 15 minutes. */
const itsEnd = [118 * minute + 1, 4 * minute, 10 * minute, minute]

const modeReads = ({ service }: World) =>
  service.requests.filter(({ method, path }) => method === 'GET' && path === '/asset/34').length

describe('its end', () => {
  it('is looked at a minute after, at five, and at fifteen; nothing is said before the last', async () => {
    const { world, alice, bob, general } = await quiet({ ends: false })
    await passesBy(world, 117 * minute)
    const looks: number[] = []
    for (let at = 0; at < 18; at += 1) {
      const before = modeReads(world)
      await passesBy(world, minute)
      looks.push(modeReads(world) - before)
      if (at < 14) {
        await bob.doesNotSee(/should have ended|monitored again/, general)
        await alice.doesNotSee(/db-03/, alice.dm)
      }
    }
    expect(looks.filter((count) => count > 0)).toHaveLength(3)
    await bob.sees(still, general)
    await alice.sees(still, alice.dm)
  })

  it('that doesn’t come: card and the follow’s message say when it should have been, once; later it’s over', async () => {
    const { world, alice, bob, general, card, own, service } = await quiet({ ends: false })

    await passesBy(world, ...itsEnd, minute)

    await expect
      .poll(() => card.plain)
      .toContain('🔧 db-03 is in maintenance; it should have ended at')
    await expect.poll(() => own.plain).toContain('it should have ended at')
    await passesBy(world, hour, hour)
    expect(saying(bob, general, still)).toHaveLength(1)
    expect(saying(alice, alice.dm, still)).toHaveLength(1)

    service.setMode('asset/34', { mode: 'normal' })
    await passesBy(world, hour, minute, minute)
    await bob.sees(over, general)
    await alice.sees(over, alice.dm)
    await expect.poll(() => card.plain).not.toContain('🔧')
    await expect.poll(() => own.plain).not.toContain('🔧')
  })

  it.each<[string, (world: World) => Promise<unknown> | unknown]>([
    ['disconnected', ({ alice, ops }) => alice.types('/alert disconnect', ops)],
    [
      '403',
      ({ service }) =>
        service.trouble.answer(403, { only: { method: 'GET', path: /^\/asset\/34$/ } }),
    ],
    [
      '404',
      ({ service }) =>
        service.trouble.answer(404, { only: { method: 'GET', path: /^\/asset\/34$/ } }),
    ],
    [
      'no answer',
      ({ service }) =>
        service.trouble.answer(503, { only: { method: 'GET', path: /^\/asset\/34$/ } }),
    ],
  ])('that can’t be read (%s) is said to be unknown, in both places', async (_, breaks) => {
    const { world, alice, bob, general } = await quiet()
    await breaks(world)

    await passesBy(world, ...itsEnd)

    await bob.sees(unknown, general)
    await alice.sees(unknown, alice.dm)
    await bob.doesNotSee(over, general)
    expect(saying(bob, general, unknown)).toHaveLength(1)
  })

  it('that can be read again later is said then', async () => {
    const { world, alice, bob, general, service } = await quiet()
    service.trouble.answer(503, { only: { method: 'GET', path: /^\/asset\/34$/ } })
    await passesBy(world, ...itsEnd)
    await alice.sees(unknown, alice.dm)
    service.trouble.clear()

    await passesBy(world, hour)

    await bob.sees(over, general)
    await alice.sees(over, alice.dm)
  })

  it('is not looked for any more after a day', async () => {
    const { world, bob, general, service } = await quiet({ ends: false })
    await passesBy(world, ...itsEnd, ...Array.from({ length: 25 }, () => hour))
    await bob.sees(still, general)
    service.setMode('asset/34', { mode: 'normal' })

    await passesBy(world, 3 * hour)

    await bob.doesNotSee(over, general)
  })
})

describe('ended early', () => {
  it.each([
    ['whoever set it', false],
    ['a colleague', true],
  ])('by %s: the channel hears once, and whatever shows it is drawn again', async (_, isBob) => {
    const { world, alice, bob, general, card, own, ops, slack, service } = await quiet()
    const who = isBob ? bob : alice
    if (isBob) {
      mayManage(world, bobToken, 'bob', 8)
      await world.connect(bob, bobToken)
    }
    await who.types('/alert maintenance 12/34 off', ops)
    const shown = await who.sees('db-03 is in maintenance until', ops)
    await slack.idle()

    await who.presses('End maintenance', shown)

    await bob.sees(over, general)
    expect(service.modeOf('asset/34').mode).toBe('normal')
    await passesBy(world, minute, minute)
    await expect.poll(() => [card.plain, own.plain].join('\n')).not.toContain('🔧')
    await passesBy(world, 3 * hour)
    expect(saying(bob, general, over)).toHaveLength(1)
    expect(saying(alice, alice.dm, over)).toEqual([])
  })

  it('by a colleague, where the account that set it is gone: the channel hears it all the same', async () => {
    const { world, alice, bob, general, ops, slack } = await quiet()
    mayManage(world, bobToken, 'bob', 8)
    await world.connect(bob, bobToken)
    await alice.types('/alert disconnect', ops)
    await slack.idle()
    await bob.types('/alert maintenance 12/34 off', ops)

    await bob.presses('End maintenance', await bob.sees('db-03 is in maintenance', ops))

    await bob.sees(over, general)
    await passesBy(world, 3 * hour)
    await bob.doesNotSee('I can’t tell', general)
  })

  it('in monitoring: cards show it no more, and the channel hears at the time it had', async () => {
    const { world, bob, general, card, own, service } = await quiet()
    service.setMode('asset/34', { mode: 'normal' })

    await passesBy(world, 11 * minute, minute, minute)

    await expect.poll(() => [card.plain, own.plain].join('\n')).not.toContain('🔧')
    await passesBy(world, ...itsEnd)
    await bob.sees(over, general)
  })

  it('and begun again for longer: only the second end counts', async () => {
    const { world, alice, bob, general, ops } = await quiet()
    await alice.types('/alert maintenance 12/34 off', ops)
    await alice.presses('End maintenance')
    await bob.sees(over, general)

    await begun(world, '12/34 for 4h')

    await passesBy(world, minute)
    expect(saying(bob, general, 'put db-03 in maintenance')).toHaveLength(2)
    await passesBy(world, ...itsEnd)
    expect(saying(bob, general, over)).toHaveLength(1)
    await bob.doesNotSee('should have ended', general)
    await passesBy(world, 2 * hour)
    expect(saying(bob, general, over)).toHaveLength(2)
  })
})

describe('somebody else’s change in between', () => {
  it('disabled: nothing is called monitored', async () => {
    const { world, bob, general, service } = await quiet()
    service.setMode('asset/34', { mode: 'disabled' })

    await passesBy(world, ...itsEnd)

    await bob.sees(unknown, general)
    await bob.doesNotSee(over, general)
  })

  it('for longer: it is said to be in maintenance still', async () => {
    const { world, bob, general, service } = await quiet()
    service.setMode('asset/34', { mode: 'maintenance', duration: 400 })

    await passesBy(world, ...itsEnd)

    await bob.sees(still, general)
  })
})

describe('a channel', () => {
  it('that is taken over meanwhile hears of its end, and its cards show nothing that is over', async () => {
    const { world, alice, bob, general, card, own, ops, slack } = await quiet()
    mayManage(world, bobToken, 'bob', 8)
    await world.connect(bob, bobToken)
    await alice.types('/alert disconnect', ops)
    await passesBy(world, minute, minute)
    await bob.presses('Take over with my account', await bob.sees('Take over', general))
    await slack.idle()
    await world.connect(alice, 'alice-token-4f1c9a')
    await passesBy(world, minute, minute)
    await expect.poll(() => own.plain).toContain('🔧 db-03 is in maintenance until')

    await passesBy(world, ...itsEnd)

    await bob.sees(over, general)
    await passesBy(world, minute)
    await expect.poll(() => [card.plain, own.plain].join('\n')).not.toContain('🔧')
  })

  it('that follows since isn’t told of a beginning that is past', async () => {
    const { world, alice, slack } = await quiet({ ends: false })
    const late = slack.addChannel({ name: 'late', members: [alice], botIsMember: true })
    await followed(world, '', late)
    await alice.sees('🔧 db-03 is in maintenance until', late)

    await passesBy(world, ...itsEnd, minute)

    await alice.doesNotSee('put db-03 in maintenance', late)
  })

  it('hears of all of a container, with its cards', async () => {
    const world = await openMachines()
    const { bob, general, service } = world
    await followed(world)
    service.addAlert({ ks: 'mem', message: 'Memory', containerId: 12, assetId: 34, severity: 2 })
    await passesBy(world, 66_000, 66_000)
    const card = await bob.sees(/^.* Memory/, general)
    await begun(world, '12 for 1h')

    await passesBy(world, minute, minute)
    await bob.sees('🔧 Alice Archer put Customer 1 (12) in maintenance until', general)
    await expect.poll(() => card.plain).toContain('🔧 Customer 1 (12) is in maintenance until')

    await passesBy(world, hour, minute)
    await bob.sees('✅ Customer 1 (12) is monitored again', general)
    await passesBy(world, minute)
    await expect.poll(() => card.plain).not.toContain('🔧')
    expect(inChannel(bob.messages(general), '🔧 Alice')).toHaveLength(1)
  })
})

it('where nobody follows, whoever set it hears that it’s over, also from the next process', async () => {
  const world = await openMachines()
  const { alice, clock, slack } = world
  await begun(world)
  await slack.idle()
  clock.advance(2 * hour + minute)

  await world.restart()

  await alice.sees(over, alice.dm)
  await passesBy(world, hour)
  expect(saying(alice, alice.dm, over)).toHaveLength(1)
})

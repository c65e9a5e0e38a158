// How maintenance ends: what a look shows is said where it was announced, and nothing is called monitored unless one has shown it.
import { describe, expect, it } from 'vitest'
import { followed } from '../follow/follow.ts'
import { aliceToken, type World } from '../world.ts'
import {
  asked,
  begun,
  hour,
  itsRead,
  minute,
  openMachines,
  passesBy,
  quiet,
  saying,
  withBob,
} from './maintenance.ts'

const over = 'is monitored again'
const still = '⚠️ db-03 is still in maintenance. It should have ended'
const unknown = '❓ I can’t tell whether'
const late = 'it should have ended'
/** To its end; then as far as the looks a minute, five and fifteen minutes after. */
const toEnd = 118 * minute
const looks = [minute, 4 * minute, 10 * minute]

const stays = ({ service }: World) => service.setMode('asset/34', { mode: 'maintenance' })
const disconnects = ({ alice, ops }: World) => alice.types('/alert disconnect', ops)

it('that doesn’t come is looked for at 1, 5 and 15 minutes, said once in both places, and over once a read shows it', async () => {
  const { world, alice, bob, general, service, shown, slack } = await quiet()
  stays(world)
  await passesBy(world, toEnd)
  const reads = () => service.requests.filter(({ path }) => path === '/asset/34').length
  const before = reads()
  await passesBy(world, ...looks.slice(0, 2), 9 * minute)
  expect([reads() - before, shown().includes(late)]).toEqual([2, false])
  expect([...saying(world, bob, still), ...saying(world, bob, over)]).toEqual([])

  // Slack fails for one of two places: the other one hears once all the same.
  world.expectRefusals()
  const isOther = ({ channel }: { readonly channel?: unknown }) => channel !== general.id
  slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1, only: isOther })
  await passesBy(world, minute, minute, hour, hour)

  await expect.poll(shown).toContain(late)
  for (const person of [alice, bob])
    expect(saying(world, person, still)).toHaveLength(person === bob ? 1 : 2)
  await alice.sees(still, alice.dm)
  service.setMode('asset/34', { mode: 'normal' })
  await passesBy(world, hour, minute, minute)
  await alice.sees(over, alice.dm)
  await bob.sees(over, general)
  await expect.poll(shown).not.toContain('🔧')
})

it('is said a little later where Slack doesn’t say just then who reads there', async () => {
  const { world, bob, general, service, slack } = await quiet()
  await passesBy(world, toEnd)
  world.expectRefusals()
  const silent = slack.trouble.fail('conversations.info', { error: 'fatal_error' })
  await passesBy(world, 11 * minute)
  expect(service.modeOf('asset/34').mode).toBe('normal')
  expect(saying(world, bob, over)).toEqual([])
  silent.cancel()
  await passesBy(world, 2 * minute, minute)
  await bob.sees(over, general)
})

const unread: readonly [string, (world: World) => unknown][] = [
  ['disconnected', disconnects],
  ['404', ({ service }) => service.trouble.answer(404, itsRead)],
  ['no answer', ({ service }) => service.trouble.answer(503, itsRead)],
  ['disabled', ({ service }) => service.setMode('asset/34', { mode: 'disabled' })],
]
it.each(unread)(
  'that can’t be read (%s) is unknown, in both places; later it can, and is over',
  async (_, breaks) => {
    const { world, alice, bob, general, service } = await quiet()
    await breaks(world)

    await passesBy(world, toEnd, ...looks)

    await alice.sees(unknown, alice.dm)
    await bob.sees(unknown, general)
    expect(saying(world, bob, '✅')).toEqual([])
    service.trouble.clear()
    service.setMode('asset/34', { mode: 'normal' })
    await world.connect(alice, aliceToken)
    await passesBy(world, hour)
    await alice.sees(`✅ db-03 ${over}`, alice.dm)
    await bob.sees('✅', general)
  },
)

describe('ended early', () => {
  it.each([
    ['by whoever set it', false],
    ['by a colleague', true],
  ])('%s: the channel hears once, and all that shows it is drawn again', async (_, isBob) => {
    const { world, alice, bob, general, ops, shown, service } = await quiet()
    if (isBob) await withBob(world)
    const who = isBob ? bob : alice
    await who.types('/alert maintenance 12/34 off', ops)
    await who.presses('End maintenance', await who.sees('db-03 is in maintenance', ops))

    await bob.sees(over, general)
    await passesBy(world, minute, minute)
    expect(service.modeOf('asset/34').mode).toBe('normal')
    await expect.poll(shown).not.toContain('🔧')
    await passesBy(world, 3 * hour)
    expect(saying(world, bob, over)).toHaveLength(isBob ? 2 : 1)
    expect(saying(world, bob, unknown)).toEqual([])
    await alice.doesNotSee(over, alice.dm)
  })

  it('in monitoring: cards show it no more, and the channel hears at the time it had', async () => {
    const { world, bob, general, shown, service } = await quiet()
    service.setMode('asset/34', { mode: 'normal' })
    await passesBy(world, 11 * minute, minute, minute)
    await expect.poll(shown).not.toContain('🔧')
    await passesBy(world, toEnd)
    await bob.sees(over, general)
  })

  it('and begun anew for longer: only the second end counts', async () => {
    const { world, alice, bob, general } = await quiet()
    await alice.presses('End maintenance', await asked(world, '12/34 off', 'is in maintenance'))
    await bob.sees(over, general)
    await begun(world, '12/34 for 4h')
    await passesBy(world, toEnd, ...looks)
    expect(saying(world, bob, over)).toHaveLength(1)
    await passesBy(world, 2 * hour)
    expect(saying(world, bob, over)).toHaveLength(2)
  })
})

describe('a channel', () => {
  it('that another organisation reads since, of which the event was lost, hears nothing', async () => {
    const world = await openMachines()
    await followed(world)
    await passesBy(world, 2 * minute)
    world.general.isShared = true
    await begun(world)
    expect(saying(world, world.bob, 'put db-03')).toEqual([])
  })

  it('that is taken over meanwhile hears of its end', async () => {
    const { world, alice, bob, general, own, shown } = await quiet()
    await withBob(world)
    await disconnects(world)
    await passesBy(world, minute, minute)
    await bob.presses('Take over with my account', await bob.sees('Take over', general))
    await world.connect(alice, aliceToken)
    await passesBy(world, minute)
    await expect.poll(() => own.plain).toContain('🔧 db-03 is in maintenance until')

    // His list is two minutes old then.
    await passesBy(world, toEnd - 5 * minute, 3.5 * minute)

    await bob.sees(over, general)
    await passesBy(world, minute)
    await expect.poll(shown).not.toContain('🔧')
  })

  it('that follows since hears of it too, and that it isn’t over', async () => {
    const { world, alice, slack } = await quiet()
    stays(world)
    const since = slack.addChannel({ name: 'since', members: [alice], botIsMember: true })
    await followed(world, '', since)
    await alice.sees('put db-03', since)
    await passesBy(world, toEnd, ...looks, minute)
    await alice.sees(late, since)
  })

  it('hears of all of a container, as its cards do', async () => {
    const { world, bob, general, card } = await quiet('12 for 2h')
    await bob.sees('🔧 Alice Archer put Customer 1 (12) in maintenance until', general)
    await expect.poll(() => card.plain).toContain('🔧 Customer 1 (12) is in maintenance until')
    await passesBy(world, toEnd, minute, minute)
    await bob.sees(`✅ Customer 1 (12) ${over}`, general)
    await expect.poll(() => card.plain).not.toContain('🔧')
  })
})

it('where nobody follows, whoever set it hears, from the next process too', async () => {
  const world = await openMachines()
  await begun(world)
  world.clock.advance(2 * hour + minute)
  await world.restart()
  await world.alice.sees(`✅ db-03 ${over}`, world.alice.dm)
})

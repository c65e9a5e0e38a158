// `/alert maintenance`: what a line means, one question, what it begins, and how it ends.
import { expect, it } from 'vitest'
import { clockTime } from '../../src/grant/input/until.ts'
import { followed, passes } from '../follow/follow.ts'
import type { World } from '../world.ts'
import { asked, minute, openMachines, passesBy, saying, writes } from './maintenance.ts'

it('it asks once, puts the machine in maintenance until then, and a channel that follows hears of it', async () => {
  const world = await openMachines()
  const { alice, bob, general, ops, service } = world
  await followed(world)
  await asked(world, '12', 'Nothing is in maintenance')
  const question = await asked(world, 'db-03 for 2h', 'Put db-03 (Customer 1) in maintenance')
  expect(question.plain).toContain('Channels that follow Customer 1 will hear of it')
  expect(service.modeOf('asset/34').mode).toBe('normal')

  await alice.presses('Start maintenance', question)

  await alice.sees('🔧 db-03 is in maintenance until', ops)
  expect(writes(world)).toEqual([{ mode: 'maintenance', duration: 120 }])
  await bob.sees('🔧 Alice Archer put db-03 in maintenance until', general)
  await passes(world)
  await bob.sees(
    /Following Customer 1[\s\S]*🔧 db-03 is in maintenance until .* \(Alice Archer\)/,
    general,
  )
  await passesBy(world, 119 * minute, 2 * minute)
  await bob.sees('✅ db-03 is monitored again', general)
})

/** Alice knows Customer 1, where two machines have one name, one is called as the container, and one as an alert’s key. */
async function manyNames() {
  const world = await openMachines()
  const { service } = world
  service.addAsset(36, { name: 'twin' })
  service.addAsset(37, { name: 'Twin' })
  service.addAsset(38, { name: 'Customer 1' })
  service.addAsset(39, { name: 'off for good' })
  service.addAsset(40, { name: '12' })
  service.addAsset(41, { name: 'busy', mode: 'maintenance' })
  service.addAsset(42, { name: 'broken', mode: 'disabled' })
  await asked(world, '12', 'In maintenance')
  await world.alice.types(`/alert ${service.linkOf('mem 1')}`, world.ops)
  await world.alice.sees('mem 1 is full', world.ops)
  await world.slack.idle()
  return world
}

/** What comes of a line: all that Alice reads then. */
async function answerTo({ alice, ops, slack }: World, line: string) {
  const before = alice.messages(ops).length
  await alice.types(`/alert ${line}`, ops)
  await expect.poll(() => alice.messages(ops).length).toBeGreaterThan(before)
  await slack.idle()
  return alice
    .messages(ops)
    .slice(before)
    .map(({ plain }) => plain)
    .join('\n')
}

it.each([
  ['maintenance DB-03 for 2h', 'Put db-03'],
  ['mute db-03 for 2h', 'Put db-03'],
  ['silence the db-03 for 2h', 'Put db-03'],
  ['snooze 12/34 for 2h', 'Put db-03'],
  ['quiet "mem 1" for 1h', 'Put db-03'],
  ['maintenence db-03 for 2h', 'Put db-03'],
  ['maintenance "off for good" for 30m', 'Put off for good'],
  ['maintenance "12" for 30m', 'Put 12 (Customer 1'],
  ['maintenance 12 for 480m', 'Put Customer 1 (12) and its 10 machines in maintenance'],
  ['maintenance db-03 for 2 hours', 'Put db-03'],
  ['maintenance db-03 voor 2 uur', 'Put db-03'],
  ['maintenance twin for 2h', '2 are called “twin”. Which one?'],
  ['maintenance Customer 1 for 2h', '2 are called “Customer 1”. Which one?'],
  ['maintenance nas for 2h', 'Nothing in Customer 1 (12) is called “nas”'],
  ['mute 5HkX for 2h', 'If it’s an alert’s key, I don’t know its machine yet.'],
  ['maintenance 12/99 for 2h', 'monitoring knows no asset 99, or doesn’t show it to you'],
  ['maintenance 13 for 2h', 'monitoring knows no'],
  ['maintenance db-03', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 for 481m', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 until friday in a year', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 for ever', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 off', 'db-03 isn’t in maintenance.'],
  ['maintenance busy for 2h', '🔧 busy is in maintenance; monitoring doesn’t say until when'],
  ['maintenance busy off', '[End maintenance]'],
  ['maintenance broken off', 'broken is disabled, which is changed in monitoring'],
  ['maintenance 12', 'In maintenance in Customer 1 (12)'],
  ['maintenance', 'In maintenance in Customer 1 (12)'],
] as const)('%s', async (line, words) => {
  const world = await manyNames()

  const said = await answerTo(world, line)

  expect(said).toContain(words)
  expect(said.includes('[Start maintenance]')).toBe(words.startsWith('Put '))
  expect(writes(world)).toEqual([])
})

it('a choice is of all that are meant, never the first, and asks about the one that was chosen', async () => {
  const world = await manyNames()
  const { alice, ops } = world
  await alice.types('/alert maintenance Customer 1 for 2h', ops)
  const choice = await alice.sees('2 are called', ops)
  expect(choice.plain).toContain('All of Customer 1 (12)')
  expect(choice.plain).toContain('Customer 1 · Customer 1 (12) · asset 38')

  await alice.presses('Choose', choice)

  await alice.sees('Put Customer 1 (12) and its 10 machines in maintenance', ops)
  expect(writes(world)).toEqual([])
})

/** At the next moment when clocks in Amsterdam, hers, show this time. */
async function at(wall: string) {
  const world = await manyNames()
  const inMinutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  const now = inMinutes(clockTime(world.clock.now(), 'Europe/Amsterdam').slice(11))
  world.clock.advance(((inMinutes(wall) - now + 1440) % 1440) * minute)
  return world
}

it.each([
  ['04:30', 'until 6', 89],
  ['22:30', 'until tomorrow 6am', 449],
  ['17:00', 'until 18:00', 59],
  ['23:50', 'until 0:30', 39],
  ['20:00', 'until tomorrow 6am', undefined],
])(
  'at %s, “%s” is by the clock of whoever asks, and within eight hours',
  async (wall, words, minutes) => {
    const world = await at(wall)
    const { alice, ops } = world
    const answer = minutes === undefined ? 'at most 8 hours' : 'Put db-03'
    const question = await asked(world, `db-03 ${words}`, answer)
    if (minutes === undefined) return
    await alice.presses('Start maintenance', question)
    await alice.sees('🔧 db-03 is in maintenance', ops)
    const duration = Number(/"duration":(\d+)/.exec(JSON.stringify(writes(world)))?.[1])
    expect([minutes, minutes + 1]).toContain(duration)
  },
)

const noPlace = 'If it’s an alert’s key, I don’t know its machine yet.'
it.each([
  ['mute for 1h', 'Put db-03', true],
  ['maintenance for 1 hour', 'Put db-03', true],
  ['mute', 'Say for how long', true],
  ['mute off', 'db-03 isn’t in maintenance', true],
  ['mute "db-04" for 1h', 'Put db-04', true],
  ['maintenance 12 for 1h', 'Put Customer 1 (12)', true],
  ['mute for 1h', noPlace, false],
])('in an alert’s thread: @Bellhop %s: %s', async (words, answer, hasPlace) => {
  const world = await openMachines()
  const { alice, general, service, slack } = world
  await asked(world, '12', 'Nothing is in maintenance')
  await alice.types(`/alert ${hasPlace ? service.linkOf('mem 1') : '"mem 1"'}`, general)
  const card = await alice.sees('mem 1 is full', general)
  await slack.idle()

  await alice.writes(`@bellhop ${words}`, card)

  await expect.poll(() => saying(world, alice, answer)).toHaveLength(1)
})

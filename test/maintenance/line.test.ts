// `/alert maintenance`: what a line means, one question, what it begins, and how it ends.
import { describe, expect, it } from 'vitest'
import { clockTime } from '../../src/grant/input/until.ts'
import { followed, passes } from '../follow/follow.ts'
import { bobToken, type World } from '../world.ts'
import { asked, knowsCustomer, mayManage, openMachines, saying, writes } from './maintenance.ts'

describe('/alert maintenance db-03 for 2h', () => {
  it('asks once, puts the machine in maintenance until then, and a channel that follows hears of it', async () => {
    const world = await openMachines()
    const { alice, bob, general, ops, service, slack, clock } = world
    await followed(world)

    await alice.types('/alert maintenance 12', ops)
    await alice.sees('Nothing is in maintenance', ops)
    await alice.types('/alert maintenance db-03 for 2h', ops)
    const question = await alice.sees('Put db-03 (Customer 1 (12)) in maintenance until', ops)
    expect(question.plain).toContain('Channels that follow Customer 1 (12) will hear of it')
    expect(service.modeOf('asset/34').mode).toBe('normal')
    await alice.presses('Start maintenance', question)

    await alice.sees('🔧 db-03 is in maintenance until', ops)
    expect(service.modeOf('asset/34').mode).toBe('maintenance')
    expect(service.requests.findLast(({ method }) => method === 'PATCH')?.body).toEqual({
      mode: 'maintenance',
      duration: 120,
    })
    await bob.sees('🔧 Alice Archer put db-03 in maintenance until', general)
    await passes(world)
    await bob.sees(
      /Following Customer 1[\s\S]*🔧 db-03 is in maintenance until .* \(Alice Archer\)/,
      general,
    )

    await slack.idle()
    clock.advance(119 * 60_000)
    await slack.idle()
    clock.advance(2 * 60_000)
    await bob.sees('✅ db-03 is monitored again', general)
  })
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
  service.addAlert({ ks: 'mem', message: 'Memory', containerId: 12, assetId: 34 })
  await knowsCustomer(world)
  await world.alice.types(`/alert ${service.linkOf('mem')}`, world.ops)
  await world.alice.sees('Memory', world.ops)
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
  ['quiet mem for 1h', 'Put db-03'],
  ['maintenence db-03 for 2h', 'Put db-03'],
  ['maintenance "off for good" for 30m', 'Put off for good'],
  ['maintenance "12" for 30m', 'Put 12 (Customer 1'],
  ['maintenance 12 for 480m', 'Put Customer 1 (12), its 8 machines, in maintenance'],
  ['maintenance db-03 for 2 hours', 'Put db-03'],
  ['maintenance db-03 voor 2 uur', 'Put db-03'],
  ['maintenance twin for 2h', '2 are called “twin”. Which one?'],
  ['maintenance Customer 1 for 2h', '2 are called “Customer 1”. Which one?'],
  ['maintenance "Customer 1" for 2h', '2 are called “Customer 1”. Which one?'],
  ['maintenance nas for 2h', 'Nothing in Customer 1 (12) is called “nas”'],
  ['mute 5HkX for 2h', 'Of an alert’s key, I don’t know the machine yet.'],
  ['maintenance 12/99 for 2h', 'monitoring knows no asset 99, or doesn’t show it to you'],
  ['maintenance 13 for 2h', 'monitoring knows no'],
  ['maintenance db-03', 'Say for how long, at most 8 hours'],
  ['mute mem', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 for 481m', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 for 2d', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 until friday in a year', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 for ever', 'Say for how long, at most 8 hours'],
  ['maintenance db-03 off', 'db-03 isn’t in maintenance.'],
  ['maintenance 12', 'Nothing is in maintenance or disabled in Customer 1 (12).'],
  ['maintenance', 'Nothing is in maintenance or disabled in Customer 1 (12).'],
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

  await alice.sees('Put Customer 1 (12), its 8 machines, in maintenance', ops)
  expect(writes(world)).toEqual([])
})

describe('a time', () => {
  /** Whatever the hour: the next 6 o’clock that lies within 8 hours of this world’s clock. */
  async function at(wall: string, timezone = 'Europe/Amsterdam') {
    const world = await manyNames()
    const now = clockTime(world.clock.now(), timezone).slice(11)
    const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
    const left = (minutes(wall) - minutes(now) + 24 * 60) % (24 * 60)
    world.clock.advance(left * 60_000)
    return world
  }

  it('“until 6” before six is in the morning or in the evening: one within 8 hours is asked about, once chosen', async () => {
    const world = await at('04:30')
    const { alice, ops } = world
    await alice.types('/alert maintenance db-03 until 6', ops)
    const choice = await alice.sees('“until 6” can mean two times. Until when?', ops)

    await alice.presses('Choose', choice)

    await alice.presses('Start maintenance', await alice.sees(/^Put db-03/, ops))
    await expect.poll(() => writes(world)).toHaveLength(1)
    const [first] = writes(world)
    expect(JSON.stringify(first?.body)).toMatch(/"duration":(?:89|90)\}/)
  })

  it.each([
    ['until tomorrow 6am', '22:30', /"duration":(?:449|450)\}/],
    ['until 18:00', '17:00', /"duration":(?:59|60)\}/],
    ['until 0:30', '23:50', /"duration":(?:39|40)\}/],
  ])('“%s” at %s is by the clock of whoever asks', async (words, wall, body) => {
    const world = await at(wall)
    const { alice, ops } = world

    await alice.presses('Start maintenance', await asked(world, `db-03 ${words}`))

    await alice.sees('🔧 db-03 is in maintenance', ops)
    expect(JSON.stringify(writes(world)[0]?.body)).toMatch(body)
  })

  it('“until tomorrow 6am” in more than 8 hours is refused', async () => {
    const world = await at('20:00')
    expect(await answerTo(world, 'maintenance db-03 until tomorrow 6am')).toContain(
      'at most 8 hours',
    )
  })
})

describe('a mention', () => {
  /** Alice has a card of an alert on db-03 in #general, with its thread. */
  async function inThread(hasPlace = true) {
    const world = await openMachines()
    const { alice, general, service, slack } = world
    service.addAlert({ ks: 'mem 1', message: 'Memory', containerId: 12, assetId: 34 })
    await knowsCustomer(world)
    await alice.types(hasPlace ? `/alert ${service.linkOf('mem 1')}` : '/alert "mem 1"', general)
    const card = await alice.sees('Memory', general)
    await slack.idle()
    return { ...world, world, card }
  }

  it.each([
    ['mute for 1h', /^Put db-03/],
    ['maintenance for 1 hour', /^Put db-03/],
    ['snooze until 18:00 tomorrow', /Say for how long/],
    ['mute', /Say for how long/],
    ['mute off', /db-03 isn’t in maintenance/],
    ['mute db-04 for 1h', /^Put db-04/],
    ['mute "db-04" for 1h', /^Put db-04/],
    ['maintenance 12 for 1h', /^Put Customer 1 \(12\)/],
  ])('in an alert’s thread: @Bellhop %s', async (words, answer) => {
    const { alice, general, card, slack } = await inThread()

    await alice.writes(`@bellhop ${words}`, card)
    await slack.idle()

    expect([...saying(alice, general, answer), ...saying(alice, alice.dm, answer)]).toHaveLength(1)
  })

  it('in the thread of an alert whose machine nobody knows says so', async () => {
    const { alice, general, card, slack } = await inThread(false)

    await alice.writes('@bellhop mute for 1h', card)
    await slack.idle()

    const words = 'Of an alert’s key, I don’t know the machine yet.'
    expect([...saying(alice, general, words), ...saying(alice, alice.dm, words)]).toHaveLength(1)
  })
})

it('what is on already is said with End maintenance, whoever set it; disabled is refused', async () => {
  const world = await openMachines()
  const { bob, ops, service } = world
  mayManage(world, bobToken, 'bob', 8)
  await world.connect(bob, bobToken)
  service.setMode('asset/34', { mode: 'maintenance', duration: 60 })
  service.setMode('asset/35', { mode: 'disabled' })

  await bob.types('/alert maintenance 12/34 for 2h', ops)
  const on = await bob.sees('🔧 db-03 is in maintenance; monitoring doesn’t say until when', ops)
  expect(on.buttons).toEqual(['End maintenance'])
  for (const line of ['12/35 for 2h', '12/35 off']) {
    await bob.types(`/alert maintenance ${line}`, ops)
    const said = await bob.sees('db-04 is disabled, which is changed in monitoring', ops)
    expect(said.buttons).toEqual([])
  }
  expect(writes(world)).toEqual([])
})

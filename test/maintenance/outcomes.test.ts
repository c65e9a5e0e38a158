// What becomes of *Start maintenance* and *End maintenance*: each is sent once, and called done only once a read shows it.
import { describe, expect, it } from 'vitest'
import { followed } from '../follow/follow.ts'
import type { World } from '../world.ts'
import {
  asked,
  begun,
  hour,
  itsRead,
  minute,
  openMachines,
  passesBy,
  saying,
  writes,
} from './maintenance.ts'

const start = 'Start maintenance'
const isOn = '🔧 db-03 is in maintenance until'
const put = (duration: number) => ({ mode: 'maintenance', duration })

it('pressed twice, by two processes, it is sent once; so is its end', async () => {
  const world = await openMachines()
  const { alice, slack, service } = world
  const [question, other] = [await asked(world), await world.startAnother()]
  const letGo = service.trouble.hold({ only: 'PATCH' })
  const first = alice.presses(start, question)
  await world.serviceWasAsked('/asset/34/mode', 1)
  slack.deliverTo(`${other.url}/slack/events`)
  await alice.presses(start, question)
  letGo()
  await first
  const told = await alice.sees(isOn, world.ops)
  await slack.idle()

  await Promise.all([1, 2].map(() => alice.presses('End maintenance', told)))

  await alice.sees('✅ db-03 is monitored again.', world.ops)
  await slack.idle()
  expect(writes(world)).toEqual([put(120), { mode: 'normal' }])
})

it('from a second question, it is on already', async () => {
  const world = await openMachines()
  const second = await asked(world, '12/34 for 1h')
  await begun(world)
  await world.alice.presses(start, second)
  await world.alice.sees('Nothing was sent: db-03 is in maintenance already.', world.ops)
  expect(writes(world)).toEqual([put(120)])
})

/** The connection breaks as it is sent, and monitoring can’t be read for a while. */
async function isCut(when: 'after-effect' | 'before-answer', { service, ...world }: World) {
  service.trouble.cut({ when, only: 'PATCH', times: 1 })
  const letGo = service.trouble.hold({ only: 'PATCH' })
  await world.serviceWasAsked('/asset/34/mode', 1)
  service.trouble.answer(503, itsRead)
  letGo()
  await world.alice.sees('Not certain: maintenance of db-03.', world.ops)
  service.trouble.clear()
}

const unsure: readonly [string, (world: World) => unknown, boolean][] = [
  ['the connection breaks, and it is done', (world) => isCut('after-effect', world), true],
  ['the connection breaks', (world) => isCut('before-answer', world), false],
  ['204 for nothing', ({ service }) => service.behaves({ modes: 'ignored' }), false],
  ['204 that shows later', ({ service }) => service.behaves({ visible: { ms: 4 * minute } }), true],
]
it.each(unsure)(
  '%s: told as it is, and looked for until its end, of which the channel hears',
  async (_, happens, isDone) => {
    const world = await openMachines()
    const { alice, bob, ops } = world
    await followed(world)
    const question = await asked(world)
    const happening = happens(world)
    await alice.presses(start, question)
    await happening
    const told = await alice.sees('maintenance of db-03.', ops)
    expect(told.plain.includes('Not certain') || told.plain.includes('Sent, not visible yet')).toBe(
      true,
    )

    await passesBy(world, 6 * minute, minute, 2 * hour, 20 * minute)

    const count = isDone ? 1 : 0
    expect(saying(world, bob, 'put db-03 in maintenance')).toHaveLength(count)
    expect(saying(world, bob, '✅ db-03 is monitored again')).toHaveLength(count)
    expect([...saying(world, alice, '❓ I can’t'), ...saying(world, alice, '⚠️ db')]).toEqual([])
    expect(writes(world)).toEqual([put(120)])
  },
)

it('where the channel’s own list shows it first, the channel hears that it’s over as well', async () => {
  const world = await openMachines()
  const { alice, bob, general, ops, service } = world
  await followed(world)
  await passesBy(world, 9 * minute)
  service.behaves({ visible: { ms: minute } })
  await alice.presses(start, await asked(world))
  await alice.sees('Sent, not visible yet', ops)
  await passesBy(world, 2 * minute)
  await bob.sees('put db-03 in maintenance', general)
  service.setMode('asset/34', { mode: 'normal' })
  await passesBy(world, 4 * minute, minute)
  await bob.sees('✅ db-03 is monitored again', general)
})

it('no answer, but a read that shows it: it is on', async () => {
  const world = await openMachines()
  const question = await asked(world)
  world.service.trouble.cut({ when: 'after-effect', only: 'PATCH', times: 1 })
  await world.alice.presses(start, question)
  await world.alice.sees(isOn, world.ops)
})

describe('refused', () => {
  it.each([
    [401, 'Monitoring no longer accepts your token. Connect your account again.'],
    [404, 'Not done: monitoring knows no db-03, or doesn’t show it to you.'],
    [400, 'Not done: monitoring says no (400).'],
    [405, 'this monitoring service doesn’t let me do that'],
    [403, 'lacks API or ASSET_MANAGEMENT on db-03. Somebody with CONTAINER_ACCESS there can'],
  ])('with %i: a sentence, and the next try is sent', async (status, words) => {
    const world = await openMachines()
    world.service.trouble.answer(status, { only: 'PATCH', times: 1 })
    await world.alice.presses(start, await asked(world))
    expect((await world.alice.sees(words, world.ops)).buttons).toEqual([])
    await begun(world)
    expect(writes(world)).toHaveLength(2)
  })

  it('to end all of a container with 500 open alerts: says what to do instead', async () => {
    const world = await openMachines()
    const told = await begun(world, '12 for 2h')
    for (let at = 0; at < 500; at += 1) world.service.addAlert({ ks: `${at}`, containerId: 12 })
    await world.alice.presses('End maintenance', told)
    await world.alice.sees('With 500 open alerts or more in Customer 1 (12), it ends no', world.ops)
  })
})

describe('a question that is pressed later', () => {
  it.each([
    [0, 120],
    [60 * minute, 60],
    [119.5 * minute, 1],
  ])('by %i ms sends what is left of the time that it showed', async (ms, duration) => {
    const world = await openMachines()
    const question = await asked(world)
    world.clock.advance(ms)
    await world.alice.presses(start, question)
    await expect.poll(() => writes(world)).toEqual([put(duration)])
  })

  it('than its end sends nothing, and asks anew for the same length', async () => {
    const world = await openMachines()
    const question = await asked(world)
    const before = question.plain
    world.clock.advance(2 * hour)
    await world.alice.presses(start, question)
    await expect.poll(() => saying(world, world.alice, before)).toEqual([])
    expect(writes(world)).toEqual([])
    await world.alice.presses(start)
    await expect.poll(() => writes(world)).toEqual([put(120)])
  })

  it('finds it disabled meanwhile, and changes nothing', async () => {
    const world = await openMachines()
    const question = await asked(world)
    world.service.setMode('asset/34', { mode: 'disabled' })
    await world.alice.presses(start, question)
    await world.alice.sees('Not done: db-03 has changed since', world.ops)
    expect(writes(world)).toEqual([])
  })
})

// What becomes of *Start maintenance* and *End maintenance*: each is sent once, and called done only once a read shows it.
import { describe, expect, it } from 'vitest'
import { clockTime } from '../../src/grant/input/until.ts'
import { followed, passes } from '../follow/follow.ts'
import { bobToken, connects, type World } from '../world.ts'
import {
  asked,
  begun,
  hour,
  mayManage,
  minute,
  openMachines,
  passesBy,
  saying,
  writes,
} from './maintenance.ts'

const patch = { only: 'PATCH' } as const
const put = (duration: number) => ({ mode: 'maintenance', duration })

describe('sent once', () => {
  it('pressed twice, and by both of two processes', async () => {
    const world = await openMachines()
    const { alice, slack, ops } = world
    const question = await asked(world)
    const other = await world.startAnother()
    const letGo = world.service.trouble.hold(patch)

    const first = alice.presses('Start maintenance', question)
    await world.serviceWasAsked('/asset/34/mode', 1)
    slack.deliverTo(`${other.url}/slack/events`)
    await alice.presses('Start maintenance', question)
    letGo()
    await first

    await alice.sees('🔧 db-03 is in maintenance until', ops)
    await slack.idle()
    expect(writes(world)).toHaveLength(1)
    expect(saying(alice, ops, 'is in maintenance until')).toHaveLength(1)
  })

  it('asked and started from two questions: the second says that it is on', async () => {
    const world = await openMachines()
    const first = await asked(world)
    const second = await asked(world, '12/34 for 1h')
    await world.alice.presses('Start maintenance', first)
    await world.alice.sees('🔧 db-03 is in maintenance until', world.ops)

    await world.alice.presses('Start maintenance', second)

    await world.alice.sees('Nothing was sent: db-03 is in maintenance already.', world.ops)
    expect(writes(world)).toHaveLength(1)
  })

  it('ended once, by two presses', async () => {
    const world = await openMachines()
    const told = await begun(world)

    await Promise.all([
      world.alice.presses('End maintenance', told),
      world.alice.presses('End maintenance', told),
    ])

    await world.alice.sees('✅ db-03 is monitored again.', world.ops)
    await world.slack.idle()
    expect(writes(world).map(({ body }) => body)).toEqual([put(120), { mode: 'normal' }])
  })
})

describe('a 204', () => {
  it('that changed nothing is called not visible yet, and no channel hears of it', async () => {
    const world = await openMachines()
    const { alice, bob, general, ops, service } = world
    await followed(world)
    service.behaves({ modes: 'ignored' })

    await alice.presses('Start maintenance', await asked(world))

    await alice.sees('Sent, not visible yet: maintenance of db-03.', ops)
    await passes(world)
    await passesBy(world, 10 * minute, 2 * hour, 20 * minute)
    await bob.doesNotSee('🔧', general)
    await bob.doesNotSee('monitored again', general)
    expect(writes(world)).toHaveLength(1)
  })

  it('that shows only later is announced then, and so is its end', async () => {
    const world = await openMachines()
    const { alice, bob, general, ops, service } = world
    await followed(world)
    service.behaves({ visible: { ms: 3 * minute } })

    await alice.presses('Start maintenance', await asked(world))

    await alice.sees('Sent, not visible yet', ops)
    await passesBy(world, 5 * minute, 2 * minute)
    await bob.sees('🔧 Alice Archer put db-03 in maintenance until', general)
    await passesBy(world, 2 * hour)
    await bob.sees('✅ db-03 is monitored again', general)
  })
})

describe('no clear answer', () => {
  /** The service is asked, does it or not, and can’t be read for a while. */
  async function cutOff(world: World, isDone: boolean) {
    const { alice, ops, service, slack } = world
    const question = await asked(world)
    const when = isDone ? 'after-effect' : 'before-answer'
    service.trouble.cut({ when, only: 'PATCH', times: 1 })
    const letGo = service.trouble.hold(patch)
    const pressed = alice.presses('Start maintenance', question)
    await world.serviceWasAsked('/asset/34/mode', 1)
    service.trouble.answer(503, { only: 'GET' })
    letGo()
    await pressed
    const told = await alice.sees('Not certain: maintenance of db-03.', ops)
    await slack.idle()
    service.trouble.clear()
    return told
  }

  it('is called not certain; once a read shows it, the channel hears, and so it does of its end', async () => {
    const world = await openMachines()
    const { bob, general } = world
    await followed(world)

    await cutOff(world, true)

    await passesBy(world, 5 * minute + 1, 2 * minute)
    await bob.sees('🔧 Alice Archer put db-03 in maintenance until', general)
    await passesBy(world, 2 * hour)
    await bob.sees('✅ db-03 is monitored again', general)
    expect(writes(world)).toHaveLength(1)
  })

  it('is called not certain, and nothing is said of it where it was never set', async () => {
    const world = await openMachines()
    const { alice, bob, general, slack } = world
    await followed(world)

    await cutOff(world, false)

    await passesBy(world, 10 * minute, 2 * hour, 20 * minute, hour)
    await bob.doesNotSee(/db-03/, general)
    await slack.idle()
    expect(saying(alice, alice.dm, /db-03/)).toEqual([])
    expect(writes(world)).toHaveLength(1)
  })

  it('but a read that shows it: it is on', async () => {
    const world = await openMachines()
    const question = await asked(world)
    world.service.trouble.cut({ when: 'after-effect', only: 'PATCH', times: 1 })

    await world.alice.presses('Start maintenance', question)

    await world.alice.sees('🔧 db-03 is in maintenance until', world.ops)
  })
})

describe('refused', () => {
  it('for want of a flag, by line: in a sentence, before anything is asked once that is known', async () => {
    const world = await openMachines()
    const { bob, ops, service } = world
    service.addMember(12, { email: 'bob@example.com', permissions: ['API', 'READ'] })
    await world.connect(bob, bobToken)
    await bob.types('/alert maintenance 12/34 for 2h', ops)
    const said = await bob.sees(/in maintenance until|lacks API or ASSET_MANAGEMENT/, ops)
    if (said.buttons.includes('Start maintenance')) await bob.presses('Start maintenance', said)

    const told = await bob.sees('lacks API or ASSET_MANAGEMENT on', ops)
    expect(told.plain).toContain('Somebody with CONTAINER_ACCESS there can add what’s missing.')
    expect(told.buttons).not.toContain('Ask in thread')
    expect(service.modeOf('asset/34').mode).toBe('normal')
  })

  it.each([
    [404, 'Not done: monitoring knows no db-03, or doesn’t show it to you.'],
    [400, 'Not done: monitoring says no (400). Nothing was changed.'],
    [405, 'this monitoring service doesn’t let me do that'],
  ])('with %i: nothing is looked after, and the next try is sent', async (status, words) => {
    const world = await openMachines()
    const { alice, ops, service } = world
    service.trouble.answer(status, { only: 'PATCH', times: 1 })

    await alice.presses('Start maintenance', await asked(world))

    const told = await alice.sees(words, ops)
    expect(told.buttons).toEqual([])
    await begun(world)
    expect(writes(world)).toHaveLength(2)
  })

  it('to end all of a container with 500 open alerts: says what to do instead', async () => {
    const world = await openMachines()
    const { alice, ops, service } = world
    const told = await begun(world, '12 for 2h')
    for (let at = 0; at < 500; at += 1)
      service.addAlert({ ks: `${at}`, containerId: 12, message: 'x' })

    await alice.presses('End maintenance', told)

    await alice.sees('With 500 open alerts or more in Customer 1 (12), it ends no maintenance', ops)
    expect(service.modeOf('container/12').mode).toBe('maintenance')
  })

  it.each(['Start maintenance', 'End maintenance'] as const)(
    'with 401 at %s: asks to connect, and then goes on with a question',
    async (label) => {
      const world = await openMachines()
      const { alice, ops, service } = world
      const shown = label === 'Start maintenance' ? await asked(world) : await begun(world)
      service.trouble.answer(401, { only: 'PATCH', times: 1 })

      await alice.presses(label, shown)

      const prompt = await alice.sees('Connect account', ops)
      mayManage(world, 'another-4f1c9a', 'alice', 7)
      const words = label === 'Start maintenance' ? /^Put db-03/ : /^🔧 db-03 is in maintenance/
      const before = saying(alice, ops, words).length
      await connects(alice, 'another-4f1c9a', prompt)
      await expect.poll(() => saying(alice, ops, words)).toHaveLength(before + 1)
    },
  )
})

describe('a question that is pressed later', () => {
  it.each([
    [0, 120],
    [60 * minute, 60],
    [118.5 * minute, 2],
    [119.5 * minute, 1],
  ])('by %i ms sends what is left of the time that it showed', async (ms, duration) => {
    const world = await openMachines()
    const question = await asked(world)
    world.clock.advance(ms)

    await world.alice.presses('Start maintenance', question)

    await world.alice.sees('🔧 db-03 is in maintenance until', world.ops)
    expect(writes(world).map(({ body }) => body)).toEqual([put(duration)])
  })

  it('than its end sends nothing, and asks anew for the same length', async () => {
    const world = await openMachines()
    const { alice, ops, clock } = world
    const question = await asked(world)
    const before = question.plain
    clock.advance(2 * hour)

    await alice.presses('Start maintenance', question)

    await expect.poll(() => saying(alice, ops, /^Put db-03/)).not.toContain(before)
    expect(writes(world)).toEqual([])
    await alice.presses('Start maintenance')
    await alice.sees('🔧 db-03 is in maintenance until', ops)
    expect(writes(world).map(({ body }) => body)).toEqual([put(120)])
  })

  it('than a moment that was named sends nothing, and says so', async () => {
    const world = await openMachines()
    const end = clockTime(world.clock.now() + hour, 'Europe/Amsterdam').slice(11)
    const question = await asked(world, `12/34 until ${end}`)
    world.clock.advance(hour)

    await world.alice.presses('Start maintenance', question)

    await world.alice.sees('That time has passed, so nothing was sent.', world.ops)
    expect(writes(world)).toEqual([])
  })

  it('finds it disabled meanwhile, and changes nothing', async () => {
    const world = await openMachines()
    const question = await asked(world)
    world.service.setMode('asset/34', { mode: 'disabled' })

    await world.alice.presses('Start maintenance', question)

    await world.alice.sees('Not done: db-03 has changed since', world.ops)
    expect(writes(world)).toEqual([])
  })
})

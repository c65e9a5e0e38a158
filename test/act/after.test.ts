// What follows an act on an alert: its card, its thread, other cards.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { flags } from '../../src/grant/flags.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { liveCard, repliesWith } from '../watch/live.ts'
import { bobToken, openWorld, type World } from '../world.ts'
import { diskFull, pressedOnLastCard } from './on-card.ts'

/** A card of Alice’s in #general, and all that comes with it. */
async function aliceCard({ alice, general, slack }: World, line = '/alert 5HkX'): Promise<SeenMessage> {
  await alice.types(line, general)
  const card = await alice.sees('Disk full', general)
  await alice.sees(/History|No actions/, card)
  await slack.idle()
  return card
}

function reads({ service }: World) {
  return service.requests.map(({ method, path, token }) => `${token} ${method} ${path.split('?')[0]}`)
}

function updates({ slack }: World) {
  return slack.calls.filter(({ method }) => method === 'chat.update')
}

describe('an act on a card', () => {
  it('redraws it at once from the read after, and tells its thread once', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    const card = await aliceCard(world)
    const asked = reads(world).length
    const drawn = updates(world).length
    const posted = slack.calls.length

    await alice.types('/alert close 5HkX "Old logs removed."', general)
    await alice.sees('Closed: alert', general)
    await slack.idle()

    expect(card.plain).toContain('Closed')
    expect(card.plain).toContain('Old logs removed.')
    expect(repliesWith(card, 'Old logs removed.')).toHaveLength(1)
    expect(reads(world).slice(asked)).toEqual([
      'alice GET /alert/5HkX',
      'alice PUT /alert/5HkX/close',
      'alice GET /alert/5HkX',
    ])
    expect(updates(world).length - drawn).toBe(1)
    const calls = slack.calls.slice(posted).map(({ method }) => method)
    expect(calls.filter((method) => method === 'chat.postMessage')).toHaveLength(1)
  })

  it('is drawn for everybody as refreshed by whoever pressed', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { bob, general, service } = world
    service.addToken({ token: bobToken, name: 'bob', flags: [...flags], userId: 8 })
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    const card = await aliceCard(world)
    await bob.types('/alert comment 5HkX "On it."', general)
    await bob.sees('Commented', general)
    await world.slack.idle()
    expect(card.plain).toContain('refreshed by')
    expect(repliesWith(card, 'On it.')).toHaveLength(1)
  })

  it('that nothing shows leaves it as it is', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { bob, general, service, slack } = world
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    const card = await aliceCard(world)
    const before = card.plain
    await bob.types('/alert comment 5HkX "no flag"', general)
    await bob.sees('lacks', general)
    await slack.idle()
    expect(updates(world)).toEqual([])
    expect(card.plain).toBe(before)
  })

  it('that came too late shows how the alert is', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { alice, general, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await aliceCard(world)
    alert.close('AutoClose')
    await alice.types('/alert close 5HkX "mine"', general)
    await alice.sees('already closed', general)
    await slack.idle()
    expect(card.plain).toContain('Closed')
    expect(card.plain).not.toContain('mine')
  })

  it('never draws what was read before over what somebody else has drawn since', async () => {
    const read = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const waits = (storage: Storage): Storage => ({
      ...storage,
      sends: {
        ...storage.sends,
        async settle(...settled) {
          read.resolve()
          await goesOn.promise
          return storage.sends.settle(...settled)
        },
      },
    })
    const world = await openWorld(pressedOnLastCard(waits))
    const { alice, bob, general, service, slack } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const card = await aliceCard(world)
    const acting = alice.types('/alert comment 5HkX "first"', general)
    await read.promise
    alert.hit({ message: 'Disk fuller', severity: 1 })
    await bob.presses('Refresh', card)
    await bob.sees('Disk fuller', general)

    goesOn.resolve()
    await acting
    await alice.sees('Commented', general)
    await slack.idle()

    expect(card.plain).toContain('Disk fuller')
    expect(repliesWith(card, 'first')).toHaveLength(1)
  })

  it('whose card is gone is told all the same', async () => {
    const world = await openWorld(pressedOnLastCard())
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    await aliceCard(world)
    slack.trouble.fail('chat.update', { error: 'message_not_found' })
    await alice.types('/alert close 5HkX "done"', general)
    await alice.sees('Closed: alert', general)
  })
})

describe('other cards of an alert that was acted on', () => {
  it('are looked at at once where they are live, with their own watchers’ tokens', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { alice, bob, general, ops, service, slack } = world
    service.addToken({ token: bobToken, name: 'bob', flags: [...flags], userId: 8 })
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    const live = await liveCard(world)
    await bob.types('/alert 5HkX private', ops)
    await bob.sees('Disk full', ops)
    await slack.idle()
    const asked = reads(world).length

    await bob.types('/alert comment 5HkX "From Bob"', general)

    await alice.sees('From Bob', live)
    await slack.idle()
    expect(reads(world).slice(asked)).toContain('alice GET /alert/5HkX')
    expect(repliesWith(live, 'From Bob')).toHaveLength(1)
    expect(live.plain).not.toContain('refreshed by')
  })

  it('say in their threads that it was closed, ten at most, and private ones nothing', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', alice.dm)
    const own = await alice.sees('Disk full', alice.dm)
    const elsewhere = slack.addChannel({ name: 'elsewhere', members: [alice], botIsMember: true })
    await alice.types('/alert 5HkX', elsewhere)
    const snapshot = await alice.sees('Disk full', elsewhere)
    const card = await aliceCard(world)

    await alice.types('/alert close 5HkX "Old logs"', general)

    await alice.sees('Closed at', snapshot)
    await slack.idle()
    expect(JSON.stringify(snapshot.thread.map(({ plain }) => plain))).not.toContain('Old logs')
    expect(repliesWith(card, 'Closed at')).toEqual([])
    expect(own.plain).toContain('Open')
    expect(own.thread.map(({ plain }) => plain).join()).not.toContain('Closed')
  })

  it('in channels that others read hear nothing', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    const shared = slack.addChannel({
      name: 'shared',
      members: [alice],
      botIsMember: true,
      isShared: true,
    })
    await alice.types('/alert 5HkX', shared)
    const snapshot = await alice.sees('Disk full', shared)
    await aliceCard(world)
    await alice.types('/alert close 5HkX "Old logs"', general)
    await alice.sees('Closed: alert', general)
    await slack.idle(100)
    expect(repliesWith(snapshot, 'Closed')).toEqual([])
  })

  it('and the pressed one tell each action once, though watchers find it at the same time', async () => {
    const world = await openWorld(pressedOnLastCard())
    const { alice, general, service, slack, clock } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    clock.advance(31_000)
    await alice.types('/alert comment 5HkX "told once"', general)
    await alice.sees('told once', card)
    await slack.idle(200)
    expect(repliesWith(card, 'told once')).toHaveLength(1)
    expect(card.plain).toContain('● Live')
  })
})

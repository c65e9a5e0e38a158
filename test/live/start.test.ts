import { describe, expect, it } from 'vitest'
import { bobToken, openWorld } from '../world.ts'
import { comment, diskFull, liveCard, passes, repliesWith, timesRead } from './live.ts'

describe('/alert <ks> watch', () => {
  it('posts a card that stays true, and its thread tells what happens, once each', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    const alert = service.addAlert({ ...diskFull, actions: [comment('begun')] })
    const card = await liveCard(world)
    expect(card.plain).toContain('👁️ alice')

    alert.hit({ message: 'Disk fuller', severity: 1 })
    alert.act(comment('second', 1_700_000_120))
    alert.act(comment('third', 1_700_000_180))
    await passes(world)

    await alice.sees(/^🟣 Disk fuller\nALERT, was CRITICAL · /, general)
    await alice.sees('Disk fuller', general)
    await alice.sees('third', card)
    await passes(world)
    await passes(world)
    await world.slack.idle()
    expect(card.thread.map(({ plain }) => plain.match(/begun|second|third/g))).toEqual([
      ['begun'],
      ['second', 'third'],
    ])
  })

  it('says that a closed alert is closed, and shows it', async () => {
    const { alice, service, general } = await openWorld()
    service.addAlert({ ...diskFull, closedTimestamp: 1_700_000_100 })

    await alice.types('/alert 5HkX watch', general)

    const card = await alice.sees('\nClosed', general)
    expect(card.buttons).not.toContain('Watch')
    const told = await alice.sees(
      'This alert is closed, so there’s nothing left to watch.',
      general,
    )
    expect(told.isEphemeral).toBe(true)
  })
})

describe('Watch', () => {
  it('makes a card live that stands there already', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    await alice.presses('Watch', await alice.sees('Disk full', general))
    const card = await alice.sees('👁', general)

    alert.act(comment('news'))
    await passes(world)

    await alice.sees('news', card)
    expect(alice.messages(general)).toHaveLength(1)
  })

  it('by a colleague names both, and the service is asked once for the two', async () => {
    const world = await openWorld()
    const { bob, service, general } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)

    await bob.presses('Watch', await bob.sees('👁', general))
    await bob.sees('👁️ alice, bob', general)
    await world.slack.idle()
    const before = timesRead(world)
    alert.act(comment('news'))
    await passes(world)
    await bob.sees('news', card)

    await world.slack.idle()
    expect(timesRead(world)).toBe(before + 1)
    expect(repliesWith(card, 'news')).toHaveLength(1)
  })

  it('once more extends one’s own', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    const until = /until (\S+ \S+)/.exec(card.plain)?.[1]
    await passes(world, 3_600_000)

    await alice.presses('Watch', card)

    const told = await alice.sees(/You’re watching it until 2/, general)
    expect(told.isEphemeral).toBe(true)
    await world.slack.idle(300)
    expect(card.plain).not.toContain(until)
    expect(card.plain).toMatch(/👁️ alice · checked/)
  })

  it('by somebody who may not see the alert is told privately, and changes nothing', async () => {
    const { alice, bob, service, general, connect } = await openWorld()
    service.addToken({ token: 'weak-token', name: 'weak', flags: ['READ'] })
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    await connect(bob, 'weak-token')

    await bob.presses('Watch', await bob.sees('Disk full', general))

    const told = () => bob.messages(general).filter(({ isEphemeral }) => isEphemeral)
    await expect.poll(told).toHaveLength(1)
    await alice.doesNotSee('👁', general)
  })
})

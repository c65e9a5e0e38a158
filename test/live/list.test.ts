import { describe, expect, it } from 'vitest'
import { looksAtHome } from '../home/looks-at-home.ts'
import { bobToken, openWorld } from '../world.ts'
import { copyDocs, diskFull, liveCard, passes } from './live.ts'

describe('/alert watches', () => {
  it('lists one’s own, with links and until when, and stops them one by one', async () => {
    const world = await openWorld()
    const { alice, bob, service, general } = world
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    service.addAlert({ ks: 'web', message: 'shop <&> | 503', severity: 4 })
    service.addAlert({ ks: 'bobs', message: 'Bob’s own' })
    const card = await liveCard(world)
    await alice.types('/alert web watch', general)
    await alice.sees(/503[\s\S]*👁/, general)
    await bob.types('/alert bobs watch', general)
    await bob.sees(/Bob’s own[\s\S]*👁/, general)

    await alice.types('/alert watches', general)

    const list = await alice.sees('You’re watching 2 alerts.', general)
    expect(list.isEphemeral).toBe(true)
    expect(list.plain).toMatch(
      /🔴 CRITICAL · Disk full\s+in #general · 5HkX · until 2[\s\S]*🟡 WARNING · shop <&> ¦ 503\s+in #general · web · until 2/,
    )
    expect(list.plain).not.toContain('Bob’s own')
    expect(list.buttons).toEqual(['Stop watching', 'Stop watching'])
    const link = `https://playground.slack.com/archives/${general.id}/p${card.message.ts.replace('.', '')}`
    expect(JSON.stringify(list.message.blocks)).toContain(link)
    await alice.presses('Stop watching', list)
    await alice.sees('You’re watching 1 alert.', general)
    await alice.sees('Stopped updating: alice pressed Stop watching.', card)
    await alice.presses('Stop watching', await alice.sees('You’re watching 1 alert.', general))
    await alice.sees('You aren’t watching any alerts.', general)
  })

  it('of more than fit one message has them all, page by page, and Home leads there', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    service.addAlert(diskFull)
    await liveCard(world)
    await copyDocs(world, 'live-card', 23)

    await alice.types('/alert watches', general)
    const list = await alice.sees('You’re watching 23 alerts, worst first: 1 to 20', general)
    expect(list.buttons.at(-1)).toBe('Show more')
    await alice.presses('Show more', list)

    const rest = await alice.sees('You’re watching 23 alerts, worst first: 21 to 23', general)
    expect(rest.buttons).toEqual(['Stop watching', 'Stop watching', 'Stop watching'])
    expect((await looksAtHome(alice, world)).plain).toContain(
      'and 13 more: /alert watches lists them',
    )
  })

  it('says of a closed one that it is, and when the watch ends', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.close()
    await passes(world)
    await alice.sees('The card will stop updating', card)
    await world.slack.idle()

    await alice.types('/alert watches', general)

    const { plain } = await alice.sees('You’re watching 1 alert.', general)
    const until = new Date(world.clock.now() + 15 * 60_000).toISOString().slice(11, 16)
    expect(plain).toMatch(
      new RegExp(
        `✅ closed · Disk full\\s+in #general · 5HkX · until .*${until} UTC unless it opens again`,
      ),
    )
  })

  it('of somebody who watches nothing says how to begin', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/alert watches', general)

    const told = await alice.sees(
      'You aren’t watching any alerts. Press Watch on a card, or type /alert <key> watch.',
      general,
    )
    expect(told.isEphemeral).toBe(true)
  })
})

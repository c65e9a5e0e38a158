import { describe, expect, it } from 'vitest'
import { bobToken, openWorld } from '../world.ts'
import { diskFull, liveCard } from './live.ts'

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
      /Disk full\s+🔴 CRITICAL · in #general · 5HkX · until 2[\s\S]*shop <&> ¦ 503\s+🟡 WARNING · in #general · web · until 2/,
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

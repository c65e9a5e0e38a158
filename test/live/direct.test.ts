// Watches in the direct message with the bot, where it cannot change its card.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { comment, diskFull, passes, timesRead } from './live.ts'

describe('a private watch', () => {
  it('lives in the direct message with the bot, and is linked from where it was asked', async () => {
    const world = await openWorld()
    const { alice, bob, service, general } = world
    const alert = service.addAlert({ ...diskFull, actions: [comment('begun')] })

    await alice.types('/alert 5HkX private watch', general)

    const card = await alice.sees(/Disk full[\s\S]*👁/, alice.dm)
    await alice.sees('begun', card)
    const told = await alice.sees('This alert is live in your direct messages with me.', general)
    expect(told.isEphemeral).toBe(true)
    const link = `slack.com/archives/${alice.dm.id}/p${card.message.ts.replace('.', '')}`
    expect(JSON.stringify(told.message.blocks)).toContain(link)
    alert.act(comment('news', 1_700_000_120))
    await passes(world)
    await alice.sees('news', card)
    await bob.doesNotSee('Disk full', general)
  })

  it('comes from Watch on a card that only its asker sees; a second press shows the same', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)

    await Promise.all([alice.presses('Watch', card), alice.presses('Watch', card)])

    await alice.sees('👁', alice.dm)
    await alice.sees('This alert is live in your direct messages with me.', general)
    await world.slack.idle()
    expect(alice.messages(alice.dm)).toHaveLength(1)
  })
})

describe('somebody who knows the id of another’s private card', () => {
  it('learns nothing by it, and moves nothing', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general } = world
    service.addAlert(diskFull)
    service.addAlert({ ks: 'for-all', message: 'For all' })
    await alice.types('/alert 5HkX private watch', general)
    const card = await alice.sees('👁', alice.dm)
    await alice.types('/alert for-all watch', general)
    await bob.sees(/For all[\s\S]*👁/, general)
    await slack.idle(100)
    const read = timesRead(world)
    const id = /"value":"([^"]+)"/.exec(JSON.stringify(card.message.blocks))?.[1] ?? ''

    for (const action of [
      'watch.stop',
      'watch.start',
      'watch.start-directly',
      'watch.stop-listed',
    ]) {
      const forged = { type: 'button', action_id: action, block_id: 'x', value: id }
      await bob.acts(await bob.sees('For all', general), forged)
    }

    await slack.idle(100)
    expect(timesRead(world)).toBe(read)
    expect(bob.screen(general)).not.toContain('alice can')
    expect(bob.messages(bob.dm)).toEqual([])
    expect(card.plain).toContain('👁')
  })
})

describe('in a channel that the bot is not in', () => {
  it('watching offers the invitation or the direct message, where it then lives', async () => {
    const world = await openWorld()
    const { alice, bob, service, ops } = world
    const alert = service.addAlert(diskFull)

    await alice.types('/alert 5HkX watch', ops)
    const offer = await alice.sees('so I can’t update a card', ops)
    expect(offer.isEphemeral).toBe(true)
    expect(offer.plain).toContain('/invite @Bellhop')
    await alice.presses('Watch', offer)

    const card = await alice.sees('👁', alice.dm)
    await alice.sees('This alert is live in your direct messages with me.', ops)
    alert.act(comment('news'))
    await passes(world)
    await alice.sees('news', card)
    await bob.doesNotSee('direct messages', ops)
  })
})

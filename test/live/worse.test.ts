// The thread of a card says when its alert gets worse or better, or is open again: once, in order, whoever finds it.
import { describe, expect, it } from 'vitest'
import { closesOn } from '../act/on-card.ts'
import { bobToken, openWorld } from '../world.ts'
import { comment, diskFull, liveCard, passes, repliesWith, watchedByBoth } from './live.ts'

describe('a live card', () => {
  it('says in its thread that the alert got worse, and later that it got better', async () => {
    const world = await openWorld()
    const { alice, service } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)

    alert.hit({ severity: 1, message: 'Disk <!channel> fuller' })
    await passes(world)
    await alice.sees('⬆️ CRITICAL → ALERT · Disk <!channel> fuller', card)
    alert.hit({ severity: 4, message: 'Disk half full' })
    await passes(world)
    await alice.sees('⬇️ ALERT → WARNING · Disk half full', card)

    await passes(world)
    await world.slack.idle(100)
    expect(repliesWith(card, '→')).toHaveLength(2)
  })

  it('says once what became of a storm between two looks, and nothing when it is as before', async () => {
    const world = await openWorld()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    for (const severity of [1, 5, 0, 2, 4]) alert.hit({ severity })
    await passes(world)
    await alice.sees('⬇️ CRITICAL → WARNING', card)
    for (const severity of [1, 0, 4]) alert.hit({ severity })
    await passes(world)
    await passes(world)
    await slack.idle(100)
    expect(repliesWith(card, '→')).toHaveLength(1)
  })

  it('says nothing of a message that changes alone: the card shows it', async () => {
    const world = await openWorld()
    const { alice, service, slack, general } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    alert.hit({ message: 'Disk full, 97 %' })
    await passes(world)
    await alice.sees('97 %', general)
    await slack.idle(100)
    expect(card.thread).toHaveLength(1)
  })

  it('says it after a restart, of what changed meanwhile', async () => {
    const world = await openWorld()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    alert.hit({ severity: 1 })
    await world.restart()
    await passes(world)
    await alice.sees('⬆️ CRITICAL → ALERT', card)
    await passes(world)
    await slack.idle(100)
    expect(repliesWith(card, '→')).toHaveLength(1)
  })

  it('says it once though two bots look after cards', async () => {
    const world = await openWorld()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await world.startAnother()
    for (const severity of [1, 3]) {
      alert.hit({ severity })
      await passes(world)
      await alice.sees(severity === 1 ? '⬆️ CRITICAL → ALERT' : '⬇️ ALERT → ERROR', card)
    }
    await passes(world)
    await slack.idle(100)
    expect(repliesWith(card, '→')).toHaveLength(2)
  })

  it.each([{ took: true }, { took: false }])(
    'says it again where Slack did not confirm the reply (taken: $took)',
    async ({ took }) => {
      const world = await openWorld()
      world.expectRefusals()
      const { service, slack } = world
      const alert = service.addAlert(diskFull)
      const card = await liveCard(world)
      await slack.idle()
      slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: took })
      alert.hit({ severity: 1 })
      // Not at once: it may stand there.
      for (let look = 0; look < 8; look += 1) await passes(world)
      await expect.poll(() => repliesWith(card, '→').length).toBe(took ? 2 : 1)
    },
  )

  it('mentions whoever watches when it gets worse, closes or opens again, and nobody when it gets better', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await watchedByBoth(world)
    const both = [alice, bob].map(({ id }) => `<@${id}>`)
    const pingsOf = async (words: string | RegExp) => (await alice.sees(words, card)).message.pings

    alert.hit({ severity: 1 })
    await passes(world)
    expect(await pingsOf('⬆️ CRITICAL → ALERT')).toEqual(both)
    alert.hit({ severity: 3 })
    await passes(world)
    expect(await pingsOf('⬇️ ALERT → ERROR')).toEqual([])
    alert.act(comment('Only a comment'))
    await passes(world)
    expect(await pingsOf('Only a comment')).toEqual([])
    alert.close('Close', { userId: 7 })
    await passes(world)
    expect(await pingsOf('unless the alert opens again')).toEqual(both)
    await slack.idle()
    alert.reopen({ severity: 3 })
    await passes(world)
    expect(await pingsOf('Open again')).toEqual(both)
  })

  it('mentions the others when somebody who watches closes it on the card', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { alice, bob, service } = world
    service.addAlert(diskFull)
    const card = await watchedByBoth(world)

    await closesOn(card, alice)

    expect((await alice.sees('unless the alert opens again', card)).message.pings).toEqual([
      `<@${bob.id}>`,
    ])
  })

  it('in somebody’s direct messages mentions nobody, as the reply is a message to them', async () => {
    const world = await openWorld()
    const { alice, service } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world, alice.dm)
    alert.hit({ severity: 1 })
    await passes(world)
    expect((await alice.sees('⬆️ CRITICAL → ALERT', card)).message.pings).toEqual([])
  })
})

describe('Refresh', () => {
  it('says in the thread what became of the alert since it was last told, once', async () => {
    const world = await openWorld()
    const { alice, bob, service, general, slack } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    alert.hit({ severity: 1, message: 'Disk fuller' })
    await bob.presses('Refresh', await bob.sees('Disk full', general))
    const reply = await alice.sees('⬆️ CRITICAL → ALERT · Disk fuller', card)
    expect(reply.message.pings).toEqual([])
    await alice.presses('Refresh', card)
    await slack.idle(100)
    expect(repliesWith(card, '→')).toHaveLength(1)
  })
})

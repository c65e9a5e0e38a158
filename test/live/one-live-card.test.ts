// One live card of an alert in a channel: whoever wants another is led to the first, and watches that.
import { describe, expect, it } from 'vitest'
import { bobToken, openWorld } from '../world.ts'
import { comment, diskFull, liveCard, passes } from './live.ts'

describe('an alert of which a card is live in the channel', () => {
  it('gets no second one: whoever asks is led to the first, and watches that', async () => {
    const world = await openWorld()
    const { alice, bob, service, general, slack } = world
    await world.connect(bob, bobToken)
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await bob.types('/alert 5HkX watch', general)

    const told = await bob.sees(/This alert is live here\. You’re watching it until 2/, general)
    expect(told.isEphemeral).toBe(true)
    const link = `slack.com/archives/${general.id}/p${card.message.ts.replace('.', '')}`
    expect(JSON.stringify(told.message.blocks)).toContain(link)
    await alice.sees('👁️ alice, bob', general)
    await slack.idle()
    expect(bob.messages(general).filter(({ plain }) => plain.includes('👁'))).toHaveLength(1)
    alert.act(comment('news'))
    await passes(world)
    await alice.sees('news', card)
    await bob.presses('Stop watching', told)
    await bob.sees('You aren’t watching any alerts.', general)
  })

  it('nor does Watch on another card there make one', async () => {
    const world = await openWorld()
    const { alice, bob, service, general, slack } = world
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    await bob.types('/alert 5HkX', general)
    const snapshot = await bob.sees('Disk full', general)
    await liveCard(world)
    await bob.presses('Watch', snapshot)

    await bob.sees('This alert is live here.', general)
    await alice.sees('👁️ alice, bob', general)
    await slack.idle()
    expect(snapshot.plain).not.toContain('👁')
  })

  it('nor do two who ask at the same moment', async () => {
    const world = await openWorld()
    const { alice, bob, service, general, slack } = world
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)

    await Promise.all([
      alice.types('/alert 5HkX watch', general),
      bob.types('/alert 5HkX watch', general),
    ])

    await alice.sees(/👁️ (alice, bob|bob, alice)/, general)
    await slack.idle()
    expect(bob.messages(general).filter(({ plain }) => plain.includes('👁'))).toHaveLength(1)
  })

  it('gets another one elsewhere, and once the first has ended', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    const other = slack.addChannel({ name: 'other', members: [alice, bob], botIsMember: true })
    await liveCard(world, other)
    await alice.presses('Stop watching', card)
    await alice.sees('Stopped updating', card)
    await alice.types('/alert 5HkX watch', general)
    await slack.idle()
    expect(alice.messages(general).filter(({ plain }) => plain.includes('👁'))).toHaveLength(1)
    expect(alice.screen(general)).not.toContain('This alert is live')
  })
})

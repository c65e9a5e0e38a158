// Direct messages to whoever pressed Watch, when the alert gets worse: once, and what their own token reads.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { bobToken, openWorld } from '../world.ts'
import { diskFull, liveCard, passes, watchedByBoth } from './live.ts'

const toldTo = (person: Person): readonly SeenMessage[] =>
  person.messages(person.dm).filter(({ plain }) => /⬆️|Open again/.test(plain))

describe('somebody who watches an alert', () => {
  it('hears directly that it got worse, with the way to the card, and not that it got better', async () => {
    const world = await openWorld()
    const { alice, service, slack, general } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.hit({ severity: 1, message: 'Disk <!channel> fuller' })
    await passes(world)

    const told = await alice.sees('⬆️ CRITICAL → ALERT · Disk <!channel> fuller', alice.dm)
    expect(told.plain).toContain('5HkX · in #general · Open the card')
    expect(told.buttons).toEqual(['Only in the thread'])
    const link = `slack.com/archives/${general.id}/p${card.message.ts.replace('.', '')}`
    expect(JSON.stringify(told.message.blocks)).toContain(link)
    alert.hit({ severity: 4 })
    await passes(world)
    await alice.sees('⬇️ ALERT → WARNING', card)
    await passes(world)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(1)
    alert.hit({ severity: 3 })
    await passes(world)
    await alice.sees('⬆️ WARNING → ERROR', alice.dm)
  })

  it('hears no more of it directly after Only in the thread', async () => {
    const world = await openWorld()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.hit({ severity: 1 })
    await passes(world)
    await alice.presses('Only in the thread', await alice.sees('⬆️ CRITICAL → ALERT', alice.dm))
    await alice.sees('From now on, I’ll post news of this alert only in its thread.', alice.dm)
    alert.hit({ severity: 0 })
    await passes(world)
    await alice.sees('⬆️ ALERT → EMERGENCY', card)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(1)
  })

  it('hears it directly again after Stop watching and Watch, though they watch another card of it', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack } = world
    const alert = service.addAlert(diskFull)
    const other = slack.addChannel({ name: 'other', members: [alice, bob], botIsMember: true })
    const card = await liveCard(world)
    await liveCard(world, other)
    await slack.idle()
    alert.hit({ severity: 1 })
    await passes(world)
    await alice.presses('Only in the thread', await alice.sees('⬆️ CRITICAL → ALERT', alice.dm))
    await alice.sees('From now on', alice.dm)
    await alice.presses('Stop watching', card)
    await alice.sees('Stopped updating', card)
    await alice.presses('Watch', card)
    await alice.sees('● Live', world.general)
    await slack.idle()
    alert.hit({ severity: 0 })
    await passes(world)
    await alice.sees('⬆️ ALERT → EMERGENCY', alice.dm)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(2)
  })

  it('hears it once though two bots look after cards, and after a restart', async () => {
    const world = await openWorld()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    await liveCard(world)
    await world.startAnother()
    alert.hit({ severity: 1 })
    await passes(world)
    await alice.sees('⬆️ CRITICAL → ALERT', alice.dm)
    await world.restart()
    await passes(world)
    await passes(world)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(1)
  })

  it('hears it once though they watch two cards of it', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack } = world
    const alert = service.addAlert(diskFull)
    await liveCard(world)
    const other = slack.addChannel({ name: 'other', members: [alice, bob], botIsMember: true })
    const second = await liveCard(world, other)
    await slack.idle()
    alert.hit({ severity: 1 })
    await passes(world)
    await alice.sees('⬆️ CRITICAL → ALERT', second)
    await passes(world)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(1)
    await alice.presses('Only in the thread', await alice.sees('⬆️ CRITICAL → ALERT', alice.dm))
    alert.hit({ severity: 0 })
    await passes(world)
    await alice.sees('EMERGENCY', second)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(1)
  })

  it('hears it again after it eased, though another of their cards is in the hands of a bot that died', async () => {
    const world = await openWorld()
    const { alice, bob, env, service, slack } = world
    const other = slack.addChannel({ name: 'other', members: [alice, bob], botIsMember: true })
    const alert = service.addAlert({ ...diskFull, severity: 3 })
    const card = await liveCard(world)
    await liveCard(world, other)
    await slack.idle()
    alert.hit({ severity: 2 })
    await passes(world)
    await alice.sees('⬆️ ERROR → CRITICAL', alice.dm)
    await slack.idle(100)
    const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''), { timeout: 5_000 })
    const holding = 'update live_cards set lease_owner = ?, lease_until = 9e15 where channel_id = ?'
    database.prepare(holding).run('dead', other.id)
    database.close()
    alert.hit({ severity: 4 })
    await passes(world)
    await alice.sees('⬇️ CRITICAL → WARNING', card)
    alert.hit({ severity: 2 })
    await passes(world)
    await alice.sees('⬆️ WARNING → CRITICAL', card)
    await alice.sees('⬆️ WARNING → CRITICAL', alice.dm)
    expect(toldTo(alice)).toHaveLength(2)
  })

  it('hears it when Slack lets it through, once', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    alert.hit({ severity: 1 })
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 40, times: 2 })
    for (let look = 0; look < 4; look += 1) await passes(world, 60_000)
    await alice.sees('⬆️ CRITICAL → ALERT', card)
    await alice.sees('⬆️ CRITICAL → ALERT', alice.dm)
    await passes(world)
    await slack.idle(100)
    expect(toldTo(alice)).toHaveLength(1)
  })

  it('hears it again, and that it may be again, when nobody knows whether it arrived', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX private watch', alice.dm)
    await alice.sees('● Live', alice.dm)
    await alice.sees('No actions', await alice.sees('● Live', alice.dm))
    await slack.idle()
    alert.hit({ severity: 1 })
    // The thread's reply is the first, and arrives.
    slack.trouble.cut('chat.postMessage', { times: 2, takesEffect: true })
    for (let look = 0; look < 5; look += 1) await passes(world, 60_000)
    await alice.sees('This may be a duplicate', alice.dm)
    await passes(world)
    await slack.idle(100)
    expect(toldTo(alice).length).toBeLessThanOrEqual(3)
  })

  it('hears nothing once they have disconnected, or left', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack, general } = world
    const alert = service.addAlert(diskFull)
    const card = await watchedByBoth(world)
    await bob.types('/alert disconnect', general)
    await slack.idle()
    alert.hit({ severity: 1 })
    await passes(world)
    await alice.sees('⬆️ CRITICAL → ALERT', card)
    await alice.sees('⬆️ CRITICAL → ALERT', alice.dm)
    await slack.idle(100)
    expect(toldTo(bob)).toEqual([])
  })
})

describe('of several who watch a card, each', () => {
  it('hears what their own token reads', async () => {
    const world = await openWorld()
    const { alice, bob, service } = world
    const alert = service.addAlert(diskFull)
    await watchedByBoth(world)
    const before = service.requests.length
    alert.hit({ severity: 1 })
    await passes(world)
    await alice.sees('⬆️ CRITICAL → ALERT', alice.dm)
    await bob.sees('⬆️ CRITICAL → ALERT', bob.dm)
    const reads = service.requests.slice(before).map(({ token }) => token)
    expect(new Set(reads)).toEqual(new Set(['alice', 'bob']))
  })

  it('and nothing that only another’s token reads', async () => {
    const world = await openWorld()
    const { alice, bob, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await watchedByBoth(world)
    service.addToken({ token: bobToken, name: 'bob', flags: ['API'] })
    alert.hit({ severity: 1, message: 'Secret of container 12' })
    await passes(world)
    await alice.sees('Secret of container 12', card)
    await alice.sees('Secret of container 12', alice.dm)
    await passes(world)
    await slack.idle(100)
    expect(bob.screen(bob.dm)).not.toContain('Secret')
    expect(toldTo(bob)).toEqual([])
  })
})

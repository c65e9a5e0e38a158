// The Home tab as somebody reads it, and what they can do there.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { SeenModal } from '../../playground/slack/person/seen.ts'
import { allBut } from '../doctor/scopes.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'
import { looksAtHome } from './looks-at-home.ts'

type Person = World['alice']

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const

async function lookUp(person: Person, alert: { ks: string; message: string }, { general, service }: World) {
  service.addAlert(alert)
  await person.types(`/alert ${alert.ks}`, general)
  return person.sees(alert.message, general)
}

describe('the Home tab of somebody without an account', () => {
  it('says what connecting is for, and connects', async () => {
    const world = await openWorld()
    const { bob } = world
    const home = await looksAtHome(bob, world)
    expect(home.plain).toContain('You are not connected. Connect your own account at the monitoring service')
    expect(home.buttons).toEqual(['Connect account'])

    await bob.presses('Connect account', home)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': bobToken } })

    const connected = await bob.seesHome(/✅ Connected since 2\d{3}-/)
    expect(connected.plain).toContain('What your token may do shows here once you have used it.')
    expect(connected.buttons).toEqual(['Disconnect'])
    expect(bob.modal?.plain).toContain('Connected.')
  })

  it('has a button without a value, as Slack refuses an empty one', async () => {
    const world = await openWorld()
    const home = await looksAtHome(world.bob, world)

    const sent = JSON.stringify(home.view.content)
    expect(sent).toContain('"action_id":"account.connect"')
    expect(sent).not.toContain('"value":""')
  })

  it('connects from there after a restart, too', async () => {
    const world = await openWorld()
    const { bob } = world
    const home = await looksAtHome(bob, world)
    await world.restart()

    await bob.presses('Connect account', home)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': bobToken } })

    await bob.seesHome('✅ Connected since')
  })

  it('stays as it was when the token is not accepted', async () => {
    const world = await openWorld()
    const { bob, slack } = world
    await bob.presses('Connect account', await looksAtHome(bob, world))
    await bob.seesModal('Connect account')

    await bob.submits({ fields: { 'API token': 'wrong' } })
    await slack.idle()

    expect(bob.modal?.plain).toContain('Monitoring doesn’t accept this token (401)')
    expect(bob.home?.plain).toContain('You are not connected.')
  })

  it('follows when they connect and disconnect by command', async () => {
    const world = await openWorld()
    const { bob, general } = world
    await looksAtHome(bob, world)

    await world.connect(bob, bobToken)
    await bob.seesHome('✅ Connected since')
    await bob.types('/alert disconnect', general)

    await bob.seesHome('You are not connected.')
  })

  it('is not made for whoever has never opened it', async () => {
    const world = await openWorld()
    await world.connect(world.bob, bobToken)
    await world.slack.idle()

    expect(world.slack.calls.filter(({ method }) => method === 'views.publish')).toEqual([])
  })
})

describe('the Home tab that Slack refuses', () => {
  it('is shown without its links, so that everything else can be pressed', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, slack } = world
    await lookUp(alice, diskFull, world)
    slack.trouble.fail('views.publish', { error: 'invalid_arguments' })

    const home = await looksAtHome(alice, world)

    expect(home.plain).toContain('Disk full · ')
    expect(home.buttons).toEqual(['Disconnect'])
    expect(JSON.stringify(home.view.content)).not.toContain('"type":"link"')
  })

  it('says which commands to use instead, rather than staying empty', async () => {
    const world = await openWorld()
    world.expectRefusals()
    world.slack.trouble.fail('views.publish', { error: 'invalid_arguments' })

    const home = await looksAtHome(world.bob, world)

    expect(home.plain).toContain('Commands work: /alert connect connects your account')
    expect(world.log.some((line) => line.includes('Slack rejects a Home tab'))).toBe(true)
  })
})

describe('Disconnect on the Home tab', () => {
  it('asks first, and then forgets the token and the watches', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX watch', general)
    await alice.sees('● Live', general)
    const home = await looksAtHome(alice, world)
    expect(home.confirmationOf('Disconnect')).toEqual({
      title: 'Disconnect',
      text: 'Bellhop forgets your token at once, and your watches end. If you do not need the token any more, revoke it at the monitoring service too.',
      confirm: 'Disconnect',
      deny: 'Cancel',
    })

    alice.declines('Disconnect', home)
    await alice.presses('Disconnect', home, { confirm: true })

    const after = await alice.seesHome('You are not connected.')
    expect(after.plain).toContain('You aren’t watching any alerts.')
    await alice.types('/alert 5HkX private', general)
    await alice.sees('I need your monitoring account', general)
  })
})

describe('the rights on the Home tab', () => {
  it('are those that were seen to work, and to be refused, with this token', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    await lookUp(alice, diskFull, world)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)

    const { plain } = await looksAtHome(alice, world)
    expect(plain).toMatch(/Grant access on container 12 \(API and CONTAINER_ACCESS\): worked, 2\d{3}-/)
    expect(plain).toMatch(/Look up alerts \(API and READ\): worked, 2\d{3}-/)
    service.addToken({ token: 'another', name: 'another', flags: ['API', 'READ'] })
    await world.connect(alice, 'another')
    expect((await looksAtHome(alice, world)).plain).toContain('shows here once you have used it')

    await alice.types('/grant 12 erin@example.com viewer', general)
    await alice.sees('Not granted', general)
    const refused = await looksAtHome(alice, world)
    expect(refused.plain).toMatch(
      /Grant access on container 12: refused, 2\d{3}-.*; it needs API and CONTAINER_ACCESS/,
    )
    expect(refused.plain).not.toContain('worked')
  })

  it('tell of a look-up that was refused, until the same one works', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    service.trouble.answer(403)
    await alice.types('/alert 5HkX', general)
    await alice.sees('Your token lacks API or READ', general)

    expect((await looksAtHome(alice, world)).plain).toMatch(
      /Look up 5HkX: refused, 2\d{3}-.*; it needs API and READ there/,
    )
    service.trouble.clear()
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)

    const { plain } = await looksAtHome(alice, world)
    expect(plain).toContain('Look up alerts (API and READ): worked')
    expect(plain).not.toContain('refused')
  })

  it('tell that a token lacks them from the moment it is connected', async () => {
    const world = await openWorld()
    const { bob, service } = world
    await looksAtHome(bob, world)
    service.trouble.answer(403)

    await world.connect(bob, bobToken)

    await bob.seesHome(/Connected since .*\n.*\n• Look up alerts: refused, .*; it needs API and READ there/)
  })

  it('say that the token is no longer accepted, and how to go on', async () => {
    const world = await openWorld()
    const { alice, service, general } = world
    service.addAlert(diskFull)
    service.revoke(aliceToken)
    await alice.types('/alert 5HkX', general)
    await alice.sees('no longer accepts', general)

    const home = await looksAtHome(alice, world)

    expect(home.plain).toMatch(
      /⚠️ Connected since 2\d{3}-.*, but the monitoring service no longer accepts your token \(2\d{3}-/,
    )
    expect(home.buttons).toEqual(['Connect account', 'Disconnect'])
    service.addToken({ token: 'renewed', name: 'alice', flags: ['API', 'READ'] })
    await alice.presses('Connect account', home)
    await alice.seesModal('Connect account')
    await alice.submits({ fields: { 'API token': 'renewed' } })
    await alice.seesHome('✅ Connected since')
  })
})

describe('the watches on the Home tab', () => {
  it('are those of /alert watches, and are stopped there', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    service.addAlert({ ks: 'web', message: 'shop <&> | 503', severity: 4 })
    for (const ks of ['5HkX', 'web']) {
      await alice.types(`/alert ${ks} watch`, general)
      await alice.sees(/● Live/, general)
      await world.slack.idle()
    }

    const home = await looksAtHome(alice, world)
    expect(home.plain).toMatch(
      /You’re watching 2 alerts\.[\s\S]*Disk full\s+🔴 CRITICAL · in #general · 5HkX · until 2[\s\S]*shop <&> ¦ 503\s+🟡 WARNING · in #general · web · until 2/,
    )
    expect(JSON.stringify(home.blocks)).toContain(`https://playground.slack.com/archives/${general.id}/p`)
    await alice.presses('Stop watching', home)

    const left = await alice.seesHome('You’re watching 1 alert.')
    expect(left.plain).not.toMatch(/Disk full\s+🔴/)
    await alice.sees('Stopped updating: alice pressed Stop watching.', await alice.sees('Disk full', general))
  })

  it('that ended meanwhile go from the tab when they are pressed, and that is said directly', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX watch', general)
    const card = await alice.sees('● Live', general)
    const home = await looksAtHome(alice, world)
    await alice.presses('Stop watching', card)
    await alice.sees('Stopped updating: alice pressed Stop watching.', card)

    await alice.presses('Stop watching', home)

    await alice.seesHome('You aren’t watching any alerts.')
    await alice.sees('Nobody is watching this card any more.', alice.dm)
  })
})

describe('what was done lately, on the Home tab', () => {
  it('is the last ten look-ups and grants, newest first, with links; after a restart, too', async () => {
    const world = await openWorld()
    const { alice, general, clock } = world
    expect((await looksAtHome(alice, world)).plain).toContain('Nothing yet.')
    for (let number = 1; number <= 9; number += 1) {
      clock.advance(1000)
      await lookUp(alice, { ks: `k${number}`, message: `Alert <${number}> & *more*` }, world)
    }
    clock.advance(1000)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    clock.advance(1000)
    await alice.types('/grant 12 dave@example.com,nobody@example.com READ', general)
    await alice.sees('0 of 2 granted', general)
    await world.restart()

    const home = await looksAtHome(alice, world)

    const [, lately = ''] = /Lately\n([\s\S]*)\nHelp/.exec(home.plain) ?? []
    const lines = lately.split('\n')
    expect(lines).toHaveLength(10)
    expect(lines[0]).toMatch(/✋ 0 of 2 granted: dave@example\.com and 1 more · container 12 · 2\d{3}-/)
    expect(lines[1]).toMatch(/✅ dave@example\.com: granted · container 12 · 2\d{3}-/)
    expect(lines[2]).toMatch(/Alert <9> & \*more\* · 2\d{3}-.* · Open in monitoring/)
    expect(lines[9]).toContain('Alert <2>')
    const json = JSON.stringify(home.blocks)
    const card = await alice.sees('Alert <9>', general)
    expect(json).toContain(`/archives/${general.id}/p${card.message.ts.replace('.', '')}`)
    expect(json).toContain('https://monitor.example.com/alert/k9')
  })

  it('links what stands in a thread there, and what only the asker saw nowhere', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX private', general)
    await alice.sees('Disk full', general)

    const home = await looksAtHome(alice, world)

    expect(home.plain).toMatch(/Disk full · 2\d{3}-.* · Open in monitoring/)
    expect(JSON.stringify(home.blocks)).not.toContain('/archives/')
  })
})

describe('the Home tab', () => {
  it('never shows what is another person’s', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    await lookUp(alice, diskFull, world)
    await alice.types('/alert 5HkX watch', general)
    await alice.sees('● Live', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)

    const { plain } = await looksAtHome(bob, world)

    expect(plain).not.toMatch(/Disk full|dave|container 12|✅/)
    expect(plain).toContain('You aren’t watching any alerts.')
  })

  it('asks nothing of the service, and is whole while that is down', async () => {
    const world = await openWorld()
    const { alice, service } = world
    await lookUp(alice, diskFull, world)
    await world.slack.idle()
    const before = service.requests.length
    await service.trouble.down()

    const { plain } = await looksAtHome(alice, world)

    expect(plain).toMatch(/✅ Connected since[\s\S]*You aren’t watching any alerts\.[\s\S]*Disk full/)
    expect(service.requests).toHaveLength(before)
  })

  it('says of a part that cannot be read that it cannot, and shows the others', async () => {
    const world = await openWorld()
    const { alice } = world
    await lookUp(alice, diskFull, world)
    await world.slack.idle()
    const database = new DatabaseSync(String(world.env.DATABASE_URL).replace('file:', ''), { timeout: 5_000 })
    database.exec('alter table wishes rename to lost')
    const lost = await looksAtHome(alice, world)
    database.exec('alter table lost rename to wishes')
    database.close()

    expect(lost.plain).toMatch(
      /✅ Connected since[\s\S]*You aren’t watching any alerts\.[\s\S]*Lately\nThis could not be read just now\.[\s\S]*Help/,
    )
    expect(world.log.some((line) => line.includes('a part of a Home tab could not be read'))).toBe(true)
    expect((await looksAtHome(alice, world)).plain).toContain('Disk full')
  })

  it('is let be by a Slack that does not take it, which is logged', async () => {
    const world = await openWorld()
    const { alice, slack } = world
    world.expectRefusals()
    slack.trouble.fail('views.publish', { error: 'internal_error' })

    await alice.opensHome()
    const isLogged = () => world.log.some((line) => line.includes('Slack did not accept a Home tab'))
    await expect.poll(isLogged, { timeout: 5_000 }).toBe(true)

    expect(alice.home).toBeUndefined()
    expect(slack.messagesIn(alice.dm)).toEqual([])
    slack.trouble.clear()
    await looksAtHome(alice, world)
  })

  it('is nothing to somebody of another organisation', async () => {
    const { slack } = await openWorld()
    const eve = slack.addPerson({ name: 'eve', teamId: 'T0OTHER01' })

    await eve.opensHome()
    await slack.idle()

    expect(eve.home).toBeUndefined()
    expect(slack.messagesIn(eve.dm)).toEqual([])
  })

  it('is off without the scope that tells whose people they are', async () => {
    const { alice, slack } = await openWorld({ slack: { botScopes: allBut('users:read') } })

    await alice.opensHome()
    await slack.idle()

    expect(alice.home).toBeUndefined()
  })

  it('is not made when the direct message is opened', async () => {
    const { alice, slack } = await openWorld()

    await alice.opensMessages()
    await slack.idle()

    expect(alice.home).toBeUndefined()
  })

  it('has help in five lines, without links where they are not set up', async () => {
    const world = await openWorld()
    const { alice } = world
    const helpOf = ({ plain }: SeenModal) => (/Help\n([\s\S]*)\nas of /.exec(plain)?.[1] ?? '').split('\n')
    const help = helpOf(await looksAtHome(alice, world))
    expect(help).toHaveLength(5)
    expect(help[0]).toContain('/alert <key or link> shows an alert')

    await world.restart({ MONITOR_ALERT_URL: '' })

    expect(helpOf(await looksAtHome(alice, world))[0]).toContain('/alert <key> shows an alert')
  })
})

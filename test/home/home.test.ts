import { describe, expect, it } from 'vitest'
import { withAlert } from '../act/on-card.ts'
import { allBut } from '../doctor/scopes.ts'
import { followed, openCustomer, opens } from '../follow/follow.ts'
import { liveCard } from '../live/live.ts'
import { bobToken, connects, diskFull, openWorld, type World } from '../world.ts'
import { looksAtHome } from './looks-at-home.ts'

type Person = World['alice']

async function lookUp(
  person: Person,
  alert: { ks: string; message: string },
  { general, service }: World,
) {
  service.addAlert(alert)
  await person.types(`/alert "${alert.ks}"`, general)
  return person.sees(alert.message, general)
}

describe('the Home tab of somebody without an account', () => {
  it('says what connecting is for, and connects', async () => {
    const world = await openWorld()
    const { bob } = world
    const home = await looksAtHome(bob, world)
    expect(home.plain).toMatch(/^Connect your monitoring account so that I can look up alerts/)
    expect(home.buttons).toEqual(['Connect account', 'Look up an alert', 'Grant access'])

    await connects(bob, bobToken, home)

    const connected = await bob.seesHome(/Connected since 2\d{3}-/)
    expect(connected.plain).toContain(
      'Alerts you look up or watch, and access you grant, will be listed here.',
    )
    expect(connected.buttons).toEqual(['Look up an alert', 'Grant access', 'Disconnect'])
    expect(bob.modal?.plain).toContain('Connected.')
  })
})

describe('Disconnect on the Home tab', () => {
  it('asks first, and then forgets the token and the watches', async () => {
    const { world, alice, general } = await withAlert()
    await liveCard(world)
    const home = await looksAtHome(alice, world)
    expect(home.confirmationOf('Disconnect')).toEqual({
      title: 'Disconnect',
      text: 'I delete your token. You stop watching alerts, and channels that follow a container with your account are told. If you no longer need the token, revoke it in monitoring too.',
      confirm: 'Disconnect',
      deny: 'Cancel',
    })

    alice.declines('Disconnect', home)
    await alice.presses('Disconnect', home, { confirm: true })

    const after = await alice.seesHome('Connect your monitoring account')
    expect(after.buttons).not.toContain('Stop watching')
    await alice.types('/alert 5HkX private', general)
    await alice.sees('I need your monitoring account', general)
  })
})

describe('the live cards on the Home tab', () => {
  it('are those of /alert watches, and are stopped there', async () => {
    const { world, alice, general, service } = await withAlert()
    service.addAlert({ ks: 'web', message: 'shop <&> | 503', severity: 4 })
    for (const ks of ['web', '5HkX']) {
      await alice.types(`/alert ${ks} watch`, general)
      await alice.sees(/👁/, general)
      await world.slack.idle()
    }

    const home = await looksAtHome(alice, world)
    expect(home.plain).toMatch(
      /Live\n🔴 CRITICAL · Disk full\s+in #general · 5HkX[\s\S]*🟡 WARNING · shop <&> ¦ 503\s+in #general · web/,
    )
    expect(JSON.stringify(home.blocks)).toContain(
      `https://playground.slack.com/archives/${general.id}/p`,
    )
    await alice.presses('Stop watching', home)

    const left = await alice.seesHome(/Live\n🟡 WARNING · shop/)
    expect(left.plain).not.toMatch(/Disk full\s+in #general/)
    await alice.sees(
      'Stopped updating: alice pressed Stop watching.',
      await alice.sees('Disk full', general),
    )
  })

  it('that ended meanwhile go from the tab when they are pressed, and that is said directly', async () => {
    const { world, alice } = await withAlert()
    const card = await liveCard(world)
    const home = await looksAtHome(alice, world)
    await alice.presses('Stop watching', card)
    await alice.sees('Stopped updating: alice pressed Stop watching.', card)

    await alice.presses('Stop watching', home)

    await alice.seesHome(/^(?![\s\S]*Live)/)
    await alice.sees('You aren’t watching this alert.', alice.dm)
  })
})

describe('what was done lately, on the Home tab', () => {
  it('is the last five alerts and the last five grants, newest first, with links; after a restart, too', async () => {
    const world = await openWorld()
    const { alice, general, clock } = world
    for (let number = 1; number <= 6; number += 1) {
      clock.advance(1000)
      await lookUp(alice, { ks: `k${number}`, message: `Alert <${number}> & more` }, world)
    }
    for (const who of ['a', 'b', 'c', 'd', 'dave']) {
      clock.advance(60_000)
      await alice.types(`/grant 12 ${who}@example.com viewer`, general)
      await alice.sees(new RegExp(`${who}@example.com`), general)
      await world.slack.idle()
    }
    clock.advance(60_000)
    await alice.types('/grant 12 dave@example.com,nobody@example.com READ', general)
    await alice.sees('0 of 2 granted', general)
    await world.restart()

    const home = await looksAtHome(alice, world)

    const [, grants = '', alerts = ''] =
      /Your requests\n([\s\S]*)\nRecent alerts\n([\s\S]*)\n---/.exec(home.plain) ?? []
    expect(alerts.match(/Alert <\d>/g)).toEqual(
      [6, 5, 4, 3, 2].map((number) => `Alert <${number}>`),
    )
    expect(alerts).toMatch(
      /🟠 ERROR · Alert <6> & more\n\[Look up again\]\n2\d{3}-.* · See the card · Open in monitoring/,
    )
    expect(home.buttons.filter((label) => label === 'Look up again')).toHaveLength(5)
    const lines = grants.split('\n').filter((line) => line.includes('@'))
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(
      /0 of 2 granted · READ on container 12 for 2 people \(dave@example\.com, nobody@example\.com\) · 2\d{3}-/,
    )
    expect(lines[1]).toMatch(/✅ Granted · Viewer on container 12 for dave@example\.com · 2\d{3}-/)
    const json = JSON.stringify(home.blocks)
    const card = await alice.sees('Alert <6>', general)
    expect(json).toContain(`/archives/${general.id}/p${card.message.ts.replace('.', '')}`)
    expect(json).toContain('https://monitor.example.com/alert/k6')
  })

  it('has each alert once, however often it was looked up, and asks nothing of the service, which may be down', async () => {
    const world = await openWorld()
    const { alice } = world
    await lookUp(alice, { ks: 'other', message: 'Another alert' }, world)
    for (const _ of Array.from({ length: 6 })) {
      world.clock.advance(1000)
      await lookUp(alice, diskFull, world)
      await world.slack.idle()
    }

    const before = world.service.requests.length
    await world.service.trouble.down()
    const { plain, buttons } = await looksAtHome(alice, world)

    expect(plain).toMatch(
      /Recent alerts\n.*\n.* · Disk full[\s\S]*Another alert[\s\S]*Connected since/,
    )
    expect(world.service.requests).toHaveLength(before)
    expect(buttons.filter((label) => label === 'Look up again')).toHaveLength(2)
  })
})

describe('a button on the Home tab', () => {
  it('opens the form that looks an alert up, or one up again: its card comes directly, or where that says', async () => {
    const world = await openWorld()
    const { alice, bob, ops } = world
    const ks = 'disk <full> & more'
    await lookUp(alice, { ks, message: 'Shop down' }, world)
    const home = await looksAtHome(alice, world)
    await alice.presses('Look up an alert', home)
    expect((await alice.seesModal('Look up an alert')).values['Post to']).toBe('')
    await alice.submits({ fields: { 'Alert key': ks } })
    await alice.sees('Shop down', alice.dm)

    await alice.presses('Look up again', home)
    expect((await alice.seesModal('Look up an alert')).values['Alert key']).toBe(ks)
    await alice.submits({ fields: { 'Post to': ops } })
    await bob.sees('Shop down', ops)
  })
})

describe('the Home tab', () => {
  it('never shows what is another person’s', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    await lookUp(alice, diskFull, world)
    await liveCard(world)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)

    const { plain } = await looksAtHome(bob, world)

    expect(plain).not.toMatch(/Disk full|dave|container 12|✅/)
    expect(plain).toContain('will be listed here')
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
    const { alice, slack, expectRefusals } = await openWorld({
      slack: { botScopes: allBut('users:read') },
    })
    expectRefusals()

    await alice.opensHome()
    await slack.idle()

    expect(alice.home).toBeUndefined()
  })

  it('ends with two lines of help, without links where they are not set up', async () => {
    const world = await openWorld()
    const { alice } = world
    const home = await looksAtHome(alice, world)
    expect(home.plain).toMatch(
      /\n\/alert <key or link> shows an alert · .*\n\/alert help and \/grant help list everything\nas of /,
    )

    await world.restart({ MONITOR_ALERT_URL: '' })

    expect((await looksAtHome(alice, world)).plain).toContain('/alert <key> shows an alert')
  })
})

describe('what somebody is responsible for, on the Home tab', () => {
  it('is what is assigned to them, apart from the rest', async () => {
    const world = await openCustomer()
    const { alice, general } = world
    opens(world, 'raid').act({ kind: 'Assign', data: { userId: 7, ownerId: 7, message: '' } })
    opens(world, 'cpu')
    await alice.types('/alert open 12 mine', general)
    await alice.sees('1 open in Customer 1 (12)', general)

    const { plain } = await looksAtHome(alice, world)

    expect(plain).toMatch(
      /Assigned to you\nCustomer 1 \(12\): 1\n🔴 CRITICAL · raid is broken[\s\S]*Open now\nCustomer 1 \(12\): 1\n🔴 CRITICAL · cpu/,
    )
  })

  it('is what channels follow with their account, which ends there', async () => {
    const world = await openCustomer()
    const { alice, bob, general } = world
    await followed(world, ' error')

    const home = await looksAtHome(alice, world)
    expect(home.plain).toMatch(
      /Following\nFollowing Customer 1 \(12\)\nShows ERROR and worse.*\n.*\nIn #general/,
    )
    expect((await looksAtHome(bob, world)).plain).not.toContain('Following')
    await alice.presses('Stop following', home)

    await alice.seesHome(/^(?![\s\S]*Following)/)
    await bob.sees('alice stopped following', general)
  })
})

describe('Open now on the Home tab', () => {
  it('has the five worst of the container that somebody used last, read with their token', async () => {
    const world = await openWorld()
    const { alice, bob, general, service } = world
    service.addContainer(12, { name: 'Customer 1' })
    for (let at = 0; at < 7; at += 1)
      service.addAlert({
        ks: `host ${at}`,
        message: `Host ${at} is down`,
        severity: at,
        containerId: 12,
      })
    expect((await looksAtHome(alice, world)).plain).not.toContain('Open now')
    await alice.types('/alert open 12', general)
    await alice.sees('7 open in', general)

    const home = await looksAtHome(alice, world)

    expect(home.plain).toContain('Open now')
    expect(home.plain).toContain('Customer 1 (12): the worst 5 of 7. /alert open 12 lists them all')
    expect(home.plain.match(/Host \d is down/g)).toHaveLength(5)
    await alice.presses('Show card', home)
    await alice.sees(/Host 0 is down[\s\S]*Close alert/, alice.dm)
    expect((await looksAtHome(bob, world)).plain).not.toContain('Open now')
  })

  it('is asked for once a minute, however often somebody opens the tab', async () => {
    const world = await openCustomer()
    const { alice, general, service, clock } = world
    opens(world, 'raid')
    await alice.types('/alert open 12', general)
    await alice.sees('1 open in', general)
    clock.advance(61_000)
    const reads = () => service.requests.filter(({ path }) => path.includes('alerts')).length
    const before = reads()

    const asOf = /as of .*$/.exec((await looksAtHome(alice, world)).plain)?.[0]
    clock.advance(59_000)
    const { plain } = await looksAtHome(alice, world)
    expect(plain).toContain('raid is broken')
    expect(plain).toContain(asOf)
    expect(reads()).toBe(before + 1)
    clock.advance(2_000)
    await looksAtHome(alice, world)

    expect(reads()).toBe(before + 2)
  })
})

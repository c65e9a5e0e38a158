// `/alert doctor`: one list, each line with what to do; for admins all of it, for others what they can act on.
import { describe, expect, it } from 'vitest'
import { openFile } from '../database-folder.ts'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'
import { asksDoctor } from './asking.ts'
import { allBut, allScopes } from './scopes.ts'

/** A world where nothing is amiss, and Alice is an admin. */
function well({ slack, ...rest }: WorldOptions = {}): Promise<World> {
  return openWorld({ slack: { botScopes: allScopes, ...slack }, isAliceAdmin: true, ...rest })
}

describe('/alert doctor', () => {
  it('shows every line, to whoever asks alone', async () => {
    const told = await asksDoctor(await well())

    expect(told.isEphemeral).toBe(true)
    expect(told.buttons).toEqual([])
    const lines = told.plain.split('\n').filter((line) => /^(🟢|⚪|🟡|🔴)/u.test(line))
    expect(told.text).toBe(`All ${lines.length - 1} checks passed, 1 not tested.`)
    expect(told.plain).toMatch(/^✅ All/)
    for (const words of [
      'Your account: Monitoring accepts your token.',
      'This channel: Bellhop is in this channel.',
      'Slack token: Slack accepts it.',
      'Scopes: The token has every scope in the manifest.',
      'Monitoring service: It answers in',
      'is reachable, up to date and writable.',
      'Versions: Bellhop ',
    ])
      expect(told.plain).toContain(words)
  })

  it('says that Slack refuses the token, to whoever asks all the same', async () => {
    const world = await well({ transport: 'socket' })
    world.expectRefusals()
    world.slack.trouble.fail('auth.test', { error: 'token_revoked' })

    const { plain } = await asksDoctor(world)

    expect(plain).toMatch(/^🔴 1 of \d+ checks needs attention\n/)
    expect(plain).toMatch(
      /🔴 Slack token: Slack refuses it \(token_revoked\)\.\n→ Copy the bot token/,
    )
  })

  it.each([
    ['links:write', '🟡 Previews of alert links', 'Links to alerts get no preview.'],
    ['commands', '🔴 Commands', 'Commands and shortcuts don’t work.'],
  ])('says what is off without the scope %s', async (scope, line, words) => {
    const world = await well({ slack: { botScopes: allBut(scope) } })

    expect((await asksDoctor(world)).plain).toContain(
      `${line}: Off: the token lacks the ${scope} scope. ${words}\n→ Add the ${scope} scope`,
    )
  })

  it('tells a private channel that it is not in from one that it cannot see', async () => {
    const world = await well()
    expect((await asksDoctor(world, world.alice, world.ops)).plain).toContain(
      '🟡 This channel: Bellhop isn’t in this channel, so cards have no thread and can’t be watched.\n→ Type /invite @Bellhop here.',
    )
    expect((await asksDoctor(world, world.alice, world.alice.dm)).plain).not.toContain(
      'This channel',
    )

    const blind = await well({ slack: { botScopes: allBut('channels:read', 'groups:read') } })
    blind.expectRefusals()
    const { plain } = await asksDoctor(blind)
    expect(plain).toContain('Doctor can’t see which channels Bellhop is in.')
    expect(plain).not.toContain('This channel')
  })

  it('says what the operator has switched off', async () => {
    const { plain } = await asksDoctor(await well({ env: { MONITOR_OPERATIONS: 'basic' } }))
    expect(plain).toContain('🟢 Operations: MONITOR_OPERATIONS is basic')
  })

  it('says that the service is down, worst first, and that the token could not be tried', async () => {
    const world = await well()
    await world.service.trouble.down()

    expect((await asksDoctor(world)).plain).toMatch(
      /^🔴 2 of \d+ checks need attention\n🔴 Monitoring service: Bellhop can’t reach it \(ECONNREFUSED\)\.\n→ Check that it runs, .*\n🟡 Your account: Bellhop couldn’t check your token/,
    )
  })

  it('says that another program keeps the database locked', async () => {
    const world = await well()
    const other = openFile(world.env.DATABASE_URL)
    other.exec('begin immediate')

    const { plain } = await asksDoctor(world)
    other.exec('rollback')

    expect(plain).toMatch(
      /🔴 Database: DATABASE_URL: \S+ is locked by another program\. Stop that program/,
    )
  })
})

describe('/alert doctor, of somebody’s account', () => {
  it('says that they are not connected', async () => {
    const world = await well()
    expect((await asksDoctor(world, world.bob)).plain).toMatch(
      /🟡 Your account: You haven’t connected an account.*\n→ Type \/alert connect\./,
    )
  })

  it('says that the service no longer accepts their token', async () => {
    const world = await well()
    world.service.revoke(aliceToken)

    expect((await asksDoctor(world)).plain).toContain(
      '🔴 Your account: Monitoring no longer accepts your token',
    )
  })

  it('says that it lacks API or READ', async () => {
    const world = await well()
    world.service.addToken({ token: bobToken, name: 'bob', flags: [] })
    await world.connect(world.bob, bobToken)

    expect((await asksDoctor(world, world.bob)).plain).toContain(
      '🟡 Your account: Monitoring accepts your token, but it seems to lack API or READ',
    )
  })
})

describe('/alert doctor, of what somebody may do on the container they used last', () => {
  async function usesContainer(options: WorldOptions = {}): Promise<World> {
    const world = await openWorld(options)
    const { alice, general, service } = world
    service.addUser({ email: 'dave@example.com' })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    return world
  }

  const asked = ({ service }: World) =>
    service.requests.filter(({ path }) => path.endsWith('/permissions'))

  it('names it by what their own token allows, and by the flags that are missing', async () => {
    const world = await usesContainer()
    // The name of the container is read once the grant is there.
    await world.serviceWasAsked('/container/12', 1)
    await world.slack.idle(50)
    world.service.revoke(aliceToken)
    const flags = ['API', 'READ', 'ALERT_CHANGE'] as const
    world.service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags })

    expect((await asksDoctor(world)).plain).toContain(
      'Your rights: On Customer 1 (12), your token can read alerts, comment and close. It lacks ALERT_ASSIGN (to assign) and CONTAINER_ACCESS (to grant access).',
    )

    world.service.behaves({ ownPermissions: 'refused' })
    expect((await asksDoctor(world)).plain).toContain(
      '⚪ Your rights: Bellhop couldn’t read what your token may do on Customer 1 (12).\n→ Just try: a refusal names the flag',
    )
  })

  it('asks with nobody else’s token, and not where they have used no container', async () => {
    const world = await usesContainer()
    const { bob, service } = world
    service.addToken({ token: bobToken, name: 'bob', userId: 8, flags: ['API', 'READ'] })
    await world.connect(bob, bobToken)

    expect((await asksDoctor(world, bob)).plain).toContain(
      '⚪ Your rights: Not checked: you haven’t used a container yet.\n→ Look an alert up, then ask again.',
    )
    expect(asked(world)).toEqual([])
  })
})

describe('/alert doctor, of the channels that the operator has named', () => {
  it('says where Bellhop is not, and where another organisation reads along', async () => {
    const world = await well()
    world.general.isShared = true
    await world.restart({ AUDIT_CHANNEL: world.general.id, APPROVAL_CHANNEL: world.ops.id })

    const { plain } = await asksDoctor(world)

    expect(plain).toContain(
      '🔴 Audit channel: AUDIT_CHANNEL is shared with another organisation, which could read everything in it.\n→ Set AUDIT_CHANNEL to a channel of your own organisation',
    )
    expect(plain).toContain(
      '🔴 Approval channel: Bellhop isn’t in APPROVAL_CHANNEL, so it can’t post there.\n→ Type /invite @Bellhop there.',
    )
  })
})

describe('/alert doctor, of somebody who is no admin', () => {
  it('names what an operator has to fix, without hosts, and with the reference of a line in the log', async () => {
    const world = await openWorld({ slack: { botScopes: allScopes } })
    await world.connect(world.bob, bobToken)
    await world.service.trouble.down()

    const { plain } = await asksDoctor(world, world.bob)

    expect(plain).toMatch(/^🔴 2 of \d+ checks need attention\n/)
    const [, reference] =
      /🔴 Monitoring service: Whoever runs Bellhop can fix this \(reference ([0-9a-f]{8})\)\.\n🟡/.exec(
        plain,
      ) ?? []
    expect(plain).toContain('🟢 Slack token: Slack accepts it.')
    expect(plain).not.toMatch(/MONITOR_API_URL|ECONNREFUSED/)
    const lines = world.log
      .map((line) => JSON.parse(line))
      .filter(({ request }) => request === reference)
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'doctor found what only whoever runs Bellhop can fix',
        found: ['Monitoring service: Bellhop can’t reach it (ECONNREFUSED).'],
      }),
    )
  })
})

// Findings of `/alert doctor`, and how it says them.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'
import { allBut, allScopes } from './scopes.ts'

const settled = { PUBLIC_URL: 'https://bellhop.example.com' }

/** A world where nothing is amiss. */
async function well(options: WorldOptions = {}): Promise<World> {
  const { slack, env, ...rest } = options
  const world = await openWorld({
    slack: { botScopes: allScopes, ...slack },
    env: { ...settled, ...env },
    ...rest,
  })
  const { slack: workspace, bob } = world
  await workspace.event({ type: 'user_change', user: workspace.userPayload(bob.member) })
  return world
}

async function examine({ alice, general }: World, person = alice, channel = general) {
  await person.types('/alert doctor', channel)
  return person.sees(/Bellhop is well|things? needs? mending|Bellhop works, with/, channel)
}

describe('/alert doctor', () => {
  it('finds a world in which nothing is amiss well, privately', async () => {
    const world = await well()

    const told = await examine(world)

    expect(told.isEphemeral).toBe(true)
    expect(told.plain).toContain('Bellhop is well.')
    expect(told.plain).not.toContain('🔴')
    expect(told.plain.match(/🟡/g)).toHaveLength(1)
    for (const words of [
      'Slack token: Slack accepts it.',
      'Scopes: All that the manifest asks for.',
      'Cards: Slack takes a card as Bellhop draws it.',
      'From Slack: Your command arrived over HTTP, signed by Slack.',
      'Events: The last one arrived within the last minute.',
      'This channel: Bellhop is in this channel.',
      'Monitoring service: It answers, after',
      'Clock: ',
      'Your account: The service accepts your token.',
      'granting needs API and CONTAINER_ACCESS, which was not tried.',
      'reachable, up to date and writable.',
      'Settings: All that are required are set; one key seals the tokens.',
      'Versions: Bellhop ',
    ])
      expect(told.plain).toContain(words)
    expect(told.text).toBe('Bellhop is well.')
    expect(told.blocks.length).toBeLessThan(50)
  })

  it('works over Socket Mode, and says that it is connected', async () => {
    const world = await well({ transport: 'socket' })

    const told = await examine(world)

    expect(told.plain).toContain('Your command arrived by Socket Mode, which is connected.')
    expect(told.plain).not.toContain('Events')
  })

  it('proves the way back: a press turns its line green, in place', async () => {
    const world = await well()
    const told = await examine(world)
    expect(told.plain).toMatch(/🟡 Amber · The way back\s+Not tried yet/)

    await world.alice.presses('Test the way back', told)

    const proven = await world.alice.sees('Your press arrived', world.general)
    expect(proven.ts).toBe(told.ts)
    expect(proven.plain).toMatch(
      /🟢 Green · The way back: Your press arrived, \d+\.\d s after you pressed it by Slack’s clock: buttons and forms reach Bellhop\./,
    )
    expect(proven.plain).not.toContain('🟡')
    expect(proven.buttons).toEqual([])
  })

  it('says that Slack refuses the token, to whoever asks all the same', async () => {
    const world = await well()
    world.expectRefusals()
    world.slack.trouble.fail('auth.test', { error: 'token_revoked' })

    const told = await examine(world)

    expect(told.plain).toContain('One thing needs mending.')
    expect(told.plain).toMatch(
      /🔴 Red · Slack token\s+Slack refuses it \(token_revoked\)\.\s+Mend: Copy the bot token/,
    )
    expect(told.plain.indexOf('🔴')).toBeLessThan(told.plain.indexOf('🟡'))
    expect(told.plain.indexOf('🟡')).toBeLessThan(told.plain.indexOf('🟢'))
  })

  it.each([
    ['links:write', '🟡 Amber · Previews of alert links', 'Links of alerts get no preview.'],
    ['app_mentions:read', '🟡 Amber · Mentions', 'Bellhop does not answer when it is mentioned.'],
    ['chat:write.public', '🟡 Amber · Public channels without an invitation', 'a card has no thread'],
    ['commands', '🔴 Red · Commands', 'There are no commands'],
  ])('says what is off without the scope %s, and that the rest goes on', async (scope, line, words) => {
    const world = await well({ slack: { botScopes: allBut(scope) } })

    const told = await examine(world)

    expect(told.plain).toContain(line)
    expect(told.plain).toContain(`Off: the token lacks ${scope}. `)
    expect(told.plain).toContain(words)
    expect(told.plain).toContain('Scopes: Those of 9 features are granted.')
  })

  it('says that Slack previews no links of this host, and misses no scope for them', async () => {
    const world = await well({ env: { MONITOR_ALERT_URL: 'https://on_call.example.com/alert/{ks}' } })
    const told = await examine(world)
    expect(told.plain).toContain('Link previews')
    expect(told.plain).toContain('Slack previews no links of the host in MONITOR_ALERT_URL')
    expect(told.plain).not.toContain('on_call')
    expect(told.plain).toContain('Scopes: All that the manifest asks for.')
  })

  it('learns of a scope that was added since the start', async () => {
    const botScopes = [...allBut('links:write')]
    const world = await well({ slack: { botScopes } })
    expect((await examine(world)).plain).toContain('Previews of alert links')

    botScopes.push('links:write')

    await world.alice.types('/alert doctor', world.general)
    await world.alice.sees('Scopes: All that the manifest asks for.', world.general)
  })

  it('tells a private channel that it is not in from one that it cannot see', async () => {
    const world = await well()
    expect((await examine(world, world.alice, world.ops)).plain).toMatch(
      /🟡 Amber · This channel\s+Bellhop is not in this channel, so cards come without a thread and cannot be watched\.\s+Mend: Type \/invite @Bellhop there\./,
    )

    const blind = await well({ slack: { botScopes: allBut('channels:read', 'groups:read') } })
    blind.expectRefusals()
    expect((await examine(blind)).plain).toContain(
      'cannot be seen without the scopes channels:read and groups:read',
    )
  })

  it('says that the service is down, and that the token could not be tried', async () => {
    const world = await well()
    await world.service.trouble.down()

    const told = await examine(world)

    expect(told.plain).toMatch(
      /🔴 Red · Monitoring service\s+Nothing listens there\.\s+Mend: Start it, or correct/,
    )
    expect(told.plain).toContain('Your token could not be tried')
  })

  it('does not wait for a service that never answers', async () => {
    const world = await well({ budgetMs: 300 })
    world.service.trouble.hang()

    expect((await examine(world)).plain).toMatch(/🔴 Red · Monitoring service\s+It does not answer in time\./)
  })

  it('says that the service is slow, and how slow', async () => {
    const world = await well({ budgetMs: 4000 })
    world.service.trouble.slow(1600)

    expect((await examine(world)).plain).toMatch(
      /🟡 Amber · Monitoring service\s+It answers, but slowly: after \d\.\d s\./,
    )
  })

  it('says that something else answers in place of the service', async () => {
    const world = await well()
    world.service.trouble.answer(200, { body: '<html>Sign in to the network</html>' })

    expect((await examine(world)).plain).toMatch(
      /🔴 Red · Monitoring service\s+Something answers 200 where the service would ask for a token \(401\)\.\s+Mend: Correct MONITOR_API_URL/,
    )
  })

  it('says by how much the clocks differ, from half a minute on', async () => {
    const world = await well()
    const date = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toUTCString()
    world.service.trouble.answer(401, { times: 1, headers: { date: date(-20) } })
    expect((await examine(world)).plain).toMatch(/Clock: (19|2[01]) seconds apart/)

    world.service.trouble.answer(401, { times: 1, headers: { date: date(90) } })
    await world.alice.types('/alert doctor', world.general)

    await world.alice.sees(
      /🟡 Amber · Clock\s+This machine’s clock is (89|9[01]) seconds behind the service’s\./,
      world.general,
    )
  })
})

describe('/alert doctor, of somebody’s account', () => {
  it('says that they are not connected', async () => {
    const world = await well()

    const told = await examine(world, world.bob)

    expect(told.plain).toMatch(
      /🟡 Amber · Your account\s+You are not connected.*\s+Mend: Type \/alert connect\./,
    )
    expect(told.plain).not.toContain('CONTAINER_ACCESS')
  })

  it('says that the service no longer accepts their token', async () => {
    const world = await well()
    world.service.revoke(aliceToken)

    expect((await examine(world)).plain).toMatch(/🔴 Red · Your account\s+Your token is no longer accepted/)
  })

  it.each([503, 200])('does not take an answer %i that says nothing for a yes', async (status) => {
    const world = await well()
    world.service.trouble.answer(status, { body: '<html></html>' })

    expect((await examine(world)).plain).toMatch(/🟡 Amber · Your account\s+Your token could not be tried/)
  })

  it('says that it lacks API or READ', async () => {
    const world = await well()
    world.service.addToken({ token: bobToken, name: 'bob', flags: [] })
    await world.connect(world.bob, bobToken)

    expect((await examine(world, world.bob)).plain).toMatch(
      /🟡 Amber · Your account\s+The service knows your token, but it lacks API or READ/,
    )
  })
})

describe('/alert doctor, of the database', () => {
  const fileOf = ({ env }: World) => (env.DATABASE_URL ?? '').slice('file:'.length)

  it('says that another program keeps it locked, without its name', async () => {
    const world = await well()
    const other = new DatabaseSync(fileOf(world), { timeout: 5_000 })
    onTestFinished(() => other.close())
    other.exec('begin immediate')

    const told = await examine(world)

    expect(told.plain).toMatch(
      /🔴 Red · Database\s+DATABASE_URL: \[place\] is locked by another program\.\s+Mend: Stop that program/,
    )
    expect(JSON.stringify(told.blocks)).not.toContain('bellhop.db')
    other.exec('rollback')
  })

  it('says that a table is gone and a start brings it back', async () => {
    const world = await well()
    const other = new DatabaseSync(fileOf(world), { timeout: 5_000 })
    other.exec('drop table kysely_migration')
    other.close()

    expect((await examine(world)).plain).toMatch(
      /🔴 Red · Database\s+SQLite \S+: what Bellhop had kept is gone\./,
    )
  })
})

describe('the text for a ticket', () => {
  it('says the same without a token, an address, a host or a file', async () => {
    const world = await well()
    world.service.addToken({ token: bobToken, name: 'bob', flags: [] })

    const told = await examine(world)

    const text = JSON.stringify(told.blocks)
    expect(text).toContain('rich_text_preformatted')
    expect(text).toMatch(/Bellhop doctor, \d{4}-\d\d-\d\d \d\d:\d\d UTC\\nAMBER The way back: Not tried yet/)
    const { slack, env, service } = world
    for (const secret of [
      ...[aliceToken, slack.botToken, slack.signingSecret, env.ENCRYPTION_KEYS ?? ''],
      ...[new URL(service.url).host, 'bellhop.db', 'bellhop.example.com', 'alice@example.com'],
    ])
      expect(text).not.toContain(secret)
  })

  it('is asked for without anything after it', async () => {
    const { alice, general } = await openWorld()
    await alice.types('/alert doctor please', general)
    await alice.sees('Nothing goes after /alert doctor.', general)
  })
})

describe('the channels that the operator has named', () => {
  it('are looked at, each by its setting', async () => {
    const world = await well()
    await world.restart({ AUDIT_CHANNEL: world.general.id, APPROVAL_CHANNEL: world.ops.id })

    const told = await examine(world)

    expect(told.plain).toContain('Audit channel: Bellhop is in AUDIT_CHANNEL.')
    expect(told.plain).toContain(
      'Approval channel: Bellhop is not in APPROVAL_CHANNEL, so it cannot post there.',
    )
  })

  it('are named where another organisation reads along', async () => {
    const world = await well()
    for (const channel of [world.general, world.ops]) channel.isShared = true
    world.ops.members.add(world.slack.bot.userId)
    await world.restart({ AUDIT_CHANNEL: world.general.id, APPROVAL_CHANNEL: world.ops.id })

    const told = await examine(world)

    expect(told.plain).toContain(
      'AUDIT_CHANNEL is shared with another organisation, which reads every line of it.',
    )
    expect(told.plain).toContain(
      'APPROVAL_CHANNEL is shared with another organisation, so requests are not posted there.',
    )
  })

  it('say what went wrong when the last line could not be posted', async () => {
    const world = await well()
    world.expectRefusals()
    const { alice, general, ops } = world
    await world.restart({ AUDIT_CHANNEL: ops.id })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    await expect.poll(() => world.log.join('')).toContain('could not be posted to the audit channel')

    const told = await examine(world)

    expect(told.plain).toContain('🔴 Red · Audit channel')
    expect(told.plain).toContain(
      'Bellhop cannot post in AUDIT_CHANNEL. Invite it there with /invite @Bellhop',
    )
  })
})

describe('how the channel is set', () => {
  it('is among what is found, and by whom', async () => {
    const world = await well()
    const { alice, bob, general } = world
    expect((await examine(world)).plain).toContain('Style here: thread, nobody has set it')
    await bob.types('/alert style quiet', general)
    await alice.sees('bob made Bellhop quiet', general)

    expect((await examine(world, bob)).plain).toContain('Style here: quiet, set by bob')
  })
})

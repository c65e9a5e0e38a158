// Findings of `/alert doctor`, and how it says them.
import { DatabaseSync } from 'node:sqlite'
import { WebClient } from '@slack/web-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'
import { asksDoctor as examine, seesDetails, seesTicket } from './asking.ts'
import { allBut, allScopes } from './scopes.ts'

/** A world where nothing is amiss, and Alice is an admin. */
function well({ slack, ...rest }: WorldOptions = {}): Promise<World> {
  return openWorld({ slack: { botScopes: allScopes, ...slack }, isAliceAdmin: true, ...rest })
}

/** The same, after an event. */
async function wellWithEvents(): Promise<World> {
  const world = await well()
  const { slack, bob } = world
  await slack.event({ type: 'user_change', user: slack.userPayload(bob.member) })
  return world
}

describe('/alert doctor', () => {
  it('says in one line that all is well, privately', async () => {
    const world = await well()

    const told = await examine(world)

    expect(told.isEphemeral).toBe(true)
    expect(told.text).toMatch(/^All \d\d checks passed\.$/)
    expect(told.plain).toMatch(
      /^✅ All \d\d checks passed\n⚪ Buttons and forms: not tested yet\.\n\[Test a button\]\n\[Details\] \[Text for a ticket\]\nChecked .*\.$/,
    )
    expect(told.plain).not.toMatch(/🔴|🟡|🟢|Red|Amber|Green/)
    expect(told.buttons).toEqual(['Test a button', 'Details', 'Text for a ticket'])
  })

  it('shows every line behind Details, of which it has counted those that are tested', async () => {
    const world = await wellWithEvents()

    const details = await seesDetails(world)

    const lines = details.plain.split('\n').filter((line) => /^(🟢|⚪|🟡|🔴)/u.test(line))
    expect(details.plain).toContain(`All ${lines.length} checks passed`)
    expect(details.plain).toMatch(
      /🟢 Buttons and forms: Your press reached Bellhop in \d+\.\d s, by Slack’s clock\./,
    )
    expect(details.buttons).toEqual([])
    for (const words of [
      'Slack token: Slack accepts it.',
      'Scopes: The token has every scope in the manifest.',
      'Cards: Slack accepts Bellhop’s cards.',
      'From Slack: Your command arrived over HTTP, signed by Slack.',
      'Events: The last event arrived within the last minute.',
      'This channel: Bellhop is in this channel.',
      'Monitoring service: It answers in',
      'Clock: ',
      'Your account: Monitoring accepts your token.',
      'reading needs API and READ, granting needs API and CONTAINER_ACCESS. Granting wasn’t tested.',
      'is reachable, up to date and writable.',
      'Settings: Everything that is required is set. One key encrypts the tokens.',
      'Versions: Bellhop ',
    ])
      expect(details.plain).toContain(words)
  })

  it('counts no event that has not come yet, which needs nobody’s attention', async () => {
    const world = await well()

    const details = await seesDetails(world)

    expect(details.plain).toMatch(/^All \d+ checks passed/m)
    expect(details.plain).toMatch(
      /⚪ Events: No event has arrived since Bellhop started.*\n→ To test this, open Bellhop’s Home/,
    )
  })

  it('works over Socket Mode, and says that it is connected', async () => {
    const world = await well({ transport: 'socket' })

    const details = await seesDetails(world)

    expect(details.plain).toContain('Your command arrived over Socket Mode, which is connected.')
    expect(details.plain).not.toContain('Events')
  })

  it('tests buttons and forms: a press turns their line green, in place', async () => {
    const world = await well()
    const told = await examine(world)

    await world.alice.presses('Test a button', told)

    const proven = await world.alice.sees('Your press reached Bellhop', world.general)
    expect(proven.ts).toBe(told.ts)
    expect(proven.plain).toMatch(
      /✅ All \d+ checks passed\n🟢 Buttons and forms: Your press reached Bellhop in \d+\.\d s, by Slack’s clock\./,
    )
    expect(proven.buttons).toEqual(['Details', 'Text for a ticket'])
  })

  it('answers the button of a message from before an upgrade, in its place', async () => {
    const world = await well()
    const { alice, general, slack } = world
    const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl })
    const words = '🟡 *Amber · The way back*\nNot tried yet: whether buttons and forms reach Bellhop.'
    await web.chat.postEphemeral({
      channel: general.id,
      user: alice.id,
      text: 'Bellhop is well.',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: words },
          accessory: {
            type: 'button',
            action_id: 'doctor.way-back',
            text: { type: 'plain_text', text: 'Test the way back' },
          },
        },
      ],
    })
    const former = await alice.sees('Amber · The way back', general)

    await alice.presses('Test the way back', former)

    const proven = await alice.sees('Your press reached Bellhop', general)
    expect(proven.ts).toBe(former.ts)
    expect(proven.plain).not.toContain('way back')
  })

  it('says that Slack refuses the token, to whoever asks all the same', async () => {
    const world = await well()
    world.expectRefusals()
    world.slack.trouble.fail('auth.test', { error: 'token_revoked' })

    const told = await examine(world)

    expect(told.plain).toMatch(/^🔴 1 of \d+ checks needs attention$/m)
    expect(told.plain).toMatch(/🔴 Slack token\s+Slack refuses it \(token_revoked\)\.\s+→ Copy the bot token/)
    expect(told.plain).not.toContain('🟢')
  })

  it.each([
    ['links:write', '🟡 Previews of alert links', 'Links to alerts get no preview.'],
    ['app_mentions:read', '🟡 Mentions', 'Bellhop doesn’t answer mentions.'],
    ['chat:write.public', '🟡 Public channels without an invitation', 'cards have no thread'],
    ['commands', '🔴 Commands', 'Commands and shortcuts don’t work.'],
  ])('says what is off without the scope %s, and that the rest goes on', async (scope, line, words) => {
    const world = await well({ slack: { botScopes: allBut(scope) } })

    const told = await examine(world)

    expect(told.plain).toContain(line)
    expect(told.plain).toContain(`Off: the token lacks the ${scope} scope. `)
    expect(told.plain).toContain(words)
    await world.alice.presses('Details', told)
    await expect
      .poll(() => world.alice.modal?.plain)
      .toContain('Scopes: The token has the scopes for 9 other features.')
  })

  it('says that Slack previews no links of this host, and misses no scope for them', async () => {
    const world = await well({ env: { MONITOR_ALERT_URL: 'https://on_call.example.com/alert/{ks}' } })
    const told = await examine(world)
    expect(told.plain).toContain('Link previews')
    expect(told.plain).toContain('Slack can’t preview links to the host in MONITOR_ALERT_URL')
    expect(told.plain).not.toContain('on_call')
    expect(told.plain).not.toContain('Off: ')
  })

  it('learns of a scope that was added since the start', async () => {
    const botScopes = [...allBut('links:write')]
    const world = await well({ slack: { botScopes } })
    expect((await examine(world)).plain).toContain('Previews of alert links')

    botScopes.push('links:write')

    expect((await examine(world)).text).toMatch(/^All/)
  })

  it('tells a private channel that it is not in from one that it cannot see', async () => {
    const world = await well()
    expect((await examine(world, world.alice, world.ops)).plain).toMatch(
      /🟡 This channel\s+Bellhop isn’t in this channel, so cards have no thread and can’t be watched\.\s+→ Type \/invite @Bellhop here\./,
    )

    const blind = await well({ slack: { botScopes: allBut('channels:read', 'groups:read') } })
    blind.expectRefusals()
    expect((await seesDetails(blind)).plain).toContain(
      '⚪ This channel: Without the scopes channels:read and groups:read, Bellhop can’t see whether it is in this channel.',
    )
  })

  it('takes a direct message for what it is', async () => {
    const world = await well()
    const details = await seesDetails(world, world.alice, world.alice.dm)
    expect(details.plain).toContain('This channel: This is a direct message.')
  })

  it('says that the service is down, and that the token could not be tried', async () => {
    const world = await well()
    await world.service.trouble.down()

    const told = await examine(world)

    expect(told.plain).toMatch(
      /^🔴 2 of \d+ checks need attention\n🔴 Monitoring service\s+Nothing is listening there\.\s+→ Start it, or correct/,
    )
    expect(told.plain).toContain('Bellhop couldn’t check your token')
    expect(told.plain.lastIndexOf('🔴')).toBeLessThan(told.plain.indexOf('🟡'))
  })

  it('does not wait for a service that never answers', async () => {
    const world = await well({ budgetMs: 300 })
    world.service.trouble.hang()

    expect((await examine(world)).plain).toMatch(/🔴 Monitoring service\s+It didn’t answer in time\./)
  })

  it('says that the service is slow, and how slow', async () => {
    const world = await well({ budgetMs: 4000 })
    world.service.trouble.slow(1600)

    expect((await examine(world)).plain).toMatch(
      /🟡 Monitoring service\s+It answers slowly: it took \d\.\d s\./,
    )
  })

  it('says that something else answers in place of the service', async () => {
    const world = await well()
    world.service.trouble.answer(200, { body: '<html>Sign in to the network</html>' })

    expect((await examine(world)).plain).toMatch(
      /🔴 Monitoring service\s+Something answers 200, where the service would ask for a token \(401\)\.\s+→ Check MONITOR_API_URL/,
    )
  })

  it('says by how much the clocks differ, from half a minute on', async () => {
    const world = await well()
    const date = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toUTCString()
    const told = await examine(world)
    world.service.trouble.answer(401, { times: 1, headers: { date: date(-20) } })
    await world.alice.presses('Details', told)
    await expect
      .poll(() => world.alice.modal?.plain)
      .toMatch(/🟢 Clock: This machine’s clock is within (19|2[01]) seconds of the service’s/)
    await world.alice.closes()

    world.service.trouble.answer(401, { times: 1, headers: { date: date(90) } })

    expect((await examine(world)).plain).toMatch(
      /🟡 Clock\s+This machine’s clock is (89|9[01]) seconds behind the service’s\./,
    )
  })
})

describe('/alert doctor, of somebody’s account', () => {
  it('says that they are not connected', async () => {
    const world = await well()

    const told = await examine(world, world.bob)

    expect(told.plain).toMatch(
      /🟡 Your account\s+You haven’t connected an account.*\s+→ Type \/alert connect\./,
    )
    expect(told.plain).not.toContain('CONTAINER_ACCESS')
  })

  it('says that the service no longer accepts their token', async () => {
    const world = await well()
    world.service.revoke(aliceToken)

    expect((await examine(world)).plain).toMatch(/🔴 Your account\s+Monitoring no longer accepts your token/)
  })

  it.each([503, 200])('does not take an answer %i that says nothing for a yes', async (status) => {
    const world = await well()
    world.service.trouble.answer(status, { body: '<html></html>' })

    expect((await examine(world)).plain).toMatch(/🟡 Your account\s+Bellhop couldn’t check your token/)
  })

  it('says that it lacks API or READ', async () => {
    const world = await well()
    world.service.addToken({ token: bobToken, name: 'bob', flags: [] })
    await world.connect(world.bob, bobToken)

    expect((await examine(world, world.bob)).plain).toMatch(
      /🟡 Your account\s+Monitoring accepts your token, but it seems to lack API or READ/,
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
      /🔴 Database\s+DATABASE_URL: \[place\] is locked by another program\.\s+→ Stop that program/,
    )
    expect(JSON.stringify(told.blocks)).not.toContain('bellhop.db')
    other.exec('rollback')
  })

  it('says that a table is gone and a start brings it back', async () => {
    const world = await well()
    const other = new DatabaseSync(fileOf(world), { timeout: 5_000 })
    other.exec('drop table kysely_migration')
    other.close()

    expect((await examine(world)).plain).toMatch(/🔴 Database\s+SQLite \S+: Bellhop’s data is gone\./)
  })
})

describe('the text for a ticket', () => {
  it('says the same without a token, an address, a host or a file', async () => {
    const world = await well()
    world.service.addToken({ token: bobToken, name: 'bob', flags: [] })

    const { blocks, buttons } = await seesTicket(world)

    const text = JSON.stringify(blocks)
    expect(text).toContain('rich_text_preformatted')
    expect(text).toMatch(/Bellhop doctor, \d{4}-\d\d-\d\d \d\d:\d\d UTC\\nGREY Events: No event has arrived/)
    expect(text).toContain('GREEN Versions: Bellhop ')
    expect(buttons).toEqual([])
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

    expect(told.plain).toMatch(
      /🟡 Approval channel\s+Bellhop isn’t in APPROVAL_CHANNEL, so it can’t post there\./,
    )
    expect((await seesDetails(world)).plain).toContain('Audit channel: Bellhop is in AUDIT_CHANNEL.')
  })

  it('are named where another organisation reads along', async () => {
    const world = await well()
    for (const channel of [world.general, world.ops]) channel.isShared = true
    world.ops.members.add(world.slack.bot.userId)
    await world.restart({ AUDIT_CHANNEL: world.general.id, APPROVAL_CHANNEL: world.ops.id })

    const told = await examine(world)

    expect(told.plain).toContain(
      'AUDIT_CHANNEL is shared with another organisation, which can read every line of it.',
    )
    expect(told.plain).toContain(
      'APPROVAL_CHANNEL is shared with another organisation, so Bellhop doesn’t post requests there.',
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

    expect(told.plain).toMatch(
      /🔴 Audit channel\s+Bellhop can’t post in AUDIT_CHANNEL\.\s+→ Type \/invite @Bellhop there/,
    )
  })
})

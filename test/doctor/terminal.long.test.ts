// `npm run doctor`: what it finds from where no bot runs, and how it says so.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { runDoctor } from './run-doctor.ts'
import { allBut, allScopes } from './scopes.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('npm run doctor', () => {
  it('before anything is set names what is missing, each with what to do, and makes nothing', async () => {
    const file = join(newFolder(), 'data', 'bellhop.db')

    const { exitCode, printed } = await runDoctor({
      DATABASE_URL: `file:${file}`,
      MONITOR_API_URL: 'http://127.0.0.1:9',
    })

    expect(exitCode).toBe(1)
    expect(printed).toMatch(/^3 of 4 checks need attention\.$/m)
    for (const name of ['SLACK_BOT_TOKEN', 'ENCRYPTION_KEYS'])
      expect(printed).toMatch(new RegExp(`^RED +Settings +${name}: is missing\\. C`, 'm'))
    expect(existsSync(file)).toBe(false)
  })

  it('with settings that lead nowhere says so of each, without what is secret in them', async () => {
    const { env } = await openProcessWorld()
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')

    const { exitCode, printed } = await runDoctor({
      ...env,
      SLACK_BOT_TOKEN: 'xoxb-wrong-token',
      SLACK_APP_TOKEN: 'xapp-wrong-token',
      MONITOR_API_URL: 'http://127.0.0.1:9',
      DATABASE_URL: `file:${join(folder, 'file', 'bellhop.db')}`,
    })

    expect(exitCode).toBe(1)
    expect(printed).toMatch(
      /^RED +Slack token +Slack refuses it \(invalid_auth\)\.\n +Fix: Copy the bot token/m,
    )
    expect(printed).toMatch(
      /^RED +From Slack +Slack offers no socket \(invalid_auth\)\.\n +Fix: Create an app-level token/m,
    )
    expect(printed).toMatch(
      /^RED +Monitoring service +Bellhop can’t reach it \(ECONNREFUSED\)\.\n +Fix: Check that it runs/m,
    )
    expect(printed).toMatch(/^RED +Database +DATABASE_URL: \/\S+ can’t be used: ENOTDIR/m)
    expect(printed).not.toMatch(/wrong-token/)
  })

  it('prints what Slack says on one line, and lets nothing in it steer the terminal', async () => {
    const { env, slack } = await openProcessWorld()
    const error = 'odd\u001b[2J\r\nGREEN  Slack token  Slack accepts it.\u009b1A\u202e'
    slack.trouble.fail('auth.test', { error }, { times: 20 })

    const { printed } = await runDoctor(env)

    expect(printed).toMatch(
      /^RED +Slack token +Slack gave no usable answer \(auth\.test: odd \[2J GREEN/m,
    )
    expect(printed).not.toMatch(/^GREEN +Slack token/m)
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })

  it('exits with 0 when nothing is red, before the first start and after it', async () => {
    const world = await openProcessWorld({ botScopes: allBut('links:write') })
    const before = await runDoctor(world.env)
    await (await world.start()).stop()

    const MONITOR_ALERT_URL = 'https://m.example.com/alert/{ks}'
    const after = await runDoctor({ ...world.env, MONITOR_ALERT_URL, MONITOR_OPERATIONS: 'basic' })

    expect(before.printed).not.toContain('MONITOR_OPERATIONS')
    expect(after.printed).toContain(
      'MONITOR_OPERATIONS is basic: Bellhop reads one alert at a time',
    )
    expect(before.printed).toMatch(
      /^GREEN +Database +SQLite \S+: The next start makes Bellhop’s tables/m,
    )
    expect(after.printed).toMatch(
      /^GREEN +Database +SQLite \S+ is reachable, up to date and writable\./m,
    )
    expect(after.printed).toMatch(
      /^AMBER +Previews of alert links +Off: the token lacks the links:write scope\./m,
    )
    expect(after.printed).toMatch(/^GREY +From Slack +Slack must be able to reach/m)
    expect(after.printed).toMatch(/^GREEN +Monitoring service +It answers in/m)
    expect(after.printed).not.toContain('RED ')
    expect([before.exitCode, after.exitCode]).toEqual([0, 0])
  })

  it('asks for a socket where Socket Mode is set, and opens none', async () => {
    const world = await openProcessWorld({ botScopes: allScopes })
    const { slack, env } = world

    const { printed, exitCode } = await runDoctor({ ...env, SLACK_APP_TOKEN: slack.appToken })

    expect(printed).toMatch(
      /^GREEN +From Slack +Slack accepts SLACK_APP_TOKEN and offers a socket\./m,
    )
    expect(slack.socket.isConnected).toBe(false)
    expect(exitCode).toBe(0)
  })
})
